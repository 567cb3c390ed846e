"""Reads what the kernel knows about it."""

# verdict: cage


class Hostile:
    def choose(self, position, clock):
        open("/proc/self/maps").read()
        return position.legal_moves()[0]

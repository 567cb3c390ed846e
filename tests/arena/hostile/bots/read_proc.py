"""Reads the environment of other processes."""

# verdict: cage


class Hostile:
    def choose(self, position, clock):
        open("/proc/1/environ", "rb").read()
        return position.legal_moves()[0]

"""Reads a file of the system."""

# verdict: cage


class Hostile:
    def choose(self, position, clock):
        open("/etc/passwd").read()
        return position.legal_moves()[0]

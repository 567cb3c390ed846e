"""The same by another call."""

# verdict: cage
import os


class Hostile:
    def choose(self, position, clock):
        os.setpgid(0, 0)
        return position.legal_moves()[0]

"""Leaves the process group in which it would be killed."""

# verdict: cage
import os


class Hostile:
    def choose(self, position, clock):
        os.setsid()
        return position.legal_moves()[0]

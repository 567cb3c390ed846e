"""Deletes its own file, which the referee may still want."""

# verdict: cage
import os


class Hostile:
    def choose(self, position, clock):
        os.remove(os.path.abspath(__file__))
        return position.legal_moves()[0]

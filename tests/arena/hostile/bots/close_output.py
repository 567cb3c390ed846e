"""Closes its output; that is its own affair."""

# verdict: win
import os


class Hostile:
    def __init__(self):
        os.close(1)
        os.close(2)

    def choose(self, position, clock):
        return position.legal_moves()[0]

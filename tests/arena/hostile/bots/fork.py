"""Starts a second process that thinks for it."""

# verdict: cage
import os


class Hostile:
    def choose(self, position, clock):
        if os.fork() == 0:
            while True:
                pass
        return position.legal_moves()[0]

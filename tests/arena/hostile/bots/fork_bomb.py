"""Starts processes until nothing else runs."""

# verdict: cage
import os


class Hostile:
    def choose(self, position, clock):
        while True:
            os.fork()

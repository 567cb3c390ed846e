"""Leaves without a word."""

# verdict: crash
import os


class Hostile:
    def choose(self, position, clock):
        os._exit(0)

"""Complains and complains."""

# verdict: output
import sys


class Hostile:
    def choose(self, position, clock):
        while True:
            sys.stderr.write("x" * 10000)

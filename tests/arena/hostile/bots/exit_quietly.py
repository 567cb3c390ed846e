"""Leaves as if all were well."""

# verdict: crash
import sys


class Hostile:
    def choose(self, position, clock):
        sys.exit(0)

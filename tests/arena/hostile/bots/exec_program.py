"""Turns itself into another program."""

# verdict: cage
import os


class Hostile:
    def choose(self, position, clock):
        os.execv("/bin/sh", ["/bin/sh", "-c", "sleep 60"])

"""Keeps the referee awake with every line it prints, and thinks while that one waits for the core."""

# verdict: timeout
import sys
import time


class Hostile:
    def choose(self, position, clock):
        until = time.process_time() + 0.6
        while time.process_time() < until:
            sys.stderr.write(".\n")
            sys.stderr.flush()
        return position.legal_moves()[0]

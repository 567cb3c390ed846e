"""Moves to the core on which another match is played."""

# verdict: cage
import os


class Hostile:
    def choose(self, position, clock):
        os.sched_setaffinity(0, range(os.cpu_count() or 1))
        return position.legal_moves()[0]

"""Kills every process it can reach."""

# verdict: crash
import os
import signal


class Hostile:
    def choose(self, position, clock):
        os.kill(-1, signal.SIGKILL)
        os.kill(0, signal.SIGKILL)
        return position.legal_moves()[0]

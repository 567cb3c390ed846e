"""Kills the referee."""

# verdict: crash
import os
import signal

REFEREE = 2


class Hostile:
    def choose(self, position, clock):
        os.kill(os.getppid() or REFEREE, signal.SIGKILL)
        return position.legal_moves()[0]

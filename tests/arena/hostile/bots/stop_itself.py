"""Puts itself, and whoever stands by, to sleep."""

# verdict: timeout
import os
import signal
import time


class Hostile:
    def choose(self, position, clock):
        os.kill(0, signal.SIGSTOP)
        time.sleep(60)
        return position.legal_moves()[0]

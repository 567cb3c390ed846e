"""Lets itself be put last by the scheduler, to wait for ever; what it computes counts all the same."""

# verdict: timeout
import contextlib
import os
import time


class Hostile:
    def choose(self, position, clock):
        with contextlib.suppress(OSError):
            os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))
        until = time.process_time() + 0.6
        while time.process_time() < until:
            pass
        return position.legal_moves()[0]

"""Begins an answer and does not end it."""

# verdict: timeout
import contextlib
import os
import time


class Hostile:
    def choose(self, position, clock):
        for handle in range(3, 64):
            with contextlib.suppress(OSError):
                os.write(handle, b'{"id": ')
        time.sleep(60)

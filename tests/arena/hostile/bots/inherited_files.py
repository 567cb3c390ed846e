"""Looks for files that the referee left open; fails if it finds any."""

# verdict: win
import contextlib
import os
import stat


class Hostile:
    def __init__(self):
        for handle in range(3, 256):
            with contextlib.suppress(OSError):
                kind = os.fstat(handle).st_mode
                if not stat.S_ISFIFO(kind):
                    raise RuntimeError(f"{handle} is open: {stat.filemode(kind)}")

    def choose(self, position, clock):
        return position.legal_moves()[0]

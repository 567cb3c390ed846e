"""Looks into another process."""

# verdict: cage
import ctypes
import os


class Hostile:
    def choose(self, position, clock):
        libc = ctypes.CDLL(None, use_errno=True)
        if libc.ptrace(16, 1, 0, 0) < 0:
            raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
        return position.legal_moves()[0]

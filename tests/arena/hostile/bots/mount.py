"""Mounts a file system over everything."""

# verdict: cage
import ctypes
import os


class Hostile:
    def choose(self, position, clock):
        libc = ctypes.CDLL(None, use_errno=True)
        if libc.mount(b"none", b"/", b"tmpfs", 0, None) != 0:
            raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
        return position.legal_moves()[0]

"""Makes itself root in a namespace of its own."""

# verdict: cage
import ctypes
import os


class Hostile:
    def choose(self, position, clock):
        libc = ctypes.CDLL(None, use_errno=True)
        if libc.unshare(0x10000000) != 0:
            raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
        return position.legal_moves()[0]

"""Hands its system calls to the kernel in a ring, past the filter."""

# verdict: cage
import ctypes


class Hostile:
    def choose(self, position, clock):
        libc = ctypes.CDLL(None, use_errno=True)
        if libc.syscall(425, 8, ctypes.create_string_buffer(120)) < 0:
            raise OSError(ctypes.get_errno(), "no ring")
        return position.legal_moves()[0]

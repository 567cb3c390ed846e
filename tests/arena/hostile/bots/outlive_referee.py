"""Takes back that it dies with the referee."""

# verdict: cage
import ctypes


class Hostile:
    def choose(self, position, clock):
        libc = ctypes.CDLL(None, use_errno=True)
        if libc.prctl(1, 0, 0, 0, 0) != 0:
            raise OSError(ctypes.get_errno(), "I must die")
        return position.legal_moves()[0]

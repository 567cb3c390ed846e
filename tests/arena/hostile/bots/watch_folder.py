"""Watches a folder that it may not read."""

# verdict: cage
import ctypes


class Hostile:
    def choose(self, position, clock):
        libc = ctypes.CDLL(None, use_errno=True)
        if libc.inotify_add_watch(libc.inotify_init(), b"/tmp", 0xFFF) < 0:
            raise OSError(ctypes.get_errno(), "nothing to see")
        return position.legal_moves()[0]

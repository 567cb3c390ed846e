"""Processes that are for us to end: they do not hear Ctrl-C, and none outlives the one that started it.

Every bot's process imports this, so that only the standard library is loaded here, and little of it.
"""

import ctypes
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager

__all__ = ["SET_DEATH_SIGNAL", "die_with_parent", "no_interrupt"]

SET_DEATH_SIGNAL = 1  # of prctl(2)


def die_with_parent() -> None:
    """From now on this process is killed when the one that started it ends, however that ends."""
    if sys.platform.startswith("linux"):
        ctypes.CDLL(None).prctl(SET_DEATH_SIGNAL, signal.SIGKILL, 0, 0, 0)


@contextmanager
def no_interrupt() -> Iterator[None]:
    """Processes that start here do not hear Ctrl-C, not even while they import; we do, afterwards."""
    from multiprocessing import resource_tracker  # noqa: PLC0415 - a bot never starts processes so

    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    resource_tracker.ensure_running()  # the first process starts it, and hears signals after that
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)

"""Ctrl-C, where processes are started that are for us to end."""

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing import resource_tracker

__all__ = ["no_interrupt"]


@contextmanager
def no_interrupt() -> Iterator[None]:
    """Processes that start here do not hear Ctrl-C, not even while they import; we do, afterwards."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    resource_tracker.ensure_running()  # the first process starts it, and hears signals after that
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)

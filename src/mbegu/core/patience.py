"""A limit to how long a stranger's rules may think about one answer, wherever they are asked.

They run in the thread that asks: a loop without end in them would hold a whole server. So a second thread looks at
the clock, and has `TooLong` raised in the one that still waits (an asynchronous exception of Python, which comes
between two steps of its code). What waits inside a library's own code is ended when it comes back from there.
"""

import sys
import threading
import time
from collections.abc import Callable
from typing import TypeVar

__all__ = ["PATIENCE", "TooLong", "patiently"]

Found = TypeVar("Found")

PATIENCE = 10.0  # seconds for one answer
AGAIN = 1.0  # seconds after which whoever goes on all the same is stopped once more
LOOK = 0.5  # seconds between two looks at the clock

_lock = threading.Lock()
_due: dict[int, float] = {}  # when the question that a thread asks has taken too long
_stopped: set[int] = set()  # the threads that were told so
_keeper: threading.Thread | None = None  # whoever looks at the clock


class TooLong(BaseException):
    """An answer takes too long. No Exception, so that no rules catch it by chance."""


def patiently(job: Callable[[], Found]) -> Found:
    """What the job returns or raises; TooLong if that takes too long. A question within a question has no limit of its own."""
    thread = threading.get_ident()
    if thread in _due:
        return job()
    try:
        _begin(thread)
        try:
            return job()
        finally:
            _end(thread)
    except TooLong:  # it may have come just before the end, or in the middle of it
        _end(thread)
        raise


def _begin(thread: int) -> None:
    global _keeper  # noqa: PLW0603 - one for the whole process
    with _lock:
        _due[thread] = time.monotonic() + PATIENCE
        if _keeper is not None and _keeper.is_alive():
            return
        _keeper = threading.Thread(target=_keep, name="patience", daemon=True)
        try:
            _keeper.start()
        except RuntimeError:  # no threads here, as in a browser
            _keeper = None


def _end(thread: int) -> None:
    with _lock:
        _due.pop(thread, None)
        if thread in _stopped:
            _stopped.discard(thread)
            _raise_in(thread, None)  # what is still on its way is called back


def _keep() -> None:
    """Looks at the clock as long as somebody waits."""
    global _keeper  # noqa: PLW0603
    while True:
        time.sleep(LOOK)
        with _lock:
            if not _due:
                _keeper = None
                return
            now = time.monotonic()
            for thread, due in _due.items():
                if now >= due and not _in_debugger(thread):
                    _due[thread] = now + AGAIN
                    _stopped.add(thread)
                    _raise_in(thread, TooLong)


def _in_debugger(thread: int) -> bool:
    """Whoever stands at a breakpoint may think as long as he likes."""
    frame = sys._current_frames().get(thread)
    while frame is not None:
        if frame.f_globals.get("__name__") == "bdb":
            return True
        frame = frame.f_back
    return False


def _raise_in(thread: int, error: type[BaseException] | None) -> None:
    import ctypes  # noqa: PLC0415 - seldom needed

    what = None if error is None else ctypes.py_object(error)
    ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread), what)

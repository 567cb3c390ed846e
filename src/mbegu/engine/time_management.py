"""Time management: how long a move may take, and the clock that the search itself can read."""

from __future__ import annotations

import ctypes
import sys
import time

from mbegu.engine.engine import Limits

__all__ = ["SYSTEM_CLOCK", "time_budget"]

TO_TELL = 0.004  # seconds between the end of a search and its answer, with some to spare


def _system_clock() -> int:
    """The address of a C function that tells the time in two words; 0 where there is none."""
    if sys.maxsize < 2**32 or not hasattr(time, "CLOCK_MONOTONIC"):
        return 0
    try:
        function = ctypes.CDLL(None).clock_gettime
    except (AttributeError, OSError):
        return 0
    return ctypes.cast(function, ctypes.c_void_p).value or 0


SYSTEM_CLOCK = _system_clock()


def time_budget(limits: Limits) -> tuple[float | None, float | None]:
    """Seconds after which no new iteration begins, and after which the thought ends."""
    if limits.movetime is not None:
        return None, limits.movetime - min(TO_TELL, limits.movetime / 10)
    if limits.remaining is None:
        return None, None
    usable = max(limits.remaining - 0.05, limits.remaining / 10)
    share = min(usable / 25 + limits.increment * 0.8, usable)
    return share * 0.6, min(share * 2.5, usable / 2)

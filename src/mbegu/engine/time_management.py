"""Time management: how long a move may take."""

from __future__ import annotations

from mbegu.engine.engine import Limits

__all__ = ["time_budget"]

TO_TELL = 0.004  # seconds between the end of a search and its answer, with some to spare


def time_budget(limits: Limits) -> tuple[float | None, float | None]:
    """Seconds after which no new iteration begins, and after which the thought ends."""
    if limits.movetime is not None:
        return None, limits.movetime - min(TO_TELL, limits.movetime / 10)
    if limits.remaining is None:
        return None, None
    usable = max(limits.remaining - 0.05, limits.remaining / 10)
    share = min(usable / 25 + limits.increment * 0.8, usable)
    return share * 0.6, min(share * 2.5, usable / 2)

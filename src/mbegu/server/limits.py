"""How much one visitor may ask for: buckets that fill with time.

>>> now = 0.0
>>> limit = Limit(rate=2, burst=3, now=lambda: now)
>>> [limit.take("me") for _ in range(4)]
[True, True, True, False]
>>> now = 0.5
>>> limit.take("me")
True
"""

import time
from collections import OrderedDict
from collections.abc import Callable

__all__ = ["Bucket", "Limit"]

MOST_VISITORS = 10_000


class Bucket:
    """One visitor's allowance: `rate` a second, saved up to `burst`."""

    __slots__ = ("_at", "_burst", "_left", "_now", "_rate")

    def __init__(
        self, rate: float, burst: float, now: Callable[[], float] = time.monotonic
    ) -> None:
        self._rate, self._burst, self._now = rate, burst, now
        self._left, self._at = burst, now()

    def take(self, amount: float = 1.0) -> bool:
        """Takes so much if there is so much."""
        now = self._now()
        self._left = min(self._burst, self._left + (now - self._at) * self._rate)
        self._at = now
        if self._left < amount:
            return False
        self._left -= amount
        return True


class Limit:
    """A bucket for each visitor; those who have not come for long are forgotten."""

    def __init__(
        self, rate: float, burst: float, now: Callable[[], float] = time.monotonic
    ) -> None:
        self._rate, self._burst, self._now = rate, burst, now
        self._buckets: OrderedDict[str, Bucket] = OrderedDict()

    def take(self, visitor: str, amount: float = 1.0) -> bool:
        """Takes so much from the visitor's bucket if there is so much."""
        bucket = self._buckets.pop(visitor, None) or Bucket(self._rate, self._burst, self._now)
        self._buckets[visitor] = bucket
        if len(self._buckets) > MOST_VISITORS:
            self._buckets.popitem(last=False)
        return bucket.take(amount)

"""How much one visitor may ask for: token buckets, which fill with time.

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

__all__ = ["CROWD", "Bucket", "Delays", "Limit", "RateLimits", "VisitorLimit", "is_this_computer"]

MOST_VISITORS = 10_000
CROWD = 30  # as much as so many visitors may do: all who come from one address, such as a school


class Bucket:
    """A token bucket, one visitor's allowance: `rate` a second, saved up to `burst`."""

    __slots__ = ("_at", "_burst", "_left", "_now", "_rate")

    def __init__(
        self, rate: float, burst: float, now: Callable[[], float] = time.monotonic
    ) -> None:
        self._rate, self._burst, self._now = rate, burst, now
        self._left, self._at = burst, now()

    def take(self, cost: float = 1.0) -> bool:
        """Takes one, or what something costs, if there is as much."""
        now = self._now()
        self._left = min(self._burst, self._left + (now - self._at) * self._rate)
        self._at = now
        if self._left < cost:
            return False
        self._left -= cost
        return True

    @property
    def left(self) -> float:
        """What was left when last something was taken."""
        return self._left


class Limit:
    """A bucket for each visitor; those who have not come for long are forgotten."""

    def __init__(
        self, rate: float, burst: float, now: Callable[[], float] = time.monotonic
    ) -> None:
        self._rate, self._burst, self._now = rate, burst, now
        self._buckets: OrderedDict[str, Bucket] = OrderedDict()

    def take(self, visitor: str, cost: float = 1.0) -> bool:
        """Takes one from the visitor's bucket, or what something costs, if there is as much."""
        bucket = self._buckets.pop(visitor, None) or Bucket(self._rate, self._burst, self._now)
        self._buckets[visitor] = bucket
        if len(self._buckets) > MOST_VISITORS:
            self._buckets.popitem(last=False)
        return bucket.take(cost)


class VisitorLimit:
    """A limit for each visitor, and one for all who come from an address: cookies cost nothing.

    This computer is no such address: its own programs may do as they like, and so may those for
    whom a proxy asks that does not say who they are.

    >>> limit = VisitorLimit(rate=0, burst=1)
    >>> sum(limit.take(f"guest {number}", "203.0.113.9") for number in range(100)) == CROWD
    True
    """

    def __init__(
        self, rate: float, burst: float, now: Callable[[], float] = time.monotonic
    ) -> None:
        self._each = Limit(rate, burst, now)
        self._together = Limit(CROWD * rate, CROWD * burst, now)

    def take(self, visitor: str, address: str, cost: float = 1.0) -> bool:
        """Takes one from the visitor's bucket and from his address's if there is one in both."""
        if not self._each.take(visitor, cost):
            return False
        return is_this_computer(address) or self._together.take(address, cost)


def is_this_computer(address: str) -> bool:
    """Whether somebody asks from here.

    >>> [is_this_computer(one) for one in ("127.0.0.1", "::1", "192.168.1.7", "1270.example")]
    [True, True, False, False]
    """
    return address.startswith("127.") or address in ("::1", "")


class RateLimits:
    """What one visitor may do in a while; the last ones are counted by address or account."""

    def __init__(self) -> None:
        self.questions = VisitorLimit(rate=20, burst=200)
        self.pages = VisitorLimit(rate=20, burst=300)  # and the files they are made of
        self.sockets = VisitorLimit(rate=2, burst=100)  # that are opened
        self.frames = Limit(rate=CROWD * 20, burst=CROWD * 160)  # of all sockets of an address
        self.rooms = VisitorLimit(rate=0.5, burst=30)
        self.records = VisitorLimit(rate=0.05, burst=10)
        # Events of games that are brought: they are kept for ever, and a file of 4 MiB holds very many.
        self.brought = VisitorLimit(rate=5, burst=250_000)
        self.handed = VisitorLimit(rate=0.2, burst=20)  # games that went on without the server
        self.analyses = VisitorLimit(rate=0.2, burst=10)
        self.positions = VisitorLimit(rate=300, burst=3000)  # that an analysis is told
        self.lookups = Limit(rate=5, burst=100)  # of tokens that are not known, by address
        self.exports = Limit(rate=1 / 60, burst=5)
        self.accounts = Limit(rate=1 / 60, burst=30)  # a whole class may sign up in one lesson
        self.passwords = Limit(rate=0.5, burst=40)
        self.guesses = Delays()  # at one name from one address
        self.crowd = Delays(free=100, most=60)  # at one name from everywhere


class Delays:
    """Waits that grow with every wrong guess, and are forgotten when somebody is right.

    >>> now = 0.0
    >>> delays = Delays(free=2, now=lambda: now)
    >>> for _ in range(4):
    ...     delays.wrong("amina")
    >>> delays.wait("amina"), delays.wait("juma")
    (4.0, 0.0)
    """

    def __init__(
        self, free: int = 5, most: float = 900.0, now: Callable[[], float] = time.monotonic
    ) -> None:
        self._free, self._most, self._now = free, most, now
        self._wrong: OrderedDict[str, tuple[int, float]] = OrderedDict()

    def wait(self, key: str) -> float:
        """Seconds until the next guess is heard."""
        return max(0.0, self._wrong.get(key, (0, 0.0))[1] - self._now())

    def wrong(self, key: str) -> None:
        """A guess was wrong: the first few cost nothing, then each one twice as long."""
        count = self._wrong.pop(key, (0, 0.0))[0] + 1
        pause = min(self._most, 2.0 ** min(count - self._free, 20)) if count > self._free else 0.0
        self._wrong[key] = count, self._now() + pause
        if len(self._wrong) > MOST_VISITORS:
            self._wrong.popitem(last=False)

    def right(self, key: str) -> None:
        """Forgets what was wrong."""
        self._wrong.pop(key, None)

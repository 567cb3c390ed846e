"""Players go first: two queues in the event loop, and an end to what is done for all others at once.

A loop does everything that is ready before it looks at its sockets again. A move goes through several
callbacks (its bytes, the room, the disk, the answers), and each of them would wait behind whatever a crowd has
asked for. So callbacks that belong to a game are done before all others, and of the others only as many in
each round as fit into a slice of time. What belongs to a game is told by its context, which tasks
and callbacks inherit from whoever begins them.

While a move is written to the disk, by another thread, the others are held for a moment: that thread
needs a processor, and Python itself.

>>> done = []
>>> async def main() -> None:
...     loop = asyncio.get_running_loop()
...     loop.call_soon(done.append, "a page")
...     loop.call_soon(done.append, "a move", context=for_players())
...     await asyncio.sleep(0)
>>> loop = asyncio.new_event_loop()
>>> give_way(loop)
>>> loop.run_until_complete(main())
>>> loop.close()
>>> done
['a move', 'a page']
"""

import asyncio
import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import Context, ContextVar, copy_context

__all__ = ["HOLD", "SLICE", "Ready", "for_others", "for_players", "give_way", "ready_of", "writing"]

SLICE = 0.0005  # seconds in each round of the loop for what is not a game's
MOST = 100  # of those in one round, however little each of them takes
HOLD = (
    0.01  # seconds at most that the others are held while a move is written; then it is their turn
)
_plays = ContextVar("plays", default=False)


def for_players() -> Context:
    """A context, otherwise that of the moment, in which everything goes first."""
    return _context(True)


def for_others() -> Context:
    """The same in which it does not."""
    return _context(False)


def _context(first: bool) -> Context:
    context = copy_context()
    context.run(_plays.set, first)
    return context


class Ready:
    """The callbacks that are ready, as a loop asks for them: it counts them, and takes so many."""

    def __init__(self, now: Callable[[], float] = time.perf_counter) -> None:
        self._now = now
        self._first: deque[asyncio.Handle] = deque()
        self._rest: deque[asyncio.Handle] = deque()
        self._queued: set[int] = set()  # which handles these are
        self._until: float | None = (
            None  # when this round's slice is over; None: nothing was done yet
        )
        self._over = False
        self._left = 0  # that are taken in this round
        self._nothing: asyncio.Handle | None = None  # taken instead of what must wait
        self._writing = 0  # moves that are on their way to the disk
        self._held: float | None = None  # since when the others wait for that
        self._free = 0.0  # until when they may not be held again

    def __bool__(self) -> bool:
        """Whether there is anything to do now."""
        return bool(self._first) or (bool(self._rest) and not self._hold_left())

    def __len__(self) -> int:
        """How much there is to do, asked once in a round, which begins here."""
        self._until, self._over = None, self._hold_left() > 0
        self._left = len(self._first) + (0 if self._over else min(len(self._rest), MOST))
        return self._left

    def append(self, handle: asyncio.Handle) -> None:
        """One more, unless it waits already.

        A line that has not been read is told of in every round: a crowd that waits for its turn would be in the
        queue many times over, and each round would take longer than the one before.
        """
        if id(handle) in self._queued:
            return
        self._queued.add(id(handle))
        first = handle._context.get(_plays, False)  # type: ignore[attr-defined]
        (self._first if first else self._rest).append(handle)

    def popleft(self) -> asyncio.Handle:
        """The next one: of the others at least one in each round, and no more when the slice is over."""
        self._left -= 1
        last = self._left == 0 and self._until is None and not self._over and bool(self._rest)
        if self._first and not last:
            return self._taken(self._first)
        if self._over or not self._rest or self._is_over():
            self._over = True
            return self._idle()
        return self._taken(self._rest)

    def _taken(self, queue: deque[asyncio.Handle]) -> asyncio.Handle:
        handle = queue.popleft()
        self._queued.discard(id(handle))
        return handle

    def clear(self) -> None:
        """Forgets them."""
        self._first.clear()
        self._rest.clear()
        self._queued.clear()

    # ---- while moves are written

    def writing(self) -> None:
        """A move is on its way to the disk."""
        self._writing += 1
        if self._held is None and (now := self._now()) >= self._free:
            self._held = now

    def written(self) -> None:
        """It is there, or will never be."""
        self._writing -= 1
        if not self._writing:
            self._let_go()

    def wait(self, timeout: float | None) -> float | None:
        """How long a loop may sleep that has nothing to do for so long, but for those who are held."""
        if not self._rest:
            return timeout
        left = self._hold_left()  # none: they were held when the loop asked, and are free now
        return left if timeout is None else min(timeout, left)

    def _hold_left(self) -> float:
        """Seconds for which the others are held still."""
        if self._held is None:
            return 0.0
        left = self._held + HOLD - self._now()
        if left <= 0:
            self._let_go()
        return max(0.0, left)

    def _let_go(self) -> None:
        """The others have their turn, for at least as long as they have waited."""
        if self._held is not None:
            now = self._now()
            self._free, self._held = now + min(HOLD, now - self._held), None

    def _is_over(self) -> bool:
        now = self._now()
        if self._until is None:
            self._until = now + SLICE
        return now > self._until

    def _idle(self) -> asyncio.Handle:
        if self._nothing is None:
            self._nothing = asyncio.Handle(lambda: None, (), asyncio.get_running_loop())
            self._nothing.cancel()  # which a loop passes over
        return self._nothing


def give_way(loop: asyncio.AbstractEventLoop) -> None:
    """Makes a loop of the standard library do the players' callbacks first; any other is left alone."""
    if isinstance(getattr(loop, "_ready", None), deque):
        loop._ready = Ready()  # type: ignore[attr-defined]


@contextmanager
def writing() -> Iterator[None]:
    """While a move is on its way to the disk."""
    ready = ready_of(asyncio.get_running_loop())
    if ready is None:
        yield
        return
    ready.writing()
    try:
        yield
    finally:
        ready.written()


def ready_of(loop: asyncio.AbstractEventLoop) -> Ready | None:
    """The queues of a loop that does the players' callbacks first."""
    ready = getattr(loop, "_ready", None)
    return ready if isinstance(ready, Ready) else None

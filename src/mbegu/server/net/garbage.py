"""When Python looks for garbage, so that it does not hold up the games.

Nearly everything is freed as soon as nobody refers to it. What refers to itself, like a room that has
been put away, must be looked for, and Python looks through all objects again whenever a quarter more of
them have gathered: with a thousand games nobody is answered for a third of a second, and hardly anything
is found. So young objects are looked through a few at a time, and twice only; all of them while little goes
on, or when it is high time. How much has gathered is told by the memory that is in use: a crowd that comes and
goes makes many objects, but leaves none.
"""

import asyncio
import gc
import sys
import time

__all__ = ["Sweeper", "untie"]

YOUNG = 300  # objects more than before, until those are looked through
AGAIN = 30  # such looks, until what was seen by them is looked through once more
NEVER = 1_000_000_000
EVERY = 5.0  # seconds between two looks at what goes on
CALM = 0.1  # of a processor
ENOUGH = 40_000  # blocks of memory more than before, about two for each object, for a sweep while little goes on
TOO_MANY = 10_000_000  # the same whatever goes on: it takes a second or more
HIGH_TIME = 3600.0  # seconds


def untie(transport: object) -> None:
    """Lets a line that is closed be freed at once: asyncio's refer to themselves, by a method."""
    if hasattr(transport, "_read_ready_cb"):
        transport._read_ready_cb = None


class Sweeper:
    """Collects garbage for a process that serves until it is told to stop."""

    def __init__(self) -> None:
        self._before = gc.get_threshold()
        self._task: asyncio.Task[None] | None = None
        self._blocks = sys.getallocatedblocks()

    def start(self) -> None:
        """Takes over from Python; what is there by now stays to the end and is not looked at again."""
        gc.collect()
        gc.freeze()
        gc.set_threshold(YOUNG, AGAIN, NEVER)
        self._blocks = sys.getallocatedblocks()
        self._task = asyncio.create_task(self._sweep(), name="sweeper")

    def stop(self) -> None:
        """Leaves it to Python again."""
        gc.set_threshold(*self._before)
        gc.unfreeze()
        if self._task is not None:
            self._task.cancel()

    async def _sweep(self) -> None:
        swept = time.monotonic()
        while True:
            begun, used = time.monotonic(), time.process_time()
            await asyncio.sleep(EVERY)
            now = time.monotonic()
            if is_due((time.process_time() - used) / (now - begun), self.gathered(), now - swept):
                gc.collect()
                swept, self._blocks = time.monotonic(), sys.getallocatedblocks()

    def gathered(self) -> int:
        """How many blocks of memory are in use more than after the last sweep."""
        return max(0, sys.getallocatedblocks() - self._blocks)


def is_due(busy: float, more: int, seconds: float) -> bool:
    """Whether to look through everything: at a busy process, with so many more, so long after the last time.

    >>> is_due(0.02, 50_000, 30), is_due(0.8, 50_000, 30), is_due(0.8, 12_000_000, 30)
    (True, False, True)
    """
    if more < ENOUGH:
        return False
    return busy < CALM or more >= TOO_MANY or seconds >= HIGH_TIME

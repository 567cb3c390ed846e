"""What a room has been asked for: by those who play, which goes first, and by those who look on.

However many look on and say so, a move waits for no more than one of them. Between two of theirs the loop
does other things.
"""

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any

from mbegu.server.net.priority import for_others

__all__ = ["Inbox", "Job"]

Job = Callable[[], Coroutine[Any, Any, None]]


class Inbox:
    """Two queues with an end; belongs to the task that empties it."""

    def __init__(self, most: int) -> None:
        self._players: asyncio.Queue[Job] = asyncio.Queue(most)
        self._others: asyncio.Queue[Job] = asyncio.Queue(most)
        self._rested = True  # since the last one of the others
        self._context = for_others()
        self._woken: asyncio.Future[None] | None = None

    def __len__(self) -> int:
        """How many wait."""
        return self._players.qsize() + self._others.qsize()

    def full(self, first: bool) -> bool:
        """Whether there is no room for one more of a kind."""
        return self._queue(first).full()

    async def put(self, job: Job, first: bool) -> None:
        """One more, when there is room for it."""
        await self._queue(first).put(job)
        self._wake()

    def put_now(self, job: Job, first: bool) -> None:
        """One more, or QueueFull."""
        self._queue(first).put_nowait(job)
        self._wake()

    async def get(self) -> Job:
        """The next one to be done."""
        while True:
            if not self._players.empty():
                return self._players.get_nowait()
            if self._rested and not self._others.empty():
                self._rested = False
                asyncio.get_running_loop().call_soon(self._go_on, context=self._context)
                return self._others.get_nowait()
            self._woken = asyncio.get_running_loop().create_future()
            await self._woken

    def _queue(self, first: bool) -> "asyncio.Queue[Job]":
        return self._players if first else self._others

    def _go_on(self) -> None:
        self._rested = True
        self._wake()

    def _wake(self) -> None:
        if self._woken is not None and not self._woken.done():
            self._woken.set_result(None)

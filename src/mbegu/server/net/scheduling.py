"""Fair queueing of requests, which take turns: however many come at once, the loop is back at the players within some milliseconds.

Between two looks at its sockets an event loop does all that is ready; a hundred requests of two
milliseconds each are a fifth of a second in which nobody's move is heard. So in each round only a few requests
go on, the longest waiting first: one more after every short round, half as many after a long one (additive increase,
multiplicative decrease, as TCP does it). What has come over a WebSocket never waits here.

>>> async def main() -> list[int]:
...     turns, served = Turns(), []
...     for number in range(100):
...         turns.take(partial(served.append, number))
...     at_once = len(served)
...     while turns.waiting:
...         await asyncio.sleep(0)
...     return [at_once, len(served), served == sorted(served)]
>>> asyncio.run(main())
[8, 100, True]
"""

import asyncio
import time
from collections import OrderedDict
from collections.abc import Callable, Hashable
from functools import partial

from starlette.types import ASGIApp, Receive, Scope, Send

__all__ = ["TakeTurns", "Turns"]

ROUND = 0.003  # seconds that a round should take
LEAST, FIRST, MOST = 1, 8, 32  # that go on in one round


class Turns:
    """Who goes on in this round, and who waits."""

    def __init__(self, now: Callable[[], float] = time.perf_counter) -> None:
        self._now = now
        self._many, self._served = FIRST, 0
        self._began: float | None = None  # this round, if there is one
        self._queue: OrderedDict[Hashable, Callable[[], None]] = OrderedDict()

    @property
    def waiting(self) -> int:
        """How many wait for their turn."""
        return len(self._queue)

    def take(self, action: Callable[[], None], key: Hashable = None) -> bool:
        """Does something now, or when its turn comes; whether it was now."""
        if self._began is None:
            self._next_round()
        if self._queue or self._served >= self._many:
            self._queue[key if key is not None else object()] = action
            return False
        self._served += 1
        action()
        return True

    def forget(self, key: Hashable) -> None:
        """Whoever waits under this name is gone."""
        self._queue.pop(key, None)

    async def turn(self) -> None:
        """Returns when it is one's turn."""
        done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        if not self.take(partial(_wake, done), done):
            try:
                await done
            finally:
                self.forget(done)

    def _next_round(self) -> None:
        self._began = self._now()
        self._served = 0
        asyncio.get_running_loop().call_soon(self._round)

    def _round(self) -> None:
        """All that was ready has been done once."""
        assert self._began is not None
        took = self._now() - self._began
        self._many = max(LEAST, self._many // 2) if took > ROUND else min(MOST, self._many + 1)
        if not self._queue:
            if not self._served:
                self._began = None
            else:
                self._next_round()
            return
        self._next_round()
        while self._queue and self._served < self._many:
            self._served += 1
            self._queue.popitem(last=False)[1]()


def _wake(done: "asyncio.Future[None]") -> None:
    if not done.done():
        done.set_result(None)


class TakeTurns:
    """Around everything that a request or the beginning of a socket asks for."""

    def __init__(self, app: ASGIApp, turns: Turns) -> None:
        self.app, self.turns = app, turns

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request or socket."""
        if scope["type"] in ("http", "websocket"):
            await self.turns.turn()
        await self.app(scope, receive, send)

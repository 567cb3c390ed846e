"""A client at the other end of a socket, with a bounded queue of its own (backpressure).

Nobody waits for a client. What its line does not take at once goes into a bounded queue; one that does
not read until the queue is full, or that takes longer than `PATIENCE` for one message, is dropped.
"""

import asyncio
import time
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import Any

from starlette.websockets import WebSocket, WebSocketDisconnect, WebSocketState

__all__ = ["ABORT", "ARRIVED", "BUDGET", "FIRST", "LISTEN", "WRITE", "Client"]

MOST_WAITING = 200  # messages
MOST_UNREAD = 1 << 20  # characters in them; one message may be longer
PATIENCE = 4.0  # seconds
TOO_SLOW = 4008
# In the extensions of a socket's scope:
ABORT = "mbegu.abort"  # cuts the line without a word
WRITE = "mbegu.write"  # writes a text at once, if the line takes it; whether it did
ARRIVED = "mbegu.arrived"  # in a message: when its bytes were there
BUDGET = "mbegu.budget"  # says who is asked, with its cost, whether more may come over the line
FIRST = "mbegu.first"  # says whether what comes and goes over the line goes before others'
LISTEN = "mbegu.listen"  # says who hears a text at once, if he can; None: nobody does any more


class Client:
    """A browser that listens."""

    def __init__(
        self, socket: WebSocket, session: str, language: str, name: str = "", address: str = ""
    ) -> None:
        self.session, self.name, self.language, self.lean = session, name, language, False
        self.address = address
        self.rtt = 0.0
        who = getattr(socket.state, "who", None)
        self.credential: str | None = None if who is None else who.credential
        self.arrived = 0.0  # when that which is being heard has come
        self._socket = socket
        # Most lines take everything at once: a task that writes is there only while one does not.
        self._waiting: list[str] = []
        self._writer: asyncio.Task[None] | None = None
        self._closing: int | None = None
        self._stuffed = False
        self._end: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._at_once: Callable[[str], bool] = socket.scope.get("extensions", {}).get(
            WRITE, lambda _text: False
        )
        self._hearing = False
        self._first = False

    def go_first(self, first: bool) -> None:
        """Says whether what comes and goes over this line goes before what others ask for."""
        if first is not self._first:
            self._first = first
            self._socket.scope.get("extensions", {}).get(FIRST, lambda _first: None)(first)

    @property
    def revoked(self) -> bool:
        """Whether the one who came is not the one who listens any more: nothing is heard of him."""
        return getattr(self._socket.state, "revoked", False)

    def send(self, text: str) -> None:
        """Queues a message; a queue that is full means that nobody reads."""
        if self._closing is not None:
            return
        if self._writer is None and self._at_once(text):
            return
        size = sum(map(len, self._waiting)) + len(text)
        if len(self._waiting) >= MOST_WAITING or (self._waiting and size > MOST_UNREAD):
            self._drop()
            return
        self._waiting.append(text)
        if self._writer is None:
            self._writer = asyncio.create_task(self._write())

    @property
    def behind(self) -> bool:
        """Whether the client has not read yet what it was told."""
        return self._writer is not None

    def close(self, code: int) -> None:
        """Says good-bye after what is queued."""
        if self._closing is None:
            self._closing = code
            if self._writer is None:
                self._finish()

    def _drop(self) -> None:
        """Waits for nothing any more."""
        self._closing, self._stuffed = TOO_SLOW, True
        self._finish()

    def _finish(self) -> None:
        if not self._end.done():
            self._end.set_result(None)

    async def serve(
        self,
        hear: Callable[[Any], Any],
        at_once: Callable[[str], bool] = lambda _text: False,
    ) -> None:
        """Writes and reads until either ends; `hear` is awaited with each text that comes in.

        While it waits for nothing, `at_once` is called first: whether it has heard the text.
        """
        listen = self._socket.scope.get("extensions", {}).get(LISTEN, lambda _listener: None)
        listen(partial(self._hear_at_once, at_once))
        reader = asyncio.create_task(self._read(hear))
        try:
            await asyncio.wait([reader, self._end], return_when=asyncio.FIRST_COMPLETED)
        finally:
            listen(None)
            tasks = [task for task in (reader, self._writer) if task is not None]
            for task in tasks:
                task.cancel()
            results = await asyncio.gather(*tasks, return_exceptions=True)
            await self._hang_up()
        for result in results:
            if isinstance(result, Exception):
                raise result

    def _hear_at_once(self, at_once: Callable[[str], bool], text: str, came: float) -> bool:
        if self._hearing:  # one after the other
            return False
        self.arrived = came
        return at_once(text)

    async def _write(self) -> None:
        try:
            while self._waiting:
                async with asyncio.timeout(PATIENCE):
                    await self._socket.send_text(self._waiting.pop(0))
        except TimeoutError:
            self._drop()
        except (RuntimeError, OSError, WebSocketDisconnect):  # gone in the meantime
            self._finish()
        self._writer = None
        if self._closing is not None:
            self._finish()

    async def _read(self, hear: Callable[[Any], Any]) -> None:
        while True:
            message = await self._socket.receive()
            if message["type"] != "websocket.receive":
                return
            text = message.get("text")
            self._hearing = True
            self.arrived = message.get(ARRIVED) or time.monotonic()
            await hear(text if text is not None else message.get("bytes"))
            self._hearing = False

    async def _hang_up(self) -> None:
        if self._stuffed:
            # A line that is stuffed takes no good-bye either.
            abort = self._socket.scope.get("extensions", {}).get(ABORT)
            if abort is not None:
                abort()
        elif self._socket.client_state is WebSocketState.CONNECTED:
            with suppress(RuntimeError, OSError, TimeoutError, WebSocketDisconnect):
                async with asyncio.timeout(1.0):
                    await self._socket.close(self._closing or 1000)

"""uvicorn's HTTP with an end to its patience: whoever begins a request goes on with it.

Otherwise a few lines that say half a request each would hold a server's files for ever. And of no line is
much read at once, so that nobody's heap of bytes keeps the others waiting.
"""

import asyncio
from typing import Any

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

from mbegu.server.bounds import MOST_READ
from mbegu.server.doors import Doors

__all__ = ["Requests"]

HEAD_WITHIN = 20.0  # seconds for the head of a request, however it comes
BODY_WITHIN = 30.0  # seconds between two pieces of a body
MOST_HEAD_LINES, MOST_CHUNKS = 400, 64  # in what is read at once
BODY_IN_ALL = 120.0  # seconds for a whole one


class Requests(H11Protocol):
    """A line of requests, which is closed when one of them does not come."""

    _late: asyncio.TimerHandle | None = None
    _until = 0.0  # when a body must have come

    @property
    def doors(self) -> Doors:
        """Who counts the lines."""
        doors: Doors = self.config.app.state.doors  # type: ignore[union-attr]
        return doors

    def connection_made(self, transport: Any) -> None:
        """The first request is awaited."""
        transport.max_size = MOST_READ
        super().connection_made(transport)
        if self.doors.enter(transport, self.client[0] if self.client else ""):
            self._await(HEAD_WITHIN)

    def data_received(self, data: bytes) -> None:
        """A piece of a request; the time of a head runs on, that of a body begins anew."""
        if self.transport.is_closing():
            return
        if self._is_crumbs(data):
            self.transport.abort()
            return
        if self._late is None:
            self._await(HEAD_WITHIN)
        super().data_received(data)
        state = self.conn.their_state
        if self.transport.get_protocol() is not self:  # a WebSocket now
            self._has_come()
            self.doors.works(self.transport)
        elif state is h11.SEND_BODY:
            self._await_body()
        elif state is not h11.IDLE:
            self._has_come()
            self.doors.works(self.transport)

    def _is_crumbs(self, data: bytes) -> bool:
        """Whether this is a head of very many lines, or a body in very many chunks: each costs time."""
        if self.conn.their_state is not h11.SEND_BODY:
            return data.count(b"\r\n") > MOST_HEAD_LINES
        chunked = any(name == b"transfer-encoding" for name, _value in self.headers)
        return chunked and data.count(b"\r\n") > MOST_CHUNKS

    def on_response_complete(self) -> None:
        """The next request is awaited."""
        self.doors.rests(self.transport)
        super().on_response_complete()

    def connection_lost(self, exc: Exception | None) -> None:
        """Nothing is awaited any more."""
        self._has_come()
        self.doors.leave(self.transport)
        super().connection_lost(exc)

    def _await_body(self) -> None:
        now = self.loop.time()
        if not self._until:
            self._until = now + BODY_IN_ALL
        self._has_come(self._until)
        wait = min(BODY_WITHIN, max(0.0, self._until - now))
        self._late = self.loop.call_later(wait, self.transport.close)

    def _await(self, seconds: float) -> None:
        self._has_come()
        self._late = self.loop.call_later(seconds, self.transport.close)

    def _has_come(self, until: float = 0.0) -> None:
        self._until = until
        if self._late is not None:
            self._late.cancel()
            self._late = None

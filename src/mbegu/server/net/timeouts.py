"""Against slowloris: uvicorn's HTTP with an end to its patience. Whoever begins a request goes on with it, and reads
the answer.

Otherwise a few lines that say half a request each would hold a server's files for ever. And of no line is
much read at once, so that nobody's heap of bytes keeps the others waiting; nor are many lines read at once, and
who sends a request in drops is hung up on. uvicorn has no hook for this: see `websocket_protocol`.
"""

import asyncio
from typing import Any

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

from mbegu.server.net.connection_limit import ConnectionLimit
from mbegu.server.net.garbage import untie
from mbegu.server.net.request_bounds import MOST_READ
from mbegu.server.net.scheduling import Turns

__all__ = ["Requests"]

HEAD_WITHIN = 20.0  # seconds for the head of a request, however it comes
BODY_WITHIN = 30.0  # seconds between two pieces of a body
MOST_HEAD_LINES, MOST_CHUNKS = 400, 64  # in what is read at once
BODY_IN_ALL = 120.0  # seconds for a whole one
# Seconds in which somebody takes what waits for him, some 50 kB; who does not read at all would hold his line for ever.
READS_WITHIN = 60.0
# How many pieces a request may come in: some, and more the larger it is. A network cuts at 500 bytes or later.
PIECES, A_PIECE = 64, 256


class Requests(H11Protocol):
    """A line of requests, which is closed when one of them does not come."""

    _late: asyncio.TimerHandle | None = None
    _unsent: asyncio.TimerHandle | None = None  # rings when nobody reads
    _until = 0.0  # when a body must have come
    _pieces = _bytes = 0  # of the request that is coming
    _unread = b""  # what waits for its turn

    @property
    def doors(self) -> ConnectionLimit:
        """Who counts the lines."""
        doors: ConnectionLimit = self.config.app.state.doors  # type: ignore[union-attr]
        return doors

    @property
    def turns(self) -> Turns:
        """Who says when it is read."""
        turns: Turns = self.config.app.state.reading  # type: ignore[union-attr]
        return turns

    def connection_made(self, transport: Any) -> None:
        """The first request is awaited."""
        transport.max_size = MOST_READ
        super().connection_made(transport)
        if self.doors.enter(transport, self.client[0] if self.client else ""):
            self._await(HEAD_WITHIN)

    def data_received(self, data: bytes) -> None:
        """A piece of a request, which is read when it is this line's turn."""
        if self.transport.is_closing():
            return
        self._pieces, self._bytes = self._pieces + 1, self._bytes + len(data)
        if self._pieces > PIECES + self._bytes / A_PIECE:
            self.transport.abort()
            return
        if self._late is None:
            self._await(HEAD_WITHIN)
        waits = bool(self._unread)
        self._unread += data
        if waits or not self.turns.take(self._read_on, self):
            self.transport.pause_reading()

    def _read_on(self) -> None:
        data, self._unread = self._unread, b""
        if self.transport.is_closing():
            return
        if not self.flow.read_paused:
            self.transport.resume_reading()
        self._read(data)

    def _read(self, data: bytes) -> None:
        """The time of a head runs on, that of a body begins anew."""
        if self._is_crumbs(data):
            self.transport.abort()
            return
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
        self._pieces = self._bytes = 0
        self.doors.rests(self.transport)
        super().on_response_complete()

    def pause_writing(self) -> None:
        """As much waits as may: from now on somebody reads, or goes."""
        super().pause_writing()
        self._unsent = self.loop.call_later(READS_WITHIN, self.transport.abort)

    def resume_writing(self) -> None:
        """It was read."""
        super().resume_writing()
        self._is_read()

    def _is_read(self) -> None:
        if self._unsent is not None:
            self._unsent.cancel()
            self._unsent = None

    def connection_lost(self, exc: Exception | None) -> None:
        """Nothing is awaited any more."""
        self._has_come()
        self._is_read()
        self.turns.forget(self)
        self.doors.leave(self.transport)
        super().connection_lost(exc)
        untie(self.transport)

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

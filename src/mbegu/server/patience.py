"""uvicorn's HTTP with an end to its patience: whoever begins a request goes on with it.

Otherwise a few lines that say half a request each would hold a server's files for ever.
"""

import asyncio
from typing import Any

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

__all__ = ["Requests"]

HEAD_WITHIN = 20.0  # seconds for the head of a request, however it comes
BODY_WITHIN = 30.0  # seconds between two pieces of a body


class Requests(H11Protocol):
    """A line of requests, which is closed when one of them does not come."""

    _late: asyncio.TimerHandle | None = None

    def connection_made(self, transport: Any) -> None:
        """The first request is awaited."""
        super().connection_made(transport)
        self._await(HEAD_WITHIN)

    def data_received(self, data: bytes) -> None:
        """A piece of a request; the time of a head runs on, that of a body begins anew."""
        if self._late is None:
            self._await(HEAD_WITHIN)
        super().data_received(data)
        state = self.conn.their_state
        if self.transport.get_protocol() is not self:  # a WebSocket now
            self._has_come()
        elif state is h11.SEND_BODY:
            self._await(BODY_WITHIN)
        elif state is not h11.IDLE:
            self._has_come()

    def connection_lost(self, exc: Exception | None) -> None:
        """Nothing is awaited any more."""
        self._has_come()
        super().connection_lost(exc)

    def _await(self, seconds: float) -> None:
        self._has_come()
        self._late = self.loop.call_later(seconds, self.transport.close)

    def _has_come(self) -> None:
        if self._late is not None:
            self._late.cancel()
            self._late = None

"""uvicorn's WebSocket with backpressure, a token bucket for each line, and ways to hear and write at once.

It is a class of uvicorn's that is not meant for others: pyproject.toml pins the versions for which this
holds, docs/dependencies.md says why, and tests/server/test_internals.py notices when it changes.
"""

import asyncio
import logging
import socket
from collections import deque
from collections.abc import Callable
from typing import Any

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.protocol import State

from mbegu.server.net.arrivals import arrived
from mbegu.server.net.clients import ABORT, ARRIVED, BUDGET, FIRST, LISTEN, WRITE
from mbegu.server.net.frames import DEFLATE, Meter, are_whole, framed, short_text, window
from mbegu.server.net.garbage import untie
from mbegu.server.net.priority import for_others, for_players
from mbegu.server.net.rate_limits import Bucket

__all__ = ["FRAMES_AT_ONCE", "Protocol"]

AHEAD = 16  # messages of one line that may wait to be heard before the line is read no further
MOST_UNSENT = 65_536  # bytes of one line that the system keeps
# What one line may send: a frame of any kind costs one, and so does each kilobyte, and each piece.
FRAMES_A_SECOND, FRAMES_AT_ONCE = 40.0, 160.0
TOO_MANY, NOT_TEXT = 4008, 1007
# Seconds for the last word to one who is hung up on: a reset would overtake it on a slow line, and then
# nobody knows why. As long is waited for the answer to any other good-bye.
GOODBYE = 5.0
UNREADABLE = b"HTTP/1.1 400 Bad Request\r\nconnection: close\r\ncontent-length: 0\r\n\r\n"
log = logging.getLogger(__name__)


class Protocol(WebSocketsSansIOProtocol):
    """uvicorn's WebSocket, with ways to hear and to write at once, and to cut a line that nobody reads."""

    def __init__(self, *arguments: Any, **more: Any) -> None:
        super().__init__(*arguments, **more)
        self.conn.available_extensions = [DEFLATE]
        self.close_timeout = GOODBYE
        self._window = 0
        self._flushing = False
        self._context = for_others()
        self._whole = True  # nothing has been read that is not whole frames
        self._listener: Callable[[str, float], bool] | None = None
        self._arrivals: deque[float] = deque()  # of the messages that wait to be heard
        self._meter, self._bucket = Meter(), Bucket(FRAMES_A_SECOND, FRAMES_AT_ONCE)
        self._may: Callable[[float], bool] = lambda _cost: True
        self._last_word: asyncio.TimerHandle | None = None

    def on_task_complete(self, task: "asyncio.Task[None]") -> None:
        """Nobody listens here any more: the line ends, also if what is left to send is never taken."""
        super().on_task_complete(task)
        if not self.disconnected and self.transport.get_write_buffer_size():
            self._last_word = self.loop.call_later(2 * GOODBYE, self.transport.abort)

    def connection_lost(self, exc: Exception | None) -> None:
        """One line less."""
        self.config.app.state.doors.leave(self.transport)  # type: ignore[union-attr]
        super().connection_lost(exc)
        if self._last_word is not None:
            self._last_word.cancel()
        # What refers to itself would stay until all garbage is looked for.
        getattr(self, "scope", {}).get("extensions", {}).clear()
        self.conn.parser.close()
        untie(self.transport)

    def handle_connect(self, event: Any) -> None:
        """Hands the way down to the application."""
        super().handle_connect(event)
        self._window = window(self.conn)
        line = self.transport.get_extra_info("socket")
        if line is not None:  # or the system would hide for megabytes that nobody reads
            line.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, MOST_UNSENT)
        scope: Any = getattr(self, "scope", None)
        if scope is not None:
            extensions = dict(scope.get("extensions") or {})
            more = {ABORT: self.transport.abort, WRITE: self.write_soon, LISTEN: self.listen}
            scope["extensions"] = {
                **extensions,
                **more,
                BUDGET: self.budget,
                FIRST: self.go_first,
            }

    def go_first(self, first: bool) -> None:
        """Says whether this line is read and written before those of others: it is one of a player."""
        self._context = for_players() if first else for_others()
        if self.transport.is_reading():  # its next news comes in another context
            self.transport.pause_reading()
            self._context.run(self.transport.resume_reading)

    def budget(self, may: Callable[[float], bool]) -> None:
        """Says who else is asked before anything is read: he counts for all lines of an address."""
        self._may = may

    def listen(self, listener: Callable[[str, float], bool] | None) -> None:
        """Says who is asked first to hear a text, with the moment at which it came."""
        self._listener = listener

    def data_received(self, data: bytes) -> None:
        """Hears a short text at once, as nearly all are; reads anything else with care."""
        if self.transport.is_closing():
            return
        if self.handshake_initiated and not self._affords(data):
            self._hang_up()
            return
        if not self.handshake_complete:
            self._whole = not self.handshake_initiated
        elif self._whole:
            if self._heard(data):
                return
            self._whole = are_whole(data)
        super().data_received(data)
        if not self.handshake_initiated:
            self._refuse()

    def _refuse(self) -> None:
        """No WebSocket begins with this; uvicorn, which reads it with the first bytes, would say nothing for ever."""
        self.conn.data_to_send()
        self.transport.write(UNREADABLE)
        self.transport.close()

    def _affords(self, data: bytes) -> bool:
        """Whether what has come is within the budget: counted before it is read, which costs more."""
        most = int(FRAMES_AT_ONCE)
        cost = max(1, self._meter.count(data, most)) + len(data) / 1024
        return self._bucket.take(cost) and self._may(cost)

    def _hang_up(self) -> None:
        """Reads no more; says why, if the other end takes it."""
        log.warning("a line sent too much and was cut")
        if not self.handshake_complete or not self.writable.is_set():
            self.transport.abort()
            return
        if not self.close_sent:
            self.conn.fail(TOO_MANY)
            self.transport.write(b"".join(self.conn.data_to_send()))
            self.close_sent = True
        # Closed at once, with bytes that nobody reads any more, it would be reset before this is heard.
        self.transport.pause_reading()
        self.loop.call_later(GOODBYE, self.transport.abort)

    def _heard(self, data: bytes) -> bool:
        line, listener = self.conn, self._listener
        if listener is None or line.state is not State.OPEN or line.current_size is not None:
            return False
        if self.close_sent or not self.queue.empty():  # one after the other
            return False
        text = short_text(data)
        return text is not None and listener(text, self._arrived())

    def _arrived(self) -> float:
        return arrived(self.transport.get_extra_info("socket"))

    async def send(self, message: Any) -> None:
        """As uvicorn's, which takes a handshake that was refused with a reason for a forgotten one."""
        await super().send(message)
        if message["type"] == "websocket.http.response.body" and not message.get("more_body"):
            self.handshake_complete = True

    def send_receive_event_to_app(self) -> None:
        """Reads on while a message is heard; uvicorn would stop at each, by two calls of the system."""
        if self.curr_msg_data_type == "text" and not _is_text(self.frames):
            self.frames = []
            if self.conn.state is State.OPEN:  # or it is closing already
                self.conn.send_close(NOT_TEXT)
                self.handle_parser_exception()
            return
        self.read_paused = True  # says who is asked: `receive` resumes when nothing waits
        waiting = self.queue.qsize()
        super().send_receive_event_to_app()
        if self.queue.qsize() > waiting:
            self._arrivals.append(self._arrived())
        if self.queue.qsize() >= AHEAD:
            self.transport.pause_reading()

    async def receive(self) -> Any:
        """The next message, with the moment at which it came."""
        message: Any = await super().receive()
        if message["type"] == "websocket.receive":
            message[ARRIVED] = self._arrivals.popleft()
        return message

    def keepalive_timeout(self) -> None:
        """Does not wait for a line that takes nothing any more, not even a good-bye."""
        super().keepalive_timeout()
        self.transport.abort()

    def write_soon(self, text: str) -> bool:
        """Writes a message without a detour, as long as the other end reads; whether it will."""
        open_now = self.handshake_complete and not (self.close_sent or self.disconnected)
        if not open_now or not self.writable.is_set() or self.transport.is_closing():
            return False
        self.conn.writes.append(framed(text, self._window))
        if not self._flushing:  # what is told at the same time, an event and its ack, goes together
            self._flushing = True
            self.loop.call_soon(self._flush, context=self._context)
        return True

    def _flush(self) -> None:
        self._flushing = False
        if not (self.disconnected or self.transport.is_closing()):
            self.transport.write(b"".join(self.conn.data_to_send()))


def _is_text(frames: list[bytes]) -> bool:
    """Whether what came in some frames is UTF-8."""
    try:
        b"".join(frames).decode()
    except UnicodeDecodeError:
        return False
    return True

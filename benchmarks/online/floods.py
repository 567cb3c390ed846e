"""Ways to flood a server that have been tried: each runs in a process of its own until it is told to end."""

import base64
import json
import secrets
import select
import socket
import threading
import time
import zlib
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress

from guest import Guest

from benchmarks.online.lines import GAME, long_game
from mbegu.core.match import Match

Flood = Callable[[int, str, float], None]  # a port, a room, until when


def many(count: int, action: Callable[[int], None]) -> None:
    """The same by several threads."""
    threads = [threading.Thread(target=action, args=(n,), daemon=True) for n in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def address(number: int) -> dict[str, str]:
    """As our own proxy names a stranger."""
    return {"X-Forwarded-For": f"203.0.113.{number % 250 + 1}"}


def asking(count: int, method: str, path: str, body: object = None, **headers: str) -> Flood:
    """Requests as fast as they are answered."""

    def flood(port: int, _room: str, until: float) -> None:
        def ask(number: int) -> None:
            guest = Guest(port)
            with suppress(OSError, AssertionError):
                guest.ask("GET", "/api/v1/rooms", headers=address(number))
            while time.time() < until:
                more = {
                    key: value.format(secrets.token_urlsafe(24)) for key, value in headers.items()
                }
                with suppress(OSError):
                    guest.ask(method, path, body, headers={**address(number), **more})

        many(count, ask)

    return flood


def saying(count: int, data: bytes, first: bytes = b"", reading: bool = True) -> Flood:
    """Frames as fast as they are taken; who is cut comes again."""

    def flood(port: int, room: str, until: float) -> None:
        def say(number: int) -> None:
            guest = Guest(port)
            with suppress(OSError, AssertionError):
                guest.ask("GET", "/api/v1/rooms", headers=address(number))
            while time.time() < until:
                with suppress(OSError), _socket(guest, room, number) as line:
                    line.sendall(first)
                    while time.time() < until:
                        line.sendall(data)
                        if reading:
                            line.recv(65_536, socket.MSG_DONTWAIT)

        many(count, say)

    return flood


@contextmanager
def _socket(guest: Guest, room: str, number: int) -> Iterator[socket.socket]:
    line = socket.create_connection(("127.0.0.1", guest.port), timeout=5)
    named = "".join(f"{key}: {value}\r\n" for key, value in address(number).items())
    line.sendall(
        f"GET /ws/rooms/{room} HTTP/1.1\r\nHost: 127.0.0.1:{guest.port}\r\nConnection: Upgrade\r\n"
        f"Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\nCookie: {guest.cookie}\r\n"
        f"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n{named}\r\n".encode()
    )
    try:
        if b" 101 " not in line.recv(4096)[:20]:
            time.sleep(0.05)
            raise ConnectionError
        yield line
    finally:
        line.close()


def holding(port: int, _room: str, until: float) -> None:
    """Many lines that say nothing."""
    with ExitStack() as lines:
        with suppress(OSError):
            for _number in range(1300):
                lines.enter_context(socket.create_connection(("127.0.0.1", port), timeout=5))
        time.sleep(max(0.0, until - time.time()))


def frame(kind: int, data: bytes = b"") -> bytes:
    """A short frame of a client; the mask is zero."""
    if len(data) < 126:
        return bytes([kind, 0x80 | len(data)]) + b"\0\0\0\0" + data
    return bytes([kind, 0xFE]) + len(data).to_bytes(2) + b"\0\0\0\0" + data


def records(games: int, plies: int) -> str:
    """A file of games."""
    match = Match(GAME)
    for move in long_game(1, plies):
        match.play(move)
    return f"{match.record()}\n\n" * games


def imports(port: int, room: str, until: float) -> None:
    """Eight files at once."""
    asking(8, "POST", "/api/v1/records", {"text": records(150, 200)})(port, room, until)


def tries(port: int, room: str, until: float) -> None:
    """Long lines, each position with all about it."""
    asking(6, "POST", "/api/v1/try", {"game": "oware", "moves": long_game(1, 300)})(
        port, room, until
    )


# ---- by sockets of our own, as fast as one processor can


class Crowd:
    """Many lines, each of which says the same again and again; who is cut comes again."""

    def __init__(
        self, port: int, count: int, data: Callable[[int], bytes], first: Callable[[int], bytes]
    ):
        self.port, self.data, self.first = port, data, first
        self.lines: list[socket.socket | None] = [None] * count
        self.left: list[bytes] = [b""] * count

    def run(self, until: float, pieces: int = 65_536, again: bool = True) -> None:
        """Until the time is over; `pieces` is how much is sent at once."""
        for number in range(len(self.lines)):
            if time.time() < until:
                self._begin(number)
        while time.time() < until:
            for number, line in enumerate(self.lines):
                if line is None:
                    if again:
                        self._begin(number)
                    continue
                self._go_on(number, line, pieces)
            time.sleep(0)
        for line in self.lines:
            if line is not None:
                line.close()

    def _begin(self, number: int) -> None:
        line = socket.socket()
        with suppress(OSError):
            line.bind((f"127.0.0.{2 + number % 200}", 0))
        line.settimeout(2)
        try:
            line.connect(("127.0.0.1", self.port))
        except OSError:
            line.close()
            return
        line.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        line.setblocking(False)
        self.lines[number], self.left[number] = line, self.first(number)

    def _go_on(self, number: int, line: socket.socket, pieces: int) -> None:
        try:
            with suppress(BlockingIOError):
                while True:
                    if not line.recv(65_536):
                        raise ConnectionError
            if not self.left[number]:
                self.left[number] = self.data(number)
            with suppress(BlockingIOError):
                sent = line.send(self.left[number][:pieces])
                self.left[number] = self.left[number][sent:]
        except OSError:
            line.close()
            self.lines[number] = None


def crowd(
    count: int,
    data: Callable[[int], bytes],
    first: Callable[[int], bytes] = lambda _n: b"",
    **more: int,
) -> Flood:
    """So many lines at once."""

    def flood(port: int, _room: str, until: float) -> None:
        Crowd(port, count, data, first).run(until, **more)

    return flood


def request(method: str, path: str, body: object = None, more: str = "") -> Callable[[int], bytes]:
    """A request by a stranger, each from an address of his own."""
    sent = b"" if body is None else json.dumps(body).encode()
    kind = (
        "" if body is None else f"Content-Type: application/json\r\nContent-Length: {len(sent)}\r\n"
    )

    def write(number: int) -> bytes:
        named = "".join(f"{key}: {value}\r\n" for key, value in address(number).items())
        return (
            f"{method} {path} HTTP/1.1\r\nHost: 127.0.0.1\r\n{kind}{named}{more}\r\n".encode()
            + sent
        )

    return write


def opening(path: str, more: str = "") -> Callable[[int], bytes]:
    """The beginning of a WebSocket."""
    key = base64.b64encode(secrets.token_bytes(16)).decode()
    upgrade = (
        f"Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
        f"Sec-WebSocket-Key: {key}\r\n{more}"
    )
    return request("GET", path, more=upgrade)


def in_room(count: int, data: bytes, pace: float, path: str = "", more: str = "") -> Flood:
    """Sockets that keep to the pace which they are allowed, all together."""

    def flood(port: int, room: str, until: float) -> None:
        begin = opening(path or f"/ws/rooms/{room}", more)
        lines = Crowd(port, count, lambda _n: b"", begin)
        for number in range(count):
            lines._begin(number)
        while time.time() < until:
            begun = time.time()
            for number, line in enumerate(lines.lines):
                if line is None:
                    lines._begin(number)
                    continue
                lines.left[number] = lines.left[number] or data
                lines._go_on(number, line, 65_536)
            time.sleep(max(0.0, begun + pace - time.time()))

    return flood


def coming_and_going(path: str = "") -> Flood:
    """Sockets that open, say hello and go, as fast as they are let in."""

    def flood(port: int, room: str, until: float) -> None:
        begin = opening(path or f"/ws/rooms/{room}")
        number = 0
        while time.time() < until:
            lines = Crowd(port, 20, lambda _n: b"", lambda n, first=number: begin(n + first))
            for each in range(20):
                lines._begin(each)
                if (line := lines.lines[each]) is not None:
                    lines._go_on(each, line, 65_536)
            for line in lines.lines:
                if line is not None:
                    with suppress(OSError):
                        select.select([line], [], [], 1)
                        line.send(HELLO)
                        select.select([line], [], [], 0.05)
                    line.close()
            number += 20

    return flood


def deflated(text: bytes) -> bytes:
    """A compressed text frame."""
    packer = zlib.compressobj(9, zlib.DEFLATED, -12)
    data = packer.compress(text) + packer.flush(zlib.Z_SYNC_FLUSH)
    return frame(0xC1, data[:-4])


HELLO = frame(0x81, json.dumps({"t": "hello", "v": 1, "after": None}).encode())
FLOODS: dict[str, Flood] = {
    "addresses for the log": asking(4, "GET", "/" + "://a:" * 12_000),
    "shorter addresses for the log": asking(4, "GET", "/" + "://a:" * 780),
    "quoted cookies": asking(4, "GET", "/api/v1/games", Cookie='a="' + "\\" * 12_000 + '"'),
    "pings": saying(10, frame(0x89, b"!") * 1000, HELLO),
    "pings, never reading": saying(10, frame(0x89, b"!") * 1000, HELLO, reading=False),
    "continuations": saying(4, frame(0x00) * 1000, HELLO + frame(0x01)),
    "hello": saying(35, HELLO, b""),
    "imports": imports,
    "tries": tries,
    "tokens": asking(8, "GET", "/api/v1/rooms", Authorization="Bearer mbegu_{}"),
    "pages": asking(8, "GET", "/"),
    "idle lines": holding,
}

LARGE = "kalah(pits=10,seeds=12)"
DEFLATE = "Sec-WebSocket-Extensions: permessage-deflate; client_max_window_bits=12\r\n"
A_BODY = "Content-Type: application/json\r\nContent-Length: 8000\r\n"
PEOPLE = [{"kind": "human"}, {"kind": "open"}]


def told(**message: object) -> bytes:
    """A message as a frame."""
    return frame(0x81, json.dumps(message).encode())


def account(number: int) -> bytes:
    """Somebody signs up."""
    body = {"name": f"n{secrets.token_hex(6)}", "password": secrets.token_hex(9)}
    return request("POST", "/api/v1/account", body)(number)


FLOODS |= {
    "bodies in drops": crowd(
        900, lambda _n: b" ", request("POST", "/api/v1/rooms", more=A_BODY), pieces=1
    ),
    "heads in drops": crowd(
        900, lambda _n: b"X: y\r\n", lambda _n: b"GET / HTTP/1.1\r\n", pieces=1
    ),
    "new lines": crowd(200, lambda _n: b"?\r\n\r\n"),
    "pipelined": crowd(50, lambda n: request("GET", "/api/v1/view?game=oware")(n) * 20),
    "views from everywhere": crowd(100, request("GET", f"/api/v1/view?game={LARGE}")),
    "pictures": crowd(100, request("GET", f"/api/v1/picture.svg?game={LARGE}")),
    "lessons": crowd(50, request("GET", "/api/v1/lessons/morabaraba")),
    "the description of the API": crowd(50, request("GET", "/api/v1/openapi.json")),
    "cards": crowd(50, request("GET", "/api/v1/games")),
    "pages from everywhere": crowd(100, request("GET", "/")),
    "leaderboards": crowd(50, request("GET", "/api/v1/leaderboards/oware")),
    "rooms": crowd(50, request("POST", "/api/v1/rooms", {"game": "oware", "seats": PEOPLE})),
    "sign-ups": crowd(30, account),
    "sign-ins": crowd(
        30, request("POST", "/api/v1/account/sign-in", {"name": "Amina", "password": "guess-12"})
    ),
    "analyses": crowd(30, request("POST", "/api/v1/analysis", {"game": "oware", "seconds": 1})),
    "short tries": crowd(
        50, request("POST", "/api/v1/try", {"game": "morabaraba", "moves": ["a1", "a4", "a7"]})
    ),
    "compressed nothing": in_room(60, deflated(b" " * 8000 + b"7"), 0.03, more=DEFLATE),
    "broken texts": in_room(60, frame(0x81, b'{"t":' * 20), 0.03),
    "spectators that greet": in_room(200, HELLO, 1.0),
    "spectators that come and go": coming_and_going(),
    "the lobby, coming and going": coming_and_going("/ws/lobby"),
    "seeks": in_room(
        60,
        HELLO + told(t="seek", id="seek-0001", game="oware", clock="300+5", name="x"),
        0.06,
        "/ws/lobby",
    ),
}

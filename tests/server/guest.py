"""A visitor for the tests: HTTP with a cookie, and a room's socket as a browser would use it."""

import http.client
import json
import time
import uuid
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from websockets.sync.client import ClientConnection, connect

Json = dict[str, Any]


@dataclass
class Reply:
    """An answer to a request."""

    status: int
    headers: dict[str, str]
    body: bytes
    set_cookies: tuple[str, ...] = ()

    def json(self) -> Any:
        """The body as data."""
        return json.loads(self.body)


@dataclass
class Guest:
    """Somebody with a browser."""

    port: int
    cookies: dict[str, str] = field(default_factory=dict)
    address: str | None = None  # from where he comes, as a proxy on this computer would say

    @property
    def origin(self) -> str:
        """Where our pages come from."""
        return f"http://127.0.0.1:{self.port}"

    def ask(
        self,
        method: str,
        path: str,
        body: Any = None,
        *,
        raw: bytes | None = None,
        headers: dict[str, str] | None = None,
    ) -> Reply:
        """Sends a request; keeps the cookie it is given."""
        line = http.client.HTTPConnection("127.0.0.1", self.port, timeout=20)
        sent = {"Cookie": self.cookie, **self._forwarded, **(headers or {})}
        if body is not None:
            raw = json.dumps(body).encode()
        if raw is not None:
            sent.setdefault("Content-Type", "application/json")
        try:
            line.request(method, path, raw, sent)
            answer = line.getresponse()
            headers = [(name.lower(), value) for name, value in answer.getheaders()]
            cookies = tuple(value for name, value in headers if name == "set-cookie")
            found = Reply(answer.status, dict(headers), answer.read(), cookies)
        finally:
            line.close()
        for cookie in found.set_cookies:
            name, _equals, value = cookie.partition(";")[0].partition("=")
            self.cookies[name] = value
        return found

    @property
    def cookie(self) -> str:
        """As the browser sends it."""
        return "; ".join(f"{name}={value}" for name, value in self.cookies.items())

    @property
    def _forwarded(self) -> dict[str, str]:
        return {} if self.address is None else {"X-Forwarded-For": self.address}

    def get(self, path: str, **more: Any) -> Any:
        """The data at an address that must be there."""
        reply = self.ask("GET", path, **more)
        assert reply.status == 200, reply.body
        return reply.json()

    def post(self, path: str, body: Any) -> Reply:
        """Posts data."""
        return self.ask("POST", path, body)

    def new_room(self, game: str, first: Any = "human", second: Any = 3, **more: Any) -> str:
        """Makes a room; a number is a computer of that level."""
        seats = [
            {"kind": "human", "name": ""}
            if seat == "human"
            else {"kind": "computer", "level": seat}
            for seat in (first, second)
        ]
        reply = self.post("/api/v1/rooms", {"game": game, "seats": seats, **more})
        assert reply.status == 201, reply.body
        return str(reply.json()["room"])

    def socket(self, path: str, **more: Any) -> ClientConnection:
        """Opens a WebSocket."""
        more.setdefault("origin", self.origin)
        more.setdefault("additional_headers", {"Cookie": self.cookie, **self._forwarded})
        return connect(
            f"ws://127.0.0.1:{self.port}{path}", open_timeout=10, close_timeout=2, **more
        ).__enter__()

    def enter(self, room: str, after: int | None = None, **more: Any) -> "Visit":
        """Enters a room and says hello."""
        return Visit(self.socket(f"/ws/rooms/{room}"), after, more)


class Visit:
    """A browser in a room: it knows what it has been told."""

    def __init__(self, socket: ClientConnection, after: int | None, hello: Json) -> None:
        self.socket = socket
        self.version = after or 0
        self.view: Json | None = None
        self.ply = 0
        self.heard: list[Json] = []
        self.say({"t": "hello", "v": 1, "after": after, **hello})
        self.first = self.until(lambda message: message["t"] in ("snapshot", "resumed"))
        if self.first["t"] == "snapshot":
            self.version, self.view = self.first["version"], self.first["view"]
            self.ply = len(self.first["moves"])

    def __enter__(self) -> "Visit":
        """For `with`."""
        return self

    def __exit__(self, *_error: object) -> None:
        """Leaves the room."""
        self.socket.close()

    def say(self, message: Any) -> None:
        """Sends a message."""
        self.socket.send(json.dumps(message))

    def hear(self, timeout: float = 15) -> Json:
        """The next message; an event must have the next version."""
        message: Json = json.loads(self.socket.recv(timeout))
        self.heard.append(message)
        if message["t"] == "event" and not message.get("transient"):
            assert message["version"] == self.version + 1
            self.version = message["version"]
            self.view = message["data"].get("view", self.view)
            if message["kind"] in ("moved", "undone"):
                self.ply = message["data"]["ply"]
        return message

    def until(self, wanted: Callable[[Json], bool], timeout: float = 15) -> Json:
        """The next message of some sort."""
        until = time.monotonic() + timeout  # in all: the server's pings never end
        while True:
            message = self.hear(max(0.0, until - time.monotonic()))
            if wanted(message):
                return message

    def event(self, kind: str) -> Json:
        """The data of the next event of a kind."""
        found = self.until(lambda message: message.get("kind") == kind)
        data: Json = found["data"]
        return data

    def command(self, kind: str, **fields: Any) -> Json:
        """Sends a command; the answer to it."""
        name, timeout = fields.pop("id", None) or uuid.uuid4().hex, fields.pop("timeout", 15)
        self.say({"t": kind, "id": name, **fields})
        return self.until(
            lambda message: message.get("id") == name and message["t"] != "compiling", timeout
        )

    def move(self, move: Any, **fields: Any) -> Json:
        """Plays a move; the answer to it."""
        return self.command("move", **{"ply": self.ply + 1, "move": move, **fields})

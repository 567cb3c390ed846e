"""Somebody who speaks HTTP and WebSocket by hand, and does not keep to what is usual."""

import os
import socket
from contextlib import suppress

from guest import Guest

ELSEWHERE = "203.0.113.9"  # an address for examples, which our own proxy may name
CONTINUED, TEXT, BINARY, CLOSE, PING, PONG = 0, 1, 2, 8, 9, 10


def frame(kind: int, data: bytes = b"", last: bool = True) -> bytes:
    """A frame of a client; the mask is zero."""
    size = len(data)
    head = bytes([(0x80 if last else 0) | kind])
    if size < 126:
        head += bytes([0x80 | size])
    else:
        head += bytes([0x80 | 126]) + size.to_bytes(2)
    return head + b"\0\0\0\0" + data


class Line:
    """A line to a server."""

    def __init__(self, port: int, timeout: float = 10.0) -> None:
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=timeout)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def __enter__(self) -> "Line":
        """For `with`."""
        return self

    def __exit__(self, *_error: object) -> None:
        """Hangs up."""
        self.socket.close()

    def say(self, data: bytes) -> bool:
        """Sends; whether the other end took it."""
        try:
            self.socket.sendall(data)
        except OSError:
            return False
        return True

    def rest(self) -> bytes:
        """All that comes until the line is closed."""
        found = b""
        with suppress(ConnectionError):
            while piece := self.socket.recv(65_536):
                found += piece
        return found

    def head(self) -> bytes:
        """The head of an answer."""
        found = b""
        with suppress(ConnectionError):
            while b"\r\n\r\n" not in found and (piece := self.socket.recv(1)):
                found += piece
        return found

    def get(self, target: str, more: str = "") -> int:
        """The status of an answer; 0 if there is none."""
        self.say(f"GET {target} HTTP/1.1\r\nHost: 127.0.0.1\r\n{more}\r\n".encode())
        return status(self.head())


def status(head: bytes) -> int:
    """The status of an answer; 0 if there is none."""
    return int(head.split()[1]) if head.startswith(b"HTTP/") else 0


def handshake(guest: Guest, path: str, address: str | None = None) -> bytes:
    """How a WebSocket begins."""
    named = "" if address is None else f"X-Forwarded-For: {address}\r\n"
    key = "dGhlIHNhbXBsZSBub25jZQ=="
    return (
        f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{guest.port}\r\nConnection: Upgrade\r\n"
        f"Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: {key}\r\n"
        f"Cookie: {guest.cookie}\r\n{named}\r\n"
    ).encode()


def upgraded(guest: Guest, path: str, address: str | None = None) -> Line:
    """A WebSocket of a guest, from some address."""
    line = Line(guest.port)
    line.say(handshake(guest, path, address))
    assert status(line.head()) == 101
    return line


def noise(size: int) -> bytes:
    """Bytes that are no text."""
    return b"\xff" + os.urandom(size)

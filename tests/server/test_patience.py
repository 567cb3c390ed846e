"""Lines that begin a request and do not go on with it."""

import socket
import time
from contextlib import suppress

import pytest
from guest import Guest
from serving import Running

HEAD = b"POST /api/v1/rooms HTTP/1.1\r\nHost: here\r\nContent-Type: application/json\r\n"


@pytest.fixture(autouse=True)
def hurried(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("mbegu.server.net.timeouts.HEAD_WITHIN", 0.4)
    monkeypatch.setattr("mbegu.server.net.timeouts.BODY_WITHIN", 0.4)


@pytest.mark.parametrize(
    "said",
    [
        b"",
        b"GET / HT",
        HEAD,
        HEAD + b"Content-Length: 50\r\n\r\n{",
    ],
)
def test_half_a_request_is_not_awaited_for_ever(served: Running, said: bytes) -> None:
    with socket.create_connection(("127.0.0.1", served.port), timeout=30) as line:
        line.sendall(said)
        answers = iter(lambda: line.recv(65536), b"")  # a line that stays open fails by its timeout
        assert len(list(answers)) <= 1


def test_a_head_that_drips_is_late_too(served: Running) -> None:
    with socket.create_connection(("127.0.0.1", served.port), timeout=0.1) as line:
        line.sendall(b"GET / HTTP/1.1\r\n")
        for _drop in range(20):
            with suppress(TimeoutError):
                assert line.recv(100) == b""
                break
            line.sendall(b"X: y\r\n")
        else:
            pytest.fail("it is still awaited")


def test_who_speaks_in_time_is_heard(guest: Guest) -> None:
    room = guest.new_room("oware", "human", "human")
    with guest.enter(room) as visit:
        time.sleep(0.6)  # a socket may be silent
        assert visit.move(2)["t"] == "ack"
    with socket.create_connection(("127.0.0.1", guest.port), timeout=10) as line:
        body = b'{"game": "oware", "seats": []}'
        line.sendall(HEAD + b"Content-Length: %d\r\n\r\n" % len(body))
        for letter in range(0, len(body), 6):
            line.sendall(body[letter : letter + 6])
            time.sleep(0.15)
        assert line.recv(65536).startswith(b"HTTP/1.1 400")

"""What a server must survive: garbage, giants, floods, and peers that never read."""

import json
import random
import socket
import sqlite3
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from guest import Guest, Visit
from members import member
from serving import Running, plain_settings, running
from sqlalchemy.exc import OperationalError
from websockets.exceptions import ConnectionClosed

from mbegu.server.net import clients


def closed_with(visit: Visit, timeout: float = 10) -> int:
    """The code with which the server hangs up."""
    with pytest.raises(ConnectionClosed) as closed:
        visit.until(lambda _message: False, timeout)
    assert closed.value.rcvd is not None
    return int(closed.value.rcvd.code)


def test_garbage_is_answered_and_survived(guest: Guest) -> None:
    room = guest.new_room("oware", "human", "human")
    lot = random.Random(7)
    with guest.enter(room) as visit:
        frames: list[Any] = [
            "",
            "{",
            "null",
            "[]",
            "7",
            '"hello"',
            "[" * 4000,
            '{"a":' * 1000,
            b"\x00\xff\xfe",
            b"{}",
            "{}",
            '{"t": null}',
            '{"t": {"t": 1}, "id": []}',
            '{"t": "move"}',
            '{"t": "move", "id": 5, "ply": 1, "move": 0}',
            '{"t": "move", "id": "short", "ply": 1, "move": 0}',
            '{"t": "move", "id": "%s", "ply": 1, "move": 0}' % ("x" * 65),
            '{"t": "move", "id": "abcdefgh", "ply": true, "move": 0}',
            '{"t": "move", "id": "abcdefgi", "ply": 1e999, "move": 0}',
            '{"t": "move", "id": "abcdefgj", "ply": 1, "move": 1e400}',
            '{"t": "move", "id": "abcdefgk", "ply": 1, "move": %s}' % ("9" * 4000),
            '{"t": "undo", "id": "abcdefgl"}',
            '{"t": "setup", "id": "abcdefgm", "beads": []}',
            '{"t": "resign", "id": "abcdefgn", "seat": "0"}',
            '{"t": "resign", "id": "abcdefgo", "seat": [[]]}',
            '{"t": "offer_draw", "id": "abcdefgp", "seat": 2}',
            '{"t": "fly", "id": "abcdefgq"}',
            '{"t": "fly", "id": "\\ud800\\ud800\\ud800\\ud800"}',
            bytes(lot.randrange(256) for _byte in range(500)),
        ]
        for frame in frames:
            visit.socket.send(frame)
            assert visit.hear()["t"] == "refused", frame
            time.sleep(0.02)
        assert visit.command("ping")["version"] == 0
        assert visit.move(0)["t"] == "ack"


def test_a_frame_that_is_not_utf8_ends_only_its_own_line(guest: Guest) -> None:
    room = guest.new_room("oware", "human", "human")
    with guest.enter(room) as visit, guest.enter(room) as other:
        visit.socket.protocol.send_text(b"\xff\xfe")
        visit.socket.socket.sendall(b"".join(visit.socket.protocol.data_to_send()))
        assert closed_with(visit) == 1007
        assert other.move(0)["t"] == "ack"


def test_what_is_said_in_one_breath_is_answered_in_order(guest: Guest) -> None:
    room = guest.new_room("oware", "human", "human")
    with guest.enter(room) as visit:
        names = [f"command-{number}" for number in range(50)]  # more than are read ahead
        for name in names:
            visit.socket.protocol.send_text(json.dumps({"t": "ping", "id": name}).encode())
        visit.socket.socket.sendall(b"".join(visit.socket.protocol.data_to_send()))
        assert [visit.hear()["id"] for _name in names] == names
        assert visit.move(0)["t"] == "ack"


def test_giants_are_hung_up_on(guest: Guest) -> None:
    room = guest.new_room("oware", "human", "human")
    with guest.enter(room) as visit:
        visit.socket.send("x" * 9000)
        assert closed_with(visit) == 1009
    with guest.enter(room) as visit:
        assert visit.move(0)["t"] == "ack"


def test_floods_are_hung_up_on(guest: Guest) -> None:
    room = guest.new_room("oware", "human", "human")
    with guest.enter(room) as visit:
        with suppress(ConnectionClosed):  # how soon depends on how fast this machine can send
            for _number in range(1_000):
                visit.socket.send("{}")
        assert closed_with(visit) == 4008


def test_too_many_sockets_of_one_visitor(guest: Guest, served: Running) -> None:
    room = guest.new_room("oware", "human", "human")
    lines = [guest.socket(f"/ws/rooms/{room}") for _number in range(41)]
    with pytest.raises(ConnectionClosed) as closed:
        lines[-1].recv(5)
    assert closed.value.rcvd is not None
    assert closed.value.rcvd.code == 4008
    other = served.guest()
    with other.enter(room) as visit:
        assert visit.command("ping")["t"] == "ack"
    for line in lines:
        line.close()
    until = time.monotonic() + 5
    me = guest.cookies["mbegu"].partition(".")[0]
    while me in served.app.state.sockets and time.monotonic() < until:
        time.sleep(0.01)
    assert me not in served.app.state.sockets


def test_no_hello_no_room_wrong_version(guest: Guest, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("mbegu.server.api.sockets.WAIT_FOR_HELLO", 0.2)
    room = guest.new_room("oware", "human", "human")
    with guest.socket(f"/ws/rooms/{room}") as line:
        line.send('{"t": "ping", "id": "abcdefgh"}')
        assert json.loads(line.recv(5))["error"] == "say hello first"
        with pytest.raises(ConnectionClosed) as closed:
            line.recv(5)
        assert closed.value.rcvd is not None
        assert closed.value.rcvd.code == 4009
    with guest.socket("/ws/rooms/nobody-made-this") as line:
        with pytest.raises(ConnectionClosed) as closed:
            line.recv(5)
        assert closed.value.rcvd is not None
        assert closed.value.rcvd.code == 4004
    with guest.socket(f"/ws/rooms/{room}") as line:
        line.send('{"t": "hello", "v": 2}')
        assert "load the page again" in json.loads(line.recv(5))["error"]
        with pytest.raises(ConnectionClosed):
            line.recv(5)


def silent_socket(guest: Guest, room: str) -> socket.socket:
    """A peer that says hello and never reads again, with as little room for bytes as possible."""
    line = socket.socket()
    line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
    line.connect(("127.0.0.1", guest.port))
    line.sendall(
        (
            f"GET /ws/rooms/{room} HTTP/1.1\r\nHost: 127.0.0.1:{guest.port}\r\n"
            "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
            f"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nCookie: {guest.cookie}\r\n\r\n"
        ).encode()
    )
    assert b"101" in line.recv(600)
    hello = b'{"t":"hello","v":1,"after":null}'
    line.sendall(bytes([0x81, 0x80 | len(hello), 0, 0, 0, 0]) + hello)
    return line


def test_whoever_never_reads_is_dropped_and_nobody_waits(
    guest: Guest, served: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(clients, "PATIENCE", 0.5)
    room = guest.new_room("urubugu", "human", "human")
    asleep = silent_socket(guest, room)
    with guest.enter(room) as visit:
        live = next(r for r in served.app.state.hall._rooms.values() if r.id == room)
        until = time.monotonic() + 5
        while len(live.clients) < 2 and time.monotonic() < until:
            time.sleep(0.01)
        loop = live._actor.get_loop()
        for _number in range(100):
            loop.call_soon_threadsafe(live.tell, "clock", {"clock": None, "pad": "x" * 100_000})
        assert visit.move(1)["t"] == "ack"  # after ten megabytes for everybody
        until = time.monotonic() + 5
        while len(live.clients) > 1 and time.monotonic() < until:
            time.sleep(0.01)
        assert len(live.clients) == 1
        assert visit.command("ping")["t"] == "ack"
    asleep.close()


def test_a_queue_that_overflows_drops_its_client(
    guest: Guest, served: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(clients, "MOST_WAITING", 3)
    room = guest.new_room("oware", "human", "human")
    with guest.enter(room) as visit:
        live = next(r for r in served.app.state.hall._rooms.values() if r.id == room)
        (client,) = live.clients
        client._at_once = lambda _text: False  # as when the other end has stopped reading
        loop = live._actor.get_loop()
        loop.call_soon_threadsafe(lambda: [client.send('{"t":"x"}') for _number in range(9)])
        with pytest.raises(ConnectionClosed):
            visit.until(lambda _message: False, 5)
        until = time.monotonic() + 5
        while live.clients and time.monotonic() < until:
            time.sleep(0.01)
        assert not live.clients


def test_a_database_that_goes_away(tmp_path: Path) -> None:
    with running(plain_settings(tmp_path)) as server:
        guest = server.guest()
        room = guest.new_room("oware", "human", "human", clock="60+1")
        with guest.enter(room) as visit:
            assert visit.move(0)["t"] == "ack"
            store = server.app.state.hall.store
            good, store._transact = store._transact, full_disk
            answer = visit.move(6)
            assert "could not be kept" in answer["error"]
            assert visit.command("ping")["version"] == 1
            store._transact = good
            assert visit.move(6)["t"] == "ack"
            assert visit.ply == 2
            assert visit.heard[-2]["data"]["clock"]["left"][1] > 55
        assert guest.get(f"/api/v1/rooms/{room}")["version"] == 2


def test_a_member_finds_the_page_while_the_database_is_away(tmp_path: Path) -> None:
    with running(plain_settings(tmp_path)) as server:
        guest, _name = member(server)
        server.app.state.people.forget()
        store = server.app.state.hall.store
        good, store.engine = store.engine, sa.create_engine(f"sqlite:///{tmp_path}/no/such/file")
        try:
            assert guest.ask("GET", "/api/v1/account").status == 503
            assert guest.ask("GET", "/health").status == 200
            page = guest.ask("GET", "/lobby")
            assert page.body == Guest(server.port).ask("GET", "/lobby").body, "as anybody finds it"
            assert page.set_cookies == (), "and he stays who he is"
        finally:
            store.engine = good
        assert guest.get("/api/v1/account")["account"] is not None


def full_disk(_batch: Any) -> Any:
    """What SQLite says then."""
    raise OperationalError("COMMIT", {}, sqlite3.OperationalError("database or disk is full"))

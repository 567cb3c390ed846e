"""Signing out, recovery and a new password end everything at once, in every process."""

import asyncio
import json
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest
from guest import Guest, Visit
from members import PASSWORD, new_name, rated_room, token_of
from serving import Running, plain_settings, running
from websockets.exceptions import ConnectionClosed

from mbegu.server import app

NEW = "kilima-cha-njaro"
PATIENCE = 10.0  # seconds; a second is what is promised, on a machine with nothing else to do


@dataclass
class Two:
    """Two processes on one database."""

    here: Running
    there: Running

    def device(self, name: str, server: Running) -> Guest:
        """Somebody signs in on a device of his own."""
        guest = server.guest()
        reply = guest.post("/api/v1/account/sign-in", {"name": name, "password": PASSWORD})
        assert reply.status == 200, reply.body
        return guest


@pytest.fixture
def two(url: str, tmp_path: Path) -> Iterator[Two]:
    """Two servers that know nothing of each other but the database."""
    settings = replace(plain_settings(tmp_path), database=url)
    with ExitStack() as stack:
        first, second = (stack.enter_context(running(settings)) for _server in range(2))
        yield Two(first, second)


def new_member(served: Running, **more: Any) -> tuple[Guest, str, str]:
    """Somebody with an account: his browser, his name and his recovery code."""
    guest, name = served.guest(), new_name()
    reply = guest.post("/api/v1/account", {"name": name, "password": PASSWORD, **more})
    assert reply.status == 201, reply.body
    return guest, name, str(reply.json()["recovery"])


def sign_out(guest: Guest, name: str, code: str) -> None:
    """On this device alone."""
    assert guest.post("/api/v1/account/sign-out", {}).status == 204


def sign_out_everywhere(guest: Guest, name: str, code: str) -> None:
    """On all devices."""
    assert guest.post("/api/v1/account/sign-out", {"everywhere": True}).status == 204


def change(guest: Guest, name: str, code: str) -> None:
    """Another password."""
    form = {"password": PASSWORD, "new": NEW}
    assert guest.post("/api/v1/account/password", form).status == 200


def recover(guest: Guest, name: str, code: str) -> None:
    """By the code, from another device."""
    form = {"name": name, "code": code, "password": NEW}
    assert Guest(guest.port).post("/api/v1/account/recover", form).status == 200


def is_cut(visit: Visit) -> bool:
    """Whether the line ends, and nothing that is said on it does anything."""
    until = time.monotonic() + PATIENCE
    try:
        while time.monotonic() < until:
            answer = visit.move(0)
            assert answer["t"] == "refused", answer
            time.sleep(0.05)
    except ConnectionClosed as closed:
        return closed.rcvd is not None and closed.rcvd.code == 4001
    return False


Ending = Callable[[Guest, str, str], None]
ENDINGS = [sign_out, sign_out_everywhere, change, recover]


@pytest.mark.parametrize("ending", ENDINGS)
def test_a_socket_moves_no_more(served: Running, ending: Ending) -> None:
    guest, name, code = new_member(served)
    friend, _name, _code = new_member(served)
    with guest.enter(rated_room(guest, friend)) as visit:
        old = dict(guest.cookies)
        ending(guest, name, code)
        assert is_cut(visit)
    guest.cookies = old
    assert guest.get("/api/v1/account")["account"] is None


@pytest.fixture
def nobody_looks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Running]:
    """A server that does not look every moment for what has been revoked elsewhere."""

    async def never(*_arguments: object) -> None:
        await asyncio.Event().wait()

    monkeypatch.setattr(app, "shut_out", never)
    with running(plain_settings(tmp_path)) as server:
        yield server


def delete(guest: Guest, name: str, code: str) -> None:
    """The account goes."""
    assert guest.post("/api/v1/account/delete", {"password": PASSWORD}).status == 204


@pytest.mark.parametrize("ending", [*ENDINGS, delete])
def test_in_its_own_process_a_socket_ends_at_once(nobody_looks: Running, ending: Ending) -> None:
    guest, name, code = new_member(nobody_looks)
    with guest.enter(guest.new_room("oware", "human", "human")) as visit:
        ending(guest, name, code)
        with pytest.raises(ConnectionClosed) as closed:
            visit.until(lambda _message: False)
    assert closed.value.rcvd is not None
    assert closed.value.rcvd.code == 4001


@pytest.mark.parametrize("ending", ENDINGS)
def test_a_socket_in_another_process_moves_no_more(two: Two, ending: Ending) -> None:
    guest, name, code = new_member(two.here)
    friend, _name, _code = new_member(two.there)
    room = rated_room(friend, guest_at(guest, two.there))
    far = guest_at(guest, two.there)
    with far.enter(room) as visit:
        north = friend.enter(room)
        assert north.move(0)["t"] == "ack"
        visit.event("moved")
        ending(guest, name, code)
        assert is_cut_at_once(visit)
        north.socket.close()
    until = time.monotonic() + PATIENCE
    while far.get("/api/v1/account")["account"] is not None and time.monotonic() < until:
        time.sleep(0.1)
    assert far.get("/api/v1/account")["account"] is None


def guest_at(guest: Guest, server: Running) -> Guest:
    """The same browser at another process."""
    return Guest(server.port, guest.cookies.copy())


def is_cut_at_once(visit: Visit) -> bool:
    """The very next move is not made, though nobody has told this process anything."""
    answer: Any = None
    try:
        legal = [choice["move"] for choice in (visit.view or {})["legal"]]
        answer = visit.move(legal[0])
    except ConnectionClosed:
        return True
    assert "signed out" in answer["error"], json.dumps(answer)
    return is_cut(visit)


@pytest.mark.parametrize("ending", [change, recover])
def test_tokens_made_before_end(served: Running, ending: Ending) -> None:
    guest, name, code = new_member(served, bot=True)
    program = Guest(served.port)
    shown = {"Authorization": f"Bearer {token_of(guest, 'read', 'play')}"}
    assert program.ask("GET", "/api/v1/account", headers=shown).status == 200
    with Visit(
        program.socket(f"/ws/rooms/{guest.new_room('oware')}", additional_headers=shown), None, {}
    ) as visit:
        ending(guest, name, code)
        assert is_cut(visit)
    assert program.ask("GET", "/api/v1/account", headers=shown).status == 401


def test_only_this_device_is_signed_out(served: Running) -> None:
    guest, name, code = new_member(served)
    other = Two(served, served).device(name, served)
    room = guest.new_room("oware", second="human")
    with guest.enter(room) as near, other.enter(room) as far:
        sign_out(guest, name, code)
        assert is_cut(near)
        assert far.move(0)["t"] == "ack"

"""Several server processes on one database: a room is in one of them, and outlives it."""

import signal
import time
from contextlib import ExitStack, suppress
from pathlib import Path
from subprocess import Popen
from typing import Any

import pytest
from guest import Guest, Json, Visit
from processes import process
from websockets.exceptions import ConnectionClosed

LEASE = ("--lease", "2")


def first_legal(visit: Visit) -> Any:
    """A move that is surely allowed."""
    assert visit.view is not None
    return visit.view["legal"][0]["move"]


def enter_somehow(guest: Guest, room: str, after: int | None) -> Visit:
    """As a browser does: again and again until it is let in."""
    until = time.monotonic() + 15
    while True:
        try:
            return guest.enter(room, after)
        except (ConnectionClosed, OSError):
            assert time.monotonic() < until
            time.sleep(0.1)


class InLobby(Visit):
    """A browser in the lobby."""

    def __init__(self, guest: Guest) -> None:
        self.socket, self.heard, self.version = guest.socket("/ws/lobby"), [], 0
        self.say({"t": "hello", "v": 1})
        self.until(lambda message: message["t"] == "lobby")

    def told(self, kind: str) -> Json:
        """What has been, or will be, told."""
        for message in self.heard:
            if message["t"] == kind:
                return message
        return self.until(lambda message: message["t"] == kind)


def test_two_players_on_two_processes(url: str) -> None:
    with ExitStack() as stack:
        guests = [stack.enter_context(process(url, *LEASE))[1] for _number in range(2)]
        for guest in guests:
            guest.get("/api/v1/rooms")
        lobbies = [InLobby(guest) for guest in guests]
        for lobby in lobbies:
            stack.enter_context(lobby)
        for side, lobby in enumerate(lobbies):
            wish = {"game": "kalah(seeds=3)", "clock": "600+0", "side": side, "quick": True}
            assert lobby.command("seek", name=f"player {side}", **wish)["t"] == "ack"
        (room,) = {lobby.told("paired")["room"] for lobby in lobbies}
        visits = [stack.enter_context(guest.enter(room)) for guest in guests]
        assert [seat["yours"] for seat in visits[1].first["room"]["seats"]] == [False, True]
        while (turn := visits[0].view["turn"]) is not None:  # type: ignore[index]
            before = visits[0].version
            assert visits[turn].move(first_legal(visits[turn]))["t"] == "ack"
            for visit in visits:
                while visit.version == before:
                    visit.hear()
        for visit in visits:
            if not any(message.get("kind") == "ended" for message in visit.heard):
                visit.event("ended")
        assert visits[0].version == visits[1].version > 10
        # Both were told in the lobby when it was their turn, wherever the room is.
        for lobby in lobbies:
            assert lobby.told("game")["room"] == room
        # Requests find the room as well, and so does what they change.
        records = [
            guest.ask("GET", f"/api/v1/rooms/{room}/record?format=text").body for guest in guests
        ]
        assert records[0] == records[1] != b""
        other = guests[1].new_room("oware", "human", "human")
        assert guests[0].get(f"/api/v1/rooms/{other}")["version"] == 0
        assert guests[0].ask("DELETE", f"/api/v1/rooms/{other}").status == 403
        guests[0].cookies = guests[1].cookies
        assert guests[0].ask("DELETE", f"/api/v1/rooms/{other}").status == 204
        assert guests[1].ask("GET", f"/api/v1/rooms/{other}").status == 404


def two_processes(stack: ExitStack, url: str) -> tuple[Popen[str], Guest, Guest]:
    """Two servers on one database, of which the first is told too, and the same visitor at both."""
    one, first = stack.enter_context(process(url, *LEASE))
    _two, second = stack.enter_context(process(url, *LEASE))
    first.get("/api/v1/rooms")
    second.cookies = first.cookies
    return one, first, second


@pytest.mark.parametrize(
    ("url", "number"),
    [("sqlite", signal.SIGTERM), ("postgresql", signal.SIGTERM), ("postgresql", signal.SIGKILL)],
    indirect=["url"],
)
def test_a_process_ends_in_mid_game(url: str, number: signal.Signals) -> None:
    with ExitStack() as stack:
        one, first, second = two_processes(stack, url)
        room = first.new_room("oware", "human", "human")
        near, far = first.enter(room), second.enter(room)
        for visit in (near, far, near):
            assert visit.move(first_legal(visit))["t"] == "ack"
            other = near if visit is far else far
            other.until(lambda message: message.get("kind") == "moved")
        one.send_signal(number)
        with pytest.raises(ConnectionClosed) as closed:
            far.until(lambda _message: False)
        assert closed.value.rcvd is not None
        assert closed.value.rcvd.code == 1012
        with enter_somehow(second, room, 3) as again:
            assert again.first["t"] == "resumed"
            again.view, again.ply = far.view, 3
            assert again.move(first_legal(again))["t"] == "ack"
            assert again.version == 4
        near.socket.close()
        far.socket.close()


@pytest.mark.parametrize("url", ["postgresql"], indirect=True)
def test_a_sleeper_cannot_write_into_a_game_that_has_gone_on(url: str) -> None:
    with ExitStack() as stack:
        one, first, second = two_processes(stack, url)
        room = first.new_room("oware", "human", "human")
        with first.enter(room) as near:
            assert near.move(0)["t"] == "ack"
            one.send_signal(signal.SIGSTOP)
            time.sleep(2.5)
            with enter_somehow(second, room, None) as far:
                assert far.version == 1
                assert far.move(first_legal(far))["t"] == "ack"
                one.send_signal(signal.SIGCONT)
                # Whatever it is asked now, the sleeper writes nothing: it sends its people away.
                with suppress(ConnectionClosed):
                    near.say({"t": "move", "id": "in-his-sleep", "ply": 2, "move": 7})
                with pytest.raises(ConnectionClosed):
                    near.until(lambda _message: False)
                with enter_somehow(first, room, 1) as back:
                    assert back.version == 2
                    assert back.move(0, ply=3)["t"] in ("ack", "refused")
                    assert far.command("ping")["version"] == back.command("ping")["version"]


def test_a_new_process_takes_over_on_the_same_port(tmp_path: Path) -> None:
    url = str(tmp_path / "games.sqlite3")
    with process(url, "--share-port") as (old, guest):
        guest.get("/api/v1/rooms")
        room = guest.new_room("oware", "human", "human")
        with guest.enter(room) as visit:
            assert visit.move(first_legal(visit))["t"] == "ack"
            with process(url, "--share-port", "--port", str(guest.port)) as (_new, _guest):
                old.send_signal(signal.SIGTERM)
                assert visit.event("stopping")["seconds"] < 1  # somebody is there already
                with pytest.raises(ConnectionClosed):
                    visit.until(lambda _message: False)
                assert old.wait(5) == 0
                with enter_somehow(guest, room, 1) as again:
                    assert again.first["t"] == "resumed"
                    again.view, again.ply = visit.view, 1
                    assert again.move(first_legal(again))["version"] == 2

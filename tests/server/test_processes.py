"""Several server processes on one database: a room is in one of them, and outlives it."""

import signal
import time
from collections.abc import Callable
from contextlib import ExitStack
from typing import Any

import pytest
from guest import Guest, Visit
from processes import process
from websockets.exceptions import ConnectionClosed

LEASE = ("--lease", "2")


def first_legal(visit: Visit) -> Any:
    """A move that is surely allowed."""
    assert visit.view is not None
    return visit.view["legal"][0]["move"]


def until_true(condition: Callable[[], bool], seconds: float = 15) -> None:
    """Waits for something."""
    until = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < until
        time.sleep(0.05)


def enter_somehow(guest: Guest, room: str, after: int | None) -> Visit:
    """As a browser does: again and again until it is let in."""
    until = time.monotonic() + 15
    while True:
        try:
            return guest.enter(room, after)
        except (ConnectionClosed, OSError):
            assert time.monotonic() < until
            time.sleep(0.1)


def test_two_players_on_two_processes(url: str) -> None:
    with ExitStack() as stack:
        _one, first = stack.enter_context(process(url, *LEASE))
        _two, second = stack.enter_context(process(url, *LEASE))
        first.get("/api/v1/rooms")
        second.cookies = first.cookies  # one secret: both know him
        room = first.new_room("kalah", "human", "human")
        visits = [stack.enter_context(guest.enter(room)) for guest in (first, second)]
        while visits[0].view is not None and visits[0].view["turn"] is not None:
            turn = visits[0].view["turn"]
            answer = visits[turn].move(first_legal(visits[turn]))
            assert answer["t"] == "ack"
            visits[1 - turn].until(lambda message: message.get("kind") == "moved")
            if visits[turn].view["outcome"]:  # type: ignore[index]
                break
        assert visits[0].version == visits[1].version > 20
        # Requests find the room as well, and so does what they change.
        looks = [guest.get(f"/api/v1/rooms/{room}") for guest in (first, second)]
        assert looks[0] == looks[1]
        record = second.ask("GET", f"/api/v1/rooms/{room}/record?format=text")
        assert record.status == 200
        assert first.ask("GET", f"/api/v1/rooms/{room}/record?format=text").body == record.body
        assert second.ask("DELETE", f"/api/v1/rooms/{room}").status == 204
        assert first.ask("GET", f"/api/v1/rooms/{room}").status == 404


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM])
def test_a_process_ends_in_mid_game(url: str, number: signal.Signals) -> None:
    with ExitStack() as stack:
        one, first = stack.enter_context(process(url, *LEASE))
        _two, second = stack.enter_context(process(url, *LEASE))
        first.get("/api/v1/rooms")
        second.cookies = first.cookies
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


def test_a_sleeper_cannot_write_into_a_game_that_has_gone_on(url: str) -> None:
    with ExitStack() as stack:
        one, first = stack.enter_context(process(url, *LEASE))
        _two, second = stack.enter_context(process(url, *LEASE))
        first.get("/api/v1/rooms")
        second.cookies = first.cookies
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
                with pytest.raises(ConnectionClosed):
                    near.say({"t": "move", "id": "in-his-sleep", "ply": 2, "move": 7})
                    near.until(lambda _message: False)
                with enter_somehow(first, room, 1) as back:
                    assert back.version == 2
                    assert back.move(0, ply=3)["t"] in ("ack", "refused")
                    assert far.command("ping")["version"] == back.command("ping")["version"]

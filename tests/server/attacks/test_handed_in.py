"""Games that are handed in by a tab, or looked at and left: not without end, and nobody waits for them."""

import asyncio
from types import SimpleNamespace
from typing import Any

import pytest
from guest import Guest
from serving import Running

import mbegu
from mbegu.core.match import Match
from mbegu.server.play import hall, handing
from mbegu.server.play.forms import new_room
from mbegu.server.play.handing import Continuation, hand_in
from mbegu.server.play.ports import NoBots
from mbegu.server.play.room import Room

OWARE = mbegu.game("oware")
PLIES = 60


def line(first: int, plies: int) -> list[Any]:
    """The moves of a game that begins so."""
    match = Match(OWARE)
    match.play(first)
    while len(match.moves) < plies:
        match.play(match.position.legal_moves()[-1])
    return list(match.moves)


def test_another_course_of_a_game_is_not_handed_in_without_end(
    guest: Guest, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(handing, "MOST_EVENTS", 20)
    room = guest.new_room("oware", "human", 3)

    def hand(count: int, moves: list[Any]) -> int:
        version = guest.get(f"/api/v1/rooms/{room}")["version"]
        told = {"device": "device-1234", "count": count, "after": version, "moves": moves}
        return guest.post(f"/api/v1/rooms/{room}/continue", told).status

    courses = [line(0, 6), line(1, 6)]
    found = [hand(count, courses[count % 2]) for count in range(5)]
    assert found[:3] == [200, 200, 400]
    assert found[4] == 400
    shot = guest.get(f"/api/v1/rooms/{room}")
    assert shot["version"] <= 20 + 2  # with what was taken back, and the mark
    assert len(shot["moves"]) == 6


class Ear:
    """A client that notes what it is told."""

    session, name, language, address, lean, rtt = "me", "", "en", "", False, 0.0

    def __init__(self) -> None:
        self.heard = 0

    def send(self, _text: str) -> None:
        """Something is told."""
        self.heard += 1


def test_a_whole_game_is_told_in_pieces() -> None:
    """Each event has a board with all that one may do there: many of them take as long as many requests."""

    async def main() -> tuple[int, int]:
        async def keep(*_what: Any) -> None:
            await asyncio.sleep(0)

        house: Any = SimpleNamespace(
            store=SimpleNamespace(append=keep), notice=lambda *_what: None, ladder=NoBots()
        )
        seats = [{"kind": "human"}, {"kind": "human"}]
        room, ear = Room(new_room({"game": "oware", "seats": seats}, "me"), house), Ear()
        room.clients.add(ear)  # type: ignore[arg-type]
        moves = tuple(line(0, PLIES))
        told = Continuation("device-1234", 1, 0, moves, None, None, frozenset())
        work, most, before = asyncio.create_task(hand_in(room, "me", told)), 0, 0
        while not work.done():
            await asyncio.sleep(0)
            most, before = max(most, ear.heard - before), ear.heard
        assert await work
        room.close()
        return most, ear.heard

    most, heard = asyncio.run(main())
    assert heard == PLIES + 1
    assert most <= 16


# ---- rooms that nobody is in


def test_rooms_that_nobody_is_in_do_not_fill_the_memory(
    served: Running, guest: Guest, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each is kept for a minute, and a long game takes more than a megabyte."""
    for _room in range(12):  # opened while more were allowed
        guest.get(f"/api/v1/rooms/{guest.new_room('oware', 'human', 'human')}")
    monkeypatch.setattr(hall, "MOST_EMPTY", 5)
    rooms, open_rooms = [guest.new_room("oware", "human", "human") for _room in range(12)], set()
    with guest.enter(rooms[0]) as visit:
        for room in rooms:
            guest.get(f"/api/v1/rooms/{room}")
            open_rooms = set(served.app.state.hall._rooms)
        assert rooms[0] in open_rooms, "somebody is in it"
        assert len(open_rooms.intersection(rooms)) <= 5 + 1
        assert visit.move(0)["t"] == "ack"
    with guest.enter(rooms[1]) as visit:  # opened again
        assert visit.move(0)["t"] == "ack"


def test_a_room_that_was_put_away_meanwhile_is_opened_again(
    served: Running, guest: Guest, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A game is looked at by the clerk before it is handed in: its room may be gone by then."""
    monkeypatch.setattr(hall, "MOST_EMPTY", 1)
    other = guest.new_room("oware", "human", "human")

    async def check(*_game: Any) -> None:
        for name in (
            other,
            room,
        ):  # as others would do it: what is opened now sends the oldest away
            served.app.state.hall._put_away_if_idle(await served.app.state.hall.room(name))

    monkeypatch.setattr(served.app.state.clerk, "check_game", check)
    room = guest.new_room("oware", "human", 3)
    told = {"device": "device-1234", "count": 1, "after": 0, "moves": line(0, 6)}
    answer = guest.post(f"/api/v1/rooms/{room}/continue", told)
    assert (answer.status, answer.json()["plies"]) == (200, 6), answer.body
    assert len(guest.get(f"/api/v1/rooms/{room}")["moves"]) == 6

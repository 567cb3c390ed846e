"""A game against the computer goes on in a tab while the server is away, and is there exactly once afterwards."""

import asyncio
import json
import random
import socket
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from guest import Guest, Reply
from processes import process
from test_tab import Tab, run
from websockets.asyncio.client import connect
from websockets.exceptions import WebSocketException

from mbegu.core.match import Match
from mbegu.core.registry import game as find_game

GAMES = ["oware", "kalah", "awale2", "urubugu", "morabaraba"]
ROUNDS, AT_ONCE = 5, 10  # servers that are killed, and games at that moment
Json = dict[str, Any]


@dataclass
class Visitor:
    """What a page knows of its game, and what it has asked for without an answer."""

    guest: Guest
    game: str
    lot: random.Random
    room: str = ""
    shot: Json = field(default_factory=dict)
    pending: Json | None = None
    over: bool = False

    async def play(self) -> None:
        """Plays with the server until the line is cut."""
        self.room = await asyncio.to_thread(self.guest.new_room, self.game, "human", 2)
        address = f"ws://127.0.0.1:{self.guest.port}/ws/rooms/{self.room}"
        try:
            async with connect(
                address, additional_headers={"Cookie": self.guest.cookie}, proxy=None
            ) as line:
                await line.send(json.dumps({"t": "hello", "v": 1, "after": None}))
                while True:
                    self._hear(json.loads(await line.recv()))
                    if self.shot and self.pending is None and self._my_turn():
                        self.pending = self._choice()
                        await line.send(json.dumps(self.pending))
        except (OSError, WebSocketException):
            pass

    def _my_turn(self) -> bool:
        return not self.over and self._match().turn == 0

    def _match(self) -> Match:
        match = Match(find_game(self.game))
        for line in self.shot["moves"]:
            match.play(line["move"])
        return match

    def _choice(self) -> Json:
        match = self._match()
        move = self.lot.choice(match.position.legal_moves())
        name = f"command-{self.lot.getrandbits(60):x}"
        return {"t": "move", "id": name, "ply": len(match.moves) + 1, "move": move}

    def _hear(self, message: Json) -> None:
        kind = message["t"]
        if kind == "snapshot":
            self.shot = message
        elif kind == "event" and not message.get("transient"):
            assert message["version"] == self.shot["version"] + 1
            self.shot["version"] = message["version"]
            if message["kind"] == "moved":
                self.shot["moves"].append({"move": message["data"]["move"]})
            self.over = self.over or message["kind"] == "ended"
        elif self.pending is not None and message.get("id") == self.pending["id"]:
            assert kind == "ack", message
            self.pending = None


async def go_on(visitor: Visitor, tab: Tab, plies: int) -> Json:
    """Takes the game up in a tab, sends again what was on its way, and plays a little; what is handed in."""
    sent = [] if visitor.pending is None else [visitor.pending["id"]]
    room = visitor.room
    asked = {"snapshot": visitor.shot, "commands": sent}
    assert (await tab.ask("POST", f"/rooms/{room}/adopt", asked))[0] == 201
    line, shot = await tab.enter(room)
    view, moves = shot["view"], len(shot["moves"])
    waiting = visitor.pending
    for _ply in range(plies):
        if view["outcome"]:
            break
        if view["turn"] == 0:
            move = visitor.lot.choice(view["legal"])["move"]
            command = waiting or {
                "t": "move",
                "id": f"tab-{moves:08}",
                "ply": moves + 1,
                "move": move,
            }
            waiting = None
            tab.say(line, command)
        told = await tab.heard(line, "moved")
        view, moves = told["data"]["view"], told["data"]["ply"]
    status, told = await tab.ask("GET", f"/rooms/{room}/continuation")
    assert status == 200
    return dict(told)


def hand(guest: Guest, room: str, told: Json) -> Reply:
    return guest.post(f"/api/v1/rooms/{room}/continue", told)


def check(guest: Guest, visitor: Visitor, told: Json) -> None:
    """The server has the tab's game, once."""
    shot = guest.get(f"/api/v1/rooms/{visitor.room}")
    moves = [line["move"] for line in shot["moves"]]
    if not told:  # nothing happened in the tab
        assert moves[: len(visitor.shot["moves"])] == [one["move"] for one in visitor.shot["moves"]]
        return
    # Where the tab's computer had not answered yet, the server's may have.
    assert moves[: len(told["moves"])] == told["moves"]
    match = Match(find_game(visitor.game))
    for ply, move in enumerate(moves):
        assert ply < len(told["moves"]) or match.turn == 1
        match.play(move)
    assert shot["view"]["text"] == str(match.position)


async def bring_back(guest: Guest, room: str, tab: Tab, game: Json) -> Json:
    """Hands a game in, by two tabs at once and once more because an answer was lost; what the server has now."""
    while game:
        both = await asyncio.gather(
            *(asyncio.to_thread(hand, guest, room, game) for _tab in range(2))
        )
        answers = [*both, hand(guest, room, game)]
        assert [one.status for one in answers] == [200] * 3, answers[0].body
        assert sum(one.json()["new"] for one in answers) <= 1
        status, _told = await tab.ask("POST", f"/rooms/{room}/handed", {"count": game["count"]})
        if status == 204:
            assert not tab.keeper.rooms
            return game
        assert status == 409  # the tab's computer has moved meanwhile
        game = (await tab.ask("GET", f"/rooms/{room}/continuation"))[1]
    return game


async def once(database: Path, port: str, lot: random.Random) -> int:
    """One server is killed while ten games are played; how many of them went on."""
    with process(database, "--port", port, "--lease", "1") as (server, guest):
        visitors = [
            Visitor(Guest(guest.port), lot.choice(GAMES), random.Random(lot.random()))
            for _number in range(AT_ONCE)
        ]
        for visitor in visitors:
            visitor.guest.get("/api/v1/rooms")
        playing = [asyncio.create_task(visitor.play()) for visitor in visitors]
        while not all(visitor.shot for visitor in visitors):
            await asyncio.sleep(0.01)
        await asyncio.sleep(lot.uniform(0.0, 0.7))
        server.kill()
        await asyncio.gather(*playing)
    tabs = [Tab() for _visitor in visitors]
    told = await asyncio.gather(
        *(
            go_on(visitor, tab, lot.randrange(1, 12))
            for visitor, tab in zip(visitors, tabs, strict=True)
        )
    )
    with process(database, "--port", port, "--lease", "1") as (_server, _new):
        for visitor, tab, game in zip(visitors, tabs, told, strict=True):
            guest = visitor.guest
            game = await bring_back(guest, visitor.room, tab, game)  # noqa: PLW2901
            check(guest, visitor, game)
            assert [one["id"] for one in guest.get("/api/v1/rooms")["rooms"]] == [visitor.room]
    return sum(bool(game) for game in told)


def test_fifty_games_whose_server_is_killed_are_there_exactly_once(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = str(free.getsockname()[1])
    lot, went_on = random.Random("hand"), 0
    for number in range(ROUNDS):
        went_on += run(once(tmp_path / f"games-{number}.db", port, lot))
    assert went_on > ROUNDS * AT_ONCE / 2


# ---- one game on the shared server


@dataclass
class Away:
    """A game on the server with some moves, and the same one in a tab."""

    guest: Guest
    room: str
    shot: Json

    def told(self, *words: Any, **more: Any) -> Json:
        """What a tab would hand in, with these moves after those that the server knows."""
        moves = [line["move"] for line in self.shot["moves"]]
        return {
            "device": "device-1234",
            "count": len(moves) + len(words) + 2,
            "after": self.shot["version"],
            "moves": [*moves, *words],
            "end": None,
            "left": None,
            "commands": [],
        } | more

    def hand(self, told: Json) -> Reply:
        return hand(self.guest, self.room, told)

    def moves(self) -> list[Any]:
        return [line["move"] for line in self.guest.get(f"/api/v1/rooms/{self.room}")["moves"]]


def away(guest: Guest, *moves: int, **more: Any) -> Away:
    """A game of Oware against the computer; nobody is in the room, so that nobody thinks."""
    room = guest.new_room("oware", "human", 3, **more)
    shot = guest.get(f"/api/v1/rooms/{room}")
    found = Away(guest, room, shot)
    if moves:
        assert found.hand(found.told(*moves)).status == 200
        found.shot = guest.get(f"/api/v1/rooms/{room}")
    return found


def test_a_game_that_went_on_is_marked_and_goes_on(guest: Guest) -> None:
    game = away(guest)
    assert not game.shot["room"]["continued"]
    reply = game.hand(game.told(2, 8, 3))
    assert reply.json()["new"] is True
    assert reply.json()["plies"] == 3
    shot = guest.get(f"/api/v1/rooms/{game.room}")
    assert shot["room"]["continued"]
    with guest.enter(game.room) as visit:  # the server's computer answers now
        assert visit.event("moved")["ply"] == 4


def test_what_is_later_replaces_what_is_earlier_and_not_the_other_way(guest: Guest) -> None:
    game = away(guest)
    early, late = game.told(2, 8), game.told(2, 8, 3, 9)
    assert game.hand(late).json()["new"]
    assert not game.hand(early).json()["new"]
    assert game.moves() == [2, 8, 3, 9]
    back = game.told(2, 8, count=20)  # taken back in the tab, later
    assert game.hand(back).json()["new"]
    assert game.moves() == [2, 8]


def test_an_answer_that_nobody_saw_is_taken_back(guest: Guest) -> None:
    game = away(guest)
    with guest.enter(game.room) as visit:  # the move is done, but the page never heard of it
        visit.command("move", id="command-lost", ply=1, move=2)
        if visit.ply < 2:
            visit.event("moved")
    seen = game.moves()
    other = next(move for move in range(7, 12) if move != seen[1])
    told = game.told(2, other, commands=["command-lost"])
    assert game.hand(told).json()["new"]
    assert game.moves() == [2, other]


def test_a_game_that_went_on_elsewhere_is_not_overwritten(guest: Guest) -> None:
    game = away(guest)
    with guest.enter(game.room) as visit:
        visit.command("move", id="command-phone", ply=1, move=2)
        visit.until(lambda _message: visit.ply >= 2)
    before = game.moves()
    reply = game.hand(game.told(3, 8))
    assert reply.status == 409
    assert "elsewhere" in reply.json()["error"]
    assert game.moves() == before


def test_who_gives_up_without_the_server_has_given_up(guest: Guest) -> None:
    game = away(guest)
    told = game.told(2, 8, end={"kind": "resigned", "player": 0})
    assert game.hand(told).json()["new"]
    assert not game.hand(told).json()["new"]
    outcome = guest.get(f"/api/v1/rooms/{game.room}")["view"]["outcome"]
    assert (outcome["winner"], outcome["reason"]) == (1, "resignation")


@pytest.mark.parametrize(
    ("change", "status", "words"),
    [
        ({"moves": [2, 2]}, 422, ""),
        ({"moves": ["nonsense"]}, 400, ""),
        ({"moves": [True]}, 400, "not a move"),
        ({"moves": "2 8"}, 400, "list"),
        ({"moves": [0] * 1001}, 400, "1000"),
        ({"moves": [10**400]}, 400, ""),
        ({"device": "x"}, 400, "device"),
        ({"count": -1}, 400, "count"),
        ({"count": True}, 400, "count"),
        ({"after": 99}, 409, "older copy"),
        ({"after": None}, 400, "after"),
        ({"end": {"kind": "aborted", "player": 0}}, 400, "resigned"),
        ({"end": {"kind": [], "player": 0}}, 400, "resigned"),
        ({"left": [1]}, 400, "left"),
        ({"commands": [{}]}, 400, "id"),
    ],
)
def test_what_cannot_be_is_refused(guest: Guest, change: Json, status: int, words: str) -> None:
    game = away(guest)
    reply = game.hand(game.told(2, 8) | change)
    assert reply.status == status, reply.body
    assert words in reply.json()["error"]
    assert game.moves() == []


def test_others_and_games_between_people_are_refused(served: Any, guest: Guest) -> None:
    game = away(guest)
    stranger = served.guest()
    assert hand(stranger, game.room, game.told(2, 8)).status == 400
    seats = [{"kind": "human"}, {"kind": "open"}]
    room = guest.post("/api/v1/rooms", {"game": "oware", "seats": seats}).json()["room"]
    reply = hand(guest, room, game.told(2, 8))
    assert reply.status == 400
    assert "against the computer" in reply.json()["error"]
    assert hand(guest, "nobody-has-it", game.told(2)).status == 404


def test_a_clock_comes_back_with_no_more_than_it_can_have(guest: Guest) -> None:
    game = away(guest, clock="60+1")
    assert game.hand(game.told(2, 8)).status == 400
    assert "more time" in game.hand(game.told(2, 8, left=[90, 60])).json()["error"]
    assert game.hand(game.told(2, 8, left=[41.5, 59])).status == 200
    assert guest.get(f"/api/v1/rooms/{game.room}")["clock"]["left"] == [41.5, 59]


def test_too_much_is_refused(guest: Guest) -> None:
    game = away(guest)
    assert game.hand(game.told(2, device="d" * 70_000)).status == 413
    statuses = [game.hand(game.told(2, after=99)).status for _number in range(25)]
    assert statuses[-1] == 429


def test_the_same_in_the_tab_is_taken_up_once() -> None:
    async def ask() -> None:
        tab = Tab()
        room = await tab.game(level=3)
        _line, shot = await tab.enter(room)
        other = Tab()
        asked = {"snapshot": shot, "commands": []}
        assert (await other.ask("POST", f"/rooms/{room}/adopt", asked))[0] == 201
        assert (await other.ask("POST", f"/rooms/{room}/adopt", asked))[0] == 201
        assert list(other.keeper.rooms) == [room]
        assert (await other.ask("GET", f"/rooms/{room}/continuation"))[1] == {}
        wrong = await other.ask("POST", "/rooms/another-room/adopt", asked)
        assert wrong[0] == 400
        nothing = await other.ask("POST", "/rooms/nothing-there/adopt", {"snapshot": {"room": 3}})
        assert nothing[0] == 400
        early = await other.ask("POST", f"/rooms/{room}/handed", {"count": 99})
        assert early[0] == 409
        thought = {"game": "oware", "start": shot["view"]["text"], "moves": [2], "level": 3}
        assert (await other.ask("POST", "/think", thought))[1]["move"] in range(6, 12)
        assert (await other.ask("POST", "/think", thought | {"level": 77}))[0] == 400

    run(ask())

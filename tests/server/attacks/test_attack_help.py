"""No engine's help for a rated game that is being played, however its board is laid."""

import json
import random
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pytest
from guest import Guest
from members import member, play, rated_room
from serving import Running

import mbegu
from mbegu.core.game import Position
from mbegu.games.morabaraba.board import LAID
from mbegu.server.net.rate_limits import RateLimits
from mbegu.server.people import fairness
from mbegu.server.play.events import EventKind
from mbegu.server.play.game_state import Course
from mbegu.server.play.rows import Happening

GAMES = ["oware", "kalah", "awale2", "urubugu", "morabaraba"]


@dataclass
class Live:
    """A rated game in progress, and a stranger who would like to know the best move."""

    room: str
    players: list[Guest]
    stranger: Guest
    position: Position

    def ask(self, position: Position | str, game: str | None = None) -> int:
        """How an analysis is answered: there is no engine here, but that is another status."""
        body = {"game": game or str(self.position.game), "position": str(position), "seconds": 0.1}
        return self.stranger.post("/api/v1/analysis", body).status


@pytest.fixture(params=GAMES)
def live(request: pytest.FixtureRequest, served: Running) -> Iterator[Live]:
    served.app.state.limits = RateLimits()
    (host, _one), (friend, _other) = member(served), member(served)
    room = rated_room(host, friend, request.param)
    play(room, [host, friend], 6)
    text = host.get(f"/api/v1/rooms/{room}")["view"]["text"]
    yield Live(room, [host, friend], served.guest(), mbegu.game(request.param).position(text))
    play(room, [host, friend], 0, loser=0)


def turned(position: Position) -> Position:
    """The same game, seen from the other side of the board (of Morabaraba also inside out)."""
    state: dict[str, Any] = position.to_json()
    turn = {"to_move": 1 - state["to_move"]} if "to_move" in state else {}
    match position.game.name:
        case "oware":
            state = {"board": state["board"][6:] + state["board"][:6], "score": [1, 0]}
            state["score"] = list(position.scores()[::-1])
        case "kalah":
            state = {"pits": state["pits"][7:] + state["pits"][:7]}
        case "awale2":
            state = {key: state[key][5:] + state[key][:5] for key in ("red", "blue")}
            state["score"] = list(position.scores()[::-1])
        case "urubugu":
            state = {"p0": state["p1"], "p1": state["p0"]}
        case "morabaraba":
            board = "".join(state["board"][index] for index in LAID[13])
            board = board.translate(str.maketrans("xo", "ox"))
            swapped = {key: state[key][::-1] for key in ("in_hand", "score", "ban")}
            state = {**state, **swapped, "board": board, "turn": -state["turn"]}
    return position.game.from_json({**state, **turn})


def test_the_board_turned_round_is_known(live: Live) -> None:
    assert live.ask(live.position) == 403
    image = turned(live.position)
    assert image.turn != live.position.turn
    assert live.ask(image) == 403


def test_a_ply_or_two_on_is_known(live: Live) -> None:
    moves = live.position.legal_moves()
    after = live.position.play(moves[-1])
    assert live.ask(after) == 403
    assert live.ask(turned(after)) == 403
    assert live.ask(after.play(after.legal_moves()[0])) == 403


def test_a_ply_or_two_before_is_known(live: Live) -> None:
    told = live.stranger.get(f"/api/v1/rooms/{live.room}")
    position = live.position.game.position(told["room"]["start"])
    steps = [step["move"] for step in told["moves"]]
    for move in steps[:4]:
        position = position.play(move)
    assert live.ask(position) == 403
    assert live.ask(turned(position.play(steps[4]))) == 403


def test_the_start_is_everybodys(live: Live) -> None:
    start = live.position.game.start()
    assert live.ask(start) == 503, "no engine in these tests, but no refusal"
    assert live.ask(start.play(start.legal_moves()[0])) == 503


def test_no_level_plays_it_for_anybody(live: Live) -> None:
    seats = [{"kind": "human"}, {"kind": "computer", "level": 10}]
    for position in (turned(live.position), live.position.play(live.position.legal_moves()[0])):
        form = {"game": str(position.game), "seats": seats, "position": str(position)}
        assert live.stranger.post("/api/v1/rooms", form).status == 403


def moves_of(live: Live) -> list[Any]:
    told = live.stranger.get(f"/api/v1/rooms/{live.room}")
    return [step["move"] for step in told["moves"]]


def own_game(live: Live, level: int = 10) -> str:
    """A stranger's own game, in which the computer has the side that is to move on the rated board."""
    seats: list[Any] = [{"kind": "human"}, {"kind": "human"}]
    seats[live.position.turn or 0] = {"kind": "computer", "level": level}
    form = {"game": str(live.position.game), "seats": seats}
    return str(live.stranger.post("/api/v1/rooms", form).json()["room"])


@pytest.fixture
def asked(served: Running, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The positions in which an engine was asked to move."""
    found: list[str] = []
    thinkers = served.app.state.thinkers

    async def warm(*_arguments: Any) -> None:
        return

    async def choose(game: Any, position: str, *_more: Any) -> Any:
        found.append(position)
        return game.position(position).legal_moves()[0]

    monkeypatch.setattr(thinkers, "warm", warm)
    monkeypatch.setattr(thinkers, "choose", choose)
    return found


def test_no_level_plays_it_in_a_game_that_is_handed_in(live: Live, asked: list[str]) -> None:
    room, moves = own_game(live), moves_of(live)
    version = live.stranger.get(f"/api/v1/rooms/{room}")["version"]
    told = {"device": "a-device-1", "count": 1, "after": version, "moves": moves}
    more = {"end": None, "left": None, "commands": []}
    assert live.stranger.post(f"/api/v1/rooms/{room}/continue", {**told, **more}).status == 200
    with live.stranger.enter(room) as visit:
        visit.until(lambda heard: heard.get("kind") == "moved")
        log = live.stranger.get(f"/api/v1/rooms/{room}")
    assert str(live.position) not in asked
    assert len(log["moves"]) > len(moves)
    assert log["room"]["seats"][live.position.turn or 0]["simple"], "nobody takes it for level 10"


def test_nor_in_one_whose_computer_was_a_tab(live: Live, served: Running) -> None:
    room = own_game(live)
    live.stranger.get(f"/api/v1/rooms/{room}")
    course = Course(served.app.state.hall._rooms[room].row)
    assert course.match is not None
    assert not course.steered
    data = {"ply": 1, "player": 0, "move": course.match.position.legal_moves()[0], "tab": True}
    course.apply(Happening(1, 0.0, EventKind.MOVED, data))
    assert course.steered


def test_no_hint_in_a_copy_that_is_turned(live: Live) -> None:
    seats = [{"kind": "human"}, {"kind": "human"}]
    image = turned(live.position)
    form = {"game": str(image.game), "seats": seats, "position": str(image)}
    room = live.stranger.post("/api/v1/rooms", form).json()["room"]
    with live.stranger.enter(room) as visit:
        assert "rated game" in visit.command("hint")["error"]


def test_nor_on_the_socket_of_analyses(live: Live) -> None:
    with live.stranger.socket("/ws/analysis") as line:
        asked = {"t": "analyse", "id": "a1", "game": str(live.position.game)}
        line.send(json.dumps({**asked, "position": str(turned(live.position))}))
        assert "rated game" in str(line.recv(5))


def test_other_rules_do_not_hide_it(served: Running) -> None:
    """The colours of two-colour Awale, exchanged by an option."""
    (host, _one), (friend, _other) = member(served), member(served)
    room = rated_room(host, friend, "awale2")
    play(room, [host, friend], 6)
    text = host.get(f"/api/v1/rooms/{room}")["view"]["text"]
    position = mbegu.game("awale2").position(text)
    state = position.to_json()
    other = mbegu.game("awale2(red_everywhere=False)")
    image = other.from_json({**state, "red": state["blue"], "blue": state["red"]})
    live = Live(room, [host, friend], served.guest(), position)
    assert live.ask(image, str(other)) == 403
    play(room, [host, friend], 0, loser=0)


def test_games_that_nobody_ends_are_looked_at_once() -> None:
    """Rated games without a clock may be on for years: however many there are, a question is answered soon."""
    lot, game, boards = random.Random(5), mbegu.game("kalah"), list[tuple[str, str]]()
    while len(boards) < 1200:
        position = game.start()
        for _ply in range(8):
            position = position.play(lot.choice(position.legal_moves()))
        boards.append((str(game), str(position)))
    asked = str(game), boards.pop()[1]
    boards = [board for board in boards if board != asked]
    fairness._stands_near(asked, boards)
    before = fairness._near.cache_info().misses, fairness._key.cache_info().misses
    fairness._stands_near(asked, boards)
    assert (fairness._near.cache_info().misses, fairness._key.cache_info().misses) == before

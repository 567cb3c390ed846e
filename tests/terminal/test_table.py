"""The table on the whole screen: in the middle of a large one, and for boards whose words are a stranger's."""

from dataclasses import dataclass, replace

import pytest
from nim import Nim
from rows_of_three import Rows

import mbegu
from mbegu.arena.bots import Random
from mbegu.core.board import Board
from mbegu.core.game import Game
from mbegu.core.match import Match
from mbegu.core.story import tell_outcome
from mbegu.terminal.seats import Seat
from mbegu.terminal.tui.help import key_row
from mbegu.terminal.tui.scene import State, compose
from mbegu.terminal.tui.session import Session

GAMES = [
    *(mbegu.game(name) for name in ("oware", "awale2", "urubugu", "morabaraba")),
    mbegu.game("kalah(pits=10,seeds=9)"),
    Rows(),
    Nim(),
]
HUMANS = (Seat("human"), Seat("human"))


@dataclass(frozen=True)
class Reeds(Rows):
    """The same on points, with pieces and names of their own."""

    name = "reeds"
    sides = ("The herd of the northern lake shore", "The herd of the southern lake shore")

    @property
    def board(self) -> Board:
        places = tuple(
            replace(place, column=place.column + (place.row == 1), label=str(k))
            for k, place in enumerate(super().board.places, 1)
        )
        return Board(family="mill", places=places, kinds=("reed", "pebble"))


@pytest.mark.parametrize("game", GAMES, ids=str)
@pytest.mark.parametrize("size", [(200, 60), (131, 41)])
def test_on_a_large_screen_the_table_stands_in_the_middle(
    game: Game, size: tuple[int, int]
) -> None:
    wide, high = size
    canvas = compose(Session(Match(game), HUMANS), State(keys=key_row()), wide, high)
    rows = [y for y in range(high) if any(tone for _text, tone in canvas.runs(y))]
    assert abs(rows[0] - (high - 1 - rows[-1])) <= 1
    title = canvas.runs(rows[0])
    left, right = (len(text) if not tone else 0 for text, tone in (title[0], title[-1]))
    assert abs(left - right) <= 1
    assert wide - left - right <= 142
    assert rows[-1] - rows[0] < 34


@pytest.mark.parametrize("game", GAMES, ids=str)
def test_what_is_pointed_at_lies_where_it_is_drawn(game: Game) -> None:
    session = Session(Match(game), HUMANS)
    canvas = compose(session, State(keys=key_row()), 200, 60)
    for name in session.places():
        assert canvas.at(*(canvas.middle(name) or (0, 0))) == name
    rows = canvas.text().splitlines()
    x, y = canvas.middle("key:q") or (0, 0)
    assert "quit" in rows[y][x - 4 : x + 4]


@pytest.mark.parametrize("plain", [False, True])
def test_pieces_of_two_kinds_differ_whatever_their_names(plain: bool) -> None:
    for kinds in (("dark", "light"), ("reed", "pebble")):
        board = replace(Reeds().board, kinds=kinds)
        game = type("Coloured", (Rows,), {"board": board, "__module__": "mbegu.trial"})()
        session = Session(Match(game), HUMANS)
        for _ply in range(2):
            session.play(session.position.legal_moves()[0])
            session.skip()
        text = compose(session, State(plain=plain), 80, 24).text()
        first, second = "xo" if plain else "●○"
        assert first in text, kinds
        assert second in text, kinds


def test_points_without_coordinates_have_their_labels() -> None:
    text = compose(Session(Match(Reeds()), HUMANS), State(), 80, 24).text()
    for label in map(str, range(1, 10)):
        assert f") {label}" in text or f"] {label}" in text


def test_a_long_name_leaves_room_for_who_plays() -> None:
    seats = (Seat("human"), Seat("level 7", Random(1)))
    text = compose(Session(Match(Reeds()), seats), State(), 80, 24).text()
    assert "… · level 7" in text
    assert "… · human" in text


def test_how_a_game_ended_is_told_once() -> None:
    session = Session(Match(mbegu.game("oware")), HUMANS)
    while session.match.turn is not None:
        session.play(session.position.legal_moves()[-1])
        session.skip()
    assert session.match.outcome is not None
    told = tell_outcome(session.match.game, session.match.outcome)
    words = " ".join(compose(session, State(), 200, 60).text().split())
    assert words.count(told) == 1


def test_a_wide_screen_tells_long_moves_whole() -> None:
    session = Session(Match(mbegu.game("morabaraba")), HUMANS)
    for move in ("ADD a1", "ADD c4", "ADD d1", "ADD c5", "ADD g1"):
        session.play(session.match.game.parse_move(move, session.position))
        session.skip()
    session.play(session.position.legal_moves()[0])
    session.skip()
    assert "g1xc4" in compose(session, State(), 120, 40).text()

"""What lies where: every game says it, and it is true."""

import random
from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest
from nim import Nim

import mbegu
from mbegu.core.board import FAMILIES, Board, Lying, Place, check_places
from mbegu.core.errors import InvalidGame

GAMES = mbegu.game_names()


def walk(name: str, seed: int) -> Iterator[mbegu.Position]:
    luck, position = random.Random(seed), mbegu.game(name).start()
    while position.turn is not None:
        yield position
        position = position.play(luck.choice(position.legal_moves()))
    yield position


@pytest.mark.parametrize("name", GAMES)
def test_the_board_is_sound_all_through_a_game(name: str) -> None:
    board = mbegu.game(name).board
    assert board.family in FAMILIES
    assert board.family != "unknown"
    for position in walk(name, 5):
        check_places(board, position.places())


@pytest.mark.parametrize("name", GAMES)
def test_nothing_appears_and_nothing_is_lost(name: str) -> None:
    sums = {
        sum(sum(lying.counts) for lying in position.places().values()) for position in walk(name, 6)
    }
    assert len(sums) == 1


@pytest.mark.parametrize("name", GAMES)
def test_events_name_places_of_the_board(name: str) -> None:
    for position in walk(name, 7):
        for move in position.legal_moves():
            for event in position.events(move):
                told: dict[str, Any] = event.to_json()
                for field in ("hole", "point", "start", "end", "to"):
                    where = told.get(field)
                    assert not where or position.game.board.place(where), (event, field)


@pytest.mark.parametrize("name", GAMES)
def test_no_two_places_lie_on_each_other(name: str) -> None:
    board = mbegu.game(name).board
    at = Counter((place.row, place.column) for place in (*board.places, *board.stores))
    assert set(at.values()) == {1}


@pytest.mark.parametrize("name", GAMES)
def test_every_place_that_begins_no_move_says_why(name: str) -> None:
    for position in walk(name, 8):
        if position.turn is None:
            break
        barred = position.barred(())
        for place in position.game.board.places:
            if place.owner == 1 - position.turn:
                assert barred[place.name]


def test_layouts_differ_where_boards_do() -> None:
    start = mbegu.game("oware").start()
    scored = mbegu.game("oware").position("4-4-4-4-4-4-4-4-4-4-4-4-1-0-S")
    assert start.layout() == scored.layout()
    assert start.play(0).layout() != start.layout()


def test_a_game_that_says_nothing_of_its_board() -> None:
    start = Nim().start()
    assert start.game.board.family == "unknown"
    assert start.places() == {}
    assert start.barred(()) == {}
    assert start.layout() == "12 0"
    check_places(start.game.board, start.places())


ROW = Board("two_rows", (Place("a"), Place("b")))


@pytest.mark.parametrize(
    ("board", "lying", "said"),
    [
        (Board("cube"), {}, "no family of boards is called “cube”"),
        (Board("grid", (Place("a"), Place("a"))), {}, "“a” is not a name for one place"),
        (Board("mill", (Place("a"),), lines=(("a", "z"),)), {}, "a line leads to “z”"),
        (ROW, {"a": Lying((1,))}, "does not tell what lies in “b”"),
        (ROW, {"a": Lying((1,)), "b": Lying((-1,))}, "cannot lie in b"),
        (ROW, {"a": Lying((1, 2)), "b": Lying((1,))}, "cannot lie in a"),
        (ROW, {"c": Lying((1,))}, "which is no place of the board"),
        (ROW, [], "places() gives"),
        ("board", {}, "is not a Board"),
    ],
)
def test_a_board_that_cannot_be_true_is_told(board: Any, lying: Any, said: str) -> None:
    with pytest.raises(InvalidGame) as caught:
        check_places(board, lying)
    assert said in str(caught.value)

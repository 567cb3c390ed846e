"""The symmetries that games tell: the same game is played on the board, laid otherwise."""

import random
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

import pytest

import mbegu
from mbegu.core.game import Position
from mbegu.core.symmetry import likeness
from mbegu.games.morabaraba.board import LAID, MILLS, POINTS

Json = dict[str, Any]


# ---- each game's own way to lay a position otherwise, without its symmetries


def other_side(turn: int | None) -> int | None:
    return None if turn is None else 1 - turn


def oware(state: Json) -> Iterator[Json]:
    board, score = state["board"], state["score"]
    yield {
        **state,
        "board": board[6:] + board[:6],
        "score": score[::-1],
        "to_move": other_side(state["to_move"]),
    }


def kalah(state: Json) -> Iterator[Json]:
    pits = state["pits"]
    yield {"pits": pits[7:] + pits[:7], "to_move": other_side(state["to_move"])}


def awale2(state: Json) -> Iterator[Json]:
    for turn in range(1, 16):
        red, blue = (state[key][turn:] + state[key][:turn] for key in ("red", "blue"))
        score, to_move = state["score"], state["to_move"]
        if turn % 2:
            score, to_move = score[::-1], other_side(to_move)
        yield {"red": red, "blue": blue, "score": score, "to_move": to_move}


def urubugu(state: Json) -> Iterator[Json]:
    yield {"p0": state["p1"], "p1": state["p0"], "to_move": other_side(state["to_move"])}


def morabaraba(state: Json) -> Iterator[Json]:
    for order in LAID:
        board = "".join(state["board"][index] for index in order)
        yield {**state, "board": board}
        yield {
            **state,
            "board": board.translate(str.maketrans("xo", "ox")),
            "turn": -state["turn"],
            "in_hand": state["in_hand"][::-1],
            "score": state["score"][::-1],
        }


WAYS: dict[str, Callable[[Json], Iterator[Json]]] = {
    "oware": oware,
    "kalah": kalah,
    "awale2": awale2,
    "urubugu": urubugu,
    "morabaraba": morabaraba,
}


def somewhere(name: str, seed: int, plies: int) -> Position:
    """A position after some moves by lot."""
    lot, position = random.Random(seed), mbegu.game(name).start()
    for _ply in range(plies):
        moves = position.legal_moves()
        after = position.play(lot.choice(moves))
        if after.turn is None:
            break
        position = after
    return position


def after(position: Position) -> Counter[Any]:
    """What can become of a position."""
    return Counter(likeness(position.play(move)) for move in position.legal_moves())


@pytest.mark.parametrize("name", WAYS)
def test_a_board_laid_otherwise_is_the_same_game(name: str) -> None:
    checked = 0
    for seed in range(5):
        position = somewhere(name, seed, 3 + 7 * seed)
        state = position.to_json()
        if state.get("ban", [[], []]) != [[], []]:
            continue  # mills by name, which a turn renames
        for other in WAYS[name](state):
            image = position.game.from_json(other)
            assert likeness(image) == likeness(position)
            assert after(image) == after(position)
            checked += 1
    assert checked >= 3


@pytest.mark.parametrize("name", WAYS)
def test_boards_that_differ_are_told_apart(name: str) -> None:
    positions = {str(somewhere(name, seed, plies)) for seed in range(6) for plies in (5, 8, 11)}
    found = {likeness(mbegu.game(name).position(text)) for text in positions}
    assert len(found) > len(positions) * 2 // 3


def test_the_other_colours_are_the_other_option() -> None:
    position = somewhere("awale2", 1, 9)
    state = position.to_json()
    swapped = {**state, "red": state["blue"], "blue": state["red"]}
    image = mbegu.game("awale2(red_everywhere=False)").from_json(swapped)
    assert likeness(image) == likeness(position)
    assert after(image) == after(position)


def test_lines_of_morabaraba_stay_lines() -> None:
    assert len(set(LAID)) == 16
    lines = {frozenset(mill) for mill in MILLS}
    for order in LAID:
        moved = dict(zip(POINTS, (POINTS[index] for index in order), strict=True))
        assert {frozenset(moved[point] for point in mill) for mill in MILLS} == lines

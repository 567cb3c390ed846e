"""Proof-number search: against a search of all moves that only knows the readable rules."""

from __future__ import annotations

import random

import pytest

import mbegu
from mbegu.core.errors import MbeguError
from mbegu.core.game import Game, Position
from mbegu.engine.engine import Engine, Limits
from mbegu.engine.proofnumber import shortest_win, wins_within

GAMES = ["urubugu", "awale2", "kalah(pits=3,seeds=3)", "oware(min_seeds=0)"]


def late(game: Game, dice: random.Random) -> Position:
    """A position from which a game by lot has only some moves to go."""
    while True:
        position, way = game.start(), []
        while position.turn is not None and len(way) < 300:
            way.append(position)
            position = position.play(dice.choice(position.legal_moves()))
        if position.turn is None and len(way) > 6:
            return way[-dice.randint(1, 6)]


def wins(position: Position, player: int, plies: int) -> bool:
    """Whether a player wins within so many plies, by the readable rules alone."""
    outcome = position.outcome()
    if outcome is not None:
        return outcome.winner == player
    if plies == 0:
        return False
    moves = (wins(position.play(move), player, plies - 1) for move in position.legal_moves())
    return any(moves) if position.turn == player else all(moves)


@pytest.mark.parametrize("name", GAMES)
def test_a_win_is_proved_exactly_where_there_is_one(name: str) -> None:
    game, dice, seen = mbegu.game(name), random.Random(name), set()
    for _sample in range(25):
        position = late(game, dice)
        assert position.turn is not None
        for turns in (1, 2):
            right = wins(position, position.turn, 2 * turns - 1)
            found = wins_within(position, turns, memory_mb=1)
            assert found.proved is right, str(position)
            winning = {
                move
                for move in position.legal_moves()
                if wins(position.play(move), position.turn, 2 * turns - 2)
            }
            assert set(found.moves) == winning
            seen.add((turns, right))
    assert {(1, True), (1, False)} <= seen


def test_a_narrow_win_is_found_deeper_than_all_moves_can_be_searched() -> None:
    game, dice, found = mbegu.game("urubugu"), random.Random(5), 0
    engine = Engine(game, hash_mb=4)
    for _sample in range(30):
        position = late(game, dice)
        win = shortest_win(position, 4, nodes=100_000, memory_mb=4)
        *_before, last = engine.think(position, Limits(nodes=100_000))
        score = last.lines[0].score
        if win.proved:
            found += 1
            assert score.result in (1, None)
            assert score.win is None or score.win >= 2 * win.turns - 1
        elif win.proved is False:
            assert score.win is None or score.win < 0 or score.win > 2 * win.turns - 1
    assert found >= 5


def test_too_few_nodes_prove_nothing() -> None:
    win = wins_within(mbegu.game("urubugu").start(), 6, nodes=50)
    assert (win.proved, win.moves) == (None, ())
    assert win.nodes <= 60


def test_bad_questions_are_refused() -> None:
    game = mbegu.game("urubugu")
    for turns in (0, 31):
        with pytest.raises(MbeguError, match="from 1 to 30"):
            wins_within(game.start(), turns)
    over = late(game, random.Random(1))
    while over.turn is not None:
        over = over.play(over.legal_moves()[0])
    with pytest.raises(MbeguError, match="over"):
        wins_within(over, 1)

"""Toguz Kumalak keeps every promise, and its numbers are those of a program of another design."""

import random

from count import after, sequences

import mbegu
from mbegu.core.story import tell
from mbegu.engine.perft import perft
from mbegu.testing import check_plugin

GAME = mbegu.game("toguz")


def test_every_promise_is_kept():
    check_plugin(GAME, games=4)


def test_the_counts_of_another_program():
    for depth in (1, 2, 3, 4):
        theirs = sequences([9] * 18, [0, 0], [-1, -1], 0, depth)
        assert perft("toguz", {}, GAME.start().to_json(), depth).nodes == theirs


def test_random_games_go_as_the_other_program_says():
    lot = random.Random(1)  # noqa: S311 (not a secret)
    made = 0
    for _game in range(30):
        position, other = GAME.start(), ([9] * 18, [0, 0], [-1, -1])
        while position.turn is not None:
            mover, move = position.turn, lot.choice(position.legal_moves())
            other = after(*other, mover, move - 1)
            position = position.play(move)
            ring = other[0] if mover == 1 else other[0][9:] + other[0][:9]
            assert (list(position.balls), list(position.score)) == (ring, other[1])
            made += any(position.tuzdyk)
    assert made > 100  # tuzdyks were made


def test_a_tuzdyk_is_told_and_locks_its_house():
    position = GAME.position("1,0,0,0,0,0,0,4,0/5,2,3,0,0,0,0,0,4 70/73 -/- S")
    assert "North 2 becomes the tuzdyk of South" in tell(position, 8)
    after_it = position.play(8)
    assert after_it.tuzdyk == (2, 0)
    assert after_it.places()["N2"].marks == ("tuzdyk",)
    assert any(event.to_json().get("effect") == "lock" for event in position.events(8))

"""Random playouts: reproducible, and what the readable rules would have played."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import mbegu
from mbegu.engine.kernels import driver
from mbegu.engine.playout import CAPPED, ENDED, REPEATED, playouts
from mbegu.games.awale2 import Awale2
from mbegu.lab.wandering import wander

GAMES: list[tuple[str, dict[str, Any]]] = [
    ("kalah", {}),
    ("oware", {}),
    ("oware", {"min_seeds": 0}),
    ("awale2", {}),
    ("urubugu", {}),
    ("morabaraba", {}),
]
WORD = 2**64


def dice_of(seed: int, game: int) -> int:
    x = (seed + (game + 1) * 0x9E3779B97F4A7C15) % WORD
    x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9 % WORD
    x = (x ^ x >> 27) * 0x94D049BB133111EB % WORD
    return x ^ x >> 31


def replay(name: str, options: dict[str, Any], seed: int, number: int) -> tuple[int, int, int]:
    """A playout by the readable rules; recurrences are found by comparing whole positions."""
    kernel, position = driver.kernel_of(name), mbegu.game(name, **options).start()
    limit = {"oware": 2, "urubugu": 3}.get(name)
    dice, plies, seen = dice_of(seed, number), 0, [position]
    while position.turn is not None:
        player = position.turn
        moves = driver.legal_moves(kernel.pack(position.to_json(), options))
        dice = (dice * 6364136223846793005 + 1442695040888963407) % WORD
        move = moves[(dice >> 32) * len(moves) >> 32]
        position = position.play(kernel.from_move(move, player, options))
        plies += 1
        seen.append(position)
        if limit is not None and position.turn is not None and seen.count(position) >= limit:
            tally = position.game.repetition_outcome(position).scores if name == "oware" else (0, 0)
            return tally[0] - tally[1], plies, REPEATED
    outcome = position.outcome()
    assert outcome is not None
    return outcome.scores[0] - outcome.scores[1], plies, ENDED


@pytest.mark.parametrize(("name", "options"), GAMES, ids=str)
def test_the_readable_rules_play_the_same_games(name: str, options: dict[str, Any]) -> None:
    start = mbegu.game(name, **options).start().to_json()
    games = playouts(name, options, start, 3_000, seed=11, threads=1)
    odd = np.flatnonzero(games.endings != ENDED)[:10]  # the rare ones too
    for number in {*range(15), *odd.tolist()}:
        played = tuple(int(array[number]) for array in games)
        assert played == replay(name, options, 11, number)
    if options == {"min_seeds": 0}:
        assert REPEATED in games.endings


def test_threads_and_counts_do_not_matter() -> None:
    start = mbegu.game("oware").start().to_json()
    one = playouts("oware", {}, start, 9_000, seed=5, threads=1)
    for threads in (2, 3, None):
        other = playouts("oware", {}, start, 7_000, seed=5, threads=threads)
        assert all(np.array_equal(a[:7_000], b) for a, b in zip(one, other, strict=True))
    another = playouts("oware", {}, start, 9_000, seed=6)
    assert not np.array_equal(one.margins, another.margins)


def test_margins_are_those_of_player_0() -> None:
    winning = {"pits": [0, 0, 0, 0, 0, 1, 40, 1, 0, 0, 0, 0, 0, 2]}
    for player in (0, 1):
        games = playouts("kalah", {}, {**winning, "to_move": player}, 100)
        assert (games.margins > 30).all()


def test_no_game_is_longer_than_a_match(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Awale2, "ply_cap", 7)
    start = mbegu.game("awale2").start()
    for lengths in (playouts("awale2", {}, start.to_json(), 20).lengths, wander(start, 20).lengths):
        assert (lengths == 7).all()


def test_the_cap_and_bad_input() -> None:
    start = mbegu.game("oware").start().to_json()
    short = playouts("oware", {}, start, 50, max_plies=3)
    assert (short.lengths == 3).all()
    assert (short.endings == CAPPED).all()
    assert (short.margins == 0).all()
    assert len(playouts("oware", {}, start, 0).margins) == 0
    over = {"pits": [0] * 6 + [24] + [0] * 6 + [24], "to_move": None}
    with pytest.raises(ValueError, match="over"):
        playouts("kalah", {}, over, 10)
    for bad in ({"count": -1}, {"max_plies": 0}, {"threads": 0}):
        with pytest.raises(ValueError, match="playouts need"):
            playouts("oware", {}, start, **{"count": 5, **bad})

"""Static evaluation: what a position is worth before anybody searches it, in the `evaluation.py` of each game.

`features` counts what players of the game talk about — houses that can be taken, mills, extra
turns — for the player to move less for the other. Each is worth so much at the beginning of a game
and so much at its end, and between the two in proportion: `phase` tells how far a game has come.
The numbers stand in the `weights.py` beside it; `mbegu lab tune` finds them in games that the engine plays
against itself, and `docs/evaluation.md` tells how and how well.

A file is imported with the kernel of its game. It also tells how hard a move is to see (`effort`).
"""

# mypy: allow-untyped-defs, allow-untyped-calls
# Compiled functions have no annotations: Numba infers their types, a set for each game.

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from mbegu.engine.arrays import np
from mbegu.engine.jit import inlined, int64
from mbegu.engine.kernels.bits import HIGH, LOW7, ONES, U, occupied, popcount
from mbegu.engine.kernels.interface import State, default, margin
from mbegu.engine.knowledge import observe

__all__ = ["WHOLE", "asked", "effort", "features", "phase", "weights_of"]

SIGN = 1 << 31
WHOLE = 64  # the phase of a game that begins


def features(state: State) -> tuple[int, ...]:  # type: ignore[empty-body]
    """What there is to count, for `me` less for `op`, in the order of the game's `FEATURES`."""


def phase(state: State) -> int:  # type: ignore[empty-body]
    """How much of the game is to come: from `WHOLE` at the beginning to 0."""


def seen(state: State, row: Any) -> None:
    """Writes into a row of bytes what the tables of the evaluation are asked, see `PATTERN_BYTES` there."""


def asked(state: State, row: Any) -> int:  # type: ignore[empty-body]
    """Writes which entries of the large tables a state asks for; 1, or -1 if what they tell counts for `op`.
    See `LARGE_TABLES` there: how many entries, how many are asked for, their unit in 1/256, and their file."""


def effort(before: State, after: State) -> int:  # type: ignore[empty-body]
    """How many holes the move between two states changes: how hard it is to see beforehand."""


def weights_of(rows: Mapping[str, tuple[int, int]], names: tuple[str, ...]) -> Any:
    """[phase, feature] -> what it is worth then, in 1/256 of the game's unit."""
    table = [
        [
            (late * (WHOLE - to_come) + early * to_come) // WHOLE
            for early, late in (rows[name] for name in names)
        ]
        for to_come in range(WHOLE + 1)
    ]
    return np.array(table, np.int64)


def patterns_of(rows: Any) -> Any:
    """[place, pieces there] -> what they are worth at the beginning and at the end, in one word; each row
    is a list of such pairs from one piece on, whose last holds for more."""
    table = np.zeros((len(rows), 256), np.int64)
    for place, row in enumerate(rows):
        for pieces in range(1, 256):
            early, late = row[min(pieces, len(row)) - 1]
            table[place, pieces] = (early << 32) + late
    return table


@inlined
def pattern(state, worth):
    """A sum of words of `patterns_of` at this phase of the game."""
    late = ((worth & 0xFFFFFFFF) ^ SIGN) - SIGN
    early = (worth - late) >> 32
    to_come = phase(state)
    return (late * (WHOLE - to_come) + early * to_come) // WHOLE


@inlined
def weighed(state, weights):
    """The sum of all features, each with its weight at this phase of the game."""
    counted, now, worth = features(state), phase(state), int64(0)
    for i in range(len(counted)):
        worth += counted[i] * weights[now, i]
    return worth


@inlined
def count(marked):
    """How many lanes are marked in their high bit."""
    return int64(popcount(marked))


@inlined
def changed(old, new):
    """How many lanes differ."""
    return count(occupied(old ^ new))


@inlined
def holding(word, seeds):
    """The lanes that hold exactly so many seeds, marked in their high bit."""
    return ~occupied(word ^ (ONES * U(seeds))) & HIGH


@inlined
def at_least(word, seeds):
    """The lanes that hold so many seeds or more, from 1 to 128, marked in their high bit."""
    return (((word & LOW7) + ONES * U(128 - seeds)) | word) & HIGH


@default(features)
def _margin_alone(state):
    return (margin(state),)


@default(phase)
def _all_to_come(state):
    return WHOLE


@default(seen)
def _as_learners_see_it(state, row):
    observe(state, row)


@default(asked)
def _no_large_tables(state, row):
    return 1


@default(effort)
def _like_others(before, after):
    return 4

"""What a position of two-colour Awale is worth.

captured       seeds taken
wide, narrow   seeds in the own holes of the colour that reaches everywhere, and of the other
mobility       moves that there are
holes          own holes with seeds
ones, twos     own holes that one more seed makes takeable, by anybody
tempo          to be to move
loose          holes of both players that hold one or two seeds: work for whoever is to move

And for each hole what it is worth to have so many seeds of either colour in it (`PATTERNS` in the weights): the
ring has no beginning, so all holes have the same table.
"""

# mypy: allow-untyped-defs, allow-untyped-calls
# Compiled functions have no annotations: Numba infers their types, a set for each game.

from __future__ import annotations

from mbegu.engine.evaluation import (
    at_least,
    changed,
    count,
    effort,
    features,
    holding,
    pattern,
    patterns_of,
    phase,
    seen,
    weighed,
    weights_of,
)
from mbegu.engine.jit import inlined, int64
from mbegu.engine.kernels import interface as the
from mbegu.engine.kernels.bits import FF, ONES, U, occupied, total
from mbegu.engine.kernels.interface import implement
from mbegu.engine.knowledge import spread
from mbegu.games.awale2.kernel import ALL
from mbegu.games.awale2.weights import PATTERNS
from mbegu.games.awale2.weights import WEIGHTS as GAME_WEIGHTS

FEATURES = (
    *("captured", "wide", "narrow", "mobility", "holes", "ones", "twos"),
    *("tempo", "loose"),
)
PATTERN_BYTES = (
    (tuple(range(8)), tuple(range(8, 16))),
)  # of what `seen` tells: one table for all holes
PATTERN_SIZE = 63
WEIGHTS = weights_of(GAME_WEIGHTS, FEATURES)
HOLE = patterns_of(PATTERNS)
MOST = U(7)  # seeds of a colour in a hole that are told apart


@inlined
def _at_most_seven(word):
    """Lanes of 7 where there are more."""
    more = at_least(word, 8)
    more |= more - (more >> U(7))
    return (word & ~more) | (more & (ONES * MOST))


@inlined
def _mixed(a, b):
    """The seeds of both colours of eight holes, a lane each: eight times the one and the other."""
    return _at_most_seven(a) | (_at_most_seven(b) << U(3))


@inlined
def _holes(a, b):
    """What the holes of a side are worth by their seeds, at the beginning and the end in one word."""
    mixed, worth = _mixed(a, b), int64(0)
    for hole in range(8):
        worth += HOLE[0, (mixed >> U(8 * hole)) & FF]
    return worth


@implement(seen, *ALL)
def _seen(state, row):
    spread(_mixed(state.a, state.b), row, 0, 8)
    spread(_mixed(state.op_a, state.op_b), row, 8, 8)


@implement(features, *ALL)
def _features(state):
    mine, his = state.a + state.b, state.op_a + state.op_b
    ones, his_ones = count(holding(mine, 1)), count(holding(his, 1))
    twos, his_twos = count(holding(mine, 2)), count(holding(his, 2))
    my_moves = count(occupied(state.a)) + count(occupied(state.b))
    his_moves = count(occupied(state.op_a)) + count(occupied(state.op_b))
    return (
        int64(state.score) - int64(state.op_score),
        int64(total(state.a)) - int64(total(state.op_a)),
        int64(total(state.b)) - int64(total(state.op_b)),
        my_moves - his_moves,
        count(occupied(mine)) - count(occupied(his)),
        ones - his_ones,
        twos - his_twos,
        int64(1),
        ones + his_ones + twos + his_twos,
    )


@implement(phase, *ALL)
def _phase(state):
    return min(int64(total(state.a + state.b + state.op_a + state.op_b)), 64)


@implement(the.evaluate, *ALL)
def _evaluate(state):
    by_holes = _holes(state.a, state.b) - _holes(state.op_a, state.op_b)
    return weighed(state, WEIGHTS) + pattern(state, by_holes)


@implement(effort, *ALL)
def _effort(before, after):
    mine = changed(before.a, after.op_a) + changed(before.b, after.op_b)
    return mine + changed(before.op_a, after.a) + changed(before.op_b, after.b)

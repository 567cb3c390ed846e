"""What a position of two-colour Awale is worth.

captured       seeds taken
wide, narrow   seeds in the own holes of the colour that reaches everywhere, and of the other
mobility       moves that there are
holes          own holes with seeds
ones, twos     own holes that one more seed makes takeable, by anybody
tempo          to be to move
loose          holes of both players that hold one or two seeds: work for whoever is to move
"""

# mypy: allow-untyped-defs, allow-untyped-calls
# Compiled functions have no annotations: Numba infers their types, a set for each game.

from __future__ import annotations

from mbegu.engine.evaluation import (
    changed,
    count,
    effort,
    features,
    holding,
    phase,
    weighed,
    weights_of,
)
from mbegu.engine.jit import int64
from mbegu.engine.kernels import interface as the
from mbegu.engine.kernels.bits import occupied, total
from mbegu.engine.kernels.interface import implement
from mbegu.games.awale2.kernel import ALL
from mbegu.games.awale2.weights import WEIGHTS as GAME_WEIGHTS

FEATURES = (
    *("captured", "wide", "narrow", "mobility", "holes", "ones", "twos"),
    *("tempo", "loose"),
)
WEIGHTS = weights_of(GAME_WEIGHTS, FEATURES)


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
    return weighed(state, WEIGHTS)


@implement(effort, *ALL)
def _effort(before, after):
    mine = changed(before.a, after.op_a) + changed(before.b, after.op_b)
    return mine + changed(before.op_a, after.a) + changed(before.op_b, after.b)

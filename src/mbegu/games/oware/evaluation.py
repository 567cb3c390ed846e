"""What an Oware position is worth.

captured     seeds taken
side         seeds on the own side
danger       the most seeds that the other would take if he were to move
tempo        to be to move

And for each of the six houses what it is worth to have so many seeds in it (`HOUSES` in the weights): that
it can be taken, that it reaches the other side, that it may be kept for a long lap.
"""

# mypy: allow-untyped-defs, allow-untyped-calls
# Compiled functions have no annotations: Numba infers their types, a set for each game.

from __future__ import annotations

from mbegu.engine.evaluation import (
    WHOLE,
    changed,
    effort,
    features,
    pattern,
    patterns_of,
    phase,
    weighed,
    weights_of,
)
from mbegu.engine.jit import inlined, int64
from mbegu.engine.kernels import interface as the
from mbegu.engine.kernels.bits import FF, U, total
from mbegu.engine.kernels.interface import implement
from mbegu.games.oware.kernel import ALL, CAPTURED, HOUSES, is_slam, sown
from mbegu.games.oware.weights import PATTERNS
from mbegu.games.oware.weights import WEIGHTS as GAME_WEIGHTS

FEATURES = ("captured", "side", "danger", "tempo")
PATTERN_BYTES = tuple(((house,), (6 + house,)) for house in range(6))  # of what `observe` tells
WEIGHTS = weights_of(GAME_WEIGHTS, FEATURES)
HOUSE = patterns_of(PATTERNS)


@inlined
def _best_capture(me, op):
    best = int64(0)
    for house in range(6):
        _, after, take = sown(me, op, house)
        if not is_slam(after, take):
            best = max(best, int64(total(after & take)))
    return best


@inlined
def _houses(word):
    """What the houses of a side are worth by their seeds, at the beginning and the end in one word."""
    worth = int64(0)
    for house in range(6):
        worth += HOUSE[house, (word >> U(8 * house)) & FF]
    return worth


@implement(features, *ALL)
def _features(state):
    mine, his = state.me & HOUSES, state.op & HOUSES
    return (
        int64(state.me >> CAPTURED) - int64(state.op >> CAPTURED),
        int64(total(mine)) - int64(total(his)),
        -_best_capture(state.op, state.me),
        int64(1),
    )


@implement(phase, *ALL)
def _phase(state):
    left = int64(total((state.me & HOUSES) + (state.op & HOUSES)))
    return min(left * WHOLE // 48, WHOLE)


@implement(the.evaluate, *ALL)
def _evaluate(state):
    return weighed(state, WEIGHTS) + pattern(state, _houses(state.me) - _houses(state.op))


@implement(effort, *ALL)
def _effort(before, after):
    return changed(before.me, after.op) + changed(before.op, after.me)

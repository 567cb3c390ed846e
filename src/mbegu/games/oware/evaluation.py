"""What an Oware position is worth.

captured     seeds taken
side         seeds on the own side
mobility     houses with seeds
ones, twos   vulnerable houses: one more seed and they can be taken
hoard        houses with twelve seeds or more
reach        houses whose seeds come to the other side
danger       the most seeds that the other would take if he were to move
tempo        to be to move
"""

# mypy: allow-untyped-defs, allow-untyped-calls
# Compiled functions have no annotations: Numba infers their types, a set for each game.

from __future__ import annotations

from mbegu.engine.evaluation import (
    WHOLE,
    at_least,
    changed,
    count,
    effort,
    features,
    holding,
    phase,
    weighed,
    weights_of,
)
from mbegu.engine.jit import inlined, int64
from mbegu.engine.kernels import interface as the
from mbegu.engine.kernels.bits import HIGH, LOW7, U, occupied, total
from mbegu.engine.kernels.interface import implement
from mbegu.games.oware.kernel import ALL, CAPTURED, HOUSES, is_slam, sown
from mbegu.games.oware.weights import WEIGHTS as GAME_WEIGHTS

FEATURES = ("captured", "side", "mobility", "ones", "twos", "hoard", "reach", "danger", "tempo")
WEIGHTS = weights_of(GAME_WEIGHTS, FEATURES)
TO_CROSS = U(0x7F7E7D7C7B7A)  # added to the houses: high bits tell whose seeds cross over


@inlined
def _best_capture(me, op):
    best = int64(0)
    for house in range(6):
        _, after, take = sown(me, op, house)
        if not is_slam(after, take):
            best = max(best, int64(total(after & take)))
    return best


@inlined
def _crossing(houses):
    return (((houses & LOW7) + TO_CROSS) | houses) & HIGH & HOUSES


@implement(features, *ALL)
def _features(state):
    mine, his = state.me & HOUSES, state.op & HOUSES
    return (
        int64(state.me >> CAPTURED) - int64(state.op >> CAPTURED),
        int64(total(mine)) - int64(total(his)),
        count(occupied(mine)) - count(occupied(his)),
        count(holding(mine, 1)) - count(holding(his, 1)),
        count(holding(mine, 2)) - count(holding(his, 2)),
        count(at_least(mine, 12)) - count(at_least(his, 12)),
        count(_crossing(mine)) - count(_crossing(his)),
        -_best_capture(state.op, state.me),
        int64(1),
    )


@implement(phase, *ALL)
def _phase(state):
    left = int64(total((state.me & HOUSES) + (state.op & HOUSES)))
    return min(left * WHOLE // 48, WHOLE)


@implement(the.evaluate, *ALL)
def _evaluate(state):
    return weighed(state, WEIGHTS)


@implement(effort, *ALL)
def _effort(before, after):
    return changed(before.me, after.op) + changed(before.op, after.me)

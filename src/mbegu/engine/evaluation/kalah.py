"""What a Kalah position is worth, beyond the stones in the stores.

    side         stones on the own side: the end of the game gives them to their owner
    mobility     pits with stones
    extra        pits whose last stone falls into the store: extra turns
    chance       the most stones that one move could capture from the other
    danger       the same for the other, if he were to move
    tempo        to be to move

The stores count in full and have no influence on the rest.
"""

# mypy: allow-untyped-defs, allow-untyped-calls
# Compiled functions have no annotations: Numba infers their types, a set for each game.

from __future__ import annotations

from numba import int64

from mbegu.engine.evaluation import (
    WHOLE,
    changed,
    count,
    effort,
    features,
    phase,
    weighed,
    weights_of,
)
from mbegu.engine.jit import inlined
from mbegu.engine.kernels import interface as the
from mbegu.engine.kernels.bits import HIGH, U, lane, occupied, total
from mbegu.engine.kernels.interface import implement
from mbegu.engine.kernels.kalah import PITS, PITS2, SIX, STORE, STORE2, KalahWide, _pit

FEATURES = ("side", "mobility", "extra", "chance", "danger", "tempo")
WEIGHTS = weights_of("kalah", FEATURES)
DISTANCES = U(0x010203040506)  # of each pit from the store


@inlined
def _extra(pits):
    return count(~occupied((pits ^ DISTANCES) & PITS) & HIGH & PITS)


@inlined
def _best_capture(me, op):
    best = int64(0)
    for pit in range(5):
        stones = lane(me, U(pit))
        last = U(pit) + stones
        if stones != U(0) and last < U(6) and lane(me, last) == U(0):
            best = max(best, int64(lane(op, U(5) - last)))
    return best


@implement(features, *SIX)
def _features(state):
    mine, his = state.me & PITS, state.op & PITS
    return (
        int64(total(mine)) - int64(total(his)),
        count(occupied(mine)) - count(occupied(his)),
        _extra(mine) - _extra(his),
        _best_capture(mine, his),
        -_best_capture(his, mine),
        int64(1),
    )


@implement(phase, *SIX)
def _phase(state):
    left = int64(total((state.me & PITS) + (state.op & PITS)))
    return min(left * WHOLE // 48, WHOLE)


@implement(the.evaluate, *SIX)
def _evaluate(state):
    stores = int64(state.me >> STORE) - int64(state.op >> STORE)
    return stores * 256 + weighed(state, WEIGHTS)


@implement(effort, *SIX)
def _effort(before, after):
    if the.again(after):
        return changed(before.me, after.me) + changed(before.op, after.op)
    return changed(before.me, after.op) + changed(before.op, after.me)


# ---- any number of pits ---------------------------------------------------------------------------


@inlined
def _extra_wide(low, high, pits):
    extra = int64(0)
    for pit in range(pits):
        if _pit(low, high, U(pit)) == pits - U(pit):
            extra += 1
    return extra


@inlined
def _best_capture_wide(me, me2, op, op2, pits):
    best = int64(0)
    for pit in range(pits):
        stones = _pit(me, me2, U(pit))
        last = U(pit) + stones
        if stones != U(0) and last < pits and _pit(me, me2, last) == U(0):
            best = max(best, int64(_pit(op, op2, pits - U(1) - last)))
    return best


@implement(features, KalahWide)
def _features_wide(state):
    low, high = state.me2 & PITS2, state.op2 & PITS2
    pits = state.pits
    return (
        int64(total(state.me) + total(low)) - int64(total(state.op) + total(high)),
        count(occupied(state.me))
        + count(occupied(low))
        - count(occupied(state.op))
        - count(occupied(high)),
        _extra_wide(state.me, low, pits) - _extra_wide(state.op, high, pits),
        _best_capture_wide(state.me, low, state.op, high, pits),
        -_best_capture_wide(state.op, high, state.me, low, pits),
        int64(1),
    )


@implement(phase, KalahWide)
def _phase_wide(state):
    left = int64(total(state.me) + total(state.me2 & PITS2))
    left += int64(total(state.op) + total(state.op2 & PITS2))
    return min(left * WHOLE // (8 * int64(state.pits)), WHOLE)


@implement(the.evaluate, KalahWide)
def _evaluate_wide(state):
    stores = int64(state.me2 >> STORE2) - int64(state.op2 >> STORE2)
    return stores * 256 + weighed(state, WEIGHTS)


@implement(effort, KalahWide)
def _effort_wide(before, after):
    if the.again(after):
        mine = changed(before.me, after.me) + changed(before.me2, after.me2)
        return mine + changed(before.op, after.op) + changed(before.op2, after.op2)
    mine = changed(before.me, after.op) + changed(before.me2, after.op2)
    return mine + changed(before.op, after.me) + changed(before.op2, after.me2)

"""What a Kalah position is worth, beyond the stones in the stores.

    side         stones on the own side: the end of the game gives them to their owner
    mobility     pits with stones
    extra        pits whose last stone falls into the store: extra turns
    chance       stones of the other that a short sowing could capture
    danger       the same for the other, if he were to move
    tempo        to be to move

And for each of six pits what it is worth to have so many stones in it (`PATTERNS` in the weights); boards
with other numbers of pits have no such table, and weights of their own. The stores count in full and have no
influence on the rest.
"""

# mypy: allow-untyped-defs, allow-untyped-calls
# Compiled functions have no annotations: Numba infers their types, a set for each game.

from __future__ import annotations

from mbegu.engine.evaluation import (
    WHOLE,
    changed,
    count,
    effort,
    features,
    holding,
    pattern,
    patterns_of,
    phase,
    weighed,
    weights_of,
)
from mbegu.engine.jit import inlined, int64
from mbegu.engine.kernels import interface as the
from mbegu.engine.kernels.bits import FF, HIGH, U, occupied, total
from mbegu.engine.kernels.interface import implement
from mbegu.games.kalah.kernel import PITS, PITS2, SIX, STORE, STORE2, KalahWide, _pit
from mbegu.games.kalah.weights import PATTERNS
from mbegu.games.kalah.weights import WEIGHTS as GAME_WEIGHTS
from mbegu.games.kalah.wide_weights import WEIGHTS as OTHER_WEIGHTS

FEATURES = ("side", "mobility", "extra", "chance", "danger", "tempo")
PATTERN_BYTES = tuple(((pit,), (6 + pit,)) for pit in range(6))  # of what `observe` tells
WEIGHTS = weights_of(GAME_WEIGHTS, FEATURES)
WIDE_WEIGHTS = weights_of(OTHER_WEIGHTS, FEATURES)
PIT = patterns_of(PATTERNS)
DISTANCES = U(0x010203040506)  # of each pit from the store


@inlined
def _extra(pits):
    return count(~occupied((pits ^ DISTANCES) & PITS) & HIGH & PITS)


@inlined
def _across(pits):
    """The pits from the other end, so that facing ones have the same lane."""
    pits = ((pits >> U(8)) & U(0x00FF00FF00FF)) | ((pits & U(0x00FF00FF00FF)) << U(8))
    middle = pits & U(0x0000FFFF0000)
    return (pits >> U(32)) | middle | ((pits & U(0xFFFF)) << U(32))


@inlined
def _captures(mine, his):
    """The stones across from the empty pits that one sowing, not round the board, ends in."""
    empty = ~occupied(mine) & HIGH & PITS
    ends = (holding(mine, 1) << U(8)) | (holding(mine, 2) << U(16)) | (holding(mine, 3) << U(24))
    ends |= (holding(mine, 4) << U(32)) | (holding(mine, 5) << U(40))
    return int64(total(_across(his) & (((ends & empty) >> U(7)) * FF)))


@inlined
def _pits(word):
    """What the pits of a side are worth by their stones, at the beginning and the end in one word."""
    worth = int64(0)
    for pit in range(6):
        worth += PIT[pit, (word >> U(8 * pit)) & FF]
    return worth


@implement(features, *SIX)
def _features(state):
    mine, his = state.me & PITS, state.op & PITS
    return (
        int64(total(mine)) - int64(total(his)),
        count(occupied(mine)) - count(occupied(his)),
        _extra(mine) - _extra(his),
        _captures(mine, his),
        -_captures(his, mine),
        int64(1),
    )


@implement(phase, *SIX)
def _phase(state):
    left = int64(total((state.me & PITS) + (state.op & PITS)))
    return min(left * WHOLE // 48, WHOLE)


@implement(the.evaluate, *SIX)
def _evaluate(state):
    stores = int64(state.me >> STORE) - int64(state.op >> STORE)
    by_pits = pattern(state, _pits(state.me) - _pits(state.op))
    return stores * 256 + weighed(state, WEIGHTS) + by_pits


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
def _captures_wide(me, me2, op, op2, pits):
    ends, stones = U(0), U(0)
    for pit in range(pits):
        count_here = _pit(me, me2, U(pit))
        last = U(pit) + count_here
        if count_here != U(0) and last < pits and _pit(me, me2, last) == U(0):
            ends |= U(1) << last
    for pit in range(pits):
        if (ends >> U(pit)) & U(1) != U(0):
            stones += _pit(op, op2, pits - U(1) - U(pit))
    return int64(stones)


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
        _captures_wide(state.me, low, state.op, high, pits),
        -_captures_wide(state.op, high, state.me, low, pits),
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
    return stores * 256 + weighed(state, WIDE_WEIGHTS)


@implement(effort, KalahWide)
def _effort_wide(before, after):
    if the.again(after):
        mine = changed(before.me, after.me) + changed(before.me2, after.me2)
        return mine + changed(before.op, after.op) + changed(before.op2, after.op2)
    mine = changed(before.me, after.op) + changed(before.me2, after.op2)
    return mine + changed(before.op, after.me) + changed(before.op2, after.me2)

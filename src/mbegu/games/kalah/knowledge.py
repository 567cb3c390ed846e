"""What the search and learners may know of Kalah."""

# mypy: allow-untyped-defs, allow-untyped-calls
# Compiled functions have no annotations: Numba infers their types, a set for each game.

from __future__ import annotations

from mbegu.engine import knowledge as known
from mbegu.engine.arrays import np
from mbegu.engine.jit import int64
from mbegu.engine.kernels.bits import FF, mix, total
from mbegu.engine.kernels.interface import again, implement
from mbegu.games.kalah.kernel import ALL, PITS, PITS2, SIX, STORE, STORE2, KalahWide


@implement(known.margin_only, *ALL)
def _margin_only(state):
    return True


@implement(known.standing, *SIX)
def _standing(state):
    return int64(state.me >> STORE) - int64(state.op >> STORE)


@implement(known.table_key, *SIX)
def _table_key(state):
    return mix(state.me & PITS, state.op & PITS)


@implement(known.bounds, *SIX)
def _bounds(state):
    ahead = int64(state.me >> STORE) - int64(state.op >> STORE)
    left = int64(total((state.me & PITS) + (state.op & PITS)))
    return ahead - left, ahead + left


@implement(known.bounds, KalahWide)
def _wide_bounds(state):
    mine, his = int64(state.me2 >> STORE2), int64(state.op2 >> STORE2)
    low, high = state.me2 & PITS2, state.op2 & PITS2
    left = int64(total(state.me) + total(low) + total(state.op) + total(high))
    return mine - his - left, mine - his + left


@implement(known.gain, *SIX)
def _gain(before, after):
    mine = after.me if again(after) else after.op
    return int64(mine >> STORE) - int64(before.me >> STORE)


@implement(known.gain, KalahWide)
def _wide_gain(before, after):
    mine = after.me2 if again(after) else after.op2
    return int64(mine >> STORE2) - int64(before.me2 >> STORE2)


@implement(known.observe, *SIX)
def _observe(state, row):
    """Six pits of mine, six of his, my store, his."""
    known.spread(state.me, row, 0, 6)
    known.spread(state.op, row, 6, 6)
    row[12] = (state.me >> STORE) & FF
    row[13] = (state.op >> STORE) & FF


@implement(known.observe, KalahWide)
def _observe_wide(state, row):
    pits = np.int64(state.pits)
    known.spread(state.me, row, 0, min(pits, 8))
    known.spread(state.op, row, pits, min(pits, 8))
    if pits > 8:
        known.spread(state.me2, row, 8, pits - 8)
        known.spread(state.op2, row, pits + 8, pits - 8)
    row[2 * pits] = state.me2 >> STORE2
    row[2 * pits + 1] = state.op2 >> STORE2

"""What the search and learners may know of Oware."""

# mypy: allow-untyped-defs, allow-untyped-calls
# Compiled functions have no annotations: Numba infers their types, a set for each game.

from __future__ import annotations

from mbegu.engine import knowledge as known
from mbegu.engine.jit import int64
from mbegu.engine.kernels.bits import FF, total
from mbegu.engine.kernels.interface import implement
from mbegu.games.oware.kernel import ALL, CAPTURED, HOUSES


@implement(known.recurrence, *ALL)
def _recurrence(state):
    return known.KEEP_SEEDS


@implement(known.bounds, *ALL)
def _bounds(state):
    ahead = int64(state.me >> CAPTURED) - int64(state.op >> CAPTURED)
    left = int64(total((state.me & HOUSES) + (state.op & HOUSES)))
    return ahead - left, ahead + left


@implement(known.gain, *ALL)
def _gain(before, after):
    return int64(after.op >> CAPTURED) - int64(before.me >> CAPTURED)


@implement(known.observe, *ALL)
def _observe(state, row):
    """Six houses of mine, six of his, what I have won, what he has."""
    known.spread(state.me, row, 0, 6)
    known.spread(state.op, row, 6, 6)
    row[12] = (state.me >> CAPTURED) & FF
    row[13] = (state.op >> CAPTURED) & FF

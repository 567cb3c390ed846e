"""What the search and learners may know of Urubugu."""

# mypy: allow-untyped-defs, allow-untyped-calls
# Compiled functions have no annotations: Numba infers their types, a set for each game.

from __future__ import annotations

from mbegu.engine import knowledge as known
from mbegu.engine.jit import int64
from mbegu.engine.kernels.bits import total
from mbegu.engine.kernels.interface import implement
from mbegu.games.urubugu.kernel import ALL


@implement(known.recurrence, *ALL)
def _recurrence(state):
    return known.DRAW


@implement(known.bounds, *ALL)
def _bounds(state):
    beads = total(state.back) + total(state.front) + total(state.op_back) + total(state.op_front)
    return -int64(beads), int64(beads)


@implement(known.gain, *ALL)
def _gain(before, after):
    mine = int64(total(after.op_back)) + int64(total(after.op_front))
    return mine - int64(total(before.back)) - int64(total(before.front))


@implement(known.observe, *ALL)
def _observe(state, row):
    """My cells 1..16, then his."""
    known.spread(state.back, row, 0, 8)
    known.spread(state.front, row, 8, 8)
    known.spread(state.op_back, row, 16, 8)
    known.spread(state.op_front, row, 24, 8)

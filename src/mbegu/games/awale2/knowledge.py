"""What the search and learners may know of two-colour Awale."""

# mypy: allow-untyped-defs, allow-untyped-calls
# Compiled functions have no annotations: Numba infers their types, a set for each game.

from __future__ import annotations

from mbegu.engine import knowledge as known
from mbegu.engine.jit import int64
from mbegu.engine.kernels.bits import total
from mbegu.engine.kernels.interface import implement
from mbegu.games.awale2.kernel import ALL


@implement(known.bounds, *ALL)
def _bounds(state):
    ahead = int64(state.score) - int64(state.op_score)
    left = int64(total(state.a + state.b + state.op_a + state.op_b))
    return ahead - left, ahead + left


@implement(known.gain, *ALL)
def _gain(before, after):
    return int64(after.op_score) - int64(before.score)


@implement(known.observe, *ALL)
def _observe(state, row):
    """My holes in either colour, his, both scores, and which side of the ring is mine."""
    known.spread(state.a, row, 0, 8)
    known.spread(state.b, row, 8, 8)
    known.spread(state.op_a, row, 16, 8)
    known.spread(state.op_b, row, 24, 8)
    row[32] = state.score
    row[33] = state.op_score
    row[34] = state.side

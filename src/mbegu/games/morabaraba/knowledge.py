"""What the search and learners may know of Morabaraba."""

# mypy: allow-untyped-defs, allow-untyped-calls
# Compiled functions have no annotations: Numba infers their types, a set for each game.

from __future__ import annotations

from mbegu.engine import knowledge as known
from mbegu.engine.jit import int64
from mbegu.engine.kernels.bits import FF, ONE, ZERO, U
from mbegu.engine.kernels.interface import again, implement
from mbegu.games.morabaraba.state import ALL, HAND, SCORE, SHOT


@implement(known.bounds, *ALL)
def _bounds(state):
    return -10, 10  # the tenth shot ends the game


@implement(known.gain, *ALL)
def _gain(before, after):
    if again(after):
        return 2  # a mill: the shot follows
    return 2 * (int64((after.his >> SCORE) & HAND) - int64((before.mine >> SCORE) & HAND))


@implement(known.worth_sharing, *ALL)
def _shallow(state):
    return 4  # a tree so wide is shallow


@implement(known.observe, *ALL)
def _observe(state, row):
    """My cows and his on the 24 points, in hand, shot, quiet actions, moves with three cows, whether
    a shot is due, and bit by bit what each may not do next."""
    for point in range(24):
        row[point] = (state.me >> U(point)) & ONE
        row[24 + point] = (state.op >> U(point)) & ONE
    known.spread(state.mine, row, 48, 2)
    known.spread(state.his, row, 50, 2)
    row[52] = min(state.clock & U(0xFFFFFFFF), FF)
    row[53] = (state.clock >> U(32)) & FF
    row[54] = (state.clock & SHOT) != ZERO
    for i in range(20):
        row[55 + i] = (state.mine >> U(32 + i)) & ONE
        row[75 + i] = (state.his >> U(32 + i)) & ONE

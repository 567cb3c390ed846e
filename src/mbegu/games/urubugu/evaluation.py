"""What an Urubugu position is worth. Whoever wins has all the beads: the margin is all or nothing.

beads        beads on the own side
front        beads in the own front row
cells        cells with beads
columns      own columns with beads: what the other can capture
singles      cells with one bead, the end of a lap that comes by an empty one
heads        beads in the four cells of the right end, where the back row turns into the front
tails        beads in the four cells of the left end
heap         beads of the fullest column, lost at one stroke
tempo        to be to move
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
from mbegu.engine.jit import inlined, int64
from mbegu.engine.kernels import interface as the
from mbegu.engine.kernels.bits import U, lane, occupied, total
from mbegu.engine.kernels.interface import implement
from mbegu.games.urubugu.kernel import ALL
from mbegu.games.urubugu.weights import WEIGHTS as GAME_WEIGHTS

FEATURES = (*("beads", "front", "cells", "columns", "singles", "heads", "tails", "heap", "tempo"),)
WEIGHTS = weights_of(GAME_WEIGHTS, FEATURES)
HEAD = U(0xFFFF000000000000)  # cells 7 and 8 of the back row
NECK = U(0x000000000000FFFF)  # cells 9 and 10 of the front row, which stand before them


@inlined
def _turned(row):
    """A row from its other end: so front cells stand by the back cells of their columns."""
    row = ((row >> U(8)) & U(0x00FF00FF00FF00FF)) | ((row & U(0x00FF00FF00FF00FF)) << U(8))
    row = ((row >> U(16)) & U(0x0000FFFF0000FFFF)) | ((row & U(0x0000FFFF0000FFFF)) << U(16))
    return (row >> U(32)) | (row << U(32))


@inlined
def _fullest(columns):
    most = U(0)
    for i in range(8):
        most = max(most, lane(columns, U(i)))
    return int64(most)


@inlined
def _ends(back, front, low, high):
    return int64(total(back & low)) + int64(total(front & high))


@implement(features, *ALL)
def _features(state):
    back, front, op_back, op_front = state.back, state.front, state.op_back, state.op_front
    mine, his = back + _turned(front), op_back + _turned(op_front)
    cells = count(occupied(back)) + count(occupied(front))
    his_cells = count(occupied(op_back)) + count(occupied(op_front))
    singles = count(holding(back, 1)) + count(holding(front, 1))
    his_singles = count(holding(op_back, 1)) + count(holding(op_front, 1))
    return (
        int64(total(mine)) - int64(total(his)),
        int64(total(front)) - int64(total(op_front)),
        cells - his_cells,
        count(occupied(mine)) - count(occupied(his)),
        singles - his_singles,
        _ends(back, front, HEAD, NECK) - _ends(op_back, op_front, HEAD, NECK),
        _ends(back, front, NECK, HEAD) - _ends(op_back, op_front, NECK, HEAD),
        _fullest(mine) - _fullest(his),
        int64(1),
    )


@implement(phase, *ALL)
def _phase(state):
    return int64(0)  # all beads stay: there is no beginning and no end


@implement(the.evaluate, *ALL)
def _evaluate(state):
    return weighed(state, WEIGHTS)


@implement(effort, *ALL)
def _effort(before, after):
    mine = changed(before.back, after.op_back) + changed(before.front, after.op_front)
    his = changed(before.op_back, after.back) + changed(before.op_front, after.front)
    return (mine + his) // 2

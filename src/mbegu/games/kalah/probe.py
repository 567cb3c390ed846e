"""What the search finds in Kalah's tables."""

# mypy: allow-untyped-defs, allow-untyped-calls
# Compiled functions have no annotations: Numba infers their types, a set for each game.

from __future__ import annotations

from math import comb
from typing import Any

from mbegu.engine.arrays import np
from mbegu.engine.jit import inlined, int64
from mbegu.engine.kernels.bits import FF, ONES, U, total
from mbegu.engine.kernels.interface import implement, margin
from mbegu.engine.tables.probe import judged, layer, spot
from mbegu.games.kalah.kernel import ALL, PITS, PITS2, SIX, KalahWide

__all__: list[str] = []

MOST = 48  # stones of a table
SIDES = 11  # pits of a side, and one


def _numbers() -> tuple[Any, Any, Any]:
    """[pits, stones, the mover's] -> the place of the first such board; [pits, stones] -> sides; the
    steps of a rank. What no table reaches is cut off."""
    bases = np.zeros((SIDES, MOST + 1, MOST + 1), np.int64)
    sizes = np.zeros((SIDES, MOST + 1), np.int64)
    steps = np.zeros((SIDES, 256), np.int64)
    for stones in range(256):
        for pit in range(SIDES):
            steps[pit, stones] = min(comb(stones + pit, pit + 1), 2**62)
    for pits in range(1, SIDES):
        halves = [comb(stones + pits - 1, pits - 1) for stones in range(MOST + 1)]
        sizes[pits] = halves
        for stones in range(MOST + 1):
            at = comb(stones + 2 * pits - 1, 2 * pits)
            for own in range(stones + 1):
                bases[pits, stones, own] = min(at, 2**62)
                at += halves[own] * halves[stones - own]
    return bases, sizes, steps


BASES, SIZES, STEPS = _numbers()


def _cut(table: Any, part: int | slice) -> Any:
    """A part of a table: a library holds the tables that its functions name, whole."""
    return table[part].copy() if hasattr(table, "copy") else table  # without NumPy nobody reads it


BASES6, SIZES6, STEPS6 = _cut(BASES, 6), _cut(SIZES, 6), _cut(STEPS, slice(5))


@inlined
def _rank_of_six(side):
    """The rank of six pits among those with as many stones."""
    sums, rank = side * ONES, 0
    for pit in range(5):
        rank += STEPS6[pit, (sums >> U(8 * pit)) & FF]
    return rank


@inlined
def _rank(low, high, pits):
    """The same for any number of pits."""
    sums, rank = low * ONES, 0
    for pit in range(min(pits - 1, 8)):
        rank += STEPS[pit, (sums >> U(8 * pit)) & FF]
    if pits > 8:
        before = total(low)
        for pit in range(8, pits - 1):
            before += (high >> U(8 * (pit - 8))) & FF
            rank += STEPS[pit, before]
    return rank


@implement(layer, *SIX)
def _layer(state):
    return int64(total((state.me & PITS) + (state.op & PITS)))


@implement(layer, KalahWide)
def _layer_wide(state):
    return int64(
        total(state.me) + total(state.op) + total(state.me2 & PITS2) + total(state.op2 & PITS2)
    )


@implement(spot, *SIX)
def _spot(state):
    me, op = state.me & PITS, state.op & PITS
    own, other = int64(total(me)), int64(total(op))
    mine = _rank_of_six(me) * SIZES6[other]
    return BASES6[own + other, own] + mine + _rank_of_six(op)


@implement(spot, KalahWide)
def _spot_wide(state):
    pits, me2, op2 = int64(state.pits), state.me2 & PITS2, state.op2 & PITS2
    own, other = int64(total(state.me) + total(me2)), int64(total(state.op) + total(op2))
    mine = _rank(state.me, me2, pits) * SIZES[pits, other]
    return BASES[pits, own + other, own] + mine + _rank(state.op, op2, pits)


@implement(judged, *ALL)
def _judged(state, value, low, high):
    """The stores are added; nothing else can change what the table tells."""
    ahead = margin(state)
    return ahead + value, ahead + low, ahead + high

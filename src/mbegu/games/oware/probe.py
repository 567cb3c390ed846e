"""What the search finds in Oware's tables."""

# mypy: allow-untyped-defs, allow-untyped-calls
# Compiled functions have no annotations: Numba infers their types, a set for each game.

from __future__ import annotations

from math import comb
from typing import Any

from mbegu.engine.arrays import np
from mbegu.engine.jit import int64
from mbegu.engine.kernels.bits import total
from mbegu.engine.kernels.interface import implement
from mbegu.engine.tables.probe import judged, layer, spot
from mbegu.engine.tables.ranking import half_rank, halves
from mbegu.games.oware.kernel import ALL, CAPTURED, HOUSES

__all__: list[str] = []

SIDE = 6
MOST = 31  # seeds of a table
MAJORITY = 25


def _bases() -> Any:
    """[seeds, seeds of the mover] -> the place of the first such board in the table."""
    bases = np.zeros((MOST + 1, MOST + 1), np.int64)
    for seeds in range(MOST + 1):
        at = comb(seeds + 2 * SIDE - 1, 2 * SIDE)
        for own in range(seeds + 1):
            bases[seeds, own] = at
            at += halves(SIDE, own) * halves(SIDE, seeds - own)
    return bases


BASES = _bases()
SIZES = np.array([halves(SIDE, seeds) for seeds in range(MOST + 1)], np.int64)


@implement(layer, *ALL)
def _layer(state):
    return int64(total((state.me & HOUSES) + (state.op & HOUSES)))


@implement(spot, *ALL)
def _spot(state):
    me, op = state.me & HOUSES, state.op & HOUSES
    own, other = int64(total(me)), int64(total(op))
    return BASES[own + other, own] + half_rank(me, SIDE) * SIZES[other] + half_rank(op, SIDE)


@implement(judged, *ALL)
def _judged(state, value, low, high):
    """The captured seeds are added. A player who has 25 ends the game at once, and then each side keeps
    its seeds: the table cannot know by how much he wins, but that he does. Whoever can force more
    than half of all seeds cannot be stopped by the other's 25."""
    mine, his = int64(state.me >> CAPTURED), int64(state.op >> CAPTURED)
    left = int64(total((state.me & HOUSES) + (state.op & HOUSES)))
    ahead = mine - his
    guess, least, most = ahead + value, ahead + low, ahead + high
    may_i, may_he = mine + left >= MAJORITY, his + left >= MAJORITY
    spare = 2 * MAJORITY - mine - his - left  # the least win by a majority
    if not may_i and not may_he:
        return guess, least, most
    if spare <= 0:  # more seeds than a game has: both could have 25
        return guess, ahead - left, ahead + left
    if least < 0:
        least = ahead - left if may_he else least
    elif may_i:
        least = min(least, spare)
    if most > 0:
        most = ahead + left if may_i else most
    elif may_he:
        most = max(most, -spare)
    return guess, least, most

"""Perfect hashing by ranking: every way of laying seeds in the houses of two sides has a number, without gaps.

A *half* is the houses of one side, at most eight, in the lanes of a word. The halves with the same
seeds are numbered by the combinatorial number system over the sums of the first 1, 2, 3… houses. All
boards with n seeds make a *layer*: they are ordered by the mover's seeds, then by his half, then by
the other's. The layers stand one after the other, so the table of more seeds begins with that of fewer.
"""

# mypy: allow-untyped-defs, allow-untyped-calls
# Compiled functions have no annotations: Numba infers their types, a set for each game.

from __future__ import annotations

from math import comb
from typing import Any, NamedTuple

from mbegu.engine.arrays import np
from mbegu.engine.jit import compiled, inlined
from mbegu.engine.kernels.bits import FF, ONES, U

MOST_SEEDS = 63
ROW = MOST_SEEDS + 1


def halves(houses: int, seeds: int) -> int:
    """How many ways there are to lay so many seeds in so many houses."""
    return comb(seeds + houses - 1, houses - 1)


def layer_size(houses: int, seeds: int) -> int:
    """How many boards with two sides of so many houses hold so many seeds."""
    return halves(2 * houses, seeds)


def table_size(houses: int, seeds: int) -> int:
    """How many boards hold at most so many seeds."""
    return comb(seeds + 2 * houses, 2 * houses)


def _steps() -> Any:
    """[house, seeds up to this house] -> what it adds to the rank of a half."""
    steps = np.zeros((8, ROW), np.int64)
    for house in range(8):
        for seeds in range(ROW):
            steps[house, seeds] = comb(seeds + house, house + 1)
    return steps


STEPS = _steps()


class Ranks(NamedTuple):
    """What the compiled code needs to number the boards of one layer, and to find them again."""

    words: Any  # every half, by its seeds and then by its rank
    first: Any  # [seeds] -> where the halves with so many seeds begin in `words`
    offset: Any  # [seeds of the mover] -> the rank of his first board in the layer; then the size
    across: Any  # [seeds of the mover] -> how many halves the other side may be


def half_words(houses: int, seeds: int) -> Any:
    """Every half with at most so many seeds, in the order of ranks."""
    words = np.empty(comb(seeds + houses, houses), np.uint64)
    _write_halves(words, houses, seeds)
    return words


def ranks_of(houses: int, seeds: int, words: Any) -> Ranks:
    """The numbers of the layer with so many seeds."""
    first = [comb(own + houses - 1, houses) for own in range(seeds + 2)]
    across = [halves(houses, seeds - own) for own in range(seeds + 1)]
    offset = [0]
    for own in range(seeds + 1):
        offset.append(offset[-1] + halves(houses, own) * across[own])
    return Ranks(words, *(np.array(numbers, np.int64) for numbers in (first, offset, across)))


@compiled
def _write_halves(words, houses, seeds):
    at = 0
    counts = np.zeros(houses, np.int64)
    for own in range(seeds + 1):
        counts[:] = 0
        counts[houses - 1] = own
        while True:
            word = U(0)
            for house in range(houses):
                word |= U(counts[house]) << U(8 * house)
            words[at] = word
            at += 1
            # The next one: the first house that can give a seed back to the houses before it does.
            house = 1
            while house < houses and counts[house] == 0:
                house += 1
            if house == houses:
                break
            moved = counts[0] + 1
            counts[0] = 0
            counts[house] -= 1
            counts[house - 1] = moved


@inlined
def half_rank(word, houses):
    """The rank of a half among those with as many seeds."""
    sums = word * ONES
    rank = 0
    for house in range(houses - 1):
        rank += STEPS[house, (sums >> U(8 * house)) & FF]
    return rank

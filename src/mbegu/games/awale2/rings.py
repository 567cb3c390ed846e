"""Rings and their numbers: the boards of two-colour Awale with few seeds, numbered up to turns of the ring.

A *pair* is a hole of the mover and the hole of the other that follows it; a ring is eight pairs, and which
of the players the mover is makes no difference. A pair holds four counts: the mover's seeds that go
everywhere, his others, and the other player's two. The ring is turned so that the seeds of its pairs, read
as one number, are the least of all turns; such rings are listed. For each of them the pairs are numbered by
the ways to lay their seeds (combinatorial number system). Where the seeds of the pairs look the same after a
turn a board has several numbers, which are solved alike.
"""

# mypy: allow-untyped-defs, allow-untyped-calls
# Compiled functions have no annotations: Numba infers their types, a set for each game.

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from itertools import accumulate, pairwise
from math import comb, prod
from typing import Any

from mbegu.engine.arrays import np
from mbegu.engine.jit import inlined, int64
from mbegu.engine.kernels.bits import FF, ZERO, U

__all__ = ["FEWEST", "KEYS", "MOST", "RINGS_AT", "board_at", "place", "place_of", "sizes_of"]

PAIRS = 8
FEWEST, MOST = 8, 10  # seeds on the board: with fewer the game is over
NIBBLE, PACKED = U(4), U(0xFFFFFFFF)


def _least_rings(seeds: int) -> Iterator[int]:
    """The seeds of the pairs, four bits each, of every ring that is the least of its turns, in order.

    They are the necklaces with this sum, made pair by pair (Fredricksen, Kessler, Maiorana)."""

    def grown(ring: list[int], period: int, left: int) -> Iterator[int]:
        if len(ring) == PAIRS:
            if left == 0 and PAIRS % period == 0:
                yield sum(count << 4 * (PAIRS - 1 - i) for i, count in enumerate(ring))
            return
        least = ring[-period] if ring else 0
        for count in range(least, left + 1):
            yield from grown(
                [*ring, count], period if count == least else len(ring) + 1, left - count
            )

    return grown([], 1, seeds)


def ways(seeds: int) -> int:
    """In how many ways a pair holds so many seeds."""
    return comb(seeds + 3, 3)


def _seeds_of(key: int) -> list[int]:
    """The seeds of each pair."""
    return [key >> 4 * pair & 15 for pair in range(PAIRS)]


def _rings() -> tuple[list[int], list[int], list[int]]:
    """All rings, layer by layer; where the boards of each begin in the table; [seeds] -> its first ring."""
    keys, layers = list[int](), [0] * (FEWEST + 1)
    for seeds in range(FEWEST, MOST + 1):
        keys.extend(_least_rings(seeds))
        layers.append(len(keys))
    sizes = (prod(ways(count) for count in _seeds_of(key)) for key in keys)
    return keys, [0, *accumulate(sizes)], layers


_KEYS, _BEGINS, _LAYERS = _rings()
KEYS = np.array(_KEYS, np.uint32)
BEGINS = np.array(_BEGINS, np.uint32)
RINGS_AT = np.array(_LAYERS, np.int64)
WAYS = np.array([ways(seeds) for seeds in range(MOST + 1)], np.int64)
TWO = np.array([comb(seeds + 1, 2) for seeds in range(MOST + 1)], np.int64)
THREE = np.array([comb(seeds + 2, 3) for seeds in range(MOST + 1)], np.int64)


def _pairs() -> Any:
    """[seeds, number] -> the four counts of a pair, a byte each."""
    table = np.zeros((MOST + 1, ways(MOST)), np.uint32)
    for seeds in range(MOST + 1):
        for a in range(seeds + 1):
            for b in range(seeds - a + 1):
                for op_a in range(seeds - a - b + 1):
                    number = _number(a, b, op_a)
                    op_b = seeds - a - b - op_a
                    table[seeds, number] = a | b << 8 | op_a << 16 | op_b << 24
    return table


def _number(a: int, b: int, op_a: int) -> int:
    """The number of a pair among those with as many seeds."""
    return a + comb(a + b + 1, 2) + comb(a + b + op_a + 2, 3)


HOLDS = _pairs()


def sizes_of(seeds: int) -> list[int]:
    """The size of each layer, from no seeds to so many."""
    begins = [_BEGINS[ring] for ring in _LAYERS]
    return [end - begin for begin, end in pairwise(begins)][: seeds + 1]


def place_of(pairs: Sequence[Sequence[int]]) -> int:
    """Where a board stands in the whole table, in plain Python."""
    counts = [sum(pair) for pair in pairs]
    keys = [sum(counts[(i + turn) % PAIRS] << 4 * i for i in range(PAIRS)) for turn in range(PAIRS)]
    turn = keys.index(min(keys))
    seeds = sum(counts)
    ring = bisect_left(_KEYS, keys[turn], _LAYERS[seeds], _LAYERS[seeds + 1])
    number = 0
    for i in range(PAIRS):
        a, b, op_a, _op_b = pairs[(i + turn) % PAIRS]
        number = number * ways(counts[(i + turn) % PAIRS]) + _number(a, b, op_a)
    return _BEGINS[ring] + number


# ---- compiled -------------------------------------------------------------------------------------


@inlined
def turned(word, pairs):
    """A word of eight lanes, turned by so many."""
    bits = U(8) * pairs
    return (word >> bits) | (word << ((U(64) - bits) & U(63)))


@inlined
def packed(word):
    """Eight lanes with four bits each, side by side."""
    word = (word | (word >> U(4))) & U(0x00FF00FF00FF00FF)
    word = (word | (word >> U(8))) & U(0x0000FFFF0000FFFF)
    return (word | (word >> U(16))) & PACKED


@inlined
def least_turn(key):
    """By how many pairs a ring is turned to be the least, and what it is then."""
    best, turn = key, ZERO
    for pairs in range(1, 8):
        key = ((key >> NIBBLE) | (key << U(28))) & PACKED
        if key < best:
            best, turn = key, U(pairs)
    return best, turn


@inlined
def ring_of(key, seeds):
    """The number of a ring in the list."""
    low, high = RINGS_AT[seeds], RINGS_AT[seeds + 1]
    while high - low > 1:
        middle = (low + high) >> 1
        if U(KEYS[middle]) <= key:
            low = middle
        else:
            high = middle
    return low


@inlined
def place(a, b, op_a, op_b, seeds):
    """Where a board stands in the whole table; the other's words begin with the hole that follows the
    mover's first."""
    key, turn = least_turn(packed(a + b + op_a + op_b))
    begin = int64(BEGINS[ring_of(key, seeds)])
    a, b, op_a, op_b = turned(a, turn), turned(b, turn), turned(op_a, turn), turned(op_b, turn)
    number = int64(0)
    for _pair in range(8):
        one, two, three = int64(a & FF), int64(b & FF), int64(op_a & FF)
        number *= WAYS[one + two + three + int64(op_b & FF)]
        number += one + TWO[one + two] + THREE[one + two + three]
        a, b, op_a, op_b = a >> U(8), b >> U(8), op_a >> U(8), op_b >> U(8)
    return begin + number


@inlined
def board_at(ring, number):
    """The words of the board with this number among those of a ring."""
    key = U(KEYS[ring])
    a, b, op_a, op_b = ZERO, ZERO, ZERO, ZERO
    for pair in range(7, -1, -1):
        seeds = int64((key >> (U(pair) * NIBBLE)) & U(15))
        held, shift = U(HOLDS[seeds, number % WAYS[seeds]]), U(8 * pair)
        number //= WAYS[seeds]
        a |= (held & FF) << shift
        b |= ((held >> U(8)) & FF) << shift
        op_a |= ((held >> U(16)) & FF) << shift
        op_b |= (held >> U(24)) << shift
    return a, b, op_a, op_b

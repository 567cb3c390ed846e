"""Herds and their numbers: the boards of Morabaraba after placing, numbered up to the board's 16 symmetries.

The mover's herd is turned so that it is the first of those that look the same turned, mirrored or
inside out; the other herd is turned along and numbered among the points that are left. Where a herd
has symmetries of its own a board has several numbers, which are solved alike.
"""

# mypy: allow-untyped-defs, allow-untyped-calls
# Compiled functions have no annotations: Numba infers their types, a set for each game.

from __future__ import annotations

from itertools import accumulate, combinations, product
from math import comb
from typing import Any

from mbegu.engine.arrays import np
from mbegu.engine.jit import inlined, int64
from mbegu.engine.kernels.bits import FF, ONE, ZERO, U, lowest, popcount

__all__ = [
    "BASES",
    "FEWEST",
    "HERDS",
    "MOST",
    "board_at",
    "following",
    "herd_rank",
    "place",
    "sizes_of",
]

POINTS = 24
FEWEST, MOST = 3, 8  # cows of a herd that can still play; of both herds in the largest table
LARGEST = MOST - FEWEST


def _turns() -> list[list[int]]:
    """Where each point goes: four turns, mirrored or not, inside out or not."""
    return [
        [8 * (2 - p // 8 if out else p // 8) + (mirror * (p % 8) + turn) % 8 for p in range(POINTS)]
        for out, mirror, turn in product((False, True), (1, -1), range(0, 8, 2))
    ]


def _turned_bytes() -> Any:
    """[turn, ring, byte] -> the points of a ring, turned."""
    table = np.zeros((16, 3, 256), np.uint32)
    for number, turn in enumerate(_turns()):
        for ring in range(3):
            for byte in range(256):
                points = (turn[8 * ring + i] for i in range(8) if byte >> i & 1)
                table[number, ring, byte] = sum(1 << point for point in points)
    return table


CHOOSE = np.array([[comb(n, k) for k in range(LARGEST + 2)] for n in range(POINTS + 1)], np.int64)
TURNED = _turned_bytes()


def _herds() -> tuple[Any, Any, list[list[int]]]:
    """[cows] -> where its herds begin; rank -> number and turn of the first of its like; those firsts."""
    if not hasattr(np, "unique"):  # nobody reads them there, see mbegu.engine.arrays
        return np.zeros(1), np.zeros(1), [[] for _cows in range(LARGEST + 1)]
    begin, likes, firsts = np.zeros(LARGEST + 1, np.int64), list[Any](), list[list[int]]()
    for cows in range(LARGEST + 1):
        begin[cows] = sum(len(like) for like in likes)
        points = np.array(list(combinations(range(POINTS), cows)), np.uint32)
        masks = np.sort((np.uint32(1) << points).sum(axis=1, dtype=np.uint32))  # in order of ranks
        turned = np.array([turn_all(masks, number) for number in range(16)])
        first = turned.min(axis=0)
        kept = np.unique(first)
        firsts.append([int(mask) for mask in kept])
        likes.append(np.searchsorted(kept, first) * 16 + turned.argmin(axis=0))
    return begin, np.concatenate(likes).astype(np.uint16), firsts


def turn_all(masks: Any, turn: int) -> Any:
    """Herds, turned."""
    rings = (TURNED[turn, ring, (masks >> 8 * ring) & 255] for ring in range(3))
    return np.bitwise_or.reduce(list(rings))


BEGIN, LIKE, FIRSTS = _herds()
HERDS = np.array([mask for herds in FIRSTS for mask in herds], np.uint64)
FIRST_HERD = np.array([0, *accumulate(map(len, FIRSTS))], np.int64)


def _bases() -> tuple[Any, list[int]]:
    """[mine, his] -> where the boards with so many cows begin in the table; the layers' sizes."""
    bases, sizes, at = np.zeros((LARGEST + 1, LARGEST + 1), np.int64), list[int](), 0
    for cows in range(MOST + 1):
        before = at
        for mine in range(FEWEST, cows - FEWEST + 1):
            bases[mine, cows - mine] = at
            at += boards_with(mine, cows - mine)
        sizes.append(at - before)
    return bases, sizes


def boards_with(mine: int, his: int) -> int:
    """How many numbers there are for boards with so many cows."""
    return len(FIRSTS[mine]) * comb(POINTS - mine, his)


BASES, SIZES = _bases()


def sizes_of(cows: int) -> list[int]:
    """The size of each layer, from no cows to so many."""
    return SIZES[: cows + 1]


# ---- compiled -------------------------------------------------------------------------------------


@inlined
def herd_rank(herd):
    """The rank of a herd among those with as many cows: the combinatorial number system."""
    rank, nth = int64(0), 1
    while herd != ZERO:
        rank += CHOOSE[lowest(herd), nth]
        herd &= herd - ONE
        nth += 1
    return rank


@inlined
def turned(herd, turn):
    """A herd, turned."""
    return (
        U(TURNED[turn, 0, herd & FF])
        | U(TURNED[turn, 1, (herd >> U(8)) & FF])
        | U(TURNED[turn, 2, (herd >> U(16)) & FF])
    )


@inlined
def turn_of(herd):
    """The turn that makes of a herd the first of its like."""
    return int64(LIKE[BEGIN[int64(popcount(herd))] + herd_rank(herd)]) & 15


@inlined
def place(me, op):
    """Where a board stands in the whole table."""
    mine, his = int64(popcount(me)), int64(popcount(op))
    like = int64(LIKE[BEGIN[mine] + herd_rank(me)])
    turn = like & 15
    me, op = turned(me, turn), turned(op, turn)
    rank, nth = int64(0), 1
    while op != ZERO:
        cow = lowest(op)
        rank += CHOOSE[cow - popcount(me & ((ONE << cow) - ONE)), nth]
        op &= op - ONE
        nth += 1
    return BASES[mine, his] + (like >> 4) * CHOOSE[24 - mine, his] + rank


@inlined
def board_at(rank, mine, his, herds, first_herd):
    """The board with this rank among those with so many cows: the mover's herd, and the other's as if
    the points of the first were not there."""
    across = CHOOSE[24 - mine, his]
    me = herds[first_herd[mine] + rank // across]
    left, op = rank % across, ZERO
    for nth in range(his, 0, -1):
        point = nth - 1
        while CHOOSE[point + 1, nth] <= left:
            point += 1
        left -= CHOOSE[point, nth]
        op |= ONE << U(point)
    return me, op


@inlined
def following(herd):
    """The next herd with as many cows, in the order of ranks (Gosper)."""
    low = herd & (ZERO - herd)
    up = herd + low
    return up | (((herd ^ up) >> U(2)) // low)


@inlined
def spread_over(herd, taken):
    """A herd on the points that are not taken."""
    while taken != ZERO:
        below = (taken & (ZERO - taken)) - ONE
        herd = (herd & below) | ((herd & ~below) << ONE)
        taken &= taken - ONE
    return herd

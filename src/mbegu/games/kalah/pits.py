"""Kalah without its stores, as tables and the solver see it: what lies in the pits, and who is to move.

What the stores hold has no influence on the play to come, so a board is two words of pits, the mover's
and the other's, and its value the margin of the stones that lie in them. A sowing is one row of a table:

    what to add to either word | the lanes of the last stone and across from it, if it ends in a pit of
    the mover | how many stones fall into his store | whether he moves again

Six pits a side have a class of their own, whose numbers the compiler knows. Boards of more than eight
pits have lanes of six bits, and so at most 63 stones; the others have lanes of eight.
"""

# mypy: allow-untyped-defs, allow-untyped-calls
# Compiled functions have no annotations: Numba infers their types, a set for each game.

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from math import comb
from typing import Any, NamedTuple

import numpy as np

from mbegu.engine.jit import inlined, int64
from mbegu.engine.kernels.bits import ONE, ZERO, U
from mbegu.engine.kernels.interface import implement
from mbegu.engine.memory import peek, peek_bits

__all__ = ["Six", "Wide", "board_facts", "board_of", "half_word", "most_stones"]

# The words of a thread, the numbers that stay the same while a table is built or a position solved.
SOWINGS, EMPTY_CAPTURE, PLACES, HALVES, STEPS = 0, 1, 2, 3, 4
THREAD_WORDS = 64

MOST_PITS, NARROW = 10, 8  # pits with lanes of eight bits
STONES = 64  # the most in a table, and one
ROW = 8  # words of a sowing


class Six(NamedTuple):
    """A board of six pits a side: where its facts are."""

    thread: int


class Wide(NamedTuple):
    """A board of any length."""

    thread: int
    pits: np.int64
    width: np.uint64


BOARDS = (Six, Wide)


def pits_of(board: Any) -> int:  # type: ignore[empty-body]
    """The pits of a side."""


def width_of(board: Any) -> int:  # type: ignore[empty-body]
    """The bits of a lane."""


def ones_of(board: Any) -> int:  # type: ignore[empty-body]
    """A word with a one in each lane."""


@implement(pits_of, Six)
def _six(board):
    return 6


@implement(width_of, Six)
def _eight(board):
    return U(8)


@implement(pits_of, Wide)
def _pits(board):
    return board.pits


@implement(width_of, Wide)
def _width(board):
    return board.width


@implement(ones_of, Six)
def _ones(board):
    return U(0x0101010101010101)


@implement(ones_of, Wide)
def _any_ones(board):
    return U(0x0101010101010101) if board.width == U(8) else U(0x0041041041041041)


@inlined
def stones_in(board, word, pit):
    """The stones of one pit."""
    width = width_of(board)
    return (word >> (U(pit) * width)) & ((ONE << width) - ONE)


@inlined
def stones_of(board, word):
    """The stones of a side."""
    summed = word * ones_of(board)
    return int64(summed >> U(56) if width_of(board) == U(8) else (summed >> U(54)) & U(63))


@inlined
def is_over(me, op):
    """Whether a side is empty: then each keeps what it has."""
    return me == ZERO or op == ZERO  # noqa: PLR1714 (Numba knows no sets of words)


@inlined
def sown(board, me, op, pit):
    """Both words after a move, seen from the mover; what he gains; whether he moves again."""
    count = stones_in(board, me, pit)
    row = peek(board.thread, SOWINGS) + ((int64(pit) * 256 + int64(count)) << 6)
    me += peek_bits(row, 0)
    op += peek_bits(row, 1)
    last, across = peek_bits(row, 2), peek_bits(row, 3)
    kept = peek(row, 4)
    if last != ZERO and (me & last) == peek_bits(row, 6):
        facing = op & across
        if facing != ZERO or peek(board.thread, EMPTY_CAPTURE) != 0:
            me &= ~last
            op ^= facing
            kept += stones_of(board, facing) + 1
    return me, op, kept, peek(row, 5) != 0


@inlined
def half_rank(board, word):
    """The rank of a side among those with as many stones: the combinatorial number system."""
    width, steps = width_of(board), peek(board.thread, STEPS)
    sums = word * ones_of(board)
    mask = (ONE << width) - ONE
    rank = 0
    for pit in range(pits_of(board) - 1):
        rank += peek(steps, pit * STONES + int64((sums >> (U(pit) * width)) & mask))
    return rank


@inlined
def place(board, me, op):
    """Where a board stands in the table: by its stones, the mover's stones, his side, the other's."""
    own, other = stones_of(board, me), stones_of(board, op)
    first = peek(peek(board.thread, PLACES), (own + other) * STONES + own)
    across = peek(peek(board.thread, HALVES), other)
    return first + half_rank(board, me) * across + half_rank(board, op)


# ---- to and from Python


def most_stones(pits: int) -> int:
    """How many stones such a board may hold here."""
    return 127 if pits <= NARROW else STONES - 1


def half_word(counts: Sequence[int]) -> Any:
    """A side as a word."""
    width = 8 if len(counts) <= NARROW else 6
    return U(sum(count << width * pit for pit, count in enumerate(counts)))


def board_of(pits: int, thread: Any) -> Any:
    """The board whose facts are on a thread, an array of THREAD_WORDS words."""
    address = int(thread.ctypes.data)
    if pits == 6:
        return Six(address)
    return Wide(address, np.int64(pits), U(8 if pits <= NARROW else 6))


class Facts(NamedTuple):
    """The arrays to which a thread leads: they must live as long as it does."""

    thread: Any
    arrays: tuple[Any, ...]


def board_facts(pits: int, empty_capture: bool) -> Facts:
    """A new thread for such boards."""
    arrays = _sowings(pits), *_numbers(pits)
    thread = np.zeros(THREAD_WORDS, np.int64)
    thread[SOWINGS] = arrays[0].ctypes.data
    thread[EMPTY_CAPTURE] = empty_capture
    thread[PLACES], thread[HALVES], thread[STEPS] = (array.ctypes.data for array in arrays[1:])
    return Facts(thread, arrays)


@cache
def _sowings(pits: int) -> Any:
    """[pit, stones] -> the row of a sowing."""
    rows = np.zeros((pits, 256, ROW), np.uint64)
    width = 8 if pits <= NARROW else 6
    lane = (1 << width) - 1
    for pit in range(pits):
        ring, at = [0] * (2 * pits + 1), pit
        for stones in range(1, most_stones(pits) + 1):
            at = (at + 1) % len(ring)
            ring[at] += 1
            mine = int(half_word(ring[:pits])) - (stones << width * pit)
            inside = at < pits
            rows[pit, stones] = [
                *(mine % 2**64, half_word(ring[pits + 1 :])),
                *(lane << width * place if inside else 0 for place in (at, pits - 1 - at)),
                *(ring[pits], at == pits, 1 << width * at if inside else 0, 0),
            ]
    return rows


@cache
def _numbers(pits: int) -> tuple[Any, Any, Any]:
    """[stones, the mover's] -> the place of the first such board; [stones] -> sides; the steps of a rank."""
    halves = np.zeros(STONES, np.int64)
    places = np.zeros((STONES, STONES), np.int64)
    steps = np.zeros((MOST_PITS, STONES), np.int64)
    for stones in range(STONES):
        halves[stones] = comb(stones + pits - 1, pits - 1)
        for pit in range(MOST_PITS):
            steps[pit, stones] = min(comb(stones + pit, pit + 1), 2**62)
    for stones in range(STONES):
        at = comb(stones + 2 * pits - 1, 2 * pits)
        for own in range(stones + 1):
            places[stones, own] = min(at, 2**62)
            at += int(halves[own]) * int(halves[stones - own])
    return places, halves, steps

"""Retrograde analysis of Kalah: what every board with few stones is worth to the player to move.

A move that reaches the store or captures leads to fewer stones, which are solved already. The others
shift stones along the mover's own row; such a side has a lower rank than before (see `half_rank`), so
nothing comes again, and there is an order in which every board comes after all that it leads to: for each
side of one player in the order of ranks, for each of the other, first the one to move, then the other.
"""

# mypy: allow-untyped-defs, allow-untyped-calls
# Compiled functions have no annotations: Numba infers their types, a set for each game.

from __future__ import annotations

from typing import Any

from mbegu.engine.jit import compiled, inlined, intrinsic, ir, types
from mbegu.engine.kernels.bits import ZERO, U
from mbegu.engine.memory import peek, peek_bits
from mbegu.engine.tables.atomic import byte_at, reserve
from mbegu.games.kalah.pits import (
    HALVES,
    PLACES,
    STONES,
    is_over,
    pits_of,
    place,
    sown,
    stones_in,
    stones_of,
    width_of,
)

__all__ = ["check_shares", "solve_shares", "value_at", "worth", "write_sides"]

Words = tuple[Any, ...]


def _put_byte(context: Any, address: Any, index: Any, value: Any) -> Any:
    """Writes the byte with this index."""

    def code(context: Any, builder: Any, signature: Any, args: Words) -> Any:
        byte = ir.IntType(8)
        pointer = builder.gep(builder.inttoptr(args[0], byte.as_pointer()), [args[1]])
        builder.store(builder.trunc(args[2], byte), pointer)
        return context.get_dummy_value()

    return types.void(types.int64, types.int64, types.int64), code


put_byte: Any = intrinsic(_put_byte)


@inlined
def value_at(table, at, stones):
    """A value in the table: all margins of so many stones are odd, or all are even."""
    return 2 * byte_at(table, at) - stones


@inlined
def worth(board, table, me, op, stones):
    """What the best move brings."""
    if is_over(me, op):
        return stones_of(board, me) - stones_of(board, op)
    best = -stones
    for pit in range(pits_of(board)):
        if stones_in(board, me, pit) == ZERO:
            continue
        mine, his, kept, again = sown(board, me, op, pit)
        left = stones - kept
        if is_over(mine, his):
            value = kept + stones_of(board, mine) - stones_of(board, his)
        elif again:
            value = kept + value_at(table, place(board, mine, his), left)
        else:
            value = kept - value_at(table, place(board, his, mine), left)
        best = max(best, value)
    return best


@compiled
def solve_shares(begin, end, board, words, table, stones):
    """Solves the boards with so many stones of which one player has `begin`, `begin` + 1…, up to half."""
    halves, places = peek(board.thread, HALVES), peek(board.thread, PLACES)
    for own in range(begin, end):
        other = stones - own
        mine, his = peek(words, own), peek(words, other)
        first, count = peek(places, stones * STONES + own), peek(halves, own)
        second, across = peek(places, stones * STONES + other), peek(halves, other)
        for i in range(count):
            me = peek_bits(mine, i)
            for j in range(i + 1 if own == other else across):
                op = peek_bits(his, j)
                value = worth(board, table, me, op, stones)
                put_byte(table, first + i * across + j, (value + stones) >> 1)
                value = worth(board, table, op, me, stones)
                put_byte(table, second + j * count + i, (value + stones) >> 1)


@compiled
def check_shares(begin, end, board, words, table, stones, wrong):
    """Counts the boards that are not worth what the best move brings."""
    halves, places = peek(board.thread, HALVES), peek(board.thread, PLACES)
    for own in range(begin, end):
        other = stones - own
        mine, his = peek(words, own), peek(words, other)
        first, across = peek(places, stones * STONES + own), peek(halves, other)
        bad = 0
        for i in range(peek(halves, own)):
            me = peek_bits(mine, i)
            for j in range(across):
                value = worth(board, table, me, peek_bits(his, j), stones)
                bad += value != value_at(table, first + i * across + j, stones)
        reserve(wrong, bad)


@compiled
def write_sides(board, words, stones, counts):
    """Writes every side with so many stones, in the order of ranks."""
    pits, width = pits_of(board), width_of(board)
    counts[:] = 0
    counts[pits - 1] = stones
    for at in range(len(words)):
        word = ZERO
        for pit in range(pits):
            word |= U(counts[pit]) << (U(pit) * width)
        words[at] = word
        # The next one: the first pit that can give a stone back to the pits before it does.
        pit = 1
        while pit < pits and counts[pit] == 0:
            pit += 1
        if pit < pits:
            moved = counts[0] + 1
            counts[0] = 0
            counts[pit] -= 1
            counts[pit - 1] = moved

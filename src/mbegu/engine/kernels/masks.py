"""Sets of moves as one 64-bit mask: the words `some` to `contains` of the games that sow.

A kernel calls one of the two functions with its state classes:

    one_bit_a_move(Urubugu, UrubuguVariant)    bit m is move m
    one_lane_a_move(Oware, OwareVariant)       the top bit of lane m is move m
"""

# mypy: allow-untyped-defs, allow-untyped-calls
# Compiled functions have no annotations: Numba infers their types, a set for each game.

from __future__ import annotations

from mbegu.engine.jit import int64
from mbegu.engine.kernels import interface as the
from mbegu.engine.kernels.bits import ONE, ZERO, U, lowest, nth_bit, popcount
from mbegu.engine.kernels.interface import implement


def one_bit_a_move(*classes: type) -> None:
    """The set of moves of these states is a mask in which bit m is move m."""
    _one_mask(*classes)

    @implement(the.first, *classes)
    def first(state, moves):
        return int64(lowest(moves))

    @implement(the.nth, *classes)
    def nth(state, moves, k):
        return int64(nth_bit(moves, k))

    @implement(the.contains, *classes)
    def contains(state, moves, move):
        return (moves >> U(move)) & ONE != ZERO


def one_lane_a_move(*classes: type) -> None:
    """The set of moves of these states is a mask in which the top bit of lane m is move m.

    There are fewer moves than lanes."""
    _one_mask(*classes)

    @implement(the.first, *classes)
    def first(state, moves):
        return int64(lowest(moves) >> U(3))

    @implement(the.nth, *classes)
    def nth(state, moves, k):
        return int64(nth_bit(moves, k) >> U(3))

    @implement(the.contains, *classes)
    def contains(state, moves, move):
        return move < 8 and (moves >> U(8 * move + 7)) & ONE != ZERO


def _one_mask(*classes: type) -> None:
    @implement(the.some, *classes)
    def some(state, moves):
        return moves != ZERO

    @implement(the.size, *classes)
    def size(state, moves):
        return int64(popcount(moves))

    @implement(the.rest, *classes)
    def rest(state, moves):
        return moves & (moves - ONE)

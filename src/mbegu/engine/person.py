"""A search that thinks as people do: not far, not sharply, and not of every move.

It looks a few plies ahead and stops there, whatever hangs. A move is *overlooked* with a chance
that grows with the number of holes it changes: a long sowing, or a relay round the board, is hard
to count in the head. A position is judged with an error, the same whenever it comes up. Both
depend on nothing but the seed and the position, so a thought can be repeated.
"""

# mypy: allow-untyped-defs, allow-untyped-calls
# Compiled functions have no annotations: Numba infers their types, a set for each game.

from __future__ import annotations

from typing import Any

import numpy as np
from numba import int64

from mbegu.engine.jit import compiled, inlined
from mbegu.engine.kernels.awale2 import ALL as AWALE2
from mbegu.engine.kernels.bits import ZERO, U, mix, occupied, popcount
from mbegu.engine.kernels.interface import (
    State,
    again,
    first,
    implement,
    key,
    legal,
    margin,
    play,
    rest,
    some,
)
from mbegu.engine.kernels.kalah import SIX, KalahWide
from mbegu.engine.kernels.morabaraba import ALL as MORABARABA
from mbegu.engine.kernels.oware import ALL as OWARE
from mbegu.engine.kernels.urubugu import ALL as URUBUGU
from mbegu.engine.values import INFINITE, estimate, final

__all__ = ["choose_move", "effort"]

CHANCES = 1024  # the scale of `miss`: this is certainty for a move that changes eight holes
PLAIN = 8  # holes


def effort(before: State, after: State) -> int:  # type: ignore[empty-body]
    """How many holes the move between two states changes: how hard it is to see beforehand."""


@inlined
def _changed(old, new):
    return int64(popcount(occupied(old ^ new)))


@implement(effort, *OWARE)
def _oware_effort(before, after):
    return _changed(before.me, after.op) + _changed(before.op, after.me)


@implement(effort, *SIX)
def _kalah_effort(before, after):
    if again(after):
        return _changed(before.me, after.me) + _changed(before.op, after.op)
    return _changed(before.me, after.op) + _changed(before.op, after.me)


@implement(effort, KalahWide)
def _wide_effort(before, after):
    if again(after):
        mine = _changed(before.me, after.me) + _changed(before.me2, after.me2)
        return mine + _changed(before.op, after.op) + _changed(before.op2, after.op2)
    mine = _changed(before.me, after.op) + _changed(before.me2, after.op2)
    return mine + _changed(before.op, after.me) + _changed(before.op2, after.me2)


@implement(effort, *AWALE2)
def _awale2_effort(before, after):
    mine = _changed(before.a, after.op_a) | _changed(before.b, after.op_b)
    return mine + _changed(before.op_a, after.a) + _changed(before.op_b, after.b)


@implement(effort, *URUBUGU)
def _urubugu_effort(before, after):
    mine = _changed(before.back, after.op_back) + _changed(before.front, after.op_front)
    his = _changed(before.op_back, after.back) + _changed(before.op_front, after.front)
    return (mine + his) // 2


@implement(effort, *MORABARABA)
def _morabaraba_effort(before, after):
    return 4  # a cow more or less here and there: all of them are equally easy


@inlined
def _overlooks(state, child, move, seed, miss):
    """Whether this thinker does not see a move."""
    lot = int64(mix(key(state) ^ seed, U(move + 1)) >> U(54))
    return lot * PLAIN < miss * effort(state, child)


@inlined
def _judged(state, seed, blur):
    """The estimate with this thinker's error: two dice, so that small errors are the usual ones."""
    lot = mix(key(state) + seed, seed)
    dice = int64(lot & U(1023)) + int64((lot >> U(10)) & U(1023)) - 1023
    return estimate(state) + ((dice * blur) >> 10)


@compiled
def foresee(state, depth, alpha, beta, ply, seed, miss, blur):
    """What the thinker believes a position to be worth to the player to move."""
    moves = legal(state)
    if not some(state, moves):
        return final(state, margin(state), ply)
    if depth <= 0:
        return _judged(state, seed, blur)
    best = -INFINITE
    while some(state, moves):
        move = first(state, moves)
        moves = rest(state, moves)
        child = play(state, move)
        if miss > 0 and _overlooks(state, child, move, seed, miss):
            continue
        if again(child):
            value = foresee(child, depth - 1, alpha, beta, ply + 1, seed, miss, blur)
        else:
            value = -foresee(child, depth - 1, -beta, -alpha, ply + 1, seed, miss, blur)
        if value > best:
            best = value
            alpha = max(alpha, value)
            if alpha >= beta:
                break
    if best == -INFINITE:  # sees no move at all
        return _judged(state, seed, blur)
    return best


@compiled
def consider(state, depth, seed, miss, blur):
    """The move that looks best: of those it sees, and if it sees none, of all."""
    best_move = -1
    for attempt in range(2):
        best = -INFINITE
        moves = legal(state)
        while some(state, moves):
            move = first(state, moves)
            moves = rest(state, moves)
            child = play(state, move)
            # One's own moves are half as hard to see as those of later plies.
            if attempt == 0 and _overlooks(state, child, move, seed, miss // 2):
                continue
            if again(child):
                value = foresee(child, depth - 1, best, INFINITE, int64(1), seed, miss, blur)
            else:
                value = -foresee(child, depth - 1, -INFINITE, -best, int64(1), seed, miss, blur)
            lot = mix(key(child), seed) & U(1)  # between equals
            if value > best or (value == best and lot != ZERO):
                best, best_move = value, move
        if best_move >= 0:
            break
    return best_move


def choose_move(state: Any, depth: int, seed: int, miss: int, blur: int) -> int:
    """The move of a thinker who looks `depth` plies ahead, overlooks and misjudges so much."""
    return int(consider(state, depth, np.uint64(seed % 2**64), miss, blur))

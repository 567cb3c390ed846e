"""A human-like search for the lower levels: not far, not sharply, and not of every move.

It looks a few plies ahead and stops there, whatever hangs. A move is *overlooked* with a chance
that grows with the number of holes it changes: a long sowing, or a relay round the board, is hard
to count in the head. A position is judged with an error, the same whenever it comes up. Both
depend on nothing but the seed and the position, so a thought can be repeated.
"""

# mypy: allow-untyped-defs, allow-untyped-calls
# Compiled functions have no annotations: Numba infers their types, a set for each game.

from __future__ import annotations

from typing import Any

from mbegu.engine.arrays import np
from mbegu.engine.evaluation import effort
from mbegu.engine.jit import compiled, inlined, int64
from mbegu.engine.kernels.bits import ZERO, U, mix
from mbegu.engine.kernels.interface import again, first, key, legal, margin, play, rest, some
from mbegu.engine.values import INFINITE, estimate, final

__all__ = ["choose_move"]

CHANCES = 1024  # the scale of `miss`: this is certainty for a move that changes eight holes
PLAIN = 8  # holes


@inlined
def _overlooks(state, child, move, seed, miss):
    """Whether this player does not see a move."""
    lot = int64(mix(key(state) ^ seed, U(move + 1)) >> U(54))
    return lot * PLAIN < miss * effort(state, child)


@inlined
def _judged(state, seed, blur):
    """The estimate with this player's error: two dice, so that small errors are the usual ones."""
    lot = mix(key(state) + seed, seed)
    dice = int64(lot & U(1023)) + int64((lot >> U(10)) & U(1023)) - 1023
    return estimate(state) + ((dice * blur) >> 10)


@compiled
def foresee(state, depth, alpha, beta, ply, seed, miss, blur):
    """What the player believes a position to be worth to the player to move."""
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
    best_move, top = (
        -1,
        int64(INFINITE),
    )  # a literal would make a second `foresee` that calls the first
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
                value = foresee(child, depth - 1, best, top, int64(1), seed, miss, blur)
            else:
                value = -foresee(child, depth - 1, -top, -best, int64(1), seed, miss, blur)
            lot = mix(key(child), seed) & U(1)  # between equals
            if value > best or (value == best and lot != ZERO):
                best, best_move = value, move
        if best_move >= 0:
            break
    return best_move


def choose_move(state: Any, depth: int, seed: int, miss: int, blur: int) -> int:
    """The move of a player who looks `depth` plies ahead, overlooks and misjudges so much."""
    return int(consider(state, depth, np.uint64(seed % 2**64), miss, blur))

"""Move ordering: the hash move first, then extra turns and captures, killer moves, history heuristic."""

from __future__ import annotations

from mbegu.engine.jit import inlined
from mbegu.engine.kernels.interface import again, first, play, rest, some
from mbegu.engine.knowledge import gain
from mbegu.engine.memory import peek, poke
from mbegu.engine.thread_data import HISTORY, KILLERS, LISTS, MOST_MOVES

HASH_MOVE, KILLER = 1 << 40, 1 << 20


@inlined
def list_moves(state, moves, hash_move, ply, thread):  # type: ignore[no-untyped-def]
    """Writes the moves with their merits to the thread's list; returns how many."""
    at = LISTS + ply * MOST_MOVES
    count = 0
    killer, other = peek(thread, KILLERS + 2 * ply), peek(thread, KILLERS + 2 * ply + 1)
    while some(state, moves):
        move = first(state, moves)
        moves = rest(state, moves)
        if move == hash_move:
            merit = HASH_MOVE
        else:
            child = play(state, move)
            merit = peek(thread, HISTORY + move) + (gain(state, child) << 22)
            if again(child):
                merit += 1 << 24
            if move == killer:
                merit += KILLER + 1
            elif move == other:
                merit += KILLER
        poke(thread, at + count, (merit << 12) | move)
        count += 1
    return count


@inlined
def take_best(at, i, count, thread):  # type: ignore[no-untyped-def]
    """Brings the best of the moves from the i-th on forward and returns it."""
    best, where = peek(thread, at + i), i
    for j in range(i + 1, count):
        merit = peek(thread, at + j)
        if merit > best:
            best, where = merit, j
    if where != i:
        poke(thread, at + where, peek(thread, at + i))
        poke(thread, at + i, best)
    return best


@inlined
def remember_refutation(move, depth, ply, thread):  # type: ignore[no-untyped-def]
    """Killer moves and history heuristic: remembers a quiet move that refuted a position."""
    if peek(thread, KILLERS + 2 * ply) != move:
        poke(thread, KILLERS + 2 * ply + 1, peek(thread, KILLERS + 2 * ply))
        poke(thread, KILLERS + 2 * ply, move)
    old = peek(thread, HISTORY + move)
    bonus = min(depth * depth, 400) * 32
    poke(thread, HISTORY + move, old + bonus - ((old * bonus) >> 19))

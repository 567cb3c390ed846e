"""Forced wins: whether a player wins within so many plies, whatever the other one does.

The search ranks a higher win before a nearer one, so the distance in its values is that of one line:
the loser may hold out longer at the price of a seed. What people are told, and UGI's `mate`, is
found here, where nothing counts but the result and the moves to it. A thread's word LEAST tells by how much
the win must be: 1 for any win; the proved margin, to find how soon all of it can be had.

An endgame table tells where no such win can be, so that nobody looks for one there. It never tells that there is
one: its wins have no distance.

A position that comes back is no win here, whatever the rules would make of it. What is remembered
is good for one root and its past, see `mbegu.engine.repetition`: a claim of a win within `n` plies rests
on earlier claims only.
"""

from __future__ import annotations

from mbegu.engine.jit import compiled, inlined, int64
from mbegu.engine.kernels.bits import U
from mbegu.engine.kernels.interface import again, first, key, legal, margin, play, rest, some
from mbegu.engine.knowledge import NEVER, bounds, recurrence
from mbegu.engine.memory import peek, peek_bits, poke_bits
from mbegu.engine.recursion import itself_of_six as forced_itself
from mbegu.engine.repetition import comes_back, enter
from mbegu.engine.tables.probe import consult, is_tabled
from mbegu.engine.thread_data import LEAST, STOPPED, must_stop

MEMO_WORDS = 1 << 15
FARTHEST = 60  # plies; six bits


@inlined
def _slot(hashed):  # type: ignore[no-untyped-def]
    return int64(hashed >> U(49))


@inlined
def _note(hashed, left, mine, won):  # type: ignore[no-untyped-def]
    """56 bits of the key (the slot tells the others), the plies, whose turn it is, and the answer."""
    return (hashed << U(8)) | U((left << 2) | (mine << 1) | won)


@inlined
def _known(memo, hashed, left, mine):  # type: ignore[no-untyped-def]
    """1 or 0 if it is known whether he wins within so many plies, else -1."""
    note = peek_bits(memo, _slot(hashed))
    if (note ^ (hashed << U(8))) >> U(8) != U(0) or int64(note >> U(1)) & 1 != mine:
        return -1
    plies, won = int64(note >> U(2)) & 63, int64(note) & 1
    if won == 1:
        return 1 if plies <= left else -1
    return 0 if plies >= left and plies > 0 else -1


@inlined
def _reach(state, thread):  # type: ignore[no-untyped-def]
    """Between which margins the game ends, by the rules and by the table."""
    low, high = bounds(state)
    if is_tabled(state, thread):
        _guess, least, most = consult(state, thread)
        return max(low, least), min(high, most)
    return low, high


@compiled
def forced(state, left, mine, ply, thread, memo):  # type: ignore[no-untyped-def]
    """1 if he wins within `left` plies from here, where he is to move if `mine` is 1, else 0."""
    if must_stop(thread):
        return int64(0)
    moves, least = legal(state), peek(thread, LEAST)
    if not some(state, moves):
        return int64(margin(state) >= least if mine == 1 else margin(state) <= -least)
    low, high = _reach(state, thread)
    if left == 0 or (high < least if mine == 1 else low > -least):
        return int64(0)
    if recurrence(state) != NEVER and comes_back(ply, thread):
        return int64(0)
    here = key(state)
    known = _known(memo, here, left, mine)
    if known >= 0:
        return int64(known)
    won = 1 - mine
    while won != mine and some(state, moves):
        child = play(state, first(state, moves))
        moves = rest(state, moves)
        enter(child, state, ply + 1, thread)
        his = mine if again(child) else 1 - mine
        won = forced_itself(child, left - 1, his, ply + 1, thread, memo)
    if peek(thread, STOPPED) != 0:
        return int64(0)
    poke_bits(memo, _slot(here), _note(here, left, mine, won))
    return int64(won)


@compiled
def forced_by(state, move, plies, wins, thread, memo):  # type: ignore[no-untyped-def]
    """Whether the move wins (or loses, if `wins` is 0) by force within so many plies, itself included."""
    child = play(state, move)
    enter(child, state, 1, thread)
    mine = wins if again(child) else 1 - wins
    return forced(child, plies - 1, mine, int64(1), thread, memo)

"""A null-window search that solves Kalah: it asks of a position only whether it is worth so much, or not.

Such a search (alpha-beta with a window of no width) proves a bound and nothing else, and everything it
finds stays true: an entry of the transposition table is a lower and an upper bound of the margin of
the stones in the pits, whatever the stores hold. A line of four entries of two words:

    key, combined with the second word by exclusive or | check 32, work 6, move + 1: 4, high + 128: 8, low + 128: 8

Boards with few stones are looked up in a table. Before a move is searched, all moves are looked up
(enhanced transposition cut-off); threads leave to each other what they are busy with.
"""

# mypy: allow-untyped-defs, allow-untyped-calls
# Compiled functions have no annotations: Numba infers their types, a set for each game.

from __future__ import annotations

from mbegu.engine.jit import compiled, inlined, int64
from mbegu.engine.kernels.bits import ZERO, U, leading_zeros
from mbegu.engine.memory import fetch, peek, peek_anew, peek_bits, poke, poke_bits
from mbegu.engine.recursion import itself_of_six
from mbegu.games.kalah.pits import is_over, pits_of, place, sown, stones_in, stones_of
from mbegu.games.kalah.retrograde import value_at

__all__ = ["count_work", "pick_out", "prove", "refill", "remembered"]

# The words of a thread, after those of the board.
TABLE, TABLED = 8, 9  # the table's bytes and its most stones
LINES_AT, LINES = 10, 11  # of the transposition table
NODES, STOP, STOPPED = 12, 13, 14  # STOP is the address of a word that all threads peek_anew
BUSY_AT, SHARED = 15, 16  # what the threads are busy with; whether there are several
SCRATCH = 18
BUSY_SLOTS = 1 << 15
TELLING = 5  # stones more than the table knows: then a board is worth telling the others
CHILD = 8  # words of a child in the scratch
PLY = 12 * CHILD
MOST_PLIES = 512

MIDDLE = 128
NEVER = 1 << 20
LATER = 1 << 16  # taken off the order of a move that another thread is busy with
MIXER = U(0xD6E8FEB86659FD93)


@inlined
def key_of(me, op):
    """A well-mixed hash of a board."""
    x = (me ^ (op * U(0x9E3779B97F4A7C15))) * MIXER
    x = (x ^ (x >> U(32)) ^ op) * MIXER
    return x ^ (x >> U(29))


@inlined
def check_of(me, op):
    """Another hash, of 32 bits, so that no two boards are taken for each other."""
    x = (op ^ (me * U(0xA24BAED4963EE407))) * U(0x9FB21C651E98DF25)
    return (x ^ (x >> U(31))) & U(0xFFFFFFFF)


@inlined
def line_of(key, thread):
    """The first word of the line in which a board may stand."""
    return int64((((key >> U(32)) * U(peek(thread, LINES))) >> U(32)) << U(3))


@inlined
def look_up(key, check, thread):
    """The entry of a board, 0 when there is none."""
    table, at = peek(thread, LINES_AT), line_of(key, thread)
    for i in range(at, at + 8, 2):
        found = peek_bits(table, i + 1)
        if peek_bits(table, i) ^ found == key and found >> U(32) == check:
            return found
    return ZERO


@inlined
def low_of(found):
    """The lower bound in an entry."""
    return int64(found & U(0xFF)) - MIDDLE


@inlined
def high_of(found):
    """The upper bound."""
    return int64((found >> U(8)) & U(0xFF)) - MIDDLE


@inlined
def move_of(found):
    """The move that proved the lower bound, -1 if there is none."""
    return int64((found >> U(16)) & U(0xF)) - 1


@inlined
def work_of(found):
    """The logarithm of the nodes that it cost."""
    return int64((found >> U(20)) & U(0x3F))


@inlined
def keep(key, check, low, high, move, nodes, thread):
    """Stores bounds, in place of what cost least; the last entry of a line takes all the rest."""
    table, at = peek(thread, LINES_AT), line_of(key, thread)
    work = 64 - int64(leading_zeros(U(nodes)))
    spot, least = at, 1 << 30
    for i in range(at, at + 8, 2):
        found = peek_bits(table, i + 1)
        if found == ZERO or (peek_bits(table, i) ^ found == key and found >> U(32) == check):
            spot, least = i, -1
            if found != ZERO:
                work = max(work, work_of(found))
            break
        if i < at + 6 and work_of(found) < least:
            spot, least = i, work_of(found)
    if least > work:
        spot = at + 6
    new = (
        (check << U(32))
        | (U(work) << U(20))
        | (U(move + 1) << U(16))
        | (U(high + MIDDLE) << U(8))
        | U(low + MIDDLE)
    )
    poke_bits(table, spot, key ^ new)
    poke_bits(table, spot + 1, new)


@inlined
def is_stopped(thread):
    """Counts a node, and looks now and then whether to stop."""
    nodes = peek(thread, NODES) + 1
    poke(thread, NODES, nodes)
    if nodes & 0xFFF == 0 and peek_anew(peek(thread, STOP), 0) != 0:
        poke(thread, STOPPED, 1)
    return peek(thread, STOPPED) != 0


@inlined
def busy_slot(key):
    """Where a board stands that somebody is busy with."""
    return int64(key & U(BUSY_SLOTS - 1))


@compiled
def prove(board, me, op, stones, beta, ply):
    """Whether the stones in the pits are worth at least `beta` to the player to move: an answer of at
    least beta is a lower bound, any other an upper bound."""
    thread = board.thread
    if ply >= MOST_PLIES:  # no room for more: better no answer than a wrong one
        poke(thread, STOPPED, 1)
    if is_stopped(thread):
        return int64(0)
    began = peek(thread, NODES)
    key, check = key_of(me, op), check_of(me, op)
    found = look_up(key, check, thread)
    low, high, best_move = -stones, stones, int64(-1)
    if found != ZERO:
        low, high, best_move = low_of(found), high_of(found), move_of(found)
    if low >= beta:
        return low
    if high < beta:
        return high
    # Every move is made. What ends the game or stands in the table is known at once.
    tabled, table = peek(thread, TABLED), peek(thread, TABLE)
    here = peek(thread, SCRATCH) + ply * (PLY * 8)
    limit, count = -NEVER, 0
    for pit in range(pits_of(board) - 1, -1, -1):
        if stones_in(board, me, pit) == ZERO:
            continue
        mine, his, kept, again = sown(board, me, op, pit)
        left = stones - kept
        if is_over(mine, his):
            value = kept + stones_of(board, mine) - stones_of(board, his)
        elif left <= tabled:
            if again:
                value = kept + value_at(table, place(board, mine, his), left)
            else:
                value = kept - value_at(table, place(board, his, mine), left)
        else:
            if kept + left < beta:  # even all that is left would not do
                limit = max(limit, kept + left)
                continue
            if not again:
                mine, his = his, mine
            child = here + count * (CHILD * 8)
            child_key = key_of(mine, his)
            fetch(peek(thread, LINES_AT), line_of(child_key, thread))
            poke_bits(child, 0, mine)
            poke_bits(child, 1, his)
            poke(child, 2, left)
            poke(child, 3, kept)
            poke(child, 4, int64(again))
            poke_bits(child, 5, child_key)
            poke(child, 6, pit)
            count += 1
            continue
        limit = max(limit, value)
        if value >= beta:
            keep(key, check, value, high, pit, peek(thread, NODES) - began + 1, thread)
            return value
    # What is known of the others, and in which order they are searched.
    for i in range(count):
        child = here + i * (CHILD * 8)
        mine, his = peek_bits(child, 0), peek_bits(child, 1)
        left, kept, again, pit = peek(child, 2), peek(child, 3), peek(child, 4), peek(child, 6)
        seen = look_up(peek_bits(child, 5), check_of(mine, his), thread)
        least, most = kept - left, kept + left
        order = kept * 4 + pit
        if seen != ZERO:
            if again:
                least, most = kept + low_of(seen), kept + high_of(seen)
            else:
                least, most = kept - high_of(seen), kept - low_of(seen)
            if least >= beta:
                keep(key, check, least, high, pit, peek(thread, NODES) - began + 1, thread)
                return least
        if most < beta:
            limit = max(limit, most)
            order = -NEVER
        else:
            if again:
                order += 200
            if pit == best_move:
                order += 1000
        poke(child, 7, order)
    shared = peek(thread, SHARED) != 0 and stones > tabled + TELLING
    busy = peek(thread, BUSY_AT)
    searched = 0
    while True:
        chosen, top = -1, -NEVER
        for i in range(count):
            order = peek(here, i * CHILD + 7)
            if order > top:
                chosen, top = i, order
        if chosen < 0:
            break
        child = here + chosen * (CHILD * 8)
        slot = busy_slot(peek_bits(child, 5))
        if shared:
            if searched > 0:
                found = look_up(key, check, thread)  # another thread may have answered
                if found != ZERO and (low_of(found) >= beta or high_of(found) < beta):
                    return low_of(found) if low_of(found) >= beta else high_of(found)
                if top > -LATER and peek_bits(busy, slot) == peek_bits(child, 5):
                    poke(child, 7, top - 2 * LATER)
                    continue
            poke_bits(busy, slot, peek_bits(child, 5))
        searched += 1
        poke(child, 7, -NEVER)
        kept = peek(child, 3)
        mine, his, left = peek_bits(child, 0), peek_bits(child, 1), peek(child, 2)
        if peek(child, 4) != 0:
            value = kept + itself_of_six(board, mine, his, left, beta - kept, ply + 1)
        else:
            value = kept - itself_of_six(board, mine, his, left, kept - beta + 1, ply + 1)
        if peek(thread, STOPPED) != 0:
            return int64(0)
        if shared:
            poke_bits(busy, slot, ZERO)
        limit = max(limit, value)
        if value >= beta:
            keep(key, check, value, high, peek(child, 6), peek(thread, NODES) - began + 1, thread)
            return value
    limit = min(limit, high)
    keep(key, check, low, limit, best_move, peek(thread, NODES) - began + 1, thread)
    return limit


@compiled
def remembered(me, op, thread):
    """The move that proved the lower bound of a board, -1 if nobody remembers."""
    found = look_up(key_of(me, op), check_of(me, op), thread)
    return move_of(found) if found != ZERO else int64(-1)


@compiled
def count_work(rows, counts):
    """How many entries cost how much."""
    for i in range(len(rows)):
        if rows[i, 1] != ZERO:
            counts[work_of(rows[i, 1])] += 1


@compiled
def pick_out(rows, least, picked):
    """Copies the entries that cost at least so much, as key and contents; how many they are."""
    count = 0
    for i in range(len(rows)):
        contents = rows[i, 1]
        if contents != ZERO and work_of(contents) >= least and count < len(picked):
            picked[count, 0] = rows[i, 0] ^ contents
            picked[count, 1] = contents
            count += 1
    return count


@compiled
def refill(rows, thread):
    """Puts entries back that were picked out."""
    for i in range(len(rows)):
        key, contents = rows[i, 0], rows[i, 1]
        low, high, work = low_of(contents), high_of(contents), work_of(contents)
        nodes = int64(1) << (max(work, 1) - 1)
        keep(key, contents >> U(32), low, high, move_of(contents), nodes, thread)

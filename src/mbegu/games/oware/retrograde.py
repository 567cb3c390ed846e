"""Retrograde analysis of Oware: what every board with few seeds is worth to the player to move.

The value of a board is the margin of the seeds that lie on it, for the player to move; what has been
captured before has no influence on it. A capture leads to a layer with fewer seeds, which is solved
already. Within a layer play may go in circles: an endless game shares the seeds evenly, the convention
of the Awari databases of Lincke and of Romein and Bal. For v from n seeds down to 1,

    a board is worth  v  if a capture is worth v, or a quiet move leads to a board worth -v;
    a board is worth -v  if no capture is worth more, and all quiet moves lead to boards worth v or more.

Each board is *settled* once, and then told to the boards before it, which are found by taking moves
back. What is not settled in the end is worth 0.

By the rule of a match an endless game is not shared evenly: it stops when a board comes back, and
each side keeps its seeds. So a table also tells between which *bounds* the value lies whatever an
endless game is worth: `low` as if it were lost for the mover, `high` as if it were won. For v from n
down to -n,

    a board is *held* at v (low >= v)     if a capture is worth v, or a quiet move leads to one *barred* at v;
    a board is *barred* at v (high <= -v) if no capture is worth more, and all quiet moves lead to held ones.

Where the bounds meet, no endless game matters: the value is exact.
"""

# mypy: allow-untyped-defs, allow-untyped-calls
# Compiled functions have no annotations: Numba infers their types, a set for each game.

from __future__ import annotations

import numpy as np

from mbegu.engine.jit import compiled, inlined
from mbegu.engine.kernels.bits import FF, ONE, ZERO, U, gather, lane, lowest, occupied, total
from mbegu.engine.tables.atomic import byte_near, either, less, reserve
from mbegu.engine.tables.ranking import half_rank
from mbegu.games.oware.kernel import FORFEIT, ILLEGAL, SOW, chain, is_slam, movable, sown

__all__ = [
    "BARRED",
    "HELD",
    "after_move",
    "begin_bounds",
    "board_at",
    "bound_by_captures",
    "check",
    "encode",
    "end_bounds",
    "legal_here",
    "look_at_captures",
    "note_before",
    "place",
    "settle_by_captures",
    "tell_barred",
    "tell_held",
    "tell_lost",
    "tell_won",
]

SIDE = 6  # houses
NONE = -128  # no capture is possible
# A board's byte at work, while values are found: quiet moves to boards not yet won, and as many again;
# while bounds are found: quiet moves to boards not yet held.
LEFT, OPEN, SETTLED = 0x07, 0x38, 0x40
ONE_LEFT, ONE_OPEN = 0x01, 0x08
HELD, BARRED = 0x01, 0x02
VALUE, LOW, HIGH = 0, 1, 2  # what a table's byte tells
RING = U(0xFFF)
BLOCK = 256  # boards whose predecessors are written down before their bytes are changed
MOST_BEFORE = 96  # boards before one board, at most


# ---- boards and numbers ---------------------------------------------------------------------------


@inlined
def rank_in(me, op, ranks):
    """The rank of a board in its layer."""
    own = np.int64(total(me))
    return ranks.offset[own] + half_rank(me, SIDE) * ranks.across[own] + half_rank(op, SIDE)


@inlined
def board_at(rank, ranks):
    """The board with this rank in its layer."""
    own = 0
    while ranks.offset[own + 1] <= rank:
        own += 1
    rest = rank - ranks.offset[own]
    across = ranks.across[own]
    mine = rest // across
    seeds = len(ranks.across) - 1
    me = ranks.words[ranks.first[own] + mine]
    op = ranks.words[ranks.first[seeds - own] + rest - mine * across]
    return me, op


# ---- moves ----------------------------------------------------------------------------------------


@inlined
def legal_here(me, op, slam):
    """The legal moves of a board on which the game goes on, as a mask of lanes."""
    moves = movable(me, op)
    if slam != ILLEGAL:
        return moves
    kept = moves
    for house in range(SIDE):
        if (moves >> U(8 * house + 7)) & ONE != ZERO:
            _, after, take = sown(me, op, house)
            if take != ZERO and is_slam(after, take):
                kept &= ~(FF << U(8 * house))
    return kept if kept != ZERO else moves


@inlined
def after_move(me, op, house, slam):
    """Both words after a move, seen by the one who made it, and what was captured."""
    me, op, take = sown(me, op, house)
    if slam == FORFEIT and is_slam(op, take):
        take = ZERO
    return me, op & ~take, np.int64(total(op & take))


@inlined
def place(me, op, seeds, bases, sizes):
    """Where a board with so many seeds stands in the whole table."""
    own = np.int64(total(me))
    rank = half_rank(me, SIDE) * sizes[seeds - own] + half_rank(op, SIDE)
    return bases[seeds, own] + rank


@inlined
def long_sowing_fits(me, op, house, seeds):
    """Whether the seeds of a sowing of more than one lap lie on the board."""
    row = SOW[house, seeds]
    mine = row[0] + (U(seeds) << U(8 * house))
    for i in range(SIDE):
        if lane(op, U(i)) < lane(mine, U(i)) or lane(me, U(i)) < lane(row[1], U(i)):
            return False
    return True


@inlined
def note_before(me, op, slam, ranks, before, count):
    """Writes the ranks of the boards from which a quiet move leads here; returns how many there are."""
    if me == ZERO:
        return count  # nobody may leave the other without seeds
    ring = (gather(occupied(op)) & U(0x3F)) | ((gather(occupied(me)) & U(0x3F)) << U(6))
    for house in range(SIDE):
        if (ring >> U(house)) & ONE != ZERO:
            continue
        turned = ((ring >> U(house + 1)) | (ring << U(11 - house))) & RING
        run = np.int64(lowest(~turned))
        if run == 11:
            while long_sowing_fits(me, op, house, run + 1):
                run += 1
        for seeds in range(1, run + 1):
            row = SOW[house, seeds]
            take = chain(me, row[2])
            if take != ZERO and not (slam == FORFEIT and is_slam(me, take)):
                continue
            before[count] = rank_in(op - row[0], me - row[1], ranks)
            count += 1
    return count


# ---- retrograde analysis --------------------------------------------------------------------------


@compiled
def look_at_captures(begin, end, slam, ranks, table, facts, bases, sizes, value, low, high, state):
    """For the boards from `begin` to `end`: what their best capture is worth, surely not less than and
    surely not more than which, and the number of their quiet moves."""
    seeds = len(ranks.across) - 1
    own = 0
    while ranks.offset[own + 1] <= begin:
        own += 1
    across = ranks.across[own]
    mine = (begin - ranks.offset[own]) // across
    other = begin - ranks.offset[own] - mine * across
    for rank in range(begin, end):
        if other == across:
            other = 0
            mine += 1
        if rank == ranks.offset[own + 1]:
            own += 1
            across = ranks.across[own]
            mine = other = 0
        me = ranks.words[ranks.first[own] + mine]
        op = ranks.words[ranks.first[seeds - own] + other]
        other += 1
        moves = legal_here(me, op, slam)
        if moves == ZERO:
            value[rank] = low[rank] = high[rank] = 2 * own - seeds
            state[rank] = 0
            continue
        best, least, most, quiet = NONE, NONE, NONE, 0
        while moves != ZERO:
            house = np.int64(lowest(moves) >> U(3))
            moves &= moves - ONE
            mine_after, his, taken = after_move(me, op, house, slam)
            if taken == 0:
                quiet += 1
                continue
            left = seeds - taken
            byte = table[place(his, mine_after, left, bases, sizes)]
            best = max(best, taken - facts[left, byte, VALUE])
            least = max(least, taken - facts[left, byte, HIGH])
            most = max(most, taken - facts[left, byte, LOW])
        value[rank], low[rank], high[rank] = best, least, most
        state[rank] = quiet * (ONE_LEFT + ONE_OPEN)


@inlined
def append(queue, counter, found, count):
    """Puts what a thread has found at the end of the common queue."""
    at = reserve(counter, count)
    for i in range(count):
        queue[at + i] = found[i]


@compiled
def settle_by_captures(begin, end, v, value, state, won, wins, lost, losses):
    """Settles boards whose best capture is worth v, or worth -v while nothing quiet is left."""
    up = np.empty(BLOCK, np.uint32)
    down = np.empty(BLOCK, np.uint32)
    count = other = 0
    for rank in range(begin, end):
        if abs(value[rank]) != v or state[rank] & SETTLED != 0:
            continue
        if value[rank] == v:
            up[count] = rank
            count += 1
        elif state[rank] & LEFT == 0:
            down[other] = rank
            other += 1
        else:
            continue
        state[rank] |= SETTLED
        if count == BLOCK:
            append(won, wins, up, count)
            count = 0
        if other == BLOCK:
            append(lost, losses, down, other)
            other = 0
    append(won, wins, up, count)
    append(lost, losses, down, other)


@inlined
def boards_before(queue, begin, end, slam, ranks, state, before):
    """Writes the ranks of all boards before some of a queue, and has their bytes brought near."""
    count = 0
    for i in range(begin, end):
        me, op = board_at(np.int64(queue[i]), ranks)
        start = count
        count = note_before(me, op, slam, ranks, before, count)
        for j in range(start, count):
            byte_near(state, np.int64(before[j]))
    return count


@compiled
def tell_won(begin, end, won, v, slam, ranks, value, state, lost, losses):
    """Tells the boards before those worth v that one way out less is left."""
    before = np.empty(BLOCK * MOST_BEFORE, np.uint32)
    found = np.empty(BLOCK * MOST_BEFORE, np.uint32)
    for block in range(begin, end, BLOCK):
        count = boards_before(won, block, min(block + BLOCK, end), slam, ranks, state, before)
        new = 0
        for i in range(count):
            rank = np.int64(before[i])
            old = less(state, rank, ONE_LEFT)
            if old & LEFT == ONE_LEFT and old & SETTLED == 0 and value[rank] <= -v:
                either(state, rank, SETTLED)
                value[rank] = -v
                found[new] = rank
                new += 1
        append(lost, losses, found, new)


@inlined
def reach_back(begin, end, queue, v, flag, slam, ranks, worth, state, found_too, counter):
    """Boards before those of a queue are worth v, unless they have the flag already: they get it now."""
    before = np.empty(BLOCK * MOST_BEFORE, np.uint32)
    found = np.empty(BLOCK * MOST_BEFORE, np.uint32)
    for block in range(begin, end, BLOCK):
        count = boards_before(queue, block, min(block + BLOCK, end), slam, ranks, state, before)
        new = 0
        for i in range(count):
            rank = np.int64(before[i])
            if either(state, rank, flag) & flag == 0:
                worth[rank] = v
                found[new] = rank
                new += 1
        append(found_too, counter, found, new)


@compiled
def tell_lost(begin, end, lost, v, slam, ranks, value, state, won, wins):
    """Tells the boards before those worth -v that they are worth v."""
    reach_back(begin, end, lost, v, SETTLED, slam, ranks, value, state, won, wins)


# ---- bounds ---------------------------------------------------------------------------------------


@compiled
def begin_bounds(begin, end, value, state):
    """What is not settled is worth nothing; then the bytes at work are made ready for the bounds."""
    for rank in range(begin, end):
        if state[rank] & SETTLED == 0:
            value[rank] = 0
        state[rank] &= OPEN


@compiled
def bound_by_captures(begin, end, v, low, high, state, held, holds, barred, bars):
    """Holds boards whose best capture is worth v; bars those where it is worth -v and nothing is open."""
    up = np.empty(BLOCK, np.uint32)
    down = np.empty(BLOCK, np.uint32)
    count = other = 0
    for rank in range(begin, end):
        if low[rank] == v and state[rank] & HELD == 0:
            state[rank] |= HELD
            up[count] = rank
            count += 1
        if high[rank] == -v and state[rank] & (OPEN | BARRED) == 0:
            state[rank] |= BARRED
            down[other] = rank
            other += 1
        if count == BLOCK:
            append(held, holds, up, count)
            count = 0
        if other == BLOCK:
            append(barred, bars, down, other)
            other = 0
    append(held, holds, up, count)
    append(barred, bars, down, other)


@compiled
def tell_held(begin, end, held, v, slam, ranks, high, state, barred, bars):
    """Tells the boards before those held at v that one way out less is open."""
    before = np.empty(BLOCK * MOST_BEFORE, np.uint32)
    found = np.empty(BLOCK * MOST_BEFORE, np.uint32)
    for block in range(begin, end, BLOCK):
        count = boards_before(held, block, min(block + BLOCK, end), slam, ranks, state, before)
        new = 0
        for i in range(count):
            rank = np.int64(before[i])
            if less(state, rank, ONE_OPEN) & OPEN == ONE_OPEN and high[rank] <= -v:
                either(state, rank, BARRED)
                high[rank] = -v
                found[new] = rank
                new += 1
        append(barred, bars, found, new)


@compiled
def tell_barred(begin, end, barred, v, slam, ranks, low, state, held, holds):
    """Tells the boards before those barred at v that they are held."""
    reach_back(begin, end, barred, v, HELD, slam, ranks, low, state, held, holds)


@compiled
def end_bounds(begin, end, seeds, value, low, high, state, tally):
    """What was never held or barred has no bound; counts how often each set of facts occurs."""
    for rank in range(begin, end):
        if state[rank] & HELD == 0:
            low[rank] = -seeds
        if state[rank] & BARRED == 0:
            high[rank] = seeds
        tally[value[rank] + seeds, (low[rank] + seeds) >> 1, (high[rank] + seeds) >> 1] += 1


@compiled
def check(begin, end, slam, over, ranks, table, facts, bases, sizes, wrong):
    """Counts the boards whose value is not that of their best move, or not between its bounds."""
    seeds = len(ranks.across) - 1
    count = 0
    for rank in range(begin, end):
        me, op = board_at(rank, ranks)
        byte = table[bases[seeds, 0] + rank]
        moves = ZERO if over else legal_here(me, op, slam)
        best = 2 * np.int64(total(me)) - seeds if moves == ZERO else np.int64(NONE)
        while moves != ZERO:
            house = np.int64(lowest(moves) >> U(3))
            moves &= moves - ONE
            mine, his, taken = after_move(me, op, house, slam)
            left = seeds - taken
            child = table[place(his, mine, left, bases, sizes)]
            best = max(best, taken - facts[left, child, VALUE])
        fact = facts[seeds, byte]
        if fact[VALUE] != best or fact[LOW] > best or fact[HIGH] < best:
            count += 1
    reserve(wrong, count)


@compiled
def encode(begin, end, seeds, value, low, high, codes, bytes_):
    """Writes the table's bytes."""
    for rank in range(begin, end):
        bytes_[rank] = codes[
            value[rank] + seeds, (low[rank] + seeds) >> 1, (high[rank] + seeds) >> 1
        ]

"""The search at the root: what Python calls, for one iteration of iterative deepening."""

from __future__ import annotations

from mbegu.engine.abdada import is_busy, mark_busy, mark_free
from mbegu.engine.answer import negated, seen_above
from mbegu.engine.jit import compiled, inlined, int64
from mbegu.engine.kernels.bits import ZERO
from mbegu.engine.kernels.interface import (
    again,
    contains,
    first,
    irreversible,
    key,
    legal,
    over,
    play,
    rest,
    some,
)
from mbegu.engine.knowledge import bounds, margin_only, recurrence, table_key, worth_sharing
from mbegu.engine.memory import peek, peek_bits, poke, poke_bits
from mbegu.engine.repetition import enter
from mbegu.engine.search import search, update_pv
from mbegu.engine.tables.probe import ROOT_LAYER, layer
from mbegu.engine.thread_data import (
    BASE,
    BUCKETS,
    LISTS,
    PATH,
    PV,
    PV_LENGTH,
    ROOT_COUNT,
    ROOT_MOVES,
    SINCE,
    STOPPED,
    THREADS,
)
from mbegu.engine.transposition import EXACT, LOWER, UPPER, bound_of, look_up, move_of
from mbegu.engine.values import INFINITE

MOST_LINE = 100  # moves of a principal variation
SOLVE_DEPTH = 250  # no game of a kind that ends by itself is longer


@inlined
def child_answer(child, depth, alpha, beta, thread, table):  # type: ignore[no-untyped-def]
    """What a child is worth to the player who moved there: negamax, unless he moves again."""
    if again(child):
        return search(child, depth, alpha, beta, int64(1), thread, table)
    return negated(search(child, depth, -beta, -alpha, int64(1), thread, table))


@compiled
def search_root(state, depth, alpha, beta, skip, thread, table):  # type: ignore[no-untyped-def]
    """The best of the root's moves from the `skip`-th on (multi-PV). Brings it forward; tells its value."""
    best, floor = -INFINITE, alpha
    at_best, at_worst = UPPER, 0  # what is proved: that it is worth no more, and no less
    poke(thread, PV_LENGTH, 0)
    count = peek(thread, ROOT_COUNT)
    shares = depth > worth_sharing(state) and peek(thread, THREADS) > 1
    undeferred = count
    i = skip
    while i < count:
        move = peek(thread, ROOT_MOVES + i)
        child = play(state, move)
        child_key = table_key(child)
        if shares and i > skip:
            if i < undeferred and is_busy(child_key, thread):
                undeferred -= 1
                for j in range(i, count - 1):
                    poke(thread, ROOT_MOVES + j, peek(thread, ROOT_MOVES + j + 1))
                poke(thread, ROOT_MOVES + count - 1, move)
                continue
            mark_busy(child_key, thread)
        enter(child, state, 1, thread)
        answer = 0
        for attempt in range(2):
            top = beta if i == skip or attempt == 1 else alpha + 1
            answer = child_answer(child, depth - 1, alpha, top, thread, table)
            value = answer >> 2
            if top == beta or value <= alpha or peek(thread, STOPPED) != 0:
                break
        if shares and i > skip:
            mark_free(child_key, thread)
        if peek(thread, STOPPED) != 0:
            break
        value = answer >> 2
        proved = seen_above(child, answer & EXACT, thread)
        at_best &= proved
        if value > best:
            best, at_worst = value, proved & LOWER
            if value > alpha or i == skip:
                alpha = max(alpha, value)
                update_pv(move, 0, thread)
                for j in range(i, skip, -1):
                    poke(thread, ROOT_MOVES + j, peek(thread, ROOT_MOVES + j - 1))
                poke(thread, ROOT_MOVES + skip, move)
                if value >= beta:
                    break
        i += 1
    if peek(thread, STOPPED) != 0 or best >= beta:
        at_best = 0  # not all moves were looked at
    return best, at_best | at_worst, floor < best < beta


@compiled
def follow(state, thread, table):  # type: ignore[no-untyped-def]
    """Makes the root's principal variation longer by what the table knows for sure, until it would go in a circle."""
    length = peek(thread, PV_LENGTH)
    for i in range(length):
        poke_bits(thread, LISTS + i, key(state))
        state = play(state, peek(thread, PV + i))
    while length < MOST_LINE:
        poke_bits(thread, LISTS + length, key(state))
        for i in range(length):
            if peek_bits(thread, LISTS + i) == key(state):
                return
        found = look_up(table, peek(thread, BUCKETS), table_key(state))
        if found == ZERO or bound_of(found) != EXACT:
            break
        move = move_of(found)
        if move < 0 or not contains(state, legal(state), move):
            break
        poke(thread, PV + length, move)
        state = play(state, move)
        length += 1
        poke(thread, PV_LENGTH, length)


@compiled
def prepare(state, thread):  # type: ignore[no-untyped-def]
    """Lists the root's moves for the thread and begins the path; returns how many moves there are."""
    count = 0
    moves = legal(state)
    while some(state, moves):
        poke(thread, ROOT_MOVES + count, first(state, moves))
        moves = rest(state, moves)
        count += 1
    poke(thread, ROOT_COUNT, count)
    base = peek(thread, BASE)
    poke_bits(thread, PATH + base, key(state))
    poke(thread, SINCE, 0)
    poke(thread, ROOT_LAYER, layer(state))
    return count


@compiled
def is_irreversible(before, after):  # type: ignore[no-untyped-def]
    """Whether no position before the move can come back."""
    return irreversible(before, after)


@compiled
def facts_of(state):  # type: ignore[no-untyped-def]
    """How a match ends by repetition, the least and the greatest margin, and the key."""
    low, high = bounds(state)
    return recurrence(state), low, high, key(state)


@compiled
def is_over(state):  # type: ignore[no-untyped-def]
    """Whether the game is over."""
    return over(state)


@compiled
def ends_by_itself(state):  # type: ignore[no-untyped-def]
    """Whether the game may be searched without a horizon."""
    return margin_only(state)

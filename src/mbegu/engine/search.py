"""Principal variation search (PVS): alpha-beta with null windows, written once for every game.

Iterative deepening calls it (`mbegu.engine.deepening`, through `mbegu.engine.root_search`). It has a
transposition table, late move reductions, killer moves and the history heuristic, a quiescence search beyond
the horizon, and ABDADA for several threads. What it answers is told in `mbegu.engine.answer`, what a thread
keeps for itself in `mbegu.engine.thread_data`.
"""

from __future__ import annotations

from mbegu.engine.abdada import (
    ANSWERED,
    deferred,
    is_answered,
    is_busy,
    label_of,
    mark_busy,
    mark_free,
    rank_of,
    tell_others,
)
from mbegu.engine.answer import cuts, negated, seen_above, told, turned
from mbegu.engine.ending import by_table, guessed, is_free_of_past
from mbegu.engine.jit import compiled, inlined, int64, spliced
from mbegu.engine.kernels.bits import ZERO
from mbegu.engine.kernels.interface import again, legal, margin, play, some
from mbegu.engine.knowledge import (
    DRAW,
    NEVER,
    bounds,
    gain,
    recurrence,
    standing,
    table_key,
    worth_sharing,
)
from mbegu.engine.memory import peek, peek_anew, poke
from mbegu.engine.move_ordering import list_moves, remember_refutation, take_best
from mbegu.engine.quiescence import QUIET_DEPTH, quiescence
from mbegu.engine.recursion import itself_of_seven as search_itself
from mbegu.engine.repetition import USELESS, comes_back, enter, proofs, proofs_of_child, side
from mbegu.engine.tables.probe import is_tabled
from mbegu.engine.thread_data import (
    AGE,
    BUCKETS,
    LATE,
    LATER,
    LISTS,
    MOST_MOVES,
    NEWS,
    NODES,
    PV,
    PV_LENGTH,
    RETURN_TO,
    STOPPED,
    THREADS,
    TRAIL,
    must_stop,
)
from mbegu.engine.transposition import (
    EXACT,
    LOWER,
    SOLVED,
    UPPER,
    bound_of,
    depth_of,
    look_up,
    move_of,
    pack_entry,
    prefetch,
    store,
    value_of,
    work_of,
)
from mbegu.engine.values import (
    INFINITE,
    MAX_PLY,
    SEED,
    at_least,
    at_most,
    estimate,
    final,
    from_table,
    to_table,
)

ETC_DEPTH = 3  # from here on it pays to look the children up first
MOST_DEPTH = 100  # of a search with a horizon
LEAST_WORK = 2  # cheaper entries are not worth their place


@spliced
def child_answer(child, depth, alpha, beta, ply, thread, table):  # type: ignore[no-untyped-def]
    """What a child is worth to the player who moved there: negamax, unless he moves again."""
    if again(child):
        return search_itself(child, depth, alpha, beta, ply, thread, table)
    return negated(search_itself(child, depth, -beta, -alpha, ply, thread, table))


@compiled
def search(state, depth, alpha, beta, ply, thread, table):  # type: ignore[no-untyped-def]
    """Principal variation search: the value of a position for the player to move, within a window, at
    least `depth` plies deep."""
    # Step 1. Count the node; stop when the limits say so or another thread has the answer.
    nodes = peek(thread, NODES)
    poke(thread, PV_LENGTH + ply, 0)
    if must_stop(thread):
        return 0
    if peek_anew(thread, NEWS) != 0 and is_answered(ply, thread):
        return 0

    # Step 2. The end of the game, and margins that can no longer leave the window.
    moves = legal(state)
    if not some(state, moves):
        return told(final(state, margin(state), ply), EXACT)
    low, high = bounds(state)
    value = at_least(state, low, ply)
    if value >= beta:
        return told(value, LOWER)
    value = at_most(state, high, ply)
    if value <= alpha:
        return told(value, UPPER)

    # Step 3. Repetition.
    if recurrence(state) != NEVER and comes_back(ply, thread):
        return told(0 if recurrence(state) == DRAW else final(state, margin(state), ply), 0)

    # Step 4. The endgame table.
    if is_tabled(state, thread):
        if is_free_of_past(state, ply, thread):
            value, proved = by_table(state, alpha, beta, ply, thread)
            return told(value, proved)
        if depth <= 0:
            return told(guessed(state, thread), 0)

    # Step 5. The horizon: quiescence search.
    if depth <= 0:
        return quiescence(state, alpha, beta, ply, int64(QUIET_DEPTH), thread)
    if ply >= MAX_PLY - QUIET_DEPTH - 2:
        return told(estimate(state), 0)

    # Step 6. The transposition table.
    buckets = peek(thread, BUCKETS)
    hashed = table_key(state)
    banked = standing(state) * SEED
    hash_move = -1
    found = look_up(table, buckets, hashed)
    if found != ZERO:
        hash_move = move_of(found)
        if depth_of(found) >= depth:
            value = from_table(state, value_of(found), ply) + banked
            if bound_of(found) == EXACT or cuts(bound_of(found), value, alpha, beta):
                proved = proofs(state, found, ply, thread)
                if proved != USELESS:
                    return told(value, proved)

    # Step 7. Enhanced transposition cut-off: a child that is known to be good enough.
    count = list_moves(state, moves, hash_move, ply, thread)
    at = LISTS + ply * MOST_MOVES
    if depth >= ETC_DEPTH:
        for i in range(count):
            child = play(state, peek(thread, at + i) & 0xFFF)
            prefetch(table, buckets, table_key(child))
        for i in range(count):
            child = play(state, peek(thread, at + i) & 0xFFF)
            found = look_up(table, buckets, table_key(child))
            if found != ZERO and depth_of(found) >= depth - 1:
                value = from_table(child, value_of(found), ply + 1) + standing(child) * SEED
                bound = bound_of(found)
                if not again(child):
                    value, bound = -value, turned(bound)
                if value >= beta and bound & LOWER != 0:
                    proved = proofs_of_child(state, child, found, ply, thread)
                    if proved != USELESS:
                        return told(value, seen_above(child, proved, thread) & LOWER)

    # Step 8. The moves, best first. `at_best` and `at_worst` are what is proved: that the position is
    # worth no more, and no less.
    best, best_move, at_best, at_worst = -INFINITE, -1, UPPER, 0
    floor = alpha
    shares = depth >= worth_sharing(state) and peek(thread, THREADS) > 1
    label = label_of(hashed, ply) if shares and beta == alpha + 1 else 0
    i = put_off = 0
    while i < count:
        # Step 9. ABDADA: has another thread found the answer meanwhile?
        if shares:
            found = look_up(table, buckets, hashed)
            if found != ZERO and depth_of(found) >= depth:
                value = from_table(state, value_of(found), ply) + banked
                if cuts(bound_of(found), value, alpha, beta):
                    proved = proofs(state, found, ply, thread)
                    if proved != USELESS:
                        return told(value, proved)
        poke(thread, TRAIL + ply, label)
        word = take_best(at, i, count, thread)
        move = word & 0xFFF
        child = play(state, move)
        child_key = table_key(child)
        prefetch(table, buckets, child_key)
        rank = i + put_off if word >= 0 else rank_of(word)

        # Step 10. ABDADA: what another thread is busy with comes later.
        if shares and i > 0:
            if word >= 0 and is_busy(child_key, thread):
                poke(thread, at + i, deferred(move, rank))
                put_off += 1
                continue
            mark_busy(child_key, thread)
        enter(child, state, ply + 1, thread)
        quiet = not again(child) and gain(state, child) < 2
        answer, value = 0, alpha + 1
        if i > 0:
            # Step 11. Late move reduction: less deep, with a null window.
            less = late_move_reduction(depth, rank, quiet, thread)
            if less > 0:
                answer = child_answer(
                    child, depth - 1 - less, alpha, alpha + 1, ply + 1, thread, table
                )
                value = answer >> 2
            # Step 12. The null window at full depth.
            if value > alpha:
                answer = child_answer(child, depth - 1, alpha, alpha + 1, ply + 1, thread, table)
                value = answer >> 2
        # Step 13. The full window, for the first move and for one that turned out to be better.
        if i == 0 or alpha < value < beta:
            answer = child_answer(child, depth - 1, alpha, beta, ply + 1, thread, table)
            value = answer >> 2
        if shares and i > 0:
            mark_free(child_key, thread)
        if peek(thread, STOPPED) != 0:
            if peek(thread, STOPPED) == ANSWERED and peek(thread, RETURN_TO) == ply:
                poke(thread, STOPPED, 0)
                continue
            return 0

        # Step 14. A new best move, the principal variation, and the beta cut-off.
        i += 1
        proved = seen_above(child, answer & EXACT, thread)
        at_best &= proved
        if value > best:
            best, best_move, at_worst = value, move, proved & LOWER
            if value > alpha:
                alpha = value
                update_pv(move, ply, thread)
                if value >= beta:
                    if quiet:
                        remember_refutation(move, depth, ply, thread)
                    break

    # Step 15. What has been found out goes to the transposition table, and to whoever waits for it.
    bound = LOWER if best >= beta else EXACT if best > floor else UPPER
    proved = bound & (at_best | at_worst)
    work = work_of(peek(thread, NODES) - nodes)
    if work >= LEAST_WORK:
        value = to_table(state, best - banked, ply)
        depth = SOLVED if proved == bound else depth
        side_to_move = side(state, ply)
        new = pack_entry(
            peek(thread, AGE), work, proved, bound, depth, best_move, side_to_move, value
        )
        store(table, buckets, hashed, new)
        if label != 0:
            poke(thread, TRAIL + ply, 0)
            tell_others(label, ply, thread)
    return told(best, proved)


@inlined
def late_move_reduction(depth, rank, quiet, thread):  # type: ignore[no-untyped-def]
    """How much less deep a quiet move of this rank is tried at first."""
    if depth < 3 or depth > MOST_DEPTH or not quiet or rank < peek(thread, LATE):
        return 0
    return 1 if rank < peek(thread, LATER) or depth < 6 else 2


@inlined
def update_pv(move, ply, thread):  # type: ignore[no-untyped-def]
    """Puts a move before the principal variation of the position after it."""
    row, below = PV + ply * 256, PV + (ply + 1) * 256
    length = peek(thread, PV_LENGTH + ply + 1)
    poke(thread, row, move)
    for i in range(length):
        poke(thread, row + 1 + i, peek(thread, below + i))
    poke(thread, PV_LENGTH + ply, length + 1)

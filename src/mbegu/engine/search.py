"""The search: principal-variation alpha-beta, written once for every game.

`search` answers with a value and two bits more: which of its bounds hold for the game itself, because
no estimate and no repetition went into them, see `mbegu.engine.history`. All of it travels in one
integer, see `told`.

A thread works at its desk, see `mbegu.engine.desk`.
"""

from __future__ import annotations

from mbegu.engine.desk import (
    AGE,
    BASE,
    DANGER,
    HISTORY,
    KILLERS,
    LATE,
    LATER,
    LINES,
    LISTS,
    MOST_MOVES,
    NEWS,
    NODES,
    PATH,
    PV,
    PV_LENGTH,
    RETURN_TO,
    ROOT_COUNT,
    ROOT_MOVES,
    SINCE,
    STOPPED,
    THREADS,
    TRAIL,
    must_stop,
)
from mbegu.engine.ending import by_table, guessed, is_free_of_past
from mbegu.engine.facts import (
    DRAW,
    NEVER,
    bounds,
    gain,
    margin_only,
    recurrence,
    standing,
    table_key,
    worth_sharing,
)
from mbegu.engine.history import USELESS, comes_back, enter, proofs, proofs_of_child, side
from mbegu.engine.jit import compiled, inlined, int64
from mbegu.engine.kernels.bits import ZERO
from mbegu.engine.kernels.interface import (
    again,
    contains,
    first,
    irreversible,
    key,
    legal,
    margin,
    over,
    play,
    rest,
    some,
)
from mbegu.engine.memory import peek, peek_bits, poke, poke_bits, watch
from mbegu.engine.recursion import itself_of_seven as search_itself
from mbegu.engine.recursion import itself_of_six as settle_itself
from mbegu.engine.sharing import (
    ANSWERED,
    busy_with,
    done_with,
    is_answered,
    is_busy,
    label_of,
    later,
    rank_of,
    tell_others,
)
from mbegu.engine.table import (
    EXACT,
    LOWER,
    SOLVED,
    UPPER,
    bound_of,
    depth_of,
    entry,
    keep,
    look_up,
    move_of,
    prefetch,
    value_of,
    work_of,
)
from mbegu.engine.tables.probe import is_tabled
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
MOST_LINE = 100  # moves of a line
SOLVE_DEPTH = 250  # no game of a kind that ends by itself is longer
LEAST_WORK = 2  # cheaper entries are not worth their place
QUIET_DEPTH = 8  # how far captures are followed beyond the horizon
HASH_MOVE, KILLER = 1 << 40, 1 << 20


@inlined
def told(value, proved):  # type: ignore[no-untyped-def]
    """A value, and which bounds are proved: LOWER (it is worth so much at least), UPPER, or EXACT."""
    return (value << 2) | proved


@inlined
def turned(proved):  # type: ignore[no-untyped-def]
    """What is proved, as the other player sees it."""
    return (proved >> 1) | ((proved & 1) << 1)


@inlined
def seen_above(child, proved, desk):  # type: ignore[no-untyped-def]
    """What is proved of a child, as the player sees it who moved there.

    The path knows who is to move by counting plies, so that with extra turns it does not see every
    position of the past that comes back.
    """
    if not again(child):
        return turned(proved)
    return proved if recurrence(child) == NEVER or peek(desk, DANGER) == 0 else 0


# ---- beyond the horizon ---------------------------------------------------------------------------


@compiled
def settle(state, alpha, beta, ply, left, desk):  # type: ignore[no-untyped-def]
    """The value of a position when only captures and extra turns are followed."""
    if must_stop(desk):
        return 0
    moves = legal(state)
    if not some(state, moves):
        return told(final(state, margin(state), ply), EXACT)
    if is_tabled(state, desk):
        value, proved = by_table(state, alpha, beta, ply, desk)
        return told(value, proved)
    best = estimate(state)
    if best >= beta or left == 0:
        return told(best, 0)
    alpha = max(alpha, best)
    while some(state, moves):
        move = first(state, moves)
        moves = rest(state, moves)
        child = play(state, move)
        if gain(state, child) < 2 and not again(child):
            continue
        if again(child):
            value = settle_itself(child, alpha, beta, ply + 1, left - 1, desk) >> 2
        else:
            value = -(settle_itself(child, -beta, -alpha, ply + 1, left - 1, desk) >> 2)
        if peek(desk, STOPPED) != 0:
            return 0
        if value > best:
            best = value
            if value > alpha:
                alpha = value
                if value >= beta:
                    break
    return told(best, 0)


# ---- order ----------------------------------------------------------------------------------------


@inlined
def list_moves(state, moves, hash_move, ply, desk):  # type: ignore[no-untyped-def]
    """Writes the moves with their merits to the desk; returns how many."""
    at = LISTS + ply * MOST_MOVES
    count = 0
    killer, other = peek(desk, KILLERS + 2 * ply), peek(desk, KILLERS + 2 * ply + 1)
    while some(state, moves):
        move = first(state, moves)
        moves = rest(state, moves)
        if move == hash_move:
            merit = HASH_MOVE
        else:
            child = play(state, move)
            merit = peek(desk, HISTORY + move) + (gain(state, child) << 22)
            if again(child):
                merit += 1 << 24
            if move == killer:
                merit += KILLER + 1
            elif move == other:
                merit += KILLER
        poke(desk, at + count, (merit << 12) | move)
        count += 1
    return count


@inlined
def take_best(at, i, count, desk):  # type: ignore[no-untyped-def]
    """Brings the best of the moves from the i-th on forward and returns it."""
    best, where = peek(desk, at + i), i
    for j in range(i + 1, count):
        merit = peek(desk, at + j)
        if merit > best:
            best, where = merit, j
    if where != i:
        poke(desk, at + where, peek(desk, at + i))
        poke(desk, at + i, best)
    return best


@inlined
def reward(move, depth, ply, desk):  # type: ignore[no-untyped-def]
    """Remembers a move that refuted a position."""
    if peek(desk, KILLERS + 2 * ply) != move:
        poke(desk, KILLERS + 2 * ply + 1, peek(desk, KILLERS + 2 * ply))
        poke(desk, KILLERS + 2 * ply, move)
    old = peek(desk, HISTORY + move)
    bonus = min(depth * depth, 400) * 32
    poke(desk, HISTORY + move, old + bonus - ((old * bonus) >> 19))


# ---- the search -----------------------------------------------------------------------------------


@compiled
def search(state, depth, alpha, beta, ply, desk, table):  # type: ignore[no-untyped-def]
    """The value of a position for the player to move, within a window, at least `depth` plies deep."""
    nodes = peek(desk, NODES)
    poke(desk, PV_LENGTH + ply, 0)
    if must_stop(desk):
        return 0
    if watch(desk, NEWS) != 0 and is_answered(ply, desk):
        return 0
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
    if recurrence(state) != NEVER and comes_back(ply, desk):
        return told(0 if recurrence(state) == DRAW else final(state, margin(state), ply), 0)
    if is_tabled(state, desk):
        if is_free_of_past(state, ply, desk):
            value, proved = by_table(state, alpha, beta, ply, desk)
            return told(value, proved)
        if depth <= 0:
            return told(guessed(state, desk), 0)
    if depth <= 0:
        return settle(state, alpha, beta, ply, int64(QUIET_DEPTH), desk)
    if ply >= MAX_PLY - QUIET_DEPTH - 2:
        return told(estimate(state), 0)

    lines = peek(desk, LINES)
    hashed = table_key(state)
    settled = standing(state) * SEED
    hash_move = -1
    found = look_up(table, lines, hashed)
    if found != ZERO:
        hash_move = move_of(found)
        if depth_of(found) >= depth:
            value = from_table(state, value_of(found), ply) + settled
            if bound_of(found) == EXACT or cuts(bound_of(found), value, alpha, beta):
                proved = proofs(state, found, ply, desk)
                if proved != USELESS:
                    return told(value, proved)

    count = list_moves(state, moves, hash_move, ply, desk)
    at = LISTS + ply * MOST_MOVES
    if depth >= ETC_DEPTH:
        for i in range(count):
            child = play(state, peek(desk, at + i) & 0xFFF)
            prefetch(table, lines, table_key(child))
        for i in range(count):
            child = play(state, peek(desk, at + i) & 0xFFF)
            found = look_up(table, lines, table_key(child))
            if found != ZERO and depth_of(found) >= depth - 1:
                value = from_table(child, value_of(found), ply + 1) + standing(child) * SEED
                bound = bound_of(found)
                if not again(child):
                    value, bound = -value, turned(bound)
                if value >= beta and bound & LOWER != 0:
                    proved = proofs_of_child(state, child, found, ply, desk)
                    if proved != USELESS:
                        return told(value, seen_above(child, proved, desk) & LOWER)
    best, best_move, at_best, at_worst = -INFINITE, -1, UPPER, 0
    floor = alpha
    shares = depth >= worth_sharing(state) and peek(desk, THREADS) > 1
    label = label_of(hashed, ply) if shares and beta == alpha + 1 else 0
    i = deferred = 0
    while i < count:
        if shares:
            found = look_up(table, lines, hashed)
            if found != ZERO and depth_of(found) >= depth:
                value = from_table(state, value_of(found), ply) + settled
                if cuts(bound_of(found), value, alpha, beta):
                    proved = proofs(state, found, ply, desk)
                    if proved != USELESS:
                        return told(value, proved)
        poke(desk, TRAIL + ply, label)
        word = take_best(at, i, count, desk)
        move = word & 0xFFF
        child = play(state, move)
        child_key = table_key(child)
        prefetch(table, lines, child_key)
        rank = i + deferred if word >= 0 else rank_of(word)
        if shares and i > 0:
            if word >= 0 and is_busy(child_key, desk):
                poke(desk, at + i, later(move, rank))
                deferred += 1
                continue
            busy_with(child_key, desk)
        enter(child, state, ply + 1, desk)
        turn = again(child)
        quiet = not turn and gain(state, child) < 2
        answer, value = 0, alpha + 1
        if i > 0:
            less = reduction(depth, rank, quiet, desk)
            if less > 0:
                answer = (
                    search_itself(child, depth - 1 - less, alpha, alpha + 1, ply + 1, desk, table)
                    if turn
                    else search_itself(
                        child, depth - 1 - less, -alpha - 1, -alpha, ply + 1, desk, table
                    )
                )
                value = answer >> 2 if turn else -(answer >> 2)
            if value > alpha:
                answer = (
                    search_itself(child, depth - 1, alpha, alpha + 1, ply + 1, desk, table)
                    if turn
                    else search_itself(child, depth - 1, -alpha - 1, -alpha, ply + 1, desk, table)
                )
                value = answer >> 2 if turn else -(answer >> 2)
        if i == 0 or alpha < value < beta:
            answer = (
                search_itself(child, depth - 1, alpha, beta, ply + 1, desk, table)
                if turn
                else search_itself(child, depth - 1, -beta, -alpha, ply + 1, desk, table)
            )
            value = answer >> 2 if turn else -(answer >> 2)
        if shares and i > 0:
            done_with(child_key, desk)
        if peek(desk, STOPPED) != 0:
            if peek(desk, STOPPED) == ANSWERED and peek(desk, RETURN_TO) == ply:
                poke(desk, STOPPED, 0)
                continue
            return 0
        i += 1
        proved = seen_above(child, answer & EXACT, desk)
        at_best &= proved
        if value > best:
            best, best_move, at_worst = value, move, proved & LOWER
            if value > alpha:
                alpha = value
                lead(move, ply, desk)
                if value >= beta:
                    if quiet:
                        reward(move, depth, ply, desk)
                    break
    bound = LOWER if best >= beta else EXACT if best > floor else UPPER
    proved = bound & (at_best | at_worst)
    work = work_of(peek(desk, NODES) - nodes)
    if work >= LEAST_WORK:
        value = to_table(state, best - settled, ply)
        keep(
            table,
            lines,
            hashed,
            entry(
                peek(desk, AGE),
                work,
                proved,
                bound,
                SOLVED if proved == bound else depth,
                best_move,
                side(state, ply),
                value,
            ),
        )
        if label != 0:
            poke(desk, TRAIL + ply, 0)
            tell_others(label, ply, desk)
    return told(best, proved)


@inlined
def cuts(bound, value, alpha, beta):  # type: ignore[no-untyped-def]
    """Whether a bound lies outside the window."""
    return (bound & LOWER != 0 and value >= beta) or (bound & UPPER != 0 and value <= alpha)


@inlined
def reduction(depth, rank, quiet, desk):  # type: ignore[no-untyped-def]
    """How much less deep the move of this rank is tried at first."""
    if depth < 3 or depth > MOST_DEPTH or not quiet or rank < peek(desk, LATE):
        return 0
    return 1 if rank < peek(desk, LATER) or depth < 6 else 2


# ---- the root -------------------------------------------------------------------------------------


@inlined
def lead(move, ply, desk):  # type: ignore[no-untyped-def]
    """Puts a move before the principal variation of the position after it."""
    row, below = PV + ply * 256, PV + (ply + 1) * 256
    length = peek(desk, PV_LENGTH + ply + 1)
    poke(desk, row, move)
    for i in range(length):
        poke(desk, row + 1 + i, peek(desk, below + i))
    poke(desk, PV_LENGTH + ply, length + 1)


@compiled
def search_root(state, depth, alpha, beta, skip, desk, table):  # type: ignore[no-untyped-def]
    """The best of the root's moves from the `skip`-th on. Brings it forward; tells its value."""
    best, floor = -INFINITE, alpha
    at_best, at_worst = UPPER, 0  # what is proved: that it is worth no more, and no less
    poke(desk, PV_LENGTH, 0)
    count = peek(desk, ROOT_COUNT)
    shares = depth > worth_sharing(state) and peek(desk, THREADS) > 1
    undeferred = count
    i = skip
    while i < count:
        move = peek(desk, ROOT_MOVES + i)
        child = play(state, move)
        child_key = table_key(child)
        if shares and i > skip:
            if i < undeferred and is_busy(child_key, desk):
                undeferred -= 1
                for j in range(i, count - 1):
                    poke(desk, ROOT_MOVES + j, peek(desk, ROOT_MOVES + j + 1))
                poke(desk, ROOT_MOVES + count - 1, move)
                continue
            busy_with(child_key, desk)
        enter(child, state, 1, desk)
        turn = again(child)
        answer = 0
        for attempt in range(2):
            top = beta if i == skip or attempt == 1 else alpha + 1
            answer = (
                search(child, depth - 1, alpha, top, int64(1), desk, table)
                if turn
                else search(child, depth - 1, -top, -alpha, int64(1), desk, table)
            )
            value = answer >> 2 if turn else -(answer >> 2)
            if top == beta or value <= alpha or peek(desk, STOPPED) != 0:
                break
        if shares and i > skip:
            done_with(child_key, desk)
        if peek(desk, STOPPED) != 0:
            break
        value = answer >> 2 if turn else -(answer >> 2)
        proved = seen_above(child, answer & EXACT, desk)
        at_best &= proved
        if value > best:
            best, at_worst = value, proved & LOWER
            if value > alpha or i == skip:
                alpha = max(alpha, value)
                lead(move, 0, desk)
                for j in range(i, skip, -1):
                    poke(desk, ROOT_MOVES + j, peek(desk, ROOT_MOVES + j - 1))
                poke(desk, ROOT_MOVES + skip, move)
                if value >= beta:
                    break
        i += 1
    if peek(desk, STOPPED) != 0 or best >= beta:
        at_best = 0  # not all moves were looked at
    return best, at_best | at_worst, floor < best < beta


@compiled
def follow(state, desk, table):  # type: ignore[no-untyped-def]
    """Makes the root's line longer by what the table knows for sure, until it would go in a circle."""
    length = peek(desk, PV_LENGTH)
    for i in range(length):
        poke_bits(desk, LISTS + i, key(state))
        state = play(state, peek(desk, PV + i))
    while length < MOST_LINE:
        poke_bits(desk, LISTS + length, key(state))
        for i in range(length):
            if peek_bits(desk, LISTS + i) == key(state):
                return
        found = look_up(table, peek(desk, LINES), table_key(state))
        if found == ZERO or bound_of(found) != EXACT:
            break
        move = move_of(found)
        if move < 0 or not contains(state, legal(state), move):
            break
        poke(desk, PV + length, move)
        state = play(state, move)
        length += 1
        poke(desk, PV_LENGTH, length)


@compiled
def prepare(state, desk):  # type: ignore[no-untyped-def]
    """Lists the root's moves on the desk and begins the path; returns how many moves there are."""
    count = 0
    moves = legal(state)
    while some(state, moves):
        poke(desk, ROOT_MOVES + count, first(state, moves))
        moves = rest(state, moves)
        count += 1
    poke(desk, ROOT_COUNT, count)
    base = peek(desk, BASE)
    poke_bits(desk, PATH + base, key(state))
    poke(desk, SINCE, 0)
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

"""Morabaraba's endings solved backwards: who wins every board after placing, and how soon.

When no cow is in hand the cows on the board tell the score, so a position is two herds, the bans, and
a counter. Without a shot a game ends after a number of quiet moves, with a result that the cows alone
decide: more cows win by the contest's rules, by the classic ones it is a draw. That number, the
*horizon*, is ten while a player has three cows and else fifty; by the classic rules it is then unlimited.

So the boards are solved for 0, 1, 2… quiet moves to go. What is worth more than the result at the horizon
must be forced by a shot (or by a player who is blocked) before it, and stays forced with more moves to
go. Two numbers therefore tell all: with how many moves to go it begins to matter for a win, and for
a draw. With them a board is solved for every state of the counters.

A table knows no bans. So each board is solved twice: as if the mover never made a move that brings a ban
on him while the other might, and was not hindered by it; and the other way round. The truth lies between
the two, and where they are equal it is exact. By the classic rules a ban takes five cows.
"""

# mypy: allow-untyped-defs, allow-untyped-calls
# Compiled functions have no annotations: Numba infers their types, a set for each game.

from __future__ import annotations

from typing import Any

from mbegu.engine.arrays import np
from mbegu.engine.jit import compiled, inlined, int64
from mbegu.engine.kernels.bits import ZERO, U, popcount
from mbegu.engine.kernels.interface import again, first, implement, legal, margin, play, rest, some
from mbegu.engine.tables.atomic import reserve
from mbegu.games.morabaraba.herds import CHOOSE, FEWEST, board_at, following, place, spread_over
from mbegu.games.morabaraba.state import BAN, SCORE, Morabaraba, MorabarabaClassic

__all__ = [
    "BOLD",
    "CAREFUL",
    "ENDLESS",
    "NEVER",
    "UNKNOWN",
    "at_horizon",
    "check",
    "herds_at",
    "is_free",
    "kind_of",
    "place_of",
    "sweep",
    "tally",
    "told",
]

NEVER = 255  # the number of moves to go that changes nothing
UNKNOWN = (
    254  # in the place of a number: the table has no byte for what was found, so nothing is told
)
ENDLESS = 250  # moves to go where no rule ends the game
TWELVE = U(12)
CAREFUL, BOLD = 0, 1  # the mover shuns bans, and the other ignores them; or the other way round


def herded(state: Any, me: Any, op: Any) -> Any:
    """A state of the same kind with these herds, without bans and counters."""


def at_horizon(state: Any) -> int:  # type: ignore[empty-body]
    """1, 0 or -1: how a game ends in which nobody shoots any more."""


def horizon(state: Any) -> int:  # type: ignore[empty-body]
    """After how many quiet moves that is."""


@implement(herded, Morabaraba)
def _herded(state, me, op):
    mine, his = (TWELVE - popcount(op)) << SCORE, (TWELVE - popcount(me)) << SCORE
    return Morabaraba(me, op, mine, his, ZERO)


@implement(herded, MorabarabaClassic)
def _herded_classic(state, me, op):
    mine, his = (TWELVE - popcount(op)) << SCORE, (TWELVE - popcount(me)) << SCORE
    return MorabarabaClassic(me, op, mine, his, ZERO)


@implement(at_horizon, Morabaraba)
def _more_cows(state):
    return _sign(int64(popcount(state.me)) - int64(popcount(state.op)))


@implement(at_horizon, MorabarabaClassic)
def _drawn(state):
    return 0


@implement(horizon, Morabaraba)
def _horizon(state):
    return 10 if _is_few(state) else 50


@implement(horizon, MorabarabaClassic)
def _horizon_classic(state):
    return 10 if _is_few(state) else ENDLESS


@inlined
def _is_few(state):
    return popcount(state.me) <= U(FEWEST) or popcount(state.op) <= U(FEWEST)


@inlined
def _sign(number):
    return 1 if number > 0 else -1 if number < 0 else 0


@inlined
def is_free(state):
    """Whether there is no ban."""
    return (state.mine | state.his) >> BAN == ZERO


@inlined
def told(end, left, to_win, to_draw):
    """1, 0 or -1: the value with so many moves to go, by the two numbers and the result at the horizon."""
    if (end > 0) != (left >= to_win):
        return 1
    return 0 if (end >= 0) != (left >= to_draw) else -1


@inlined
def known(me, op, end, left, mode, numbers, unknown):
    """The value of a board in one of the two games, if so many moves are to go."""
    at = place(me, op)
    if numbers[mode, 0, at] == UNKNOWN:
        return unknown
    return told(end, left, numbers[mode, 0, at], numbers[mode, 1, at])


@inlined
def worth(state, left, mode, numbers, unknown):
    """1, 0 or -1 for the mover of a state with counters at zero and so many quiet moves to go, by what is
    known of the boards after his moves. In `mode` CAREFUL he makes no move that brings a ban on him. Boards of
    which nothing is known are worth `unknown` to the other player."""
    moves = legal(state)
    if not some(state, moves):
        return _sign(margin(state))
    if left == 0:
        return at_horizon(state)
    best = -1
    while some(state, moves) and best < 1:
        child = play(state, first(state, moves))
        moves = rest(state, moves)
        shoots = again(child)
        ban = (child.mine if shoots else child.his) >> BAN
        if mode == CAREFUL and ban != ZERO:
            continue
        if not shoots:
            value = known(
                child.me, child.op, at_horizon(child), left - 1, 1 - mode, numbers, unknown
            )
            best = max(best, -value)
            continue
        shots = legal(child)
        while some(child, shots) and best < 1:
            after = play(child, first(child, shots))
            shots = rest(child, shots)
            value = -1
            if popcount(after.me) >= U(FEWEST):
                to_go, end = horizon(after), at_horizon(after)
                value = known(after.me, after.op, end, to_go, 1 - mode, numbers, unknown)
            best = max(best, -value)
    return best


@inlined
def _is_done(end, to_win, to_draw):
    """Whether more moves to go cannot change anything."""
    if end > 0:
        return to_draw != NEVER
    return to_win != NEVER or (end == 0 and to_draw != NEVER)


@compiled
def sweep(begin, end, kind, mine, his, base, left, herds, first_herd, numbers, changes):
    """Solves boards for one quiet move more to go than before, and counts those that change."""
    me, packed = board_at(begin, mine, his, herds, first_herd)
    across, changed = CHOOSE[24 - mine, his], 0
    for rank in range(begin, end):
        if rank > begin:
            packed = following(packed)
            if rank % across == 0:
                me, packed = board_at(rank, mine, his, herds, first_herd)
        at = base + rank
        state = herded(kind, me, spread_over(packed, me))
        last = at_horizon(state)
        for mode in range(2):
            to_win, to_draw = numbers[mode, 0, at], numbers[mode, 1, at]
            if _is_done(last, to_win, to_draw):
                continue
            before = told(last, left - 1, to_win, to_draw)
            value = worth(state, left, mode, numbers, 1 if mode == CAREFUL else -1)
            if value == before:
                continue
            changed += 1
            if (value > 0) != (before > 0):
                numbers[mode, 0, at] = left
            if (value >= 0) != (before >= 0):
                numbers[mode, 1, at] = left
    reserve(changes, changed)


@compiled
def check(begin, end, kind, mine, his, base, farthest, herds, first_herd, numbers, wrong):
    """Counts the boards that are not worth what the best of their moves is worth, whatever is to go."""
    found = 0
    for rank in range(begin, end):
        me, packed = board_at(rank, mine, his, herds, first_herd)
        state, at = herded(kind, me, spread_over(packed, me)), base + rank
        last, good = at_horizon(state), True
        if numbers[CAREFUL, 0, at] == UNKNOWN:
            continue
        for left in range(min(farthest, horizon(state)) + 1):
            for mode in range(2):
                value = told(last, left, numbers[mode, 0, at], numbers[mode, 1, at])
                least = worth(state, left, mode, numbers, 1)
                if least != value:  # unless a board of which nothing is known makes the difference
                    good &= least < value <= worth(state, left, mode, numbers, -1)
        found += not good
    reserve(wrong, found)


@compiled
def tally(kind, mine, his, base, size, numbers, counts):
    """Counts the exact boards with all counters at zero: lost, drawn, won; and the others."""
    me, op = (U(1) << U(mine)) - U(1), ((U(1) << U(his)) - U(1)) << U(mine)
    state = herded(kind, me, op)
    end, left = at_horizon(state), horizon(state)
    for at in range(base, base + size):
        low = told(end, left, numbers[CAREFUL, 0, at], numbers[CAREFUL, 1, at])
        high = told(end, left, numbers[BOLD, 0, at], numbers[BOLD, 1, at])
        counts[low + 1 if low == high else 3] += 1


@compiled
def place_of(me, op):
    """Where a board stands in the whole table."""
    return place(me, op)


@compiled
def herds_at(rank, mine, his, herds, first_herd):
    """The board with this rank among those with so many cows."""
    me, packed = board_at(rank, mine, his, herds, first_herd)
    return me, spread_over(packed, me)


def kind_of(classic: bool) -> Any:
    """A state that tells compiled code whose rules hold."""
    zero = np.uint64(0)
    return (MorabarabaClassic if classic else Morabaraba)(zero, zero, zero, zero, zero)

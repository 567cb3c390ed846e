"""What the search makes of an endgame table.

A table knows nothing of the way to a position. After a capture (any move that cannot be taken back) no
position of the past can come again, and what the table proves is proved. Before the first such move
after the root it might: there the search looks ahead as ever, sees repetitions for itself, and asks the
table only where it would have to estimate. The same holds where nothing forbids to go in circles
(two-colour Awale): a table without distances would have the winner wander about for ever.
"""

from __future__ import annotations

from mbegu.engine.jit import compiled, inlined
from mbegu.engine.knowledge import NEVER, recurrence
from mbegu.engine.memory import peek
from mbegu.engine.tables.probe import (
    ROOT_LAYER,
    consult,
    fact,
    gets_on,
    is_tabled,
    judged,
    layer,
    soon,
)
from mbegu.engine.thread_data import BASE, SINCE
from mbegu.engine.transposition import EXACT, LOWER, UPPER
from mbegu.engine.values import MAX_PLY, SEED, estimate, final

OPINION = 4 * SEED  # how far the evaluation may differ from the table; of that counts a small share
SHARE = 32


@inlined
def is_free_of_past(state, ply, thread):  # type: ignore[no-untyped-def]
    """Whether no position before this one can come back, or matter if it does."""
    if recurrence(state) == NEVER:
        return gets_on(state) or layer(state) < peek(thread, ROOT_LAYER)
    return peek(thread, SINCE + ply) > peek(thread, BASE)


@inlined
def worth(state, margin, ply, plies):  # type: ignore[no-untyped-def]
    """The value of a game that a table decides, so many plies from here."""
    return final(state, margin, min(ply + plies, MAX_PLY))


@inlined
def by_table(state, alpha, beta, ply, thread):  # type: ignore[no-untyped-def]
    """The value of a position that is tabled and free of its past, and which bounds of it are proved."""
    value, low, high = fact(state, thread)
    guess, least, most = judged(state, value, low, high)
    plies = soon(state, value, low, high)
    low, high = worth(state, least, ply, plies), worth(state, most, ply, plies)
    if least == most:
        return low, EXACT
    if low >= beta or least > 0:
        return low, LOWER
    if high <= alpha or most < 0:
        return high, UPPER
    return min(max(guess, least), most) * SEED, 0


@inlined
def guessed(state, thread):  # type: ignore[no-untyped-def]
    """An estimate by the table; between boards of one value the evaluation chooses, to get on."""
    guess = consult(state, thread)[0] * SEED
    opinion = min(max(estimate(state) - guess, -OPINION), OPINION)
    return guess + opinion // SHARE


@compiled
def told_by_table(state, thread):  # type: ignore[no-untyped-def]
    """Whether a state is tabled; a guess of the margin, the least and the greatest."""
    if not is_tabled(state, thread):
        return False, 0, 0, 0
    guess, least, most = consult(state, thread)
    return True, guess, least, most

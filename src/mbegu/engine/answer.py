"""What a search answers with: a value, and which of its bounds are proved, in one integer.

A bound is proved if it holds for the game itself, because no estimate and no repetition went into it,
see `mbegu.engine.repetition`.
"""

from __future__ import annotations

from mbegu.engine.jit import inlined
from mbegu.engine.kernels.interface import again
from mbegu.engine.knowledge import NEVER, recurrence
from mbegu.engine.memory import peek
from mbegu.engine.thread_data import DANGER
from mbegu.engine.transposition import LOWER, UPPER


@inlined
def told(value, proved):  # type: ignore[no-untyped-def]
    """A value, and which bounds are proved: LOWER (it is worth so much at least), UPPER, or EXACT."""
    return (value << 2) | proved


@inlined
def turned(proved):  # type: ignore[no-untyped-def]
    """What is proved, as the other player sees it."""
    return (proved >> 1) | ((proved & 1) << 1)


@inlined
def seen_above(child, proved, thread):  # type: ignore[no-untyped-def]
    """What is proved of a child, as the player sees it who moved there.

    The path knows who is to move by counting plies, so that with extra turns it does not see every
    position of the past that comes back.
    """
    if not again(child):
        return turned(proved)
    return proved if recurrence(child) == NEVER or peek(thread, DANGER) == 0 else 0


@inlined
def negated(answer):  # type: ignore[no-untyped-def]
    """The answer about a position of the other player: his value with the sign changed (negamax), his
    proofs as he has them, see `seen_above`."""
    return told(-(answer >> 2), answer & 3)


@inlined
def cuts(bound, value, alpha, beta):  # type: ignore[no-untyped-def]
    """Whether a bound lies outside the window."""
    return (bound & LOWER != 0 and value >= beta) or (bound & UPPER != 0 and value <= alpha)

"""Quiescence search: beyond the horizon only what is not quiet is followed, captures and extra turns."""

from __future__ import annotations

from mbegu.engine.answer import negated, told
from mbegu.engine.ending import by_table
from mbegu.engine.jit import compiled, spliced
from mbegu.engine.kernels.interface import again, first, legal, margin, play, rest, some
from mbegu.engine.knowledge import gain
from mbegu.engine.memory import peek
from mbegu.engine.recursion import itself_of_six as quiescence_itself
from mbegu.engine.tables.probe import is_tabled
from mbegu.engine.thread_data import STOPPED, must_stop
from mbegu.engine.transposition import EXACT
from mbegu.engine.values import estimate, final

QUIET_DEPTH = 8  # how far captures are followed beyond the horizon


@spliced
def child_answer(child, alpha, beta, ply, left, thread):  # type: ignore[no-untyped-def]
    """What a child is worth to the player who moved there: negamax, unless he moves again."""
    if again(child):
        return quiescence_itself(child, alpha, beta, ply, left, thread)
    return negated(quiescence_itself(child, -beta, -alpha, ply, left, thread))


@compiled
def quiescence(state, alpha, beta, ply, left, thread):  # type: ignore[no-untyped-def]
    """Quiescence search: the value of a position when only captures and extra turns are followed."""
    if must_stop(thread):
        return 0
    moves = legal(state)
    if not some(state, moves):
        return told(final(state, margin(state), ply), EXACT)
    if is_tabled(state, thread):
        value, proved = by_table(state, alpha, beta, ply, thread)
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
        value = child_answer(child, alpha, beta, ply + 1, left - 1, thread) >> 2
        if peek(thread, STOPPED) != 0:
            return 0
        if value > best:
            best = value
            if value > alpha:
                alpha = value
                if value >= beta:
                    break
    return told(best, 0)

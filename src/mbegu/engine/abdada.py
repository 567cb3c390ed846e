"""ABDADA: how threads share one search. Each defers the moves that another one is busy with.

And it calls back whoever is still at work below a position that has its answer.
"""

from __future__ import annotations

from mbegu.engine.jit import compiled, inlined, int64
from mbegu.engine.kernels.bits import ZERO, U
from mbegu.engine.memory import peek, peek_anew, peek_bits, poke, poke_bits
from mbegu.engine.thread_data import (
    BUSY,
    BUSY_SLOTS,
    MOST_MOVES,
    NEWS,
    RETURN_TO,
    SIGNAL,
    STOPPED,
    TASKS,
    THREAD_DATA,
    THREADS,
    TRAIL,
)

DEFERRED = 1 << 60
ANSWERED = 2  # see STOPPED


@inlined
def is_busy(key, thread):  # type: ignore[no-untyped-def]
    """Whether another thread is searching this position."""
    return peek_bits(peek(thread, SIGNAL), BUSY + int64(key & U(BUSY_SLOTS - 1))) == key


@inlined
def mark_busy(key, thread):  # type: ignore[no-untyped-def]
    """Tells the other threads what this one is searching."""
    poke_bits(peek(thread, SIGNAL), BUSY + int64(key & U(BUSY_SLOTS - 1)), key)


@inlined
def mark_free(key, thread):  # type: ignore[no-untyped-def]
    """Tells the other threads that the position is free again."""
    poke_bits(peek(thread, SIGNAL), BUSY + int64(key & U(BUSY_SLOTS - 1)), ZERO)


@inlined
def deferred(move, rank):  # type: ignore[no-untyped-def]
    """A move in the list that is put off until all others are done. It keeps its rank, so that
    every thread searches it as deep as the others would, and finds their results."""
    return (((MOST_MOVES - rank) << 12) | move) - DEFERRED


@inlined
def rank_of(word):  # type: ignore[no-untyped-def]
    """The rank of a move that was put off."""
    return MOST_MOVES - ((word + DEFERRED) >> 12)


@compiled
def await_task(shared, known, patience):  # type: ignore[no-untyped-def]
    """Waits for the next task without going to sleep, a short while."""
    for _look in range(patience):  # noqa: SIM110 (Numba knows no generators)
        if peek_anew(shared, TASKS) != known:
            return True
    return False


@inlined
def label_of(key, ply):  # type: ignore[no-untyped-def]
    """A name for a position at this ply, never 0."""
    return int64((key << U(8)) | U(ply))


@inlined
def tell_others(label, ply, thread):  # type: ignore[no-untyped-def]
    """Calls back whoever is still at work below a position that has its answer in the table."""
    shared = peek(thread, SIGNAL)
    for i in range(peek(thread, THREADS)):
        other = peek(shared, THREAD_DATA + i)
        if other != thread and peek_anew(other, TRAIL + ply) == label:
            poke(other, NEWS, label)


@inlined
def is_answered(ply, thread):  # type: ignore[no-untyped-def]
    """Whether the news is about a position on the way here; if so the search returns to it."""
    label = peek_anew(thread, NEWS)
    poke(thread, NEWS, 0)
    above = label & 0xFF
    if label == 0 or above >= ply or peek(thread, TRAIL + above) != label:
        return False
    poke(thread, STOPPED, ANSWERED)
    poke(thread, RETURN_TO, above)
    return True

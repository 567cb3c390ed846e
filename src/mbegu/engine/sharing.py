"""How threads share a search: each leaves to the others what they are busy with, and calls back
whoever is still at work below a position that has its answer.
"""

from __future__ import annotations

from mbegu.engine.desk import (
    BUSY,
    BUSY_SLOTS,
    DESKS,
    MOST_MOVES,
    NEWS,
    RETURN_TO,
    SIGNAL,
    STOPPED,
    TASKS,
    THREADS,
    TRAIL,
)
from mbegu.engine.jit import compiled, inlined, int64
from mbegu.engine.kernels.bits import ZERO, U
from mbegu.engine.memory import peek, peek_bits, poke, poke_bits, watch

DEFERRED = 1 << 60
ANSWERED = 2  # see STOPPED


@inlined
def is_busy(key, desk):  # type: ignore[no-untyped-def]
    """Whether another thread is searching this position."""
    return peek_bits(peek(desk, SIGNAL), BUSY + int64(key & U(BUSY_SLOTS - 1))) == key


@inlined
def busy_with(key, desk):  # type: ignore[no-untyped-def]
    """Tells the other threads what this one is searching."""
    poke_bits(peek(desk, SIGNAL), BUSY + int64(key & U(BUSY_SLOTS - 1)), key)


@inlined
def done_with(key, desk):  # type: ignore[no-untyped-def]
    """Tells the other threads that the position is free again."""
    poke_bits(peek(desk, SIGNAL), BUSY + int64(key & U(BUSY_SLOTS - 1)), ZERO)


@inlined
def later(move, rank):  # type: ignore[no-untyped-def]
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
        if watch(shared, TASKS) != known:
            return True
    return False


@inlined
def label_of(key, ply):  # type: ignore[no-untyped-def]
    """A name for a position at this ply, never 0."""
    return int64((key << U(8)) | U(ply))


@inlined
def tell_others(label, ply, desk):  # type: ignore[no-untyped-def]
    """Calls back whoever is still at work below a position that has its answer in the table."""
    shared = peek(desk, SIGNAL)
    for i in range(peek(desk, THREADS)):
        other = peek(shared, DESKS + i)
        if other != desk and watch(other, TRAIL + ply) == label:
            poke(other, NEWS, label)


@inlined
def is_answered(ply, desk):  # type: ignore[no-untyped-def]
    """Whether the news is about a position on the way here; if so the search returns to it."""
    label = watch(desk, NEWS)
    poke(desk, NEWS, 0)
    above = label & 0xFF
    if label == 0 or above >= ply or peek(desk, TRAIL + above) != label:
        return False
    poke(desk, STOPPED, ANSWERED)
    poke(desk, RETURN_TO, above)
    return True

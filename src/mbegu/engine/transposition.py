"""The transposition table: what a search has found out about positions, shared by its threads.

Four entries of two words share a bucket, which is a cache line. The first word is the position's key, combined with
the second by exclusive or: when two threads write one entry at once, what comes of it has the key
of no position and is never believed, so no lock is needed. The second word holds, from the top,

    age 8 | work 6 | proved 2 | bound 2 | depth 8 | move + 1: 11 | side 1 | value + 2**25: 26

`work` is the logarithm of the nodes that the entry cost; `proved` names the bounds that hold for the
game itself, not only for the search, and `side` whether it was found at an odd ply, see
`mbegu.engine.repetition`. Three entries of a bucket keep what was dearest in recent moves, the last one
what came last.
"""

from __future__ import annotations

from mbegu.engine.jit import inlined, int64
from mbegu.engine.kernels.bits import ZERO, U, leading_zeros
from mbegu.engine.memory import fetch, peek_bits, poke_bits

ENTRY_BYTES, BUCKET_BYTES = 16, 64
AGES = 256

UPPER, LOWER, EXACT = 1, 2, 3  # what a value is: EXACT is both bounds at once
SOLVED = 255  # the depth of a value that needs no estimate

_MIDDLE = 1 << 25
_VALUE = U((1 << 26) - 1)


@inlined
def bucket_of(key, buckets):  # type: ignore[no-untyped-def]
    """The first word of the bucket in which a position may stand."""
    return int64((((key >> U(32)) * U(buckets)) >> U(32)) << U(3))


@inlined
def prefetch(table, buckets, key):  # type: ignore[no-untyped-def]
    """Brings a position's bucket near before it is asked for."""
    fetch(table, bucket_of(key, buckets))


@inlined
def pack_entry(age, work, proved, bound, depth, move, side, value):  # type: ignore[no-untyped-def]
    """Packs what has been found out; `move` is -1 when there is none."""
    return (
        (U(age) << U(56))
        | (U(work) << U(50))
        | (U(proved) << U(48))
        | (U(bound) << U(46))
        | (U(depth) << U(38))
        | (U(move + 1) << U(27))
        | (U(side) << U(26))
        | U(value + _MIDDLE)
    )


@inlined
def value_of(found):  # type: ignore[no-untyped-def]
    """The value in an entry."""
    return int64(found & _VALUE) - _MIDDLE


@inlined
def move_of(found):  # type: ignore[no-untyped-def]
    """The move in an entry, -1 when there is none."""
    return int64((found >> U(27)) & U(0x7FF)) - 1


@inlined
def depth_of(found):  # type: ignore[no-untyped-def]
    """The depth to which the position was searched."""
    return int64((found >> U(38)) & U(0xFF))


@inlined
def bound_of(found):  # type: ignore[no-untyped-def]
    """Whether the value is an upper bound, a lower bound, or both."""
    return int64((found >> U(46)) & U(3))


@inlined
def proved_of(found):  # type: ignore[no-untyped-def]
    """The bounds, UPPER or LOWER or both, that hold for the game itself, not only for the search."""
    return int64((found >> U(48)) & U(3))


@inlined
def age_of(found):  # type: ignore[no-untyped-def]
    """The age in which an entry was written."""
    return int64(found >> U(56))


@inlined
def side_of(found):  # type: ignore[no-untyped-def]
    """1 if an entry was written at an odd ply."""
    return int64((found >> U(26)) & U(1))


@inlined
def work_of(nodes):  # type: ignore[no-untyped-def]
    """The measure of work that so many nodes are."""
    return 64 - int64(leading_zeros(U(nodes)))


@inlined
def _worth(found, age):  # type: ignore[no-untyped-def]
    """What an entry is worth keeping for: its work, halved four times for every move since."""
    past = (age - age_of(found)) & (AGES - 1)
    return int64((found >> U(50)) & U(63)) - (past << 2)


@inlined
def look_up(table, buckets, key):  # type: ignore[no-untyped-def]
    """The entry of a position, 0 when there is none."""
    at = bucket_of(key, buckets)
    for i in range(at, at + 8, 2):
        found = peek_bits(table, i + 1)
        if peek_bits(table, i) ^ found == key and found != ZERO:
            return found
    return ZERO


@inlined
def store(table, buckets, key, new):  # type: ignore[no-untyped-def]
    """Stores an entry, in place of the least useful one of its bucket."""
    at = bucket_of(key, buckets)
    age = age_of(new)
    worst, least = at, 1 << 30
    for i in range(at, at + 8, 2):
        found = peek_bits(table, i + 1)
        if peek_bits(table, i) ^ found == key or found == ZERO:
            worst, least = i, -(1 << 30)
            break
        if i < at + 6:
            worth = _worth(found, age)
            if worth < least:
                worst, least = i, worth
    if least > _worth(new, age):
        worst = at + 6
    poke_bits(table, worst, key ^ new)
    poke_bits(table, worst + 1, new)

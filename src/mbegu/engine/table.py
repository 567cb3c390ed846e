"""The transposition table: what a search has found out about positions, shared by its threads.

Four entries of two words share a cache line. The first word is the position's key, combined with
the second by exclusive or: when two threads write one entry at once, what comes of it has the key
of no position and is never believed, so no lock is needed. The second word holds, from the top,

    age 6 | proved 1 | bound 2 | depth 8 | move + 1: 11 | value + 2**31: 32

Three entries of a line keep the deepest searches of recent moves, the last one what came last.
"""

from __future__ import annotations

from mbegu.engine.jit import inlined
from mbegu.engine.kernels.bits import ONE, ZERO, U
from mbegu.engine.memory import fetch, peek_bits, poke_bits

ENTRY_BYTES, LINE_BYTES = 16, 64
AGES = 64

UPPER, LOWER, EXACT = 1, 2, 3  # what a value is: EXACT is both bounds at once
SOLVED = 255  # the depth of a value that needs no estimate

_MIDDLE = 1 << 31
_HALF = U(0xFFFFFFFF)
_DEPTH_AND_PROOF = U(0x2007F80000000000)


@inlined
def line_of(key, lines):  # type: ignore[no-untyped-def]
    """The first word of the line in which a position may stand."""
    return int((((key >> U(32)) * U(lines)) >> U(32)) << U(3))


@inlined
def prefetch(table, lines, key):  # type: ignore[no-untyped-def]
    """Brings a position's line near before it is asked for."""
    fetch(table, line_of(key, lines))


@inlined
def entry(age, proved, bound, depth, move, value):  # type: ignore[no-untyped-def]
    """Packs what has been found out; `move` is -1 when there is none."""
    return (
        (U(age) << U(54))
        | (U(proved) << U(53))
        | (U(bound) << U(51))
        | (U(depth) << U(43))
        | (U(move + 1) << U(32))
        | U(value + _MIDDLE)
    )


@inlined
def value_of(found):  # type: ignore[no-untyped-def]
    """The value in an entry."""
    return int(found & _HALF) - _MIDDLE


@inlined
def move_of(found):  # type: ignore[no-untyped-def]
    """The move in an entry, -1 when there is none."""
    return int((found >> U(32)) & U(0x7FF)) - 1


@inlined
def depth_of(found):  # type: ignore[no-untyped-def]
    """The depth to which the position was searched."""
    return int((found >> U(43)) & U(0xFF))


@inlined
def bound_of(found):  # type: ignore[no-untyped-def]
    """Whether the value is an upper bound, a lower bound, or both."""
    return int((found >> U(51)) & U(3))


@inlined
def proved_of(found):  # type: ignore[no-untyped-def]
    """1 if the bound holds for the game itself, not only for the search."""
    return int((found >> U(53)) & ONE)


@inlined
def _age_of(found):  # type: ignore[no-untyped-def]
    return int(found >> U(54))


@inlined
def look_up(table, lines, key):  # type: ignore[no-untyped-def]
    """The entry of a position, 0 when there is none."""
    at = line_of(key, lines)
    for i in range(at, at + 8, 2):
        found = peek_bits(table, i + 1)
        if peek_bits(table, i) ^ found == key and found != ZERO:
            return found
    return ZERO


@inlined
def keep(table, lines, key, new):  # type: ignore[no-untyped-def]
    """Stores an entry, in place of the least useful one of its line."""
    at = line_of(key, lines)
    age, depth = _age_of(new), depth_of(new)
    worst, least = at + 6, 1 << 30
    for i in range(at, at + 6, 2):
        found = peek_bits(table, i + 1)
        if peek_bits(table, i) ^ found == key or found == ZERO:
            worst, least = i, -1
            break
        worth = depth_of(found) - (((age - _age_of(found)) & (AGES - 1)) << 3)
        if worth < least:
            worst, least = i, worth
    if least > depth:
        worst = at + 6
    poke_bits(table, worst, key ^ new)
    poke_bits(table, worst + 1, new)

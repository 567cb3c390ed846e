"""Tables in compiled code: what the search asks while it thinks, some tens of nanoseconds a time.

A game that has tables implements some words for its states; every other game has the defaults, which
cost nothing. The engine writes into a thread's data where the table of its game lies, see the words below.

    layer(state)                 the number of the layer that a state belongs to
    spot(state)                  its place in the whole table
    judged(state, value, low, high)
        what the table tells of the board, as margins of the whole game: a guess, and between which
        bounds the final margin lies if no position of the past comes back
    soon(state, value, low, high)
        how many plies away that is; games whose tables tell no distance leave it out
    gets_on(state)
        whether who follows the table comes to the end; false where play can go in circles for ever
"""

# mypy: allow-untyped-defs, allow-untyped-calls
# Compiled functions have no annotations: Numba infers their types, a set for each game.

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from mbegu.engine.jit import inlined, overloaded
from mbegu.engine.kernels.interface import OWN, default
from mbegu.engine.memory import peek
from mbegu.engine.tables.atomic import byte_at
from mbegu.engine.tables.solver import Layer

# ThreadData words: the last layer of the table, -1 for no table; the addresses of its bytes and of what they mean.
TABLED, TABLE_AT, TABLE_FACTS = 32, 33, 34
ROOT_LAYER = 35  # the layer of the position that the search began with

MEANINGS = 256  # of a byte, in each layer
# Plies that a win by the table counts as far away unless the game knows better. Together with the depth of a
# search, twice, they are fewer than a seed is worth: no value in the transposition table slips from one
# margin to the next.
FAR = 32
_HALF = 1 << 15  # a fact is stored above zero


def has_tables(state: Any) -> bool:  # type: ignore[empty-body]
    """Whether there may be tables for such states."""


def layer(state: Any) -> int:  # type: ignore[empty-body]
    """The number of the layer that a state belongs to."""


def spot(state: Any) -> int:  # type: ignore[empty-body]
    """The place of a state in the whole table."""


def judged(state: Any, value: int, low: int, high: int) -> tuple[int, int, int]:  # type: ignore[empty-body]
    """A guess of the final margin, and its bounds, by what the table tells of the board."""


def soon(state: Any, value: int, low: int, high: int) -> int:  # type: ignore[empty-body]
    """How many plies away what the table tells counts; less is nearer to the end."""


def gets_on(state: Any) -> bool:  # type: ignore[empty-body]
    """Whether who follows the table comes to the end, or nearer to it."""


def _has_tables(state: Any) -> Any:
    found = getattr(state, "instance_class", None) in OWN.get(spot, ())
    return lambda state: found


overloaded(has_tables, _has_tables)


@default(layer)
def _no_layer(state):
    return 0


@default(spot)
def _no_spot(state):
    return 0


@default(judged)
def _no_judgement(state, value, low, high):
    return 0, 0, 0


@default(soon)
def _far(state, value, low, high):
    return FAR


@default(gets_on)
def _towards_the_end(state):
    return True


@inlined
def is_tabled(state, thread):
    """Whether the table of this thread knows the state."""
    known = peek(thread, TABLED)
    return has_tables(state) and known >= 0 and layer(state) <= known


@inlined
def fact(state, thread):
    """The three numbers that the table tells of a state that is tabled."""
    byte = byte_at(peek(thread, TABLE_AT), spot(state))
    word = peek(peek(thread, TABLE_FACTS), layer(state) * MEANINGS + byte)
    value, low, high = word & 0xFFFF, (word >> 16) & 0xFFFF, (word >> 32) & 0xFFFF
    return value - _HALF, low - _HALF, high - _HALF


@inlined
def consult(state, thread):
    """A guess of the final margin, the least and the greatest, of a state that is tabled."""
    value, low, high = fact(state, thread)
    return judged(state, value, low, high)


def packed_facts(layers: Sequence[Layer]) -> list[int]:
    """[layer * MEANINGS + byte] -> value, low and high in one word."""
    words = [0] * (len(layers) * MEANINGS)
    for number, each in enumerate(layers):
        for code, fact in enumerate(each.facts):
            packed = sum(part + _HALF << 16 * i for i, part in enumerate(fact))
            words[number * MEANINGS + code] = packed
    return words

"""What the search, playouts and learners may know of a game beyond its rules. Every function here has
a default; a kernel that knows better implements its own (`implement` of the interface).

They are chosen by the class of the state, and the ones that return a constant cost nothing.
"""

# mypy: allow-untyped-defs, allow-untyped-calls
# Compiled functions have no annotations: Numba infers their types, a set for each game.

from __future__ import annotations

from typing import Any

from mbegu.engine.jit import inlined
from mbegu.engine.kernels.bits import FF, U
from mbegu.engine.kernels.interface import default, key

State = Any

NEVER, KEEP_SEEDS, DRAW = 0, 1, 2


def margin_only(state: State) -> bool:  # type: ignore[empty-body]
    """Whether the search maximises nothing but the margin, and not the win before it. True in a
    game that goes on when it is decided, and in which no player can put off the end."""


def recurrence(state: State) -> int:  # type: ignore[empty-body]
    """How a match ends when a position comes back: NEVER ends, KEEP_SEEDS or DRAW."""


def standing(state: State) -> int:  # type: ignore[empty-body]
    """The part of the margin that is settled and has no influence on the rest of the game."""


def table_key(state: State) -> int:  # type: ignore[empty-body]
    """The key of the state with its settled part left out."""


def bounds(state: State) -> tuple[int, int]:  # type: ignore[empty-body]
    """The least and the greatest final margin that can still come about."""


def gain(before: State, after: State) -> int:  # type: ignore[empty-body]
    """What the move between two states won for the player who made it; 0 for a quiet move."""


def worth_sharing(state: State) -> int:  # type: ignore[empty-body]
    """From which depth on it pays to leave to another thread what it is busy with."""


def repetitions(state: State) -> int:  # type: ignore[empty-body]
    """How many earlier occurrences of a position end the game, as a match would; 0 for no such rule."""


def observe(state: State, row: Any) -> None:
    """Writes what the player to move sees into a row of bytes, as many as the kernel's `width` tells."""


@inlined
def spread(word, row, first, count):
    """The lowest bytes of a word, one by one."""
    for i in range(count):
        row[first + i] = word & FF
        word >>= U(8)


# ---- what is so unless a kernel says otherwise --------------------------------------------------------


@default(margin_only)
def _no(state):
    return False


@default(recurrence)
def _never(state):
    return NEVER


@default(repetitions)
def _as_recurrence(state):
    return recurrence(state)  # KEEP_SEEDS at the first that comes back, DRAW at the second


@default(standing)
def _nothing(state):
    return 0


@default(table_key)
def _whole_key(state):
    return key(state)


@default(bounds)
def _unknown(state):
    return -255, 255


@default(gain)
def _no_gain(before, after):
    return 0


@default(worth_sharing)
def _deep(state):
    return 6


@default(observe)
def _every_byte(state, row):
    at = 0
    for word in state:
        spread(word, row, at, 8)
        at += 8

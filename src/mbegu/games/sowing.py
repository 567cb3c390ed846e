"""What sowing games share literally: small functions for sides, holes, sweeps and stores.

The rules of each game stay in one file that can be read from top to bottom; only what says nothing about
the game is here. A game of another package may use it too.

    >>> turn_of(".", "SN"), turn_of("N", "SN"), letter_of(0, "SN")
    (None, 1, 'S')
    >>> sweeps((range(2), range(2, 4)), (0, 3, 0, 0), "ABab")
    [Sweep(player=0, holes=('B',), seeds=3)]
"""

from collections.abc import Container, Iterable, Sequence

from mbegu.core.board import Lying
from mbegu.core.errors import InvalidMove, InvalidPosition, shorten
from mbegu.core.events import Event, Sweep
from mbegu.core.game import Move
from mbegu.core.i18n import _

__all__ = [
    "OVER",
    "check_turn",
    "hole_of",
    "letter_of",
    "lying_singly",
    "sweeps",
    "turn_of",
]

OVER = "."  # in the place of the side to move, when the game is over


def letter_of(turn: int | None, sides: Sequence[str]) -> str:
    """How a position's text says who is to move."""
    return OVER if turn is None else sides[turn]


def turn_of(letter: str, sides: Sequence[str]) -> int | None:
    """Who is to move by the letter; it must be one of the sides' or OVER."""
    return None if letter == OVER else sides.index(letter)


def check_turn(turn: int | None, over: bool) -> int | None:
    """Who is to move in a position set up by hand: nobody if and only if it is over."""
    if turn is None and not over:
        raise InvalidPosition(_("somebody must be to move: the game is not over"))
    return None if over else turn


def hole_of(move: Move, holes: Container[int], complaint: str, **blanks: object) -> int:
    """The hole that a move names. The complaint, in English, has the blank {move} and perhaps others."""
    if type(move) is not int or move not in holes:
        raise InvalidMove(_(complaint).format(move=shorten(move), **blanks))
    return move


def sweeps(own: Sequence[Sequence[int]], board: Sequence[int], names: Sequence[str]) -> list[Event]:
    """At the end, the seeds left on each side go to its owner."""
    found: list[Event] = []
    for owner, holes in enumerate(own):
        left = [hole for hole in holes if board[hole]]
        if left:
            seeds = sum(board[hole] for hole in left)
            found.append(Sweep(owner, tuple(names[hole] for hole in left), seeds))
    return found


def lying_singly(names: Iterable[str], counts: Iterable[int]) -> dict[str, Lying]:
    """What lies where on a board with one kind of pieces."""
    return {name: Lying((count,)) for name, count in zip(names, counts, strict=True)}

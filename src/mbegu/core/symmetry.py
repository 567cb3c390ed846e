"""Symmetries: ways to lay a board otherwise so that the same game is played on it.

A game tells its own (`Game.symmetries`); of a game that tells none only the board as it is counts.

>>> from mbegu.core.registry import game
>>> oware = game("oware")
>>> one = oware.position("4-0-0-5-6-0-0-1-1-2-3-6-10-10-S")
>>> other = oware.position("0-1-1-2-3-6-4-0-0-5-6-0-10-10-N")  # the board turned round
>>> likeness(one) == likeness(other)
True
"""

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from functools import cache, cached_property
from operator import itemgetter
from typing import TYPE_CHECKING, Any

from mbegu.core.board import Lying

if TYPE_CHECKING:
    from mbegu.core.game import Position

__all__ = ["Symmetry", "likeness", "rotations"]


@dataclass(frozen=True)
class Symmetry:
    """What comes to each place of `board.places`, and whether the players change sides by it."""

    order: tuple[int, ...]
    swaps: bool = False
    kinds: tuple[int, ...] = ()  # the order of the kinds of pieces, if that changes

    @cached_property
    def laid(self) -> Callable[[tuple[Lying, ...]], tuple[Lying, ...]]:
        """Lays a board otherwise, but for the kinds."""
        return itemgetter(*self.order)


def _renamed(layout: tuple[Lying, ...], kinds: tuple[int, ...]) -> tuple[Lying, ...]:
    """The same board with pieces of other kinds."""
    if not kinds:
        return layout
    return tuple(Lying(tuple(one.counts[kind] for kind in kinds), one.marks) for one in layout)


@cache
def rotations(places: int, step: int) -> tuple[Symmetry, ...]:
    """A ring, turned: each turn by `step` places gives each player the other's."""
    return tuple(
        Symmetry(tuple((place + turn * step) % places for place in range(places)), turn % 2 == 1)
        for turn in range(1, places // step)
    )


def likeness(position: "Position") -> Hashable:
    """What is the same for all positions in which the same game is played, scores apart."""
    layout: Any = position.layout()
    turn = -1 if position.turn is None else position.turn
    images, renamed = [(layout, turn)], dict[tuple[int, ...], Any]()
    for symmetry in position.game.symmetries():
        swapped = turn if turn < 0 or not symmetry.swaps else 1 - turn
        if symmetry.kinds not in renamed:
            renamed[symmetry.kinds] = _renamed(layout, symmetry.kinds)
        images.append((symmetry.laid(renamed[symmetry.kinds]), swapped))
    return min(images)

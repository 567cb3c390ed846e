"""The board of two-colour Awale: a ring of sixteen holes that the players own in turn."""

from mbegu.core.board import Board, Place
from mbegu.core.i18n import N_

__all__ = ["BOARD", "HOLES", "OWN", "SIDES"]

HOLES = tuple(str(number) for number in range(1, 17))
OWN = (range(0, 16, 2), range(1, 16, 2))  # the holes of Odd and of Even, counted from 0
SIDES = (N_("Odd"), N_("Even"))

BOARD = Board(
    family="ring",
    places=tuple(
        Place(name, row=k // 8, column=k if k < 8 else 15 - k, owner=k % 2)
        for k, name in enumerate(HOLES)
    ),
    stores=tuple(
        Place(name, row=0.5, column=2 + 3 * owner, owner=owner, role="score")
        for owner, name in enumerate(SIDES)
    ),
    kinds=("red", "blue"),
)

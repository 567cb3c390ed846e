"""The board of Oware: twelve houses in two rows and a store at each end."""

from mbegu.core.board import Board, Place
from mbegu.core.i18n import N_

__all__ = ["BOARD", "HOUSES", "OWN", "SIDES"]

HOUSES = "ABCDEFabcdef"
OWN = (range(6), range(6, 12))  # the houses of South and of North
SIDES = (N_("South"), N_("North"))

BOARD = Board(
    family="two_rows",
    places=tuple(
        Place(name, row=1 - k // 6, column=k if k < 6 else 11 - k, owner=k // 6)
        for k, name in enumerate(HOUSES)
    ),
    stores=(
        Place(SIDES[0], row=0.5, column=6, owner=0, role="score"),
        Place(SIDES[1], row=0.5, column=-1, owner=1, role="score"),
    ),
    kinds=("nickernut",),
    hole=N_("house"),
)

"""The board of Toguz Kumalak: two rows of nine houses and a kazan for each player."""

from mbegu.core.board import Board, Place

__all__ = ["BOARD", "HOUSES", "SIDES"]

SIDES = ("South", "North")
HOUSES = tuple(f"{side}{number}" for side in "SN" for number in range(1, 10))

BOARD = Board(
    family="two_rows",
    places=tuple(
        Place(
            name,
            row=1 - k // 9,
            column=k if k < 9 else 17 - k,
            label=str(k % 9 + 1),
            owner=k // 9,
        )
        for k, name in enumerate(HOUSES)
    ),
    stores=(
        Place("South", row=0.5, column=9, owner=0, role="score"),
        Place("North", row=0.5, column=-1, owner=1, role="score"),
    ),
    kinds=("pebble",),
    piece="ball",
    pieces="balls",
    score="in the kazan",
    hole="house",
)

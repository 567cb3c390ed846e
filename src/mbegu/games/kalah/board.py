"""The board of Kalah: two rows of pits and a store at each end; South sits on top."""

from functools import cache

from mbegu.core.board import Board, Place
from mbegu.core.i18n import N_

__all__ = ["ROWS", "SIDES", "board_of", "names_of"]

SIDES = "SN"
ROWS = ("ABCDEFGHIJ", "abcdefghij")  # the pits of South and of North in the order of sowing


@cache
def names_of(pits: int) -> tuple[str, ...]:
    """The names of the pits and stores in the order of sowing: S1, S2, … S, N1, N2, … N."""
    numbers = [*range(1, pits + 1), ""]
    return tuple(f"{side}{number}" for side in SIDES for number in numbers)


@cache
def board_of(pits: int) -> Board:
    """The board with so many pits on each side."""
    places = []
    for owner, side in enumerate(SIDES):
        for pit in range(pits):
            column = pit if owner else pits - 1 - pit
            letter = ROWS[owner][pit]
            places.append(Place(f"{side}{pit + 1}", owner, column, letter, owner))
    return Board(
        family="two_rows",
        places=tuple(places),
        stores=(
            Place("S", row=0.5, column=-1, owner=0, role="score"),
            Place("N", row=0.5, column=pits, owner=1, role="score"),
        ),
        kinds=("pebble",),
        piece=N_("stone"),
        pieces=N_("stones"),
        score=N_("in the store"),
        hole=N_("pit"),
    )

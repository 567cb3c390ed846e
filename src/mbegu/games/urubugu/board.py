"""The board of Urubugu: four rows of eight, two for each player."""

from mbegu.core.board import Board, Place
from mbegu.core.i18n import N_

__all__ = ["BOARD", "NAMES"]

NAMES = tuple(tuple(f"{side}{cell}" for cell in range(1, 17)) for side in "SN")


def _place(owner: int, cell: int) -> Place:
    """Cells 1 to 8 run along the back row from the player's left, 9 to 16 back along the front row."""
    front, along = cell > 8, (cell - 1 if cell <= 8 else 16 - cell)
    row = (1 if front else 0) if owner else (2 if front else 3)
    return Place(f"{'SN'[owner]}{cell}", row, 7 - along if owner else along, str(cell), owner)


BOARD = Board(
    family="four_rows",
    places=tuple(_place(owner, cell) for owner in (0, 1) for cell in range(1, 17)),
    kinds=("nickernut",),
    piece=N_("bead"),
    pieces=N_("beads"),
    score=N_("beads"),
    hole=N_("cell"),
)

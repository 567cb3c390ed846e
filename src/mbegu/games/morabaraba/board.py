"""The board of Morabaraba: 24 points on three nested squares and their diagonals."""

from itertools import pairwise

from mbegu.core.board import Board, Lying, Place
from mbegu.core.i18n import N_
from mbegu.core.symmetry import Symmetry

__all__ = [
    "BOARD",
    "INDEX",
    "LAID",
    "LYING",
    "MILLS",
    "NEIGHBOURS",
    "POINTS",
    "SYMMETRIES",
    "coordinates",
]

POINTS = tuple("a1 d1 g1 b2 d2 f2 c3 d3 e3 a4 b4 c4 e4 f4 g4 c5 d5 e5 b6 d6 f6 a7 d7 g7".split())
MILLS = sorted(
    (
        tuple(name.split("-"))
        for name in (
            "a1-a4-a7 b2-b4-b6 c3-c4-c5 d1-d2-d3 d5-d6-d7 e3-e4-e5 f2-f4-f6 g1-g4-g7 "
            "a1-d1-g1 b2-d2-f2 c3-d3-e3 a4-b4-c4 e4-f4-g4 c5-d5-e5 b6-d6-f6 a7-d7-g7 "
            "a1-b2-c3 c5-b6-a7 g1-f2-e3 e5-f6-g7"
        ).split()
    ),
    key=lambda mill: sorted(map(POINTS.index, mill)),  # from the bottom row to the top
)
NEIGHBOURS = {
    point: [
        other
        for other in POINTS
        if any({point, other} in map(set, pairwise(mill)) for mill in MILLS)
    ]
    for point in POINTS
}
INDEX = {point: index for index, point in enumerate(POINTS)}


def coordinates(point: str) -> tuple[int, int]:
    """The contest's view of a point: (row, column), row 0 at the bottom.

    >>> coordinates("d1")
    (0, 3)
    """
    return int(point[1]) - 1, ord(point[0]) - ord("a")


def _laid(inside_out: bool, mirrored: bool, turns: int) -> tuple[int, ...]:
    """Which point comes to each one when the squares are laid otherwise."""
    order = []
    for point in POINTS:
        row, column = (number - 3 for number in coordinates(point))
        if mirrored:
            column = -column
        for _turn in range(turns):
            row, column = column, -row
        square = max(abs(row), abs(column))  # 1 inside, 3 outside
        wanted = 4 - square if inside_out else square
        row, column = row * wanted // square, column * wanted // square
        order.append(INDEX[f"{'abcdefg'[column + 3]}{row + 4}"])
    return tuple(order)


LAID = tuple(
    _laid(inside_out, mirrored, turns)
    for inside_out in (False, True)
    for mirrored in (False, True)
    for turns in range(4)
)
"""The ways to lay the squares so that the lines stay lines: as they are first."""


def _place(point: str) -> Place:
    row, column = coordinates(point)
    return Place(point, row=6 - row, column=column)


BOARD = Board(
    family="mill",
    places=tuple(map(_place, POINTS)),
    stores=tuple(
        Place(f"{role}-{owner}", row=row, column=8 if owner else -2, owner=owner, role=role)
        for role, row in (("hand", 1), ("score", 4))
        for owner in (0, 1)
    ),
    kinds=("dark", "light"),
    piece=N_("cow"),
    pieces=N_("cows"),
    score=N_("shot"),
    hole=N_("point"),
    lines=tuple(MILLS),
)

SYMMETRIES = (
    *(Symmetry(order) for order in LAID[1:]),
    *(Symmetry(order, True, (1, 0)) for order in LAID),
)
LYING = {"x": Lying((1, 0)), "o": Lying((0, 1)), ".": Lying((0, 0))}

"""Pictures of positions: `picture(position)` is a whole SVG file, the same text every time.

One drawing for each family of boards: two rows with stores, a ring, four rows, a mill board; any
other board is drawn by where its places lie, or, if it does not say, as its text. They are drawn from
`game.board` and `position.places()` alone. In every picture the group of a place has its name as
`data-place`, so that a screen can let people point at it.
"""

from collections.abc import Callable

from mbegu.core.board import check_places
from mbegu.core.game import Position
from mbegu.games.pictures.four_rows import draw_four_rows
from mbegu.games.pictures.grid import draw_grid, draw_text
from mbegu.games.pictures.mill import draw_mill
from mbegu.games.pictures.ring import draw_ring
from mbegu.games.pictures.two_rows import draw_two_rows

__all__ = ["picture"]

_FAMILIES: dict[str, Callable[[Position], str]] = {
    "two_rows": draw_two_rows,
    "four_rows": draw_four_rows,
    "ring": draw_ring,
    "mill": draw_mill,
}


def picture(position: Position) -> str:
    """The position as a self-contained SVG file, with its title in the language of the moment."""
    board = position.game.board
    if not board.places:
        return draw_text(position)
    check_places(board, position.places())
    return _FAMILIES.get(board.family, draw_grid)(position)

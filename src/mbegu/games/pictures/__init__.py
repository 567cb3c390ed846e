"""Pictures of positions: `picture(position)` is a whole SVG file, the same text every time.

One drawing for each family of boards: two rows with stores, a ring, four rows, a mill board. They
are drawn from `position.to_json()`, so a new game with a board of these families has a picture too;
any other board is shown as its text on a wooden panel.
"""

from collections.abc import Callable
from typing import Any

from mbegu.core.drawing import group, tag
from mbegu.core.game import Position
from mbegu.games.pictures.four_rows import draw_four_rows
from mbegu.games.pictures.material import CREAM, defs, finish, plank
from mbegu.games.pictures.mill import draw_mill
from mbegu.games.pictures.ring import draw_ring
from mbegu.games.pictures.two_rows import draw_kalah, draw_oware

__all__ = ["picture"]

MONO = "'Noto Sans Mono','DejaVu Sans Mono',Menlo,Consolas,monospace"


def _panel(position: Position) -> str:
    """The text of the board on a wooden panel."""
    lines = position.diagram().split("\n")
    width, height = max(map(len, lines)) * 11.0 + 120, len(lines) * 24.0 + 140
    text = [
        tag("text", line, x=60, y=76 + 24 * k, font_size=18, fill=CREAM, style="white-space:pre")
        for k, line in enumerate(lines)
    ]
    return finish(
        position,
        width,
        height,
        defs(),
        plank(14, 14, width - 28, height - 40, 30),
        group(*text, font_family=MONO),
    )


_FAMILIES: list[tuple[set[str], Callable[[Position, dict[str, Any]], str]]] = [
    ({"board", "in_hand"}, draw_mill),
    ({"red", "blue", "score"}, draw_ring),
    ({"p0", "p1"}, draw_four_rows),
    ({"board", "score"}, draw_oware),
    ({"pits"}, draw_kalah),
]


def picture(position: Position) -> str:
    """The position as a self-contained SVG file, with its title in the language of the moment."""
    state = position.to_json()
    for keys, draw in _FAMILIES:
        if keys <= state.keys():
            return draw(position, state)
    return _panel(position)

"""The long board with rounded ends: two rows of houses and a store for each player."""

from collections.abc import Iterable, Sequence
from typing import Any

from mbegu.core.drawing import Markup, group, number, tag
from mbegu.core.game import Position
from mbegu.games.pictures.material import (
    INK,
    badge,
    defs,
    finish,
    hollow,
    nickernuts,
    pebbles,
    plank,
    pointer,
    scatter,
    text,
)

__all__ = ["draw_kalah", "draw_oware"]

Row = Sequence[tuple[str, int]]  # label and seeds of each house, left to right


def _chips(x: float, y: float, width: float, *, up: bool) -> Markup:
    """A band of small triangles cut into the frame."""
    step, tall = 16.0, 9.0 if up else -9.0
    count = int(width // step)
    x += (width - count * step) / 2
    cut = "".join(
        f"M{number(x + k * step)} {number(y)}l8 {number(-tall)}l8 {number(tall)}z"
        for k in range(count)
    )
    return group(
        tag("path", d=cut, fill=INK, opacity=0.5),
        tag(
            "path",
            d=f"M{number(x)} {number(y + 1.4)}h{number(count * step)}",
            stroke="#ffe3b8",
            opacity=0.35,
        ),
    )


def _two_rows(
    position: Position,
    top: Row,
    bottom: Row,
    stores: tuple[tuple[int, int], tuple[int, int]],
    *,
    seeds: Iterable[Markup],
) -> str:
    """The board with rounded ends. `stores`: player and seeds of the left and of the right one."""
    step, margin, end = 118.0, 26.0, 132.0
    inside = step * len(bottom)
    width, height = inside + 2 * (end + margin), 400.0
    parts = [defs(*seeds), plank(margin / 2, 14, width - margin, height - 40, 150)]
    left, y_top, y_bottom = margin + end, 128.0, 246.0
    mover_on_top = position.turn is not None and position.turn == stores[0][0]
    parts += [_chips(left, 40, inside, up=False), _chips(left, 334, inside, up=True)]
    if position.turn is not None:
        parts.append(pointer(left, 56 if mover_on_top else 318, inside))
    for row, y, out in ((top, y_top, -1), (bottom, y_bottom, 1)):
        for k, (label, count) in enumerate(row):
            x = left + step * (k + 0.5)
            parts.append(
                group(
                    hollow(102, 102),
                    scatter(count, 51, k + (3 if out < 0 else 0), size=1.12),
                    badge(count, 31, out * 37),
                    text(label, -44, out * 44, 16, font_weight=600, opacity=0.85),
                    x=x,
                    y=y,
                )
            )
    for (player, count), x in zip(
        stores, (margin + end / 2, width - margin - end / 2), strict=True
    ):
        parts.append(
            group(
                hollow(92, 196),
                group(scatter(count, 44, player, size=1.08), y=-8),
                badge(count, 0, 62, size=22),
                text(position.game.side(player), 0, -72, 17, font_weight=600, opacity=0.92),
                x=x,
                y=(y_top + y_bottom) / 2,
            )
        )
    return finish(position, width, height, *parts)


def draw_oware(position: Position, state: dict[str, Any]) -> str:
    board, score = state["board"], state["score"]
    top = list(zip("fedcba", reversed(board[6:]), strict=True))
    bottom = list(zip("ABCDEF", board[:6], strict=True))
    stores = ((1, score[1]), (0, score[0]))
    return _two_rows(position, top, bottom, stores, seeds=nickernuts())


def draw_kalah(position: Position, state: dict[str, Any]) -> str:
    pits = state["pits"]
    size = len(pits) // 2 - 1
    letters = "abcdefghijklmnopqrstuvwxyz"[:size]
    top = list(zip(letters, reversed(pits[:size]), strict=True))  # South starts and sits on top
    bottom = list(zip(letters, pits[size + 1 : -1], strict=True))
    stores = ((0, pits[size]), (1, pits[-1]))
    return _two_rows(position, top, bottom, stores, seeds=pebbles())

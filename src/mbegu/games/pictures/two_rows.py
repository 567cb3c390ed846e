"""The long board with rounded ends: two rows of houses and a store for each player."""

from mbegu.core.board import Lying, Place
from mbegu.core.drawing import Markup, group, number, tag
from mbegu.core.game import Position
from mbegu.games.pictures.material import (
    ACCENT,
    INK,
    badge,
    brief,
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

__all__ = ["draw_two_rows"]


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


def draw_two_rows(position: Position) -> str:
    """The board with rounded ends, and the stores in them, if there are any."""
    board, lying = position.game.board, position.places()
    top, bottom = (
        sorted((place for place in board.places if place.row == row), key=lambda at: at.column)
        for row in (0, 1)
    )
    step, margin, end = 118.0, 26.0, 132.0
    inside = step * max(len(top), len(bottom))
    width, height = inside + 2 * (end + margin), 400.0
    seeds = pebbles() if board.kinds[0] == "pebble" else nickernuts()
    parts = [defs(*seeds), plank(margin / 2, 14, width - margin, height - 40, 150)]
    left, y_top, y_bottom = margin + end, 128.0, 246.0
    parts += [_chips(left, 40, inside, up=False), _chips(left, 334, inside, up=True)]
    if position.turn is not None:
        mover_on_top = bool(top) and position.turn == top[0].owner
        parts.append(pointer(left, 56 if mover_on_top else 318, inside))
    for row, y, out in ((top, y_top, -1), (bottom, y_bottom, 1)):
        parts += [
            group(
                *_house(place, lying[place.name], k + (3 if out < 0 else 0), out),
                x=left + step * (k + 0.5),
                y=y,
                data_place=place.name,
            )
            for k, place in enumerate(row)
        ]
    for store in board.stores:
        x = margin + end / 2 if store.column < 0 else width - margin - end / 2
        inside_store = _store(position, store, sum(lying[store.name].counts))
        y = (y_top + y_bottom) / 2
        parts.append(group(*inside_store, x=x, y=y, data_place=store.name))
    return finish(position, width, height, *parts)


def _house(place: Place, lying: Lying, turn: int, out: int) -> tuple[Markup, ...]:
    """A house with its seeds; one that is marked has a rim."""
    count = sum(lying.counts)
    return (
        hollow(102, 102, rim=ACCENT if lying.marks else ""),
        scatter(count, 51, turn, size=1.12),
        badge(count, 31, out * 37),
        text(place.label or place.name, -44, out * 44, 16, font_weight=600, opacity=0.85),
    )


def _store(position: Position, store: Place, count: int) -> tuple[Markup, ...]:
    player = store.owner or 0
    return (
        hollow(92, 196),
        group(scatter(count, 44, player, size=1.08), y=-8),
        badge(count, 0, 62, size=22),
        text(brief(position.game.side(player), 10), 0, -72, 17, font_weight=600, opacity=0.92),
    )

"""Four rows of eight, a ridge between the players."""

from mbegu.core.drawing import Markup, group, number, tag
from mbegu.core.game import Position
from mbegu.games.pictures.material import (
    CREAM,
    INK,
    badge,
    defs,
    finish,
    hollow,
    nickernuts,
    plank,
    pointer,
    scatter,
    text,
)

__all__ = ["draw_four_rows"]


def _zigzag(x: float, y: float, height: float) -> Markup:
    """A band in the manner of imigongo, the relief painting of Rwanda and its neighbours."""
    width, step = 40.0, 44.0
    count = int(height // step)
    y += (height - count * step) / 2
    box = {"x": x, "y": y, "width": width, "height": count * step}

    def line(shift: float, colour: str) -> Markup:
        turns = "".join(f"l{20 if k % 2 else -20} {number(step / 2)}" for k in range(2 * count))
        d = f"M{number(x + shift)} {number(y)}{turns}"
        return tag("path", d=d, fill="none", stroke=colour, stroke_width=7.5)

    clip = f"band-{number(x)}"
    stripes = (CREAM, "#a5401f", CREAM, None, CREAM, "#a5401f", CREAM)
    lines = [line(10.0 * k, colour) for k, colour in enumerate(stripes) if colour]
    return group(
        tag("clipPath", tag("rect", **box, rx=4), id=clip),
        group(tag("rect", **box, fill="#1d100a"), *lines, clip_path=f"url(#{clip})"),
        tag("rect", **box, rx=4, fill="none", stroke=INK, stroke_width=2),
    )


def draw_four_rows(position: Position) -> str:
    """North on top; each player's front row, by the ridge, is a shade lighter than the back row."""
    board, lying = position.game.board, position.places()
    columns = 1 + max(place.column for place in board.places)
    step, left = 106.0, 92.0
    width, height = columns * step + 2 * left, 604.0
    parts = [defs(*nickernuts()), plank(14, 14, width - 28, height - 40, 44)]
    parts += [_zigzag(34, 44, height - 100), _zigzag(width - 74, 44, height - 100)]
    middle = 14 + (height - 40) / 2
    lines = (middle - 183, middle - 73, middle + 73, middle + 183)
    ridge = {"x": left, "width": columns * step}
    parts += [
        tag("rect", **ridge, y=middle - 6, height=12, rx=6, fill=INK, opacity=0.55),
        tag("rect", **ridge, y=middle - 6, height=7, rx=3.5, fill="#c9925a"),
        tag("rect", **ridge, y=middle - 6, height=2, rx=1, fill="#ffe3b8", opacity=0.6),
    ]
    for k, place in enumerate(sorted(board.places, key=lambda at: (at.row, at.column))):
        row = int(place.row)
        out = -1 if row < 2 else 1
        count = sum(lying[place.name].counts)
        label = place.label or place.name
        parts.append(
            group(
                hollow(88, 88, lighter=row in (1, 2)),
                scatter(count, 44, k % 7 + row, size=0.82),
                badge(count, 28, out * 33, size=16),
                text(label, -36, out * 38, 13, font_weight=600, opacity=0.85),
                x=left + step * (place.column + 0.5),
                y=lines[row],
                data_place=place.name,
            )
        )
    for player, y in ((1, 32.0), (0, height - 44)):
        words = f"{position.game.side(player)} · {position.scores()[player]}"
        parts.append(text(words, width / 2, y, 17, font_weight=600))
        if position.turn == player:
            for x in (left, width / 2 + 70):
                parts.append(pointer(x, y, columns * step / 2 - 70))
    return finish(position, width, height, *parts)

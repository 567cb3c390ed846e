"""A ring of holes that the two players own in turn, with seeds of two colours."""

from mbegu.core.board import Place
from mbegu.core.drawing import Markup, arc_points, group, number, spots, tag
from mbegu.core.game import Position
from mbegu.games.pictures.material import (
    CREAM,
    INK,
    brief,
    defs,
    finish,
    gradient,
    hollow,
    plank,
    pointer,
    text,
)

__all__ = ["draw_ring"]


def _two_colours() -> list[Markup]:
    """Red seeds are round, blue ones are diamonds: the shape says what the colour says."""
    red = gradient(
        "red-skin", (0, "#ff9a86"), (0.4, "#cf3a2b"), (1, "#7c130d"), cx=0.36, cy=0.3, r=0.8
    )
    blue = gradient(
        "blue-skin", (0, "#a9d4ff"), (0.45, "#2f78b7"), (1, "#123a66"), cx=0.36, cy=0.25, r=0.85
    )
    glint = tag("ellipse", cx=-3, cy=-3.4, rx=2.4, ry=1.6, fill="#fff", opacity=0.75)
    diamond = "M0-11.4L10.2 0L0 11.4L-10.2 0Z"
    return [
        red,
        blue,
        group(
            tag("circle", cx=1.6, cy=3, r=9, fill="#120701", opacity=0.45),
            tag("circle", r=8.8, fill="url(#red-skin)", stroke="#5c0d08", stroke_opacity=0.6),
            glint,
            id="red",
        ),
        group(
            tag("path", d=diamond, transform="translate(1.6 3)", fill="#120701", opacity=0.45),
            tag(
                "path",
                d=diamond,
                fill="url(#blue-skin)",
                stroke="#0c2748",
                stroke_opacity=0.7,
                stroke_linejoin="round",
            ),
            tag("path", d="M0-8.6L-7.2 -.6L-2 -.6Z", fill="#fff", opacity=0.35),
            id="blue",
        ),
    ]


def _mixed(red: int, blue: int, radius: float, turn: int) -> Markup:
    """Reds and blues of one hole together, mixed as a hand would leave them."""
    places = list(spots(red + blue, turn))
    shown_red = round(len(places) * red / (red + blue)) if places else 0
    if red and blue:  # a heap shows both colours when there are both
        shown_red = min(max(shown_red, 1), len(places) - 1)
    kinds = ["red"] * shown_red + ["blue"] * (len(places) - shown_red)
    return group(
        *(
            tag("use", href=f"#{kind}", x=x * radius, y=y * radius)
            for kind, (x, y, _angle) in zip(kinds, places, strict=True)
        )
    )


RIMS = ("#f6e6c4", "#24130a")


def draw_ring(position: Position) -> str:
    """The holes on an ellipse, clockwise from the top left; the rim tells whose hole it is."""
    width, height = 1120.0, 690.0
    cx, cy = width / 2, height / 2 - 6
    board, lying = position.game.board, position.places()
    parts = [defs(*_two_colours())]
    parts.append(plank(14, 14, width - 28, height - 40, (height - 40) / 2))
    around = arc_points(len(board.places), 432, 228, 180)
    for k, (place, (x, y)) in enumerate(zip(board.places, around, strict=True)):
        hole = _hole(place, lying[place.name].counts, k, (x / 432, y / 228))
        parts.append(group(*hole, x=cx + x, y=cy + y, data_place=place.name))
    # The scores lie in the middle; the arrow between them is the way of sowing.
    for player, x in ((0, cx - 170), (1, cx + 170)):
        store = board.store(player)
        parts.append(
            group(
                hollow(150, 104, rim=RIMS[player]),
                text(str(position.scores()[player]), 0, -2, 46, font_weight=700),
                text(brief(position.game.side(player), 20), 0, -76, 20, font_weight=600),
                pointer(-38, 76, 76) if position.turn == player else Markup(""),
                x=x,
                y=cy,
                data_place=None if store is None else store.name,
            )
        )
    arrow = tag("path", d="M-46 34A58 58 0 1 1 41 41", fill="none", stroke_width=10, stroke=INK)
    head = tag("path", d="M58 20L52 62L18 36Z", fill=INK)
    parts.append(group(arrow, head, x=cx, y=cy, opacity=0.62))
    return finish(position, width, height, *parts)


def _hole(
    place: Place, counts: tuple[int, ...], k: int, out: tuple[float, float]
) -> tuple[Markup, ...]:
    """A hole with its seeds of one colour or two; numbers keep clear of the neighbours."""
    length = (out[0] ** 2 + out[1] ** 2) ** 0.5
    label_x, label_y = out[0] / length * 74, out[1] / length * 72
    inward = 1 if out[1] < -0.45 or 0 <= out[1] < 0.45 else -1
    red, blue = (*counts, 0)[:2]
    plates = [_colour_badge("red", red, -19 if counts[1:] else 0, inward * 43)]
    if counts[1:]:
        plates.append(_colour_badge("blue", blue, 19, inward * 43))
    return (
        hollow(106, 106, rim="" if place.owner is None else RIMS[place.owner]),
        group(_mixed(red, blue, 46, k), y=-inward * 9),
        *plates,
        text(place.label or place.name, label_x, label_y, 17, font_weight=600, opacity=0.9),
    )


def _colour_badge(name: str, count: int, x: float, y: float) -> Markup:
    """The exact number of one colour: a round plate for red, a diamond one for blue."""
    fill = {"red": "#a3261a", "blue": "#1c5690"}[name] if count else "#5d3a1e"
    line: dict[str, str | float] = {"fill": fill, "stroke": CREAM if count else INK}
    if name == "red":
        plate = tag("circle", cx=x, cy=y, r=14.5, stroke_width=1.8, **line)
    else:
        d = f"M{number(x)} {number(y - 19)}l19 19l-19 19l-19-19z"
        plate = tag("path", d=d, stroke_width=1.8, stroke_linejoin="round", **line)
    return group(plate, text(str(count), x, y, 17 if count < 10 else 15, font_weight=700))

"""A mill board: grooves, cows, and what each player has in hand and has shot."""

from dataclasses import dataclass
from itertools import zip_longest

from mbegu.core.board import Board, Lying
from mbegu.core.drawing import Markup, group, number, tag
from mbegu.core.game import Position
from mbegu.core.i18n import _
from mbegu.games.pictures.material import (
    INK,
    badge,
    brief,
    carved_once,
    defs,
    finish,
    gradient,
    hollow,
    plank,
    pointer,
    text,
)

__all__ = ["draw_mill"]

GROOVE = "#3b200d"


HORNS = (
    "M-4.4 5.2C-4.4 2.4-6.6 2.2-8.6-.2C-10.4-2.6-10.2-6.4-7.2-9.4C-8-5.6-6.8-3.4-3.8-2"
    "C-1.6-1 1.6-1 3.8-2C6.8-3.4 8-5.6 7.2-9.4C10.2-6.4 10.4-2.6 8.6-.2C6.6 2.2 4.4 2.4 4.4 5.2"
    "C4.4 8.6 2.2 10.6 0 10.6C-2.2 10.6-4.4 8.6-4.4 5.2Z"
)


@carved_once
def _stones(*, horned: bool) -> tuple[Markup, ...]:
    """Dark stones and light ones; those that are cows have a horn mark."""
    found = []
    for name, light, body, dark, mark in (
        ("cow-0", "#7c6a60", "#3a2c26", "#140d0a", "#f0dfc0"),
        ("cow-1", "#fffaf0", "#ead9b8", "#a98b60", "#5a3417"),
    ):
        skin = gradient(
            f"{name}-skin", (0, light), (0.5, body), (1, dark), cx=0.36, cy=0.28, r=0.85
        )
        found.append(skin)
        found.append(
            group(
                tag("circle", cx=1.8, cy=3.6, r=19.4, fill="#120701", opacity=0.5),
                tag("circle", r=19, fill=f"url(#{name}-skin)", stroke=INK, stroke_opacity=0.6),
                tag("circle", r=15.4, fill="none", stroke=mark, stroke_opacity=0.35),
                tag("path", d=HORNS, fill=mark) if horned else Markup(""),
                id=name,
            )
        )
    return tuple(found)


@carved_once
def _litema(x: float, y: float, width: float, *, flip: bool) -> Markup:
    """A band in the manner of litema, the murals of Basotho homes: leaves in four earths."""
    step = 30.0
    count = int(width // step)
    x += (width - count * step) / 2
    colours = ("#e9d3a6", "#8c3b1d", "#d99a4e", "#4a2a18")
    leaves = []
    for k in range(count):
        a = x + k * step
        turned = (k % 2 == 0) != flip
        corner = f"M{number(a)} {number(y + (step if turned else 0))}"
        sweep = 1 if turned else 0
        far = f"{number(a + step)} {number(y + (0 if turned else step))}"
        near = f"{number(a)} {number(y + (step if turned else 0))}"
        leaf = f"{corner}A{number(step)} {number(step)} 0 0 {sweep} {far}A{number(step)} {number(step)} 0 0 {sweep} {near}Z"
        leaves.append(tag("rect", x=a, y=y, width=step, height=step, fill=colours[1 + 2 * (k % 2)]))
        leaves.append(tag("path", d=leaf, fill=colours[2 * ((k + 1) % 2)]))
    frame = tag(
        "rect", x=x, y=y, width=count * step, height=step, fill="none", stroke=INK, stroke_width=2
    )
    return group(*leaves, frame)


WIDTH, HEIGHT = 1130.0, 770.0
SIDE = 528.0  # of the square in which the points lie
STEP = 88.0  # from point to point on a board of seven by seven; pieces are as large as that bears


@dataclass(frozen=True)
class _Points:
    """Where the points lie: in the middle of the picture, as far apart as there is room for."""

    left: float  # the first column, and how far from the left its points are drawn
    top: float
    x: float
    y: float
    step: float

    @classmethod
    def of(cls, board: Board) -> "_Points":
        columns, rows = ([getattr(at, way) for at in board.places] for way in ("column", "row"))
        wide, high = max(columns) - min(columns), max(rows) - min(rows)
        step = SIDE / (max(wide, high) or 1)
        x, y = WIDTH / 2 - wide * step / 2, 105.0 + (SIDE - high * step) / 2
        return cls(min(columns), min(rows), x, y, step)

    def at(self, column: float, row: float) -> tuple[float, float]:
        """On the picture."""
        return self.x + (column - self.left) * self.step, self.y + (row - self.top) * self.step


def draw_mill(position: Position) -> str:
    """The points, and the lines as grooves; each player's hand and the cows he has shot."""
    board, lying = position.game.board, position.places()
    parts = [
        defs(*_stones(horned=board.piece == "cow")),
        plank(14, 14, WIDTH - 28, HEIGHT - 40, 40),
    ]
    parts += [
        _litema(250, 30, WIDTH - 500, flip=False),
        _litema(250, HEIGHT - 72, WIDTH - 500, flip=True),
    ]
    points = _Points.of(board)
    size = min(1, points.step / STEP)
    at = {place.name: points.at(place.column, place.row) for place in board.places}
    grooves = []
    for names in board.lines:
        spots = [f"{number(at[name][0])} {number(at[name][1])}" for name in names]
        grooves.append("M" + "L".join(spots))
    line = {"d": "".join(grooves), "fill": "none", "stroke_linejoin": "round"}
    light: dict[str, str | float] = {"stroke": "#ffe3b8", "stroke_opacity": 0.45, "stroke_width": 7}
    parts += [
        tag("path", **line, **light, transform="translate(0 1.6)"),
        tag("path", **line, stroke=GROOVE, stroke_width=6),
    ]
    for name, (x, y) in at.items():
        inside = [hollow(25 * size, 25 * size)]
        counts = lying[name].counts
        if any(counts):
            cow = f"#cow-{next(k for k, count in enumerate(counts) if count)}"
            shift = f"translate(0 -1) scale({number(1.42 * size)})"
            inside.append(tag("use", href=cow, transform=shift))
        parts.append(group(*inside, x=x, y=y, data_place=name))
    parts += _names(board, points)
    for player, x in ((0, 132.0), (1, WIDTH - 132)):
        parts.append(group(*_kraal(position, lying, player), x=x, y=86))
    return finish(position, WIDTH, HEIGHT, *parts)


def _names(board: Board, points: _Points) -> list[Markup]:
    """Letters under the columns and numbers beside the rows, or each point's label beside it."""
    named = board.coordinates()
    if named is None:
        spots = [(place, *points.at(place.column, place.row)) for place in board.places]
        return [
            text(place.label or place.name, x, y + 42, 17, font_weight=600, opacity=0.85)
            for place, x, y in spots
        ]
    letters, numbers = (sorted(found.items()) for found in named)
    left, bottom = letters[0][0], numbers[-1][0]
    parts = []
    for letter, number_ in zip_longest(letters, numbers):
        if letter is not None:
            x, y = points.at(letter[0], bottom)
            parts.append(text(letter[1], x, y + 42, 17, font_weight=600, opacity=0.85))
        if number_ is not None:
            x, y = points.at(left, number_[0])
            parts.append(text(number_[1], x - 44, y, 17, font_weight=600, opacity=0.85))
    return parts


def _kraal(position: Position, lying: dict[str, Lying], player: int) -> list[Markup]:
    """The cows a player still has in hand, and those he has shot."""
    parts = [text(brief(position.game.side(player), 15), 0, 0, 24, font_weight=700)]
    if position.turn == player:
        parts.append(pointer(-44, 26, 88))
    board = position.game.board
    for role, words, y in (("hand", _("in hand"), 66.0), ("score", _(board.score), 352.0)):
        store = board.store(player, role)
        if store is None:
            continue
        counts = lying[store.name].counts
        kind = player if role == "hand" else 1 - player
        parts.append(text(words, -62, y, 17, font_weight=600, opacity=0.95, text_anchor="start"))
        parts.append(badge(sum(counts), 50, y, size=19))
        parts.append(group(_pens(sum(counts), kind), y=y + 44))
    return parts


@carved_once
def _pens(count: int, kind: int) -> Markup:
    """Four rows of three hollows, and so many cows in them."""
    pens = []
    for k in range(12):
        cow = tag("use", href=f"#cow-{kind}") if k < count else Markup("")
        pens.append(group(hollow(18, 18), cow, x=(k % 3 - 1) * 50.0, y=(k // 3) * 50.0))
    return group(*pens)

"""Diagrams of the rules: what a move does, panel by panel, in plain lines that print well.

A diagram is drawn from the game's board, a position and the events of a move, as the browser's film
is; nothing here knows a game. Each panel shows the board before a phase of the move and marks what
happens in that phase; the last one shows the board after it. Marks differ by shape, not by colour
alone: they are explained in KEY.
"""

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from mbegu.core import events as ev
from mbegu.core.board import Board, Lying, Place
from mbegu.core.drawing import Markup, arc_points, document, group, number, tag
from mbegu.core.game import Move, Position
from mbegu.terminal.tui.film import Camera

__all__ = ["KEY", "diagram"]

KEY = (
    "Read the panels in the order of their numbers. A double ring is where the move begins. "
    "“+1” is where a piece falls; the framed one falls last. A dashed ring is passed over. "
    "A cross is taken. A square is counted at the end. An arrow is a move. A thick line is a mill; "
    "a thick dashed line is a mill that was opened. The last panel is the board after the move."
)

INK, PAPER, SHADE, WOOD = "#2b1708", "#fffdf7", "#f3e6cd", "#8a5a2b"
START, FALL, TAKE = "#1d4ed8", "#166534", "#b91c1c"
STEP, RADIUS = 62.0, 25.0
MOST_PANELS = 4
LABEL: dict[str, str | float] = {
    "stroke": PAPER,
    "stroke_width": 3,
    "paint_order": "stroke",
    "font_weight": 600,
}
FONT = "'Source Sans 3','Noto Sans','Segoe UI','Helvetica Neue',sans-serif"

# A phase begins with one of these, unless the event before it was of the same kind.
BEGINS = (ev.Lift, ev.Relay, ev.Capture, ev.Forfeit, ev.Sweep, ev.Mill, ev.MillBroken, ev.Shoot)

At = dict[str, tuple[float, float]]


@dataclass
class Phase:
    """A part of a move: what lies where before it, and its events."""

    lying: dict[str, Lying]
    events: list[ev.Event] = field(default_factory=list)


def diagram(position: Position, move: Move, title: str) -> str:
    """A whole SVG file: the move, panel by panel."""
    phases = _shortened(list(_phases(position, move)))
    board = position.game.board
    at, width, height = _layout(board)
    columns = 1 if board.family == "two_rows" else 2
    panels = []
    for k, phase in enumerate(phases):
        x, y = k % columns * (width + 14), k // columns * (height + 14)
        panels.append(group(*_panel(board, at, phase, k + 1, (width, height)), x=x + 7, y=y + 7))
    across = min(columns, len(phases))
    down = -(-len(phases) // columns)
    whole = group(*panels, font_family=FONT, fill=INK, text_anchor="middle")
    size = (across * (width + 14), down * (height + 14))
    return document(*size, title, f"{position.game} {position}", whole)


def _phases(position: Position, move: Move) -> Iterator[Phase]:
    """The phases of a move; the last one is the board after it, unless nothing has changed."""
    story, after = position.unfold(move)
    assert position.turn is not None
    camera = Camera(position.game, position.turn, dict(position.places()))
    phase, last = Phase(position.places()), type(story[0])
    for event in story:
        if isinstance(event, BEGINS) and phase.events and type(event) is not last:
            yield phase
            phase = Phase(dict(camera.lying))
        phase.events.append(event)
        last = type(event)
        camera.take(event)
    yield phase
    final = after.places()
    if {name: what.counts for name, what in phase.lying.items()} != {
        name: what.counts for name, what in final.items()
    }:
        yield Phase(final)


def _shortened(phases: list[Phase]) -> list[Phase]:
    """The first phases and the last one: a long relay would fill a book."""
    return phases if len(phases) <= MOST_PANELS else [*phases[: MOST_PANELS - 1], phases[-1]]


# ---- where everything lies ------------------------------------------------------------------------


def _layout(board: Board) -> tuple[At, float, float]:
    """The middle of every place, and the size of a panel."""
    if board.family == "ring":
        rx, ry = 183.0, 108.0
        around = arc_points(len(board.places), rx, ry, 180)
        middle = (rx + 48, ry + 52)
        at = {
            place.name: (middle[0] + x, middle[1] + y)
            for place, (x, y) in zip(board.places, around, strict=True)
        }
        for k, store in enumerate(board.stores):
            at[store.name] = (middle[0] + (2 * k - 1) * 52, middle[1])
        return at, 2 * middle[0], 2 * middle[1]
    shown = [*board.places, *(board.stores if board.family == "two_rows" else ())]
    left = min(place.column for place in shown)
    step = 54.0 if board.family == "four_rows" else STEP
    at = {
        place.name: (56 + (place.column - left) * step, 52 + _line(board, place)) for place in shown
    }
    width = 56 + max(x for x, _y in at.values())
    height = 46 + max(y for _x, y in at.values())
    hands = [store for store in board.stores if store.name not in at]
    for store in hands:  # told in words, under the board
        at[store.name] = (width * (0.27 if store.owner == 0 else 0.73), height)
    return at, width, height + (34 if hands else 0)


def _line(board: Board, place: Place) -> float:
    """How far down a row lies; a ridge parts four rows."""
    ridge = 18 if board.family == "four_rows" and place.row >= 2 else 0
    return place.row * STEP + ridge


# ---- a panel --------------------------------------------------------------------------------------


def _panel(
    board: Board, at: At, phase: Phase, count: int, size: tuple[float, float]
) -> Iterator[Markup]:
    width, height = size
    box: dict[str, float] = {"width": width, "height": height}
    yield tag("rect", **box, rx=10, fill=PAPER, stroke=WOOD, stroke_width=1.5)
    yield _text(str(count), 16, 17, 15, fill=WOOD, font_weight=700)
    if board.family == "four_rows":
        y = (min(y for _x, y in at.values()) + max(y for _x, y in at.values())) / 2
        yield tag("path", d=f"M28 {number(y)}h{number(width - 56)}", stroke=WOOD, stroke_width=3)
    for names in board.lines:
        yield tag("path", d=_through(at, names), stroke=WOOD, stroke_width=2, fill="none")
    yield from _under(at, phase.events)
    points = board.family == "mill"
    for place in board.places:
        draw = _point if points else _hole
        x, y = at[place.name]
        yield group(*draw(place, phase.lying[place.name]), x=x, y=y)
    yield from _stores(board, at, phase.lying)
    yield from _over(at, phase.events, 15 if points else RADIUS)
    for place in board.places:
        x, y = at[place.name]
        dx, dy = _beside(board, (x - width / 2, y - height / 2))
        yield _text(place.label or place.name, x + dx, y + dy, 12, **LABEL)


def _beside(board: Board, middle: tuple[float, float]) -> tuple[float, float]:
    """Where the name of a place stands, seen from the place; on a ring it stands inside."""
    if board.family == "mill":
        return 15, 19
    if board.family == "ring":
        x, y = middle
        length = (x * x + y * y) ** 0.5
        return -36 * x / length, -36 * y / length
    return -RADIUS + 1, RADIUS - 1


def _text(words: str, x: float, y: float, size: float, **more: str | float) -> Markup:
    return tag("text", words, x=x, y=y + 0.355 * size, font_size=size, **more)


def _through(at: At, names: tuple[str, ...]) -> str:
    return "M" + "L".join(f"{number(at[name][0])} {number(at[name][1])}" for name in names)


def _hole(place: Place, lying: Lying) -> Iterator[Markup]:
    """A hole with its numbers: a circle around the first kind, a diamond around the second."""
    fill = SHADE if place.owner else "#fff"
    yield tag("circle", r=RADIUS, fill=fill, stroke=INK, stroke_width=1.4)
    if len(lying.counts) == 1:
        yield _text(str(lying.counts[0]), 0, 0, 20, opacity=1 if lying.counts[0] else 0.4)
        return
    first, second = lying.counts[:2]
    if first:
        yield tag("circle", cx=-11, r=9.5, fill="#fff", stroke="#a3261a", stroke_width=1.6)
        yield _text(str(first), -11, 0, 13, fill="#a3261a", font_weight=700)
    if second:
        yield tag("path", d="M11-12l12 12l-12 12l-12-12z", fill="#fff", stroke="#1c5690")
        yield _text(str(second), 11, 0, 12, fill="#1c5690", font_weight=700)


def _point(_place: Place, lying: Lying) -> Iterator[Markup]:
    """A point, empty or with a dark or a light piece."""
    kind = next((k for k, count in enumerate(lying.counts) if count), None)
    if kind is None:
        yield tag("circle", r=4, fill=WOOD)
    else:
        yield tag(
            "circle", r=13, fill=("#3a2c26", "#fff")[min(kind, 1)], stroke=INK, stroke_width=2
        )


def _stores(board: Board, at: At, lying: dict[str, Lying]) -> Iterator[Markup]:
    """What was won and what is in hand: a long hole where there is one, words elsewhere."""
    lines: Counter[int | None] = Counter()
    for store in board.stores:
        x, y = at[store.name]
        count = str(sum(lying[store.name].counts))
        if board.family == "two_rows":
            box = {"x": x - RADIUS, "y": y - 52, "width": 2 * RADIUS, "height": 104}
            yield tag("rect", **box, rx=RADIUS, fill=SHADE if store.owner else "#fff", stroke=INK)
            yield _text(count, x, y, 20, font_weight=700)
            yield _text(("South", "North")[store.owner or 0], x, y - 64, 11)
        elif board.family == "ring":
            yield _text(store.name, x, y - 14, 13)
            yield _text(count, x, y + 8, 22, font_weight=700)
        else:
            word = "in hand" if store.role == "hand" else board.score
            side = ("dark", "light")[store.owner or 0]
            yield _text(f"{side}: {word} {count}", x, y + 14 * lines[store.owner], 12)
            lines[store.owner] += 1


# ---- what happens ---------------------------------------------------------------------------------


def _under(at: At, events: list[ev.Event]) -> Iterator[Markup]:
    """Mills, below the pieces."""
    for event in events:
        if isinstance(event, ev.Mill | ev.MillBroken):
            dash = "10 7" if isinstance(event, ev.MillBroken) else None
            d = _through(at, event.points)
            thick = tag("path", d=d, stroke=FALL, stroke_width=9, stroke_dasharray=dash)
            yield group(thick, fill="none", opacity=0.55)


def _over(at: At, events: list[ev.Event], radius: float) -> Iterator[Markup]:
    """Marks on the places of a phase."""
    falls = [event for event in events if isinstance(event, ev.Sow)]
    for hole, count in Counter(event.hole for event in falls).items():
        yield group(*_fall(count, last=hole == falls[-1].hole), x=at[hole][0], y=at[hole][1])
    for event in events:
        for name, mark in _marked(event):
            yield group(*mark(radius), x=at[name][0], y=at[name][1])
        if isinstance(event, ev.Slide | ev.Fly):
            yield from _arrow(at[event.start], at[event.end])


Mark = Callable[[float], tuple[Markup, ...]]


def _marked(event: ev.Event) -> list[tuple[str, Mark]]:
    """The places that an event marks, and how."""
    match event:
        case ev.Lift() | ev.Relay():
            return [(event.hole, _ring)]
        case ev.Place():
            return [(event.point, _ring)]
        case ev.Capture():
            return [(event.hole, _cross)]
        case ev.Shoot():
            return [(event.point, _cross)]
        case ev.Sweep():
            return [(hole, _square) for hole in event.holes]
        case ev.Skip():
            return [(event.hole, _dashed)]
        case ev.Forfeit():
            return [(hole, _dashed) for hole in event.holes]
    return []


def _ring(radius: float) -> tuple[Markup, ...]:
    rings = (tag("circle", r=radius + 1), tag("circle", r=radius + 5))
    return (group(*rings, fill="none", stroke=START, stroke_width=2.4),)


def _dashed(radius: float) -> tuple[Markup, ...]:
    look: dict[str, str | float] = {"stroke": TAKE, "stroke_width": 2.4, "stroke_dasharray": "5 4"}
    return (tag("circle", r=radius + 4, fill="none", **look),)


def _square(radius: float) -> tuple[Markup, ...]:
    side = 2 * radius + 4
    box = {"x": -side / 2, "y": -side / 2, "width": side, "height": side}
    return (tag("rect", **box, rx=3, fill="none", stroke=START, stroke_width=2.4),)


def _cross(radius: float) -> tuple[Markup, ...]:
    reach = number(radius * 0.78)
    far = number(2 * radius * 0.78)
    d = f"M-{reach}-{reach}l{far} {far}M{reach}-{reach}l-{far} {far}"
    return (tag("path", d=d, stroke=TAKE, stroke_width=3, stroke_linecap="round", opacity=0.8),)


def _fall(count: int, *, last: bool) -> Iterator[Markup]:
    """So many seeds fall here; the last of all is framed."""
    if last:
        box = {"x": 7, "y": -38, "width": 27, "height": 18}
        yield tag("rect", **box, rx=4, fill=PAPER, stroke=FALL, stroke_width=1.6)
    yield _text(f"+{count}", 20.5, -29, 13, fill=FALL, font_weight=700)


def _arrow(start: tuple[float, float], end: tuple[float, float]) -> Iterator[Markup]:
    """From a point to another, a little short of both."""
    (x0, y0), (x1, y1) = start, end
    length = ((x1 - x0) ** 2 + (y1 - y0) ** 2) ** 0.5
    dx, dy = (x1 - x0) / length, (y1 - y0) / length
    tip, base = (x1 - 10 * dx, y1 - 10 * dy), (x1 - 22 * dx, y1 - 22 * dy)
    line = f"M{number(x0 + 16 * dx)} {number(y0 + 16 * dy)}L{number(base[0])} {number(base[1])}"
    yield tag("path", d=line, stroke=START, stroke_width=3.4, fill="none")
    corners = [tip, (base[0] - 7 * dy, base[1] + 7 * dx), (base[0] + 7 * dy, base[1] - 7 * dx)]
    head = "M" + "L".join(f"{number(x)} {number(y)}" for x, y in corners) + "Z"
    yield tag("path", d=head, fill=START)

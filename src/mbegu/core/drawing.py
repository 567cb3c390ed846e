"""SVG in small pieces: tags, numbers that print the same everywhere, and the place of things.

>>> tag("circle", cx=1.50, r=2)
'<circle cx="1.5" r="2"/>'
>>> tag("text", "3 < 4", font_size=14)
'<text font-size="14">3 &lt; 4</text>'
"""

import math
from collections.abc import Iterator
from functools import lru_cache
from html import escape
from itertools import pairwise

__all__ = ["Markup", "arc_points", "document", "group", "number", "spots", "tag"]


SHORT = 80  # signs inside of an element that is worth being remembered


class Markup(str):
    """Text that is SVG already and must not be escaped again."""

    __slots__ = ()


def number(value: float) -> str:
    """At most two decimals, never `-0`, never an exponent: the same picture is the same text."""
    text = f"{value:.2f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def tag(name: str, *inside: str, **attributes: str | float | None) -> Markup:
    """An element. `font_size=3` is written font-size="3"; None leaves an attribute out."""
    if sum(map(len, inside)) <= SHORT:
        return _short_tag(name, *inside, **attributes)
    return _tag(name, *inside, **attributes)


def _tag(name: str, *inside: str, **attributes: str | float | None) -> Markup:
    told = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{escape(_value(value))}"'
        for key, value in attributes.items()
        if value is not None
    )
    body = "".join(part if isinstance(part, Markup) else escape(part, False) for part in inside)
    return Markup(f"<{name}{told}>{body}</{name}>" if inside else f"<{name}{told}/>")


# A film or a report draws thousands of boards, which differ in a few places.
_short_tag = lru_cache(maxsize=4096, typed=True)(_tag)


def _value(value: str | float) -> str:
    return value if isinstance(value, str) else number(value)


def group(*inside: str, x: float = 0, y: float = 0, **attributes: str | float | None) -> Markup:
    """Things that belong together, moved to (x, y)."""
    place = f"translate({number(x)} {number(y)})" if x or y else None
    return tag("g", *inside, transform=place, **attributes)


def document(width: float, height: float, title: str, description: str, *inside: Markup) -> str:
    """A whole picture, one element a line, named for people who do not see it."""
    lines = [
        tag("title", title, id="title"),
        tag("desc", description, id="desc"),
        *inside,
    ]
    whole = tag(
        "svg",
        Markup("\n" + "\n".join(lines) + "\n"),
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 0 {number(width)} {number(height)}",
        role="img",
        aria_labelledby="title desc",
    )
    return whole + "\n"


def arc_points(count: int, rx: float, ry: float, first: float) -> list[tuple[float, float]]:
    """Points clockwise round an ellipse, equally far apart along its line. Degrees; 0 is right."""
    steps = 3600
    around = [
        (rx * math.cos(math.radians(angle)), ry * math.sin(math.radians(angle)))
        for angle in (first + 360 * step / steps for step in range(steps + 1))
    ]
    length = [0.0]
    for (x0, y0), (x1, y1) in pairwise(around):
        length.append(length[-1] + math.hypot(x1 - x0, y1 - y0))
    points, step = [], 0
    for k in range(count):
        while length[step] < length[-1] * (k + 0.5) / count:
            step += 1
        points.append(around[step])
    return points


# How many things lie on each ring, from the outside in, and how far out that ring is (1 is the rim).
_FEW: dict[int, list[tuple[int, float]]] = {
    0: [],
    1: [(1, 0.0)],
    2: [(2, 0.3)],
    3: [(3, 0.36)],
    4: [(4, 0.42)],
    5: [(4, 0.52), (1, 0.0)],
    6: [(5, 0.53), (1, 0.0)],
    7: [(6, 0.54), (1, 0.0)],
    8: [(7, 0.56), (1, 0.0)],
    9: [(7, 0.6), (2, 0.2)],
    10: [(7, 0.61), (3, 0.25)],
}
_HEAP = [(8, 0.58), (5, 0.33), (2, 0.12)]
_BIG_HEAP = [(11, 0.66), (8, 0.46), (5, 0.27), (2, 0.1)]


def spots(count: int, turn: int = 0) -> Iterator[tuple[float, float, float]]:
    """Where `count` seeds lie in a round hole of radius 1, and how each is turned (degrees).

    Up to ten are laid out one by one, more are a heap. `turn` varies the arrangement from hole to
    hole; the same turn gives the same arrangement.
    """
    heap = _BIG_HEAP if count >= 20 else _HEAP
    for ring, (seeds, distance) in enumerate(_FEW.get(count, heap)):
        start = 47 * turn + 31 * ring + (45 if count in (2, 4, 5) else -90)
        for k in range(seeds):
            angle = math.radians(start + 360 * k / seeds)
            sway = ((turn * 7 + ring * 5 + k * 11) % 7 - 3) * 0.008
            x, y = (distance + sway) * math.cos(angle), (distance + sway) * math.sin(angle)
            yield x, y, ((turn * 29 + ring * 17 + k * 53) % 60) - 30

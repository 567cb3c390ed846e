"""What the boards are made of: oiled wood, hollows, seeds, and numbers on them."""

from collections.abc import Sequence
from functools import lru_cache

from mbegu.core.drawing import Markup, document, group, number, spots, tag
from mbegu.core.game import Position
from mbegu.core.i18n import _

__all__ = [
    "ACCENT",
    "CREAM",
    "INK",
    "badge",
    "brief",
    "carved_once",
    "defs",
    "finish",
    "gradient",
    "hollow",
    "nickernuts",
    "pebbles",
    "plank",
    "pointer",
    "scatter",
    "text",
]

INK = "#2b1708"
CREAM = "#fbf2de"
ACCENT = "#ffc247"
FONT = "'Source Sans 3','Noto Sans','Segoe UI','Helvetica Neue',sans-serif"


# Boards of one game differ in few places: what was drawn before is not drawn again.
carved_once = lru_cache(maxsize=4096)


def gradient(name: str, *stops: tuple[float, str], kind: str = "radial", **where: float) -> Markup:
    inside = [tag("stop", offset=offset, stop_color=colour) for offset, colour in stops]
    return tag(f"{kind}Gradient", *inside, id=name, **where)


@carved_once
def defs(*extra: Markup) -> Markup:
    """What every board is made of: oiled wood with its grain, a hollow, a soft shadow."""
    grain = tag(
        "filter",
        tag(
            "feTurbulence", type="fractalNoise", baseFrequency="0.0035 0.085", numOctaves=4, seed=11
        ),
        tag("feColorMatrix", values="0 0 0 0 .16  0 0 0 0 .07  0 0 0 0 .02  0 0 0 1.9 -.78"),
        tag("feComposite", in2="SourceGraphic", operator="in"),
        id="grain",
        x=0,
        y=0,
        width=1,
        height=1,
    )
    wood = gradient(
        "wood",
        (0, "#b9824b"),
        (0.45, "#a56c38"),
        (1, "#84502a"),
        kind="linear",
        x1=0,
        y1=0,
        x2=0.25,
        y2=1,
    )
    bowl = gradient(
        "bowl",
        (0, "#8a5730"),
        (0.55, "#6a3f1f"),
        (0.86, "#472711"),
        (1, "#331a0a"),
        cx=0.5,
        cy=0.7,
        r=0.72,
    )
    lip = tag(
        "linearGradient",
        tag("stop", offset=0, stop_color="#1f0e04", stop_opacity=0.75),
        tag("stop", offset=0.5, stop_color="#1f0e04", stop_opacity=0),
        tag("stop", offset=0.55, stop_color="#ffe3b8", stop_opacity=0),
        tag("stop", offset=1, stop_color="#ffe3b8", stop_opacity=0.75),
        id="lip",
        x1=0,
        y1=0,
        x2=0.15,
        y2=1,
    )
    drop = tag(
        "filter",
        tag("feDropShadow", dx=0, dy=6, stdDeviation=7, flood_color="#1a0d04", flood_opacity=0.45),
        id="drop",
        x=-0.1,
        y=-0.1,
        width=1.2,
        height=1.3,
    )
    return tag("defs", grain, wood, bowl, lip, drop, *extra)


@carved_once
def plank(x: float, y: float, width: float, height: float, radius: float) -> Markup:
    """A piece of oiled hardwood with a bevelled edge."""
    box = {"x": x, "y": y, "width": width, "height": height, "rx": radius}
    inner = {
        "x": x + 2.5,
        "y": y + 2.5,
        "width": width - 5,
        "height": height - 5,
        "rx": radius - 2.5,
    }
    return group(
        tag("rect", **box, fill="url(#wood)", filter="url(#drop)"),
        tag("rect", **box, fill="#000", filter="url(#grain)", opacity=0.55),
        tag("rect", **inner, fill="none", stroke="#ffe3b8", stroke_opacity=0.35, stroke_width=2),
        tag("rect", **box, fill="none", stroke=INK, stroke_opacity=0.55, stroke_width=1.5),
    )


@carved_once
def hollow(width: float, height: float, *, rim: str = "", lighter: bool = False) -> Markup:
    """A carved hole around (0, 0): dark above where the edge throws its shadow, lit below."""
    box = {"x": -width / 2, "y": -height / 2, "width": width, "height": height}
    radius = min(width, height) / 2
    edge = {"x": -width / 2 - 1, "y": -height / 2 - 1, "width": width + 2, "height": height + 2}
    parts = []
    if rim:
        around = {
            "x": -width / 2 - 5,
            "y": -height / 2 - 5,
            "width": width + 10,
            "height": height + 10,
        }
        parts.append(tag("rect", **around, rx=radius + 5, fill="none", stroke=rim, stroke_width=4))
    parts.append(tag("rect", **box, rx=radius, fill="url(#bowl)"))
    if lighter:
        parts.append(tag("rect", **box, rx=radius, fill="#ffe0ad", opacity=0.13))
    parts.append(
        tag("rect", **edge, rx=radius + 1, fill="none", stroke="url(#lip)", stroke_width=3)
    )
    return group(*parts)


def text(words: str, x: float, y: float, size: float, **more: str | float | None) -> Markup:
    style: dict[str, str | float | None] = {"text_anchor": "middle", "fill": CREAM, **more}
    return tag("text", words, x=x, y=y + 0.355 * size, font_size=size, **style)


def brief(words: str, most: int) -> str:
    """A name, cut where it would lie over something else or beyond the board."""
    return words if len(words) <= most else f"{words[: most - 1]}…"


@carved_once
def badge(count: int, x: float, y: float, *, size: float = 17) -> Markup:
    """An exact number on a cream plate; a nought is quieter."""
    wide = size * (1.35 + 0.6 * (len(str(count)) - 1))
    plate = tag(
        "rect",
        x=x - wide / 2,
        y=y - size * 0.66,
        width=wide,
        height=size * 1.32,
        rx=size * 0.66,
        fill=CREAM if count else "#5d3a1e",
        stroke=INK,
        stroke_opacity=0.5,
    )
    return group(plate, text(str(count), x, y, size, fill=INK if count else CREAM, font_weight=700))


# ---- seeds, stones and cows -----------------------------------------------------------------------

SHADOW = tag("ellipse", cx=1.6, cy=3.4, rx=10.4, ry=9.2, fill="#120701", opacity=0.45)


def _seed_defs(name: str, tints: Sequence[tuple[str, str, str]], *marks: Markup) -> list[Markup]:
    """One kind of seed in several tints: light, body, dark."""
    found: list[Markup] = []
    for k, (light, body, dark) in enumerate(tints):
        ball = f"{name}-{k}"
        found.append(
            gradient(f"{ball}-skin", (0, light), (0.45, body), (1, dark), cx=0.36, cy=0.3, r=0.8)
        )
        body_shape = tag("ellipse", rx=10.6, ry=9.4, fill=f"url(#{ball}-skin)")
        found.append(group(SHADOW, body_shape, *marks, id=ball))
    return found


def nickernuts() -> list[Markup]:
    """Grey-green seeds with their fine ring and eye."""
    tints = [
        ("#eef1e4", "#a9b29b", "#56614f"),
        ("#e7ebe2", "#98a596", "#4b574b"),
        ("#f3f0e0", "#b5b699", "#636650"),
    ]
    ring = tag(
        "path", d="M-9.4 2.6C-4 5.6 4 5.6 9.4 2.6", fill="none", stroke="#414b3b", opacity=0.45
    )
    glint = tag("ellipse", cx=-3.6, cy=-3.8, rx=2.6, ry=1.7, fill="#fff", opacity=0.7)
    return _seed_defs("seed", tints, ring, glint)


def pebbles() -> list[Markup]:
    """River stones."""
    tints = [
        ("#f7ead2", "#d2b98f", "#85694a"),
        ("#e9e6e0", "#aeb0ac", "#5c5f61"),
        ("#f1d5bf", "#bf8a68", "#6d4530"),
    ]
    glint = tag("ellipse", cx=-3.4, cy=-3.8, rx=3, ry=1.8, fill="#fff", opacity=0.6)
    return _seed_defs("seed", tints, glint)


@carved_once
def scatter(count: int, radius: float, turn: int, *, size: float = 1, name: str = "seed") -> Markup:
    """Seeds in a round hole; from eleven on a heap."""
    inside = [
        tag(
            "use",
            href=f"#{name}-{(turn * 5 + k * 7 + k // 3) % 3}",
            transform=f"translate({number(x * radius)} {number(y * radius)}) "
            f"rotate({number(angle)}) scale({number(size)})",
        )
        for k, (x, y, angle) in enumerate(spots(count, turn))
    ]
    return group(*inside)


# ---- words ----------------------------------------------------------------------------------------


def _title(position: Position) -> str:
    game, (first, second) = position.game, position.scores()
    outcome = position.outcome()
    if outcome is None:
        assert position.turn is not None
        state = _("{side} to move").format(side=game.side(position.turn))
    elif outcome.winner is None:
        state = _("a draw")
    else:
        state = _("{side} has won").format(side=game.side(outcome.winner))
    return _("{game}: {first} {a}, {second} {b}; {state}").format(
        game=_(game.title),
        first=game.side(0),
        a=first,
        second=game.side(1),
        b=second,
        state=state,
    )


def pointer(x: float, y: float, width: float) -> Markup:
    """The mark of the player to move: a line of light along his edge of the board."""
    return tag(
        "rect",
        x=x,
        y=y - 2.5,
        width=width,
        height=5,
        rx=2.5,
        fill=ACCENT,
        stroke=INK,
        stroke_opacity=0.4,
    )


def finish(position: Position, width: float, height: float, *inside: Markup) -> str:
    whole = group(*inside, font_family=FONT, style="font-variant-numeric:tabular-nums")
    return document(width, height, _title(position), f"{position.game} {position}", whole)

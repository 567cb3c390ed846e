"""The architecture in one picture: the layers as pyproject.toml declares them, and what each is for.

The rows come from the contract that import-linter holds, so that the picture cannot tell anything else.
"""

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

from mbegu.core.drawing import Markup, document, group, number, tag

ROOT = Path(__file__).resolve().parent.parent
WIDTH, HEIGHT, GAP = 900.0, 62.0, 14.0
INK, WOOD, PAPER, SHADE = "#2b1708", "#8a5a2b", "#fffdf7", "#f3e6cd"
FONT = "'Source Sans 3','Noto Sans','Segoe UI','Helvetica Neue',sans-serif"

WORDS = {
    "cli": "the command mbegu",
    "compat": "pyAwale, MAIC 2022",
    "rl": "programs that learn",
    "testing": "promises, checked",
    "site": "the games as a folder: server and engine in a tab",
    "server": "rooms, people, browsers (web/)",
    "terminal": "lines, whole screen",
    "lab": "experiments, studies",
    "arena": "bots meet: cages, referee, tournaments",
    "work": "processes of this computer, or a cluster",
    "engine": "thinking: search, tables, solving, levels",
    "games": "a folder for each game: rules, kernel, board, lesson, page",
    "core": "game, position, events, outcome, match, record, languages",
}


def layers() -> list[list[str]]:
    """The rows from the top, each with the packages that stand beside each other."""
    told = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    contracts = told["tool"]["importlinter"]["contracts"]
    rows = next(each["layers"] for each in contracts if each.get("containers") == ["mbegu"])
    return [re.findall(r"\w+", row) for row in rows]


def architecture() -> str:
    """The whole picture as SVG."""
    rows = layers()
    height = len(rows) * (HEIGHT + GAP) + 40
    parts = [part for k, row in enumerate(rows) for part in _row(row, 30 + k * (HEIGHT + GAP))]
    parts.append(
        _text("A package imports those below it, never those above or beside it.", 450, 14, 15)
    )
    whole = group(
        tag("rect", width=WIDTH, height=height, rx=12, fill=PAPER),
        *parts,
        font_family=FONT,
        fill=INK,
        text_anchor="middle",
    )
    title = "The layers of Mbegu, from the command line on top to the core at the bottom"
    return document(WIDTH, height, title, "; ".join(" | ".join(row) for row in rows), whole)


def _row(names: list[str], y: float) -> Iterator[Markup]:
    width = (WIDTH - 40 - GAP * (len(names) - 1)) / len(names)
    for k, name in enumerate(names):
        x = 20 + k * (width + GAP)
        box = {"x": x, "y": y, "width": width, "height": HEIGHT}
        yield tag("rect", **box, rx=8, fill=SHADE, stroke=WOOD, stroke_width=1.5)
        middle = x + width / 2
        yield _text(name, middle, y + 21, 20, font_weight=700)
        yield _text(WORDS[name], middle, y + 44, 15)
        if name != "core":
            d = f"M{number(middle)} {number(y + HEIGHT)}v{number(GAP - 3)}m-4-4l4 4l4-4"
            yield tag("path", d=d, stroke=WOOD, stroke_width=1.8, fill="none")


def _text(words: str, x: float, y: float, size: float, **more: str | float) -> Markup:
    return tag("text", words, x=x, y=y + 0.355 * size, font_size=size, **more)

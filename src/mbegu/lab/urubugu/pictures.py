"""Pictures of what the lab finds: a whole turn, and heat maps."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mbegu.core import events as ev
from mbegu.core.drawing import Markup, document, group, tag
from mbegu.core.game import Move
from mbegu.core.i18n import _
from mbegu.core.story import tell
from mbegu.games.pictures import picture
from mbegu.games.urubugu import Urubugu

if TYPE_CHECKING:
    from mbegu.lab.counters import Counter

__all__ = ["heat_map", "turn_picture"]

FONT = "'Source Sans 3','Noto Sans','Segoe UI','Helvetica Neue',sans-serif"
WIDTH, BOARD, LINE = 1032.0, 604.0, 26.0
LETTERS = 110  # of a line


def turn_picture(counter: Counter, move: Move) -> str:
    """The board before a turn, its laps in words, and the board after it: one SVG file."""
    before = counter.position
    after = before.play(move)
    lines = _lines(_laps(counter, move))
    height = 2 * BOARD + LINE * (len(lines) + 2)
    text = group(
        *(tag("text", line, x=40, y=LINE * (k + 1), font_size=17) for k, line in enumerate(lines)),
        y=BOARD,
        font_family=FONT,
        fill="#2b1708",
    )
    return document(
        WIDTH,
        height,
        _("IMPAGA: a win in one turn"),
        tell(before, move),
        tag("rect", width=WIDTH, height=height, fill="#fbf2de"),
        _nested(picture(before), 0),
        text,
        _nested(picture(after), height - BOARD),
    )


def _laps(counter: Counter, move: Move) -> list[str]:
    """Each lap in short: 6 (4) → 10, takes 15 + 2 = 4."""
    told, origin, hand, last, taken = list[str](), "", 0, "", list[ev.Capture]()
    game = counter.game
    assert isinstance(game, Urubugu)

    def close() -> None:
        nonlocal taken
        if last:
            lap = f"{origin} ({hand}) → {last}"
            if taken:
                cells = " + ".join(game.hole_name(event.hole, 0) for event in taken)
                lap += f" × {cells} ({sum(event.seeds for event in taken)})"
            told.append(lap)

    for event in counter.events(move):
        if isinstance(event, ev.Lift | ev.Relay):
            close()
            origin, hand, last, taken = event.hole[1:], event.seeds, "", []
        elif isinstance(event, ev.Capture):
            taken.append(event)
        elif isinstance(event, ev.Sow):
            if taken:
                close()
                hand, taken = sum(capture.seeds for capture in taken), []
                if game.restart == "turn":
                    origin = str(move)
            last = event.hole[1:]
    close()
    return told


def _lines(laps: Sequence[str]) -> list[str]:
    """Laps, numbered, on lines that fit."""
    lines = [""]
    for number, lap in enumerate(laps, 1):
        word = f"{number}. {lap}"
        if lines[-1] and len(lines[-1]) + len(word) > LETTERS:
            lines.append("")
        lines[-1] += f"{'   ' if lines[-1] else ''}{word}"
    return lines


def _nested(svg: str, y: float) -> Markup:
    """A picture as a part of another: without the names that would then stand there twice."""
    inside = re.sub(r"<title.*?</desc>", "", svg, flags=re.DOTALL)
    inside = re.sub(r' (role|aria-labelledby)="[^"]*"', "", inside)
    return Markup(
        inside.replace("<svg ", f'<svg y="{y:g}" width="{WIDTH:g}" height="{BOARD:g}" ', 1)
    )


def heat_map(
    path: str | Path,
    values: Any,
    rows: Sequence[str],
    columns: Sequence[str],
    *,
    title: str,
    row_label: str,
    column_label: str,
    percent: bool = True,
    colours: str = "RdYlGn",
) -> None:
    """Draws a table of numbers as coloured cells; PNG or SVG by the file's name."""
    import matplotlib as mpl  # noqa: PLC0415 - heavy
    import numpy as np  # noqa: PLC0415
    from matplotlib.figure import Figure  # noqa: PLC0415

    cells = np.asarray(values, float)
    figure = Figure(
        figsize=(1.6 + 0.62 * len(columns), 1.7 + 0.42 * len(rows)), layout="constrained"
    )
    axes = figure.subplots()
    low, high = (0.0, 1.0) if percent else (float(np.nanmin(cells)), float(np.nanmax(cells)))
    axes.imshow(cells, cmap=colours, vmin=low, vmax=high, aspect="auto")
    axes.set_xticks(range(len(columns)), columns, rotation=45, ha="right")
    axes.set_yticks(range(len(rows)), rows)
    axes.set(title=title, xlabel=column_label, ylabel=row_label)
    for (row, column), value in np.ndenumerate(cells):
        if not np.isnan(value):
            told = f"{100 * value:.0f}" if percent else f"{value:.1f}"
            axes.text(column, row, told, ha="center", va="center", fontsize=8)
    # No date and no random ids: the same table is the same picture.
    with mpl.rc_context({"svg.hashsalt": "mbegu"}):
        figure.savefig(path, dpi=110, metadata={"Date": None} if str(path).endswith("svg") else {})

"""The course of a game as a picture. Needs matplotlib, which nothing else here imports."""

from __future__ import annotations

import importlib
from pathlib import Path
from typing import Any

from mbegu.core.errors import MbeguError, shorten
from mbegu.core.files import saving
from mbegu.core.i18n import _
from mbegu.core.record import GLYPHS
from mbegu.engine.annotate import Annotation

__all__ = ["check_plot", "plot"]

FORMATS = (".png", ".svg")
COLOURS = {4: "#b3261e", 2: "#d97706", 6: "#a38a00"}


def check_plot(path: str) -> None:
    """Raises MbeguError if a plot could not be drawn into this file, before hours are spent on it."""
    if Path(path).suffix.lower() not in FORMATS:
        raise MbeguError(
            _("{path} is not a name for a plot: it must end in .png or .svg").format(
                path=shorten(path)
            )
        )
    try:
        importlib.import_module("matplotlib")
    except ImportError:
        raise MbeguError(
            _("a plot needs the package matplotlib: install it with pip install matplotlib")
        ) from None


def plot(annotation: Annotation, path: str, *, overwrite: bool = False) -> None:
    """Draws the first player's winning chance and expected margin, with every marked move."""
    check_plot(path)
    backend = importlib.import_module("matplotlib.backends.backend_agg")
    figures = importlib.import_module("matplotlib.figure")
    figure: Any = figures.Figure(figsize=(9, 4.5), layout="constrained")
    backend.FigureCanvasAgg(figure)
    record = annotation.record
    game = record.game
    upper = figure.add_subplot()
    plies = range(len(annotation.chances))
    chances = [100 * chance for chance in annotation.chances]
    upper.fill_between(plies, 50, chances, alpha=0.25, color="#3b6ea5", linewidth=0)
    upper.plot(plies, chances, color="#3b6ea5", label=_("winning chance"))
    for judgement in annotation.judgements:
        glyph = judgement.glyph
        if glyph is not None:
            at = judgement.ply + 1
            upper.plot([at], [chances[at]], "o", color=COLOURS[glyph], markersize=5)
            upper.annotate(
                GLYPHS[glyph],
                (at, chances[at]),
                xytext=(0, 6),
                textcoords="offset points",
                ha="center",
                color=COLOURS[glyph],
            )
    upper.set_ylim(-4, 108)
    upper.set_xlim(0, max(len(plies) - 1, 1))
    upper.axhline(50, color="#888888", linewidth=0.8)
    upper.set_xlabel(_("move"))
    upper.set_ylabel(_("winning chance of {side}, %").format(side=game.side(0)))
    lower = upper.twinx()
    lower.plot(plies, annotation.margins, color="#7a7a7a", linewidth=0.9, linestyle="--")
    most = max(1.0, *(abs(margin) for margin in annotation.margins)) * 1.1
    lower.set_ylim(-most, most)
    lower.set_ylabel(_("expected margin"))
    names = [f"{game.side(player)}: {record.players[player]}" for player in (0, 1)]
    upper.set_title(f"{_(game.title)} — {', '.join(names)} — {record.result}")
    with saving(path, overwrite) as file:
        figure.savefig(file, format=Path(path).suffix.lower()[1:], dpi=120)

"""The course of a game as a picture. Needs matplotlib, which nothing else here imports."""

from __future__ import annotations

import importlib
import warnings
from pathlib import Path
from typing import Any

from mbegu.core.errors import MbeguError, shorten
from mbegu.core.extras import need
from mbegu.core.files import saving
from mbegu.core.i18n import _
from mbegu.core.players import player_name
from mbegu.core.record import GLYPHS, Record
from mbegu.core.typography import labelled
from mbegu.engine.annotate import Annotation

__all__ = ["check_plot", "plot"]

FORMATS = (".png", ".svg")
COLOURS = {4: "#b3261e", 2: "#d97706", 6: "#a38a00"}
BLUE, GREY = "#3b6ea5", "#7a7a7a"
BEYOND = 60  # hundredths on each side of the middle: marks at 0 and 100 % need room
LONGEST_NAME = 30


def check_plot(path: str) -> None:
    """Raises MbeguError if a plot could not be drawn into this file, before hours are spent on it."""
    if Path(path).suffix.lower() not in FORMATS:
        raise MbeguError(
            _("{path} is not a name for a plot: it must end in .png or .svg").format(
                path=shorten(path)
            )
        )
    need("matplotlib")


def plot(annotation: Annotation, path: str, *, overwrite: bool = False) -> None:
    """Draws the first player's winning chance and expected margin, with every marked move."""
    check_plot(path)
    backend = importlib.import_module("matplotlib.backends.backend_agg")
    figures = importlib.import_module("matplotlib.figure")
    figure: Any = figures.Figure(figsize=(9, 4.5), layout="constrained")
    backend.FigureCanvasAgg(figure)
    upper = figure.add_subplot()
    lower = upper.twinx()
    _draw_chances(upper, annotation)
    _draw_margins(lower, annotation)
    upper.set_xlim(0, max(len(annotation.chances) - 1, 1))
    upper.set_title(_title(annotation.record), parse_math=False)  # a name may hold dollar signs
    figure.legend(loc="outside lower center", ncols=2, frameon=False)
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Glyph .* missing")  # in a name; a box is drawn for it
        _save(figure, path, overwrite)


def _draw_chances(axes: Any, annotation: Annotation) -> None:
    plies = range(len(annotation.chances))
    chances = [100 * chance for chance in annotation.chances]
    axes.fill_between(plies, 50, chances, alpha=0.25, color=BLUE, linewidth=0)
    axes.plot(plies, chances, color=BLUE, label=_("winning chance"))
    axes.axhline(50, color=GREY, linewidth=0.8)
    for judgement in annotation.judgements:
        glyph, at = judgement.glyph, judgement.ply + 1
        if glyph is None:
            continue
        # The first player's mistakes lead down and the other's up: there the line is not in the way.
        side = -1 if judgement.player == 0 else 1
        axes.plot([at], [chances[at]], "o", color=COLOURS[glyph], markersize=5)
        axes.annotate(
            GLYPHS[glyph],
            (at, chances[at]),
            xytext=(0, side * 10),
            textcoords="offset points",
            ha="center",
            va="center",
            color=COLOURS[glyph],
        )
    axes.set_ylim(50 - BEYOND, 50 + BEYOND)
    axes.xaxis.get_major_locator().set_params(integer=True)
    axes.set_xlabel(_("move"))
    axes.set_ylabel(_("winning chance of {side}, %").format(side=annotation.record.game.side(0)))


def _draw_margins(axes: Any, annotation: Annotation) -> None:
    margins = annotation.margins
    axes.plot(margins, color=GREY, linewidth=0.9, linestyle="--", label=_("expected margin"))
    most = max(1.0, *map(abs, margins)) * BEYOND / 50  # a margin of 0 is level with 50 %
    axes.set_ylim(-most, most)
    axes.set_ylabel(_("expected margin"))


def _title(record: Record) -> str:
    game = record.game
    names = [
        labelled(game.side(player), player_name(record.players[player])[:LONGEST_NAME])
        for player in (0, 1)
    ]
    return f"{_(game.title)} — {', '.join(names)} — {record.result}"


def _save(figure: Any, path: str, overwrite: bool) -> None:
    with saving(path, overwrite) as file:
        figure.savefig(file, format=Path(path).suffix.lower()[1:], dpi=120)

"""Figures for reports: drawn by matplotlib, as SVG that follows the page's colours, and as files.

figure = Figure("lengths", _("How long games are"))
figure.axes.hist(lengths)
figure.html()                        # for a page
figure.save(folder)                  # lengths.svg and lengths.png
"""

from __future__ import annotations

import io
import re
from html import escape
from pathlib import Path
from typing import Any

import matplotlib as mpl
from cycler import cycler
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure as Drawing

__all__ = ["COLOURS", "INK", "Figure"]

INK = "#2b2016"  # on a page: whatever the text's colour is
COLOURS = ("#b5622a", "#3f7f8c", "#8a8f3c", "#7a4b8c", "#c29a2e", "#5a6b7b")
STYLE: Any = {
    "svg.fonttype": "none",
    "font.size": 11,
    "text.color": INK,
    "axes.edgecolor": INK,
    "axes.labelcolor": INK,
    "xtick.color": INK,
    "ytick.color": INK,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.prop_cycle": cycler(color=COLOURS),
    "legend.frameon": False,
    "figure.facecolor": "none",
    "axes.facecolor": "none",
}


class Figure:
    """One drawing with a name for its files and a sentence for those who cannot see it."""

    def __init__(
        self, name: str, caption: str, size: tuple[float, float] = (7.0, 3.6), panels: int = 1
    ) -> None:
        self.name, self.caption = name, caption
        with mpl.rc_context(STYLE):
            self.drawing = Drawing(figsize=size, layout="constrained")
            FigureCanvasAgg(self.drawing)
            self.panels = self.drawing.subplots(panels, squeeze=False)[:, 0]  # one below the other
            self.axes = self.panels[0]

    def svg(self) -> str:
        """The drawing as a whole SVG file, the same text every time."""
        sink = io.StringIO()
        with mpl.rc_context({**STYLE, "svg.hashsalt": self.name}):
            self.drawing.savefig(sink, format="svg", metadata={"Date": None, "Creator": None})
        return sink.getvalue()

    def html(self) -> str:
        """The drawing inside a page: its ink is the page's ink."""
        found = re.search(r"<svg.*</svg>", self.svg(), re.DOTALL)
        assert found
        drawn = re.sub(r"<metadata>.*?</metadata>", "", found[0], flags=re.DOTALL)
        drawn = re.sub(r'(<svg[^>]*?) width="[^"]*"', r"\1", drawn, count=1)
        drawn = re.sub(r'(<svg[^>]*?) height="[^"]*"', r"\1", drawn, count=1)
        label = escape(self.caption, quote=True)
        drawn = drawn.replace("<svg ", f'<svg role="img" aria-label="{label}" ', 1)
        drawn = drawn.replace(INK, "currentColor")
        return f"<figure>{drawn}<figcaption>{escape(self.caption)}</figcaption></figure>"

    def save(self, folder: Path) -> None:
        """The drawing as files, on white paper."""
        folder.mkdir(parents=True, exist_ok=True)
        (folder / f"{self.name}.svg").write_text(self.svg(), encoding="utf-8")
        with mpl.rc_context(STYLE):
            self.drawing.savefig(folder / f"{self.name}.png", dpi=150, facecolor="white")

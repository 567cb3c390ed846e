"""The page of a report: one HTML text with its tables, figures and boards in it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from html import escape
from importlib.resources import files

from mbegu.core.game import Position
from mbegu.core.i18n import current_language
from mbegu.games.pictures import picture
from mbegu.lab.figures import Figure

__all__ = ["Page"]


class Page:
    """A report that is being put together."""

    def __init__(self, title: str, question: str) -> None:
        self.title, self.question = title, question
        self.parts: list[str] = []
        self.figures: list[Figure] = []
        self.pictures = 0
        self.heading, self.prefix = "h2", ""

    def chapter(self, title: str, prefix: str) -> None:
        """Begins a part with sections of its own, and with a prefix for the names of its figures."""
        self.parts.append(f"<h2>{escape(title)}</h2>")
        self.heading, self.prefix = "h3", prefix

    def end_chapter(self) -> None:
        """Sections are of the page again."""
        self.heading, self.prefix = "h2", ""

    def section(self, title: str) -> None:
        """Begins a section."""
        self.parts.append(f"<{self.heading}>{escape(title)}</{self.heading}>")

    def say(self, *sentences: str, kind: str = "") -> None:
        """A paragraph."""
        shown = f' class="{kind}"' if kind else ""
        self.parts.append(f"<p{shown}>{escape(' '.join(sentences))}</p>")

    def figure(self, figure: Figure) -> None:
        """A figure with its caption."""
        figure.name = self.prefix + figure.name
        self.figures.append(figure)
        self.parts.append(figure.html())

    def table(self, caption: str, head: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
        """A table; the first cell of a row names it."""
        top = "".join(f'<th scope="col">{escape(cell)}</th>' for cell in head)
        body = "".join(
            f'<tr><th scope="row">{escape(str(first))}</th>'
            + "".join(f"<td>{escape(str(cell))}</td>" for cell in rest)
            + "</tr>\n"
            for first, *rest in rows
        )
        self.parts.append(
            f'<div class="wide" tabindex="0"><table><caption>{escape(caption)}</caption>'
            f"<thead><tr>{top}</tr></thead>\n<tbody>{body}</tbody></table></div>"
        )

    def boards(self, boards: Iterable[tuple[str, Position]]) -> None:
        """Pictures of positions, each with what is said of it."""
        shown = []
        for caption, position in boards:
            self.pictures += 1
            drawn = _own_names(picture(position), f"b{self.pictures}")
            shown.append(f"<figure>{drawn}<figcaption>{escape(caption)}</figcaption></figure>")
        self.parts.append(f'<div class="boards">{"".join(shown)}</div>')

    def list(self, pairs: Iterable[tuple[str, object]]) -> None:
        """Facts by name."""
        told = "".join(f"<dt>{escape(k)}</dt><dd>{escape(str(v))}</dd>" for k, v in pairs)
        self.parts.append(f"<dl>{told}</dl>")

    def code(self, text: str) -> None:
        """Something to be typed or copied."""
        self.parts.append(f'<pre tabindex="0"><code>{escape(text)}</code></pre>')

    def html(self) -> str:
        """The whole page."""
        page = files("mbegu.lab").joinpath("report.html").read_text(encoding="utf-8")
        parts = {
            "language": current_language(),
            "title": escape(self.title),
            "question": escape(self.question),
            "sections": "\n".join(self.parts),
        }
        return re.sub(r"\{\{(\w+)\}\}", lambda found: parts[found[1]], page)


def _own_names(svg: str, prefix: str) -> str:
    """The ids of a picture, made different from those of every other picture on the page."""
    svg = svg[svg.index("<svg") :]
    svg = re.sub(r'\bid="', f'id="{prefix}-', svg)
    svg = re.sub(r'(href="|url\()#', rf"\1#{prefix}-", svg)
    return re.sub(
        r'aria-labelledby="([^"]*)"',
        lambda found: f'aria-labelledby="{" ".join(f"{prefix}-{i}" for i in found[1].split())}"',
        svg,
    )

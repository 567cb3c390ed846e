"""The page of a game: `page.md` beside its rules, which says all about it in Markdown.

Links in it are those of its folder; `rebased` makes them right for a copy in another one.
"""

import os
import re
from collections.abc import Callable
from pathlib import Path

__all__ = ["PAGE", "page_beside", "rebased", "without_emphasis", "without_pictures"]

PAGE = "page.md"
LINK = re.compile(r"\]\((?![a-z]+:|/|#)([^)#\s]+)")  # ](target, relative
EMPHASIS = re.compile(r"(\*\*|\*|`)(?=\S)([^*`\n]{0,400}[^\s*`])\1")
BESIDE = re.compile(r"\[([^\]]*)\]\((?![a-z]+:|/|#)[^)\s]+\)")
PICTURE = re.compile(r"!\[[^\]]*\]\([^)\s]+\)[ \t]*\n*")
EMPTY_ROWS = re.compile(
    r"(?:^\|.*\n\|[-| :]+\n)?^(?:\|[ \t]*!\[[^\]]*\]\([^)]*\)[ \t]*)+\|\n", re.MULTILINE
)
FENCE = re.compile(r"(^```.*?^```\n?)", re.MULTILINE | re.DOTALL)


def page_beside(module: str) -> str:
    """The text of `page.md` in the folder of a module; empty if there is none."""
    package, dot, _name = module.rpartition(".")
    try:
        # Imported late: `import mbegu` does not need it, and a tab does not have it.
        from importlib.resources import files  # noqa: PLC0415

        return files(package if dot else module).joinpath(PAGE).read_text("utf-8")
    except (
        OSError,
        TypeError,
        ModuleNotFoundError,
    ):  # a single file, or no files at all, as in a tab
        return ""


def rebased(text: str, here: Path, there: Path) -> str:
    """A page of the folder `here` with the links that it needs in the folder `there`.

    >>> rebased("[rules](rules.py), [home](https://example.org)", Path("/a/b"), Path("/a/c"))
    '[rules](../b/rules.py), [home](https://example.org)'
    """

    def moved(link: re.Match[str]) -> str:
        return f"]({Path(os.path.relpath(here / link[1], there)).as_posix()}"

    return _outside_fences(text, lambda part: LINK.sub(moved, part))


def without_pictures(text: str) -> str:
    """A page for places that have no files beside it: pictures go, links into its folder become words.

    >>> without_pictures("![A board](a.svg) See [the rules](rules.py), [home](https://example.org).")
    'See the rules, [home](https://example.org).'
    """
    return _outside_fences(
        text, lambda part: BESIDE.sub(r"\1", PICTURE.sub("", EMPTY_ROWS.sub("", part)))
    )


def without_emphasis(text: str) -> str:
    """A text for places that show no Markdown: the stars and backquotes about words go.

    >>> without_emphasis("Count **laps**, not `seeds`: 2 * 3 is *six*.")
    'Count laps, not seeds: 2 * 3 is six.'
    """
    return EMPHASIS.sub(r"\2", text)


def _outside_fences(text: str, change: Callable[[str], str]) -> str:
    """The page, changed but for its fenced blocks."""
    parts = FENCE.split(text)
    parts[::2] = [change(part) for part in parts[::2]]
    return "".join(parts)

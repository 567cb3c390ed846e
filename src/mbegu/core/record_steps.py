"""The steps of a record, each a move with what is said about it, and the signs that stand in it."""

import re
from dataclasses import dataclass

from mbegu.core.game import Move
from mbegu.core.i18n import _

__all__ = [
    "GLYPHS",
    "MARKED",
    "MARKS",
    "MAX_GLYPH",
    "MAX_NESTING",
    "RESULTS",
    "SCORE",
    "Step",
    "too_deep",
]

RESULTS = ("1-0", "0-1", "1/2-1/2", "*")
GLYPHS = {1: "!", 2: "?", 3: "!!", 4: "??", 5: "!?", 6: "?!"}
"""The glyphs that have a sign of their own. Records write numbers ($4) and read the signs too."""

MAX_NESTING = 30  # variations within variations
MAX_GLYPH = 255
MARKS = {sign: number for number, sign in GLYPHS.items()}
MARKED = re.compile(r"(.+?)([!?]{1,2})", re.DOTALL)
SCORE = re.compile(r"(\d{1,9})-(\d{1,9})")


@dataclass(frozen=True, slots=True)
class Step:
    """A move, what is said about it, and what could have been played instead of it."""

    move: Move
    comment: str = ""
    glyphs: tuple[int, ...] = ()
    variations: tuple[tuple["Step", ...], ...] = ()


def too_deep() -> str:
    """Says how deep variations may go."""
    return _("variations go {most} deep at most").format(most=MAX_NESTING)

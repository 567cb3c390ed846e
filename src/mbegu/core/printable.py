"""What strangers have written, made fit for a terminal or a table.

A no-break space is a space, though `str.isprintable` does not think so: French has one before a colon.

>>> printable("a name\\x1b[31m\\n"), printable("one\\n\\ttwo\\x07", lines=True)
('a name?[31m?', 'one\\n    two?')
"""

import re
import unicodedata

__all__ = ["is_printable", "one_line", "printable"]

_BREAKS = re.compile(r"[^\S\u00a0\u202f]+")  # every white space at which a line may end


def is_printable(sign: str) -> bool:
    """Whether a terminal shows a character, as itself or as a space, and does not obey it."""
    return sign.isprintable() or unicodedata.category(sign) == "Zs"


def printable(text: str, *, lines: bool = False) -> str:
    """A text without anything that a terminal would obey; its lines stay if they may."""
    if lines:
        text = text.replace("\r\n", "\n").expandtabs(4)
    return "".join(sign if is_printable(sign) or (lines and sign == "\n") else "?" for sign in text)


def one_line(text: str) -> str:
    """A text without line breaks and double spaces; `str.split` would take no-break spaces, too."""
    return _BREAKS.sub(" ", text).strip(" ")

"""What somebody may have meant who has mistyped a name.

>>> nearest("owar", ["oware", "kalah"]), nearest("chess", ["oware", "kalah"])
('oware', '')
"""

from collections.abc import Iterable
from difflib import get_close_matches

from mbegu.core.i18n import _

__all__ = ["did_you_mean", "nearest"]

LIKE = 0.7  # how much alike two names must be, from 0 to 1


def nearest(word: str, names: Iterable[str]) -> str:
    """The name that is most like a word; "" if none is."""
    found = get_close_matches(word.lower(), list(names), n=1, cutoff=LIKE)
    return found[0] if found else ""


def did_you_mean(word: str, names: Iterable[str]) -> str:
    """A clause that can stand after what was wrong; "" where nothing is like it."""
    name = nearest(word, names)
    return _(" (did you mean {name}?)").format(name=name) if name else ""

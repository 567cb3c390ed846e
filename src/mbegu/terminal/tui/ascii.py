"""For a terminal without UTF-8: every character that it would not know becomes one that it does."""

import os
import unicodedata
from functools import lru_cache

__all__ = ["has_utf8", "in_ascii"]

_SIGNS = {
    **dict.fromkeys("─━═╴╶╾╼▔▁", "-"),
    **dict.fromkeys("│┃║╵╷▎▏▕▌▐▊", "|"),
    **dict.fromkeys("┌┐└┘├┤┬┴┼╭╮╰╯╔╗╚╝", "+"),
    **dict.fromkeys("●○◦•", "o"),
    **dict.fromkeys("█▓■▀▄", "#"),
    **dict.fromkeys("░▒", "-"),
    **dict.fromkeys("▸▶→›»", ">"),
    **dict.fromkeys("◂◀←‹«", "<"),
    **dict.fromkeys("“”„", '"'),
    **dict.fromkeys("‘’", "'"),
    **dict.fromkeys("–—−‑", "-"),
    **dict.fromkeys("·…", "."),
    "×": "x",
    "◆": "*",
    "╲": "\\",
    "╱": "/",
    "↓": "v",
    "↑": "^",
    "✓": "+",
    "✗": "x",
}


def has_utf8() -> bool:
    """Whether the environment says that the terminal speaks UTF-8."""
    for name in ("LC_ALL", "LC_CTYPE", "LANG"):
        value = os.environ.get(name, "")
        if value:
            return "utf-8" in value.lower() or "utf8" in value.lower()
    return os.name == "nt" or "WT_SESSION" in os.environ


def in_ascii(text: str) -> str:
    """The text in ASCII, as many characters as it had.

    >>> in_ascii("┌ é ─┐ ● « à »")
    '+ e -+ o < a >'
    """
    return text if text.isascii() else "".join(map(_sign, text))


@lru_cache(1024)
def _sign(sign: str) -> str:
    if sign.isascii():
        return sign
    if sign in _SIGNS:
        return _SIGNS[sign]
    if unicodedata.category(sign) == "Zs":
        return " "
    base = unicodedata.normalize("NFKD", sign)[0]
    return base if base.isascii() else "?"

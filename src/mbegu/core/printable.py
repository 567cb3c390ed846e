"""What strangers have written, made fit for a terminal or a table.

>>> printable("a name\\x1b[31m\\n"), printable("one\\n\\ttwo\\x07", lines=True)
('a name?[31m?', 'one\\n    two?')
"""

__all__ = ["printable"]


def printable(text: str, *, lines: bool = False) -> str:
    """A text without anything that a terminal would obey; its lines stay if they may."""
    if lines:
        text = text.replace("\r\n", "\n").expandtabs(4)
    return "".join(sign if sign.isprintable() or (lines and sign == "\n") else "?" for sign in text)

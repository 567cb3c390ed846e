"""Colours of a board in lines of text: each player has one, and whoever is to move is bold.

>>> painted("4", 0, turn=0), painted("4", 1, turn=0, colour=False)
('\\x1b[1;33m4\\x1b[0m', '4')
"""

__all__ = ["painted"]

_COLOURS = (33, 36)  # yellow and cyan: apart for nearly all eyes, and legible on black and on white
_END = "\x1b[0m"


def painted(text: str, player: int, *, turn: int | None, colour: bool = True) -> str:
    """A text in the colour of a player."""
    if not colour:
        return text
    bold = "1;" if player == turn else ""
    return f"\x1b[{bold}{_COLOURS[player]}m{text}{_END}"

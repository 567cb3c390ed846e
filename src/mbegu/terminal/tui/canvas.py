"""A sheet of characters, each with a tone, and areas on it that somebody can point at.

>>> sheet = Canvas(6, 1)
>>> sheet.put(1, 0, "seed", "bold")
>>> sheet.runs(0)
[(' ', ''), ('seed', 'bold'), (' ', '')]
"""

from itertools import groupby

__all__ = ["Canvas"]

# What meets in a corner, by its arms: up 1, right 2, down 4, left 8.
_JOINTS = " ╵╶└╷│┌├╴┘─┴┐┤┬┼"
_ARMS = {sign: arms for arms, sign in enumerate(_JOINTS)}


class Canvas:
    """Characters in rows. A tone is a word that a look translates into colours."""

    def __init__(self, width: int, height: int) -> None:
        self.width, self.height = max(0, width), max(0, height)
        self._signs = [[" "] * self.width for _row in range(self.height)]
        self._tones = [[""] * self.width for _row in range(self.height)]
        self._areas: list[tuple[str, int, int, int, int]] = []

    def put(self, x: int, y: int, text: str, tone: str = "") -> None:
        """Writes a text from (x, y); what is outside is cut off."""
        if not 0 <= y < self.height:
            return
        for at, sign in enumerate(text, x):
            if 0 <= at < self.width:
                self._signs[y][at] = sign
                self._tones[y][at] = tone

    def centre(self, x: int, y: int, width: int, text: str, tone: str = "") -> None:
        """Writes a text into the middle of so many columns."""
        self.put(x + max(0, width - len(text)) // 2, y, text[:width], tone)

    def fill(self, x: int, y: int, width: int, height: int, tone: str) -> None:
        """Empties a rectangle and gives it a tone."""
        for row in range(y, y + height):
            self.put(x, row, " " * width, tone)

    def paint(self, x: int, y: int, width: int, height: int, tone: str) -> None:
        """Gives a rectangle a tone, and leaves what is written there."""
        for row in range(max(0, y), min(y + height, self.height)):
            for column in range(max(0, x), min(x + width, self.width)):
                self._tones[row][column] = tone

    def box(self, x: int, y: int, width: int, height: int, tone: str = "") -> None:
        """Draws a frame; where it meets another one they are joined."""
        right, bottom = x + width - 1, y + height - 1
        for column in range(x, right + 1):
            sides = (2 if column < right else 0) | (8 if column > x else 0)
            for row, arm in ((y, 4), (bottom, 1)):
                self.join(column, row, sides | (arm if column in (x, right) else 0), tone)
        for row in range(y + 1, bottom):
            for column in (x, right):
                self.join(column, row, 5, tone)

    def join(self, x: int, y: int, arms: int, tone: str = "") -> None:
        """Adds arms of a line (up 1, right 2, down 4, left 8) to what is there."""
        if 0 <= y < self.height and 0 <= x < self.width:
            there = _ARMS.get(self._signs[y][x], 0)
            self._signs[y][x] = _JOINTS[there | arms]
            self._tones[y][x] = tone

    def paste(self, other: "Canvas", x: int, y: int) -> None:
        """Lays another canvas on this one, with what one can point at on it."""
        for row in range(other.height):
            at = x
            for text, tone in other.runs(row):
                self.put(at, y + row, text, tone)
                at += len(text)
        for name, left, top, width, height in other._areas:
            self.area(name, x + left, y + top, width, height)

    # ---- pointing

    def area(self, name: str, x: int, y: int, width: int, height: int) -> None:
        """Names a rectangle, so that one can point at it."""
        self._areas.append((name, x, y, width, height))

    def at(self, x: int, y: int) -> str | None:
        """The name of what lies under (x, y)."""
        for name, left, top, width, height in reversed(self._areas):
            if left <= x < left + width and top <= y < top + height:
                return name
        return None

    def middle(self, name: str) -> tuple[int, int] | None:
        """Where an area of this name is."""
        for found, left, top, width, height in self._areas:
            if found == name:
                return left + width // 2, top + height // 2
        return None

    # ---- reading

    def runs(self, y: int) -> list[tuple[str, str]]:
        """A row as texts of one tone each."""
        if not 0 <= y < self.height:
            return []
        pairs = zip(self._tones[y], self._signs[y], strict=True)
        return [
            ("".join(sign for _tone, sign in run), tone)
            for tone, run in groupby(pairs, key=lambda pair: pair[0])
        ]

    def text(self) -> str:
        """All of it, without tones."""
        return "\n".join("".join(row).rstrip() for row in self._signs)

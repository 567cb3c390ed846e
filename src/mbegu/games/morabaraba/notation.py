"""How moves and boards of Morabaraba are written: `a1`, `d1-d2`, `xa1`, or the contest's `MOVE a1 (3, 0)`."""

import re
from collections.abc import Mapping

from mbegu.core.errors import InvalidMove, shorten
from mbegu.core.game import Move, read_number
from mbegu.core.i18n import _
from mbegu.games.morabaraba.board import INDEX, POINTS, coordinates

__all__ = ["COWS", "action", "drawn_board", "read_pair", "words"]

COWS = 12

_POINT = "([a-g][1-7])"
_ACTION = re.compile(f"(ADD|STEAL) {_POINT}|(MOVE|FLY) {_POINT} {_POINT}")
_CELL = re.compile(r"\(\s*([0-6])\s*,\s*([0-6])\s*\)")
_SHORT = re.compile(f"(x?){_POINT}(?:-{_POINT})?")


def words(text: str) -> tuple[str | None, list[str]]:
    """The kind of a move text and its points; PUT and GO where the phase decides the kind."""
    named = _CELL.sub(lambda cell: "abcdefg"[int(cell[2])] + str(int(cell[1]) + 1), text.lower())
    kind, _space, points = " ".join(named.split()).partition(" ")
    action = _ACTION.fullmatch(f"{kind.upper()} {points}")
    if action is not None:
        return action[1] or action[3], [point for point in action.group(2, 4, 5) if point]
    short = _SHORT.fullmatch(named)
    if short is None or (short[1] and short[3]):
        return None, []
    kind = "STEAL" if short[1] else "GO" if short[3] else "PUT"
    return kind, [point for point in short.group(2, 3) if point]


def action(move: Move) -> tuple[str, list[str]]:
    """The kind and the points of a move such as `MOVE a1 a4`."""
    action = _ACTION.fullmatch(move) if isinstance(move, str) else None
    points = [point for point in action.group(2, 4, 5) if point] if action else []
    if action is None or any(point not in INDEX for point in points):
        raise InvalidMove(
            _("{move} is not an action: write ADD a1, MOVE a1 a4, FLY a1 g7 or STEAL b2").format(
                move=shorten(move)
            )
        )
    return action[1] or action[3], points


def read_pair(text: str) -> tuple[int, int]:
    first, _slash, second = text.partition("/")
    return read_number(first, _("dark"), most=COWS), read_number(second, _("light"), most=COWS)


def drawn_board(marks: Mapping[str, str]) -> list[str]:
    """The board with its lines and what stands on each point, row 7 on top."""
    lines = []
    for row, line in enumerate(_LINES):
        if row % 2:
            lines.append(f"    {line}")
            continue
        rank = 7 - row // 2
        drawn = list(line)
        for point in (name for name in POINTS if name[1] == str(rank)):
            drawn[coordinates(point)[1] * 4] = marks[point]
        lines.append(f"  {rank} {''.join(drawn)}")
    return [*lines, "    " + "   ".join("abcdefg")]


_LINES = (
    "+-----------+-----------+",
    "| \\         |         / |",
    "|   +-------+-------+   |",
    "|   | \\     |     / |   |",
    "|   |   +---+---+   |   |",
    "|   |   |       |   |   |",
    "+---+---+       +---+---+",
    "|   |   |       |   |   |",
    "|   |   +---+---+   |   |",
    "|   | /     |     \\ |   |",
    "|   +-------+-------+   |",
    "| /         |         \\ |",
    "+-----------+-----------+",
)

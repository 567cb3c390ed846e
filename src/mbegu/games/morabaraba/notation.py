"""How moves and boards of Morabaraba are written: `a1`, `d1-d2`, `xa1`, or the contest's `MOVE a1 (3, 0)`."""

import re
from typing import Any

from mbegu.core.ansi import painted
from mbegu.core.errors import InvalidMove, InvalidPosition, shorten
from mbegu.core.game import Move, read_counts, read_number
from mbegu.core.i18n import _
from mbegu.games.morabaraba.board import INDEX, MILLS, POINTS, coordinates

__all__ = [
    "COWS",
    "MARKS",
    "NAMES",
    "action",
    "drawn_board",
    "fields_of_json",
    "fields_of_text",
    "read_action",
]

COWS = 12
MARKS = "xo"  # dark and light on the board, as text
NAMES = {"-".join(mill): mill for mill in MILLS}

_POINT = "([a-g][1-7])"
_ACTION = re.compile(f"(ADD|STEAL) {_POINT}|(MOVE|FLY) {_POINT} {_POINT}")
_CELL = re.compile(r"\(\s*([0-6])\s*,\s*([0-6])\s*\)")
_SHORT = re.compile(f"(x?){_POINT}(?:-{_POINT})?")


def _words(text: str) -> tuple[str | None, list[str]]:
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


def read_action(text: str, shot: bool, flies: bool) -> str:
    """The action that a text means, where a shot is due or cows may fly."""
    kind, points = _words(text)
    if any(point not in INDEX for point in points) or kind is None:
        raise InvalidMove(
            _(
                "{move} is not a move: write a1 to place, d1-d2 to move, xa1 to shoot "
                "(or ADD a1, MOVE d1 d2, FLY d1 g7, STEAL a1)"
            ).format(move=shorten(text))
        )
    if kind == "PUT":  # a bare point means what is due
        kind = "STEAL" if shot else "ADD"
    elif kind == "GO":
        kind = "FLY" if flies else "MOVE"
    return " ".join([kind, *points])


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


# ---- positions: the fields of one, from a text and from JSON; whether they fit each other the rules say


def fields_of_text(text: str, classic: bool) -> dict[str, Any]:
    """Of `12/12 - - x 0/0 - - 0 0`."""
    parts = text.split() if isinstance(text, str) else []
    if len(parts) != 9 or parts[3] not in ("x", "o", "x!", "o!"):
        raise InvalidPosition(
            _(
                "{text} is not a Morabaraba position: write hands, dark, light, side, score, "
                "bans of dark, bans of light and two counters, like 11/12 a1 - o 0/0 - - 1 0"
            ).format(text=shorten(text))
        )
    bans = [_read_ban([] if part == "-" else part.split(","), classic) for part in parts[5:7]]
    return {
        "hands": _read_pair(parts[0]),
        "score": _read_pair(parts[4]),
        "board": _read_herds(parts[1:3]),
        "side": MARKS.index(parts[3][0]),
        "shot": parts[3].endswith("!"),
        "bans": (bans[0], bans[1]),
        "quiet": read_number(parts[7], _("counter")),
        "three": read_number(parts[8], _("counter")),
    }


def fields_of_json(obj: Any, classic: bool) -> dict[str, Any]:
    """Of the `state` object."""
    hands, score = read_counts(obj, "in_hand", 2, most=COWS), read_counts(obj, "score", 2)
    quiet, three = (read_counts({key: [obj.get(key)]}, key, 1)[0] for key in ("quiet", "three"))
    bans = obj.get("ban")
    if not isinstance(bans, list | tuple) or len(bans) != 2:
        raise InvalidPosition(_("ban must be a list for each player"))
    if type(obj.get("turn")) is not int or obj["turn"] not in (-1, 1):
        raise InvalidPosition(
            _("turn must be -1 or 1, not {value}").format(value=shorten(obj.get("turn")))
        )
    board = obj.get("board")
    if not isinstance(board, str) or len(board) != 24 or set(board) - set("xo."):
        raise InvalidPosition(
            _("board must be 24 characters of x, o and a full stop, not {value}").format(
                value=shorten(board)
            )
        )
    return {
        "board": board,
        "side": int(obj["turn"] == 1),
        "shot": obj.get("phase") == "STEAL",
        "hands": (hands[0], hands[1]),
        "score": (score[0], score[1]),
        "bans": (_read_ban(bans[0], classic), _read_ban(bans[1], classic)),
        "quiet": quiet,
        "three": three,
    }


def _read_pair(text: str) -> tuple[int, int]:
    first, _slash, second = text.partition("/")
    return read_number(first, _("dark"), most=COWS), read_number(second, _("light"), most=COWS)


def _read_herds(herds: list[str]) -> str:
    """The points of dark and of light, as a board."""
    board = ["."] * 24
    for mark, points in zip(MARKS, herds, strict=True):
        for point in [] if points == "-" else points.split(","):
            if point not in INDEX or board[INDEX[point]] != ".":
                raise InvalidPosition(
                    _("{point} is not a point, or is taken twice").format(point=shorten(point))
                )
            board[INDEX[point]] = mark
    return "".join(board)


def _read_ban(names: object, classic: bool) -> tuple[str, ...]:
    """The banned mills of a player (in the classic rules, banned steps), in board order."""
    if not isinstance(names, list | tuple):
        raise InvalidPosition(_("ban must be a list for each player"))
    for name in names:
        steps = name.split("-") if isinstance(name, str) else []
        step = classic and len(steps) == 2 and set(steps) <= set(POINTS)
        if not (isinstance(name, str) and name in NAMES) and not step:
            raise InvalidPosition(
                _("{name} is not a mill; write mills like a1-d1-g1").format(name=shorten(name))
            )
    return tuple(sorted(set(names), key=None if classic else list(NAMES).index))


def drawn_board(board: str, turn: int | None, colour: bool) -> list[str]:
    """The board with its lines and what stands on each point, row 7 on top."""
    marks = {
        point: painted(mark, MARKS.index(mark), turn=turn, colour=colour) if mark in MARKS else mark
        for point, mark in zip(POINTS, board, strict=True)
    }
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

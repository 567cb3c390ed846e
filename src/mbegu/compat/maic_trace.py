"""Old records of the MAIC 2022 contest (`.trace` files) as a neutral list of actions.

A trace is a pickle of whole states, one for each ply. It is read without running anything in it
(see `mbegu.compat.maic.utils.restricted`), and believed only as far as it can be checked: every
action must lead from one recorded board to the next.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from mbegu.compat.maic.utils.restricted import TraceError, fields, grid, load
from mbegu.core.printable import printable

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["OldGame", "TraceError", "read_trace"]

# In Mbegu's order of the points: row by row from the bottom, a to g within a row.
_ROWS = ("adg", "bdf", "cde", "abcefg", "cde", "bdf", "adg")
_CELLS = {
    f"{column}{row + 1}": (row, "abcdefg".index(column))
    for row, columns in enumerate(_ROWS)
    for column in columns
}
_NAMES = {cell: name for name, cell in _CELLS.items()}
_KEYWORDS = {"ADD": ("to",), "MOVE": ("at", "to"), "FLY": ("at", "to"), "STEAL": ("at",)}

_Board = dict[str, int]


@dataclass(frozen=True)
class OldGame:
    """One game of a trace."""

    names: tuple[str, str]
    """Of the player who starts (-1, dark) and of the other (1, light)."""
    actions: tuple[str, ...]
    """`ADD a1`, `MOVE a1 a4`, `FLY a1 g7`, `STEAL b2`."""
    players: tuple[int, ...]
    """Who did each action, 0 or 1."""
    boards: tuple[str, ...]
    """After 0, 1, 2... actions: 24 points, `x` for the one who starts, `o`, `.`."""
    score: tuple[int, int]
    """Cows shot by each."""
    done: bool
    """Whether the game was played to its end."""
    later_states: int = 0
    """The contest's window appended a second game to the first one's trace, with the old cows
    still on the board. No rules lead there, so those states are counted and left out."""

    @property
    def winner(self) -> int | None:
        """0, 1, or None for a draw or an unfinished game: the higher score wins."""
        if not self.done or self.score[0] == self.score[1]:
            return None
        return 0 if self.score[0] > self.score[1] else 1

    @property
    def result(self) -> str:
        """`1-0`, `0-1`, `1/2-1/2`, or `*` for an unfinished game."""
        if not self.done:
            return "*"
        return {0: "1-0", 1: "0-1", None: "1/2-1/2"}[self.winner]


def read_trace(path: str | Path) -> OldGame:
    """The (first) game of a `.trace` file; TraceError says what is wrong with it."""
    try:
        return _game(load(path))
    except TraceError as fault:
        message = str(fault)
        if not message.startswith(str(path)):
            message = f"{path}: {message}"
        raise TraceError(message) from None


def _game(value: Any) -> OldGame:
    trace = fields(value, "trace")
    names = trace.get("players")
    if not isinstance(names, dict) or not all(isinstance(names.get(p), str) for p in (-1, 1)):
        raise TraceError("the trace does not name its two players")
    states = trace.get("actions")
    if not isinstance(states, list) or not states:
        raise TraceError("the trace holds no states")

    board = _board(states[0])
    if _latest(states[0]) is not None or any(board.values()):
        raise TraceError("state 0 is not the start of a game")
    actions: list[str] = []
    players: list[int] = []
    boards = [_text(board)]
    score = [0, 0]
    later = 0
    for number, state in enumerate(states[1:], 1):
        latest = _latest(state)
        if latest is None:
            later = len(states) - number
            break
        recorded = _board(state)
        if recorded == board:
            continue  # a ply that was refused: the window recorded the same state again
        player, action = latest
        try:
            _apply(board, player, action)
        except TraceError as fault:
            raise TraceError(f"state {number}: {' '.join(action)}: {fault}") from None
        if board != recorded:
            raise TraceError(f"state {number}: {' '.join(action)} does not lead to its board")
        if action[0] == "STEAL":
            score[_seat(player)] += 1
        actions.append(" ".join(action))
        players.append(_seat(player))
        boards.append(_text(board))
    return OldGame(
        names=(_printable(names[-1]), _printable(names[1])),
        actions=tuple(actions),
        players=tuple(players),
        boards=tuple(boards),
        score=(score[0], score[1]),
        # With a second game behind it, `done` speaks of the second; the first was over.
        done=bool(later) or trace.get("done") is True,
        later_states=later,
    )


def _printable(name: str) -> str:
    """A name is shown in terminals and written to files: no control characters, no novels."""
    return printable(name[:100])


def _seat(player: int) -> int:
    return 0 if player == -1 else 1


def _board(state: Any) -> _Board:
    rows = grid(fields(fields(state, "state").get("board"), "board").get("_board_state"))
    for row, line in enumerate(rows):
        for column, value in enumerate(line):
            if value and (row, column) not in _NAMES:
                raise TraceError("a cow stands where the board has no point")
    return {name: rows[row][column] for name, (row, column) in _CELLS.items()}


def _text(board: _Board) -> str:
    return "".join(".ox"[board[name]] for name in _CELLS)


def _latest(state: Any) -> tuple[int, tuple[str, ...]] | None:
    """Who did what last: (player, ("MOVE", "a1", "a4")); None at the start of a game."""
    values = fields(state, "state")
    player, move = values.get("_latest_player"), values.get("_latest_move")
    if player is None and move is None:
        return None
    if player not in (-1, 1) or not isinstance(move, dict):
        raise TraceError("a state does not say who did what")
    kind, cells = move.get("action_type"), move.get("action")
    if not isinstance(kind, str) or kind not in _KEYWORDS or not isinstance(cells, dict):
        raise TraceError("a state names an action that the game does not have")
    if set(cells) != set(_KEYWORDS[kind]):
        raise TraceError(f"{kind} with the wrong cells")
    return player, (kind, *(_name(cells[keyword]) for keyword in _KEYWORDS[kind]))


def _name(cell: Any) -> str:
    match cell:
        case (int(row), int(column)) if (row, column) in _NAMES:
            return _NAMES[row, column]
    raise TraceError("an action names a cell that is no point of the board")


def _apply(board: _Board, player: int, action: tuple[str, ...]) -> None:
    kind, *points = action
    if kind == "STEAL":
        if board[points[0]] != -player:
            raise TraceError("there is no cow to shoot")
        board[points[0]] = 0
        return
    if kind != "ADD":
        if board[points[0]] != player:
            raise TraceError("there is no cow to move")
        board[points[0]] = 0
    if board[points[-1]]:
        raise TraceError("the point is taken")
    board[points[-1]] = player

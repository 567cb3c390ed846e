"""The record of a game as the contest kept it: the states, one after another, in a pickle."""

import copy
import pickle
from pathlib import Path
from typing import Any

from utils import restricted

TraceError = restricted.TraceError


class Trace:
    """`actions` holds states, the initial one first; `players` the names of -1 and 1."""

    def __init__(self, initial_state: Any = None, players: dict[int, str] | None = None) -> None:
        self.done = False
        self.players: dict[int, str] = dict(players or {})
        self.actions: list[Any] = []
        if initial_state is not None:
            self.add(initial_state)

    def add(self, state: Any) -> None:
        """Keeps a copy: the game goes on changing the state itself."""
        self.actions.append(copy.deepcopy(state))

    def get_actions(self) -> list[Any]:
        return self.actions

    def get_last_board(self) -> Any:
        return self.actions[-1].get_board()

    def write(self, path: str | Path) -> None:
        with Path(path).open("wb") as file:
            pickle.dump(self, file, protocol=4)

    def load(self, path: str | Path) -> "Trace":
        """Becomes the trace in the file. Nothing in the file is run: see `utils.restricted`."""
        values = restricted.fields(restricted.load(path), "trace")
        players, actions = values.get("players"), values.get("actions")
        if not isinstance(players, dict) or not isinstance(actions, list):
            raise TraceError(f"{path}: a trace without players or states")
        loaded = [_state(restricted.fields(thing, "state")) for thing in actions]
        self.done = bool(values.get("done"))
        self.players = {player: str(name) for player, name in players.items()}
        self.actions = loaded
        return self


def _state(values: dict[str, Any]) -> Any:
    from morabaraba import MorabarabaBoard, MorabarabaState  # noqa: PLC0415 - only when loading

    board = MorabarabaBoard((7, 7))
    board._board_state = _colors(restricted.fields(values.get("board"), "board"))
    state = MorabarabaState(board)
    # Only what such a state has, and only plain values: `__class__` and its like stay out.
    for name in vars(state).keys() - {"board"}:
        if name in values:
            setattr(state, name, _plain(values[name]))
    return state


def _colors(values: dict[str, Any]) -> Any:
    from core import Color, np  # noqa: PLC0415 - only when loading

    array = np.empty((7, 7), dtype=object)
    for row, line in enumerate(restricted.grid(values.get("_board_state"))):
        for column, value in enumerate(line):
            array[row, column] = Color(value)
    return array


def _plain(value: Any, budget: list[int] | None = None) -> Any:
    """A copy of a plain value. A pickle can name one list in a thousand places, hence the budget."""
    budget = [1000] if budget is None else budget
    budget[0] -= 1
    if budget[0] < 0:
        raise TraceError("a state holds more than any state of the game")
    if value is None or isinstance(value, bool | int | float | str):
        return value
    if isinstance(value, list | tuple):
        return type(value)(_plain(item, budget) for item in value)
    if isinstance(value, dict):
        return {key: _plain(item, budget) for key, item in value.items()}
    raise TraceError("a state holds something that no state of the game has")

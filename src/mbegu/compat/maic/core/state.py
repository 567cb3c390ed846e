"""The situation of any game: a board, and who did what last."""

from typing import Any


class State:
    """Players are the ints -1 and 1."""

    def __init__(self, board: Any, next_player: int = -1) -> None:
        self.board = board
        self._next_player = next_player
        self._latest_player: int | None = None
        self._latest_move: dict[str, Any] | None = None

    def get_board(self) -> Any:
        return self.board

    def set_board(self, new_board: Any) -> None:
        self.board = new_board

    def get_latest_player(self) -> int | None:
        return self._latest_player

    def set_latest_player(self, player: int | None) -> None:
        self._latest_player = player

    def get_latest_move(self) -> dict[str, Any] | None:
        return self._latest_move

    def set_latest_move(self, action: dict[str, Any] | None) -> None:
        self._latest_move = action

    def get_next_player(self) -> int:
        return self._next_player

    def set_next_player(self, player: int) -> None:
        self._next_player = player

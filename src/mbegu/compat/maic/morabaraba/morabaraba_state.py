"""The situation of a game, in public attributes that AIs read, copy and write."""

import json
from typing import Any

from core import Color, State


class MorabarabaState(State):
    """`mill` means that the next player owes a shot; `score` counts the cows shot by each."""

    def __init__(self, board: Any, next_player: int = -1, boring_limit: int = 50) -> None:
        super().__init__(board, next_player)
        self.score = {-1: 0, 1: 0}
        self.in_hand = {-1: 12, 1: 12}
        self.mill = False
        self.captured: tuple[int, int] | None = None
        self.boring_moves = 0
        self.just_stop = boring_limit
        self.fly_case = False
        self.fly_moves = 0
        # [True, [mill, ...]] after a MOVE or FLY that broke those mills, for player -1 and 1.
        self.player1_forbidden_mill: list[Any] = [False, None]
        self.player2_forbidden_mill: list[Any] = [False, None]
        # Earlier releases of the framework had these. Nothing sets them any more, but there
        # are AIs that read or copy them, and crash without.
        self.latest_player1_move: list[Any] = [False, []]
        self.latest_player2_move: list[Any] = [False, []]
        self.before_latest_player1_move: list[Any] = [False, []]
        self.before_latest_player2_move: list[Any] = [False, []]
        self.player1_forbidden_cell: list[Any] = [False, None]
        self.player2_forbidden_cell: list[Any] = [False, None]

    def get_player_info(self, player: int) -> dict[str, int]:
        return {
            "in_hand": self.in_hand[player],
            "on_board": len(self.board.get_player_pieces_on_board(Color(player))),
            "score": self.score[player],
        }

    def get_json_state(self) -> str:
        return json.dumps(
            {
                "latest_player": self._latest_player,
                "latest_move": self._latest_move,
                "next_player": self._next_player,
                "score": self.score,
                "in_hand": self.in_hand,
                "rewarding_move": self.mill,
                "boring_moves": self.boring_moves,
                "just_stop": self.just_stop,
                "board": self.board.get_json_board(),
            },
            default=int,  # an AI may have named a cell by numpy integers
        )

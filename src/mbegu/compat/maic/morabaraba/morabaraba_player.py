"""The base class of every AI."""

from enum import Enum
from typing import Any


class Color(Enum):
    """The window's colours, not the board's: an AI wants `core.Color`."""

    white = 1
    empty = 0
    black = -1


class MorabarabaPlayer:
    """An AI derives from this and writes `play(self, state, remain_time)`.

    `score` and `in_hand` do not exist before the referee first tells them.
    """

    name = "Dark"

    def __init__(self, color: Any) -> None:
        self.color = color
        self._reset_player_info()

    def _reset_player_info(self) -> None:
        self.pieces_in_hand = 12

    def play(self, state: Any) -> Any:
        raise NotImplementedError

    def get_name(self) -> str:
        return self.name

    def set_score(self, new_score: int) -> None:
        self.score = new_score

    def update_player_infos(self, infos: dict[str, int]) -> None:
        """Called after each action of this player, also after one played at random for him."""
        self.in_hand = infos["in_hand"]
        self.score = infos["score"]

    def reset_player_informations(self) -> None:
        self.in_hand = 12
        self.score = 0

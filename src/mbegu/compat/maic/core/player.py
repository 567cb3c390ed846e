"""A player of any game."""

from typing import Any

from core.color import Color


class Player:
    """An interface only: Morabaraba's AIs derive from `MorabarabaPlayer`."""

    name = "Player"

    def __init__(self, color: Color) -> None:
        self.color = color

    def play(self, state: Any) -> Any:
        raise NotImplementedError

"""A bot is one method: given a position and the clock, it chooses a legal move."""

from typing import Protocol

from mbegu.core.clock import Clock
from mbegu.core.game import Move, Position

__all__ = ["Bot"]


class Bot(Protocol):
    """Whoever has this method can play."""

    def choose(self, position: Position, clock: Clock) -> Move:
        """One of `position.legal_moves()`, for the player `position.turn`."""
        ...

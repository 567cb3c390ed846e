"""A lesson: short steps in which the learner makes the move.

Each step shows a position and asks for a move; `accept` holds the moves that answer it, and `after`
says what has happened. A step without moves is only read. A test plays every step by the rules.
"""

from dataclasses import dataclass

from mbegu.core.game import Move, Position
from mbegu.core.registry import game as find_game

__all__ = ["LessonStep"]


@dataclass(frozen=True)
class LessonStep:
    """One thing to learn. Texts are in English; whoever shows them translates them."""

    game: str
    title: str
    text: str
    position: str  # "" is the start of the game
    accept: tuple[Move, ...]
    hint: str
    after: str

    def start(self) -> Position:
        """The position that the learner sees first."""
        game = find_game(self.game)
        return game.position(self.position) if self.position else game.start()

"""Games that begin with a set-up: each player lays his pieces as he likes, unseen by the other."""

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from mbegu.core.game import Game, Position
from mbegu.core.i18n import _

__all__ = ["SetUpGame", "no_set_ups"]


@dataclass(frozen=True)
class SetUpGame(Game):
    """A game whose players set up the board themselves. Whoever wants to know asks
    `isinstance(game, SetUpGame)`: nobody needs to know which game it is."""

    @abstractmethod
    def start(
        self, setup0: Sequence[int] | str | None = None, setup1: Sequence[int] | str | None = None
    ) -> Position:
        """The position in which the game begins after these set-ups; None is the usual one."""

    @abstractmethod
    def setup(self, beads: Sequence[int] | str | None = None) -> tuple[int, ...]:
        """A set-up, checked: counts for each place of a player, or their text; None is the usual one."""

    @staticmethod
    @abstractmethod
    def random_setup(lot: Random) -> tuple[int, ...]:
        """A set-up by lot."""


def no_set_ups(game: Game) -> str:
    """What to say to whoever wants to set up a game that is not for that."""
    return _("{game} has no set-ups: it always begins alike").format(game=game)

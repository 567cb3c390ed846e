"""A set-up in the making: how many pieces lie in each of a player's places.

>>> from mbegu.core.registry import game
>>> laying = Laying(game("urubugu"), 0)
>>> laying.put(0); laying.go(1, 0); laying.add(2); laying.left, laying.cursor
(0, 'S2')
"""

import random

from mbegu.core.setups import SetUpGame

__all__ = ["Laying"]


class Laying:
    """Begins as usual; `left` are the pieces that are not laid yet."""

    def __init__(self, game: SetUpGame, player: int) -> None:
        self.game, self.player = game, player
        self.places = [place for place in game.board.places if place.owner == player]
        self.counts: dict[str, int] = {}
        self.usual()
        self.total = sum(self.counts.values())
        self.cursor = self.places[0].name

    @property
    def left(self) -> int:
        """How many are still in the hand."""
        return self.total - sum(self.counts.values())

    def usual(self) -> None:
        """As most people lay them."""
        self._lay(self.game.setup())

    def by_lot(self) -> None:
        """Somehow."""
        self._lay(self.game.random_setup(random.Random()))  # noqa: S311 (a game)

    def add(self, number: int) -> None:
        """Lays some more under the cursor, as far as they go, or takes some away."""
        self.put(self.counts[self.cursor] + number)

    def put(self, number: int) -> None:
        """So many under the cursor; no more than there are."""
        most = self.counts[self.cursor] + self.left
        self.counts[self.cursor] = max(0, min(number, most))

    def go(self, dx: int, dy: int) -> None:
        """The cursor goes to the next place of this player."""
        here = next(place for place in self.places if place.name == self.cursor)
        for place in self.places:
            if (place.column, place.row) == (here.column + dx, here.row + dy):
                self.cursor = place.name

    def setup(self) -> tuple[int, ...]:
        """What is laid, checked by the game."""
        return self.game.setup([self.counts[place.name] for place in self.places])

    def _lay(self, setup: tuple[int, ...]) -> None:
        names = (place.name for place in self.places)
        self.counts = dict(zip(names, setup, strict=True))

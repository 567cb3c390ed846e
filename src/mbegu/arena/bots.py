"""The bots that come with the package: read them to write your own."""

import random

from mbegu.core.bot import Bot
from mbegu.core.clock import Clock
from mbegu.core.errors import MbeguError, shorten
from mbegu.core.game import Move, Position
from mbegu.core.i18n import _

__all__ = ["BOTS", "Greedy", "Random", "make_bot"]


class Random:
    """Plays any legal move."""

    def __init__(self, seed: int | None = None) -> None:
        self.random = random.Random(seed)  # noqa: S311 (a game, not a secret)

    def choose(self, position: Position, clock: Clock) -> Move:
        """Any legal move."""
        return self.random.choice(position.legal_moves())


class Greedy:
    """Takes what it can get now: looks one move ahead and no further."""

    def __init__(self, seed: int | None = None) -> None:
        self.random = random.Random(seed)  # noqa: S311

    def choose(self, position: Position, clock: Clock) -> Move:
        """The move after which it stands best; by lot among equals."""
        moves = position.legal_moves()
        self.random.shuffle(moves)
        return max(moves, key=lambda move: self._worth(position, move))

    def _worth(self, position: Position, move: Move) -> float:
        after, me = position.play(move), position.turn
        assert me is not None
        outcome = after.outcome()
        if outcome is not None and outcome.winner is not None:
            return 1000 if outcome.winner == me else -1000
        scores = after.scores()
        return (
            scores[me] - scores[1 - me] + (after.turn == me) / 2
        )  # moving again is worth a little


BOTS: dict[str, type[Random] | type[Greedy]] = {"random": Random, "greedy": Greedy}


def make_bot(name: str, seed: int | None = None) -> Bot:
    """A bot by its name; with a seed it always plays the same."""
    if name not in BOTS:
        raise MbeguError(
            _("no bot is called {name}; there are: {names}").format(
                name=shorten(name), names=", ".join(BOTS)
            )
        )
    return BOTS[name](seed)

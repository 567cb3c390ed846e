"""The bots that come with the package: read them to write your own."""

import random
from collections.abc import Callable
from functools import partial

from mbegu.core.bot import Bot
from mbegu.core.clock import Clock
from mbegu.core.errors import MbeguError, shorten
from mbegu.core.game import Move, Position
from mbegu.core.i18n import _

__all__ = ["BOTS", "Greedy", "Minimax", "Random", "make_bot"]


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


class Minimax:
    """Looks some moves ahead, and expects of the other what it would do itself."""

    def __init__(self, seed: int | None = None, depth: int = 2) -> None:
        self.random = random.Random(seed)  # noqa: S311
        self.depth = depth

    def choose(self, position: Position, clock: Clock) -> Move:
        """The move that turns out best; by lot among equals."""
        me, moves = position.turn, position.legal_moves()
        assert me is not None
        self.random.shuffle(moves)
        return max(moves, key=lambda move: self._worth(position.play(move), me, self.depth - 1))

    def _worth(self, position: Position, me: int, depth: int) -> float:
        """How the position will turn out for `me`."""
        outcome = position.outcome()
        scores = position.scores()
        if outcome is not None and outcome.winner is not None:
            return 1000 + depth if outcome.winner == me else -1000 - depth  # better soon than late
        if depth == 0 or position.turn is None:
            return scores[me] - scores[1 - me]
        mine_or_his = max if position.turn == me else min
        return mine_or_his(
            self._worth(position.play(move), me, depth - 1) for move in position.legal_moves()
        )


def _level(level: int, seed: int | None) -> Bot:
    from mbegu.engine.levels import LevelBot  # noqa: PLC0415 (the engine is heavy)

    return LevelBot(level, seed)


BOTS: dict[str, Callable[[int | None], Bot]] = {
    "random": Random,
    "greedy": Greedy,
    "minimax": Minimax,
    **{f"level{level}": partial(_level, level) for level in range(1, 11)},
}


def make_bot(name: str, seed: int | None = None) -> Bot:
    """A bot by its name, or a level by its number; with a seed it always plays the same."""
    maker = BOTS.get(f"level{name}" if name.isascii() and name.isdigit() else name)
    if maker is None:
        raise MbeguError(
            _("no bot is called {name}; there are: {names}").format(
                name=shorten(name), names=", ".join(BOTS)
            )
        )
    return maker(seed)

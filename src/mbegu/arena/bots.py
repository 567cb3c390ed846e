"""The bots that come with the package: read them to write your own."""

import random
from collections.abc import Callable
from functools import partial

from mbegu.arena.textbook import AlphaBeta, Bfs, Maxi, Minimax, Negamax, Searcher
from mbegu.core.bot import Bot
from mbegu.core.clock import Clock
from mbegu.core.errors import MbeguError, shorten
from mbegu.core.game import Move, Position
from mbegu.core.i18n import _
from mbegu.core.nearest import did_you_mean

__all__ = ["BOTS", "SEARCHERS", "Greedy", "Minimax", "Random", "is_search", "make_bot"]


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


def _level(level: int, seed: int | None) -> Bot:
    from mbegu.engine.levels import LevelBot  # noqa: PLC0415 (the engine is heavy)

    return LevelBot(level, seed)


SEARCHERS: dict[str, type[Searcher]] = {
    "minimax": Minimax,
    "negamax": Negamax,
    "alphabeta": AlphaBeta,
    "maxi": Maxi,
    "bfs": Bfs,
}
MOST_DEPTH = 12  # more than anybody waits for

BOTS: dict[str, Callable[[int | None], Bot]] = {
    "random": Random,
    "greedy": Greedy,
    **SEARCHERS,
    **{f"level{level}": partial(_level, level) for level in range(1, 11)},
}


def make_bot(name: str, seed: int | None = None) -> Bot:
    """A bot by its name, or a level by its number; with a seed it always plays the same.

    A search of the textbooks may be given its depth: `alphabeta:6`.
    """
    search, colon, depth = name.partition(":")
    if colon and search in SEARCHERS:
        return SEARCHERS[search](seed, _depth(name, depth))
    maker = BOTS.get(f"level{name}" if name.isascii() and name.isdigit() else name)
    if maker is None:
        raise MbeguError(
            _("no bot is called {name}{maybe}; there are: {names}").format(
                name=shorten(name), maybe=did_you_mean(name, BOTS), names=", ".join(BOTS)
            )
        )
    return maker(seed)


def is_search(name: str) -> bool:
    """Whether a name is one of the textbooks' searches with its depth."""
    search, colon, _depth = name.partition(":")
    return bool(colon) and search in SEARCHERS


def _depth(name: str, text: str) -> int:
    if text.isascii() and text.isdigit() and 1 <= int(text) <= MOST_DEPTH:
        return int(text)
    raise MbeguError(
        _("{name}: the depth must be a number from 1 to {most}, like {example}").format(
            name=shorten(name), most=MOST_DEPTH, example="alphabeta:4"
        )
    )

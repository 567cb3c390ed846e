"""The searches of the textbooks, for any game, each as a bot with a depth: `alphabeta:6`.

They read the rules as people do and are slow; the levels are the strong players. Whoever learns how programs
think can read one of these in a minute, and play against it.

>>> from mbegu.core.registry import game
>>> position = game("oware").position("0-3-0-6-1-2-0-0-2-1-0-3-0-0-S")
>>> {AlphaBeta(1, depth).choose(position, Clock()) for depth in (1, 2)}
{3}
"""

import random
from collections import deque
from collections.abc import Iterator

from mbegu.core.clock import Clock
from mbegu.core.game import Move, Position

__all__ = ["AlphaBeta", "Bfs", "Maxi", "Minimax", "Negamax", "Searcher"]

WIN = 1000.0  # more than any score
DEPTH = 2


class Searcher:
    """Plays what it finds best, by lot among equals."""

    def __init__(self, seed: int | None = None, depth: int = DEPTH) -> None:
        self.random = random.Random(seed)  # noqa: S311 (a game, not a secret)
        self.depth = depth

    def choose(self, position: Position, clock: Clock) -> Move:
        """The move that turns out best."""
        me, moves = position.turn, position.legal_moves()
        assert me is not None
        self.random.shuffle(moves)
        return max(moves, key=lambda move: self.worth(position.play(move), me, self.depth - 1))

    def worth(self, position: Position, me: int, depth: int) -> float:
        """How a position will turn out for `me` if one looks so many moves ahead."""
        raise NotImplementedError


def standing(position: Position, me: int, depth: int = 0) -> float:
    """How `me` stands: a win, better soon than late, or the difference of the scores."""
    outcome, scores = position.outcome(), position.scores()
    if outcome is not None and outcome.winner is not None:
        return WIN + depth if outcome.winner == me else -WIN - depth
    return scores[me] - scores[1 - me]


def replies(position: Position) -> Iterator[Position]:
    """The positions that may follow."""
    return (position.play(move) for move in position.legal_moves())


class Minimax(Searcher):
    """I take the best for me, and expect the other to do the same for himself."""

    def worth(self, position: Position, me: int, depth: int) -> float:
        """The greatest or the least of what follows."""
        if depth == 0 or position.turn is None:
            return standing(position, me, depth)
        mine_or_his = max if position.turn == me else min
        return mine_or_his(self.worth(after, me, depth - 1) for after in replies(position))


class Negamax(Searcher):
    """The same answer as minimax, told from the side of whoever is to move."""

    def worth(self, position: Position, me: int, depth: int) -> float:
        """What is good for the other is bad for me; who moves again is still himself."""
        mover = position.turn
        if mover is None:
            return standing(position, me, depth)
        value = self._for_mover(position, depth)
        return value if mover == me else -value

    def _for_mover(self, position: Position, depth: int) -> float:
        mover = position.turn
        assert mover is not None
        if depth == 0:
            return standing(position, mover, depth)
        return max(
            self._for_mover(after, depth - 1)
            if after.turn == mover
            else standing(after, mover, depth - 1)
            if after.turn is None
            else -self._for_mover(after, depth - 1)
            for after in replies(position)
        )


class AlphaBeta(Searcher):
    """The same answer once more, without looking at replies that can change nothing."""

    def worth(self, position: Position, me: int, depth: int) -> float:
        """Between the best that each can already be sure of."""
        return self._between(position, me, depth, -2 * WIN, 2 * WIN)

    def _between(self, position: Position, me: int, depth: int, low: float, high: float) -> float:
        if depth == 0 or position.turn is None:
            return standing(position, me, depth)
        mine = position.turn == me
        for after in replies(position):
            value = self._between(after, me, depth - 1, low, high)
            low, high = (max(low, value), high) if mine else (low, min(high, value))
            if low >= high:
                break
        return low if mine else high


class Maxi(Searcher):
    """Each takes the most he can get and does not mind what the other takes."""

    def worth(self, position: Position, me: int, depth: int) -> float:
        """What `me` has in the end."""
        return self._both(position, depth)[me]

    def _both(self, position: Position, depth: int) -> tuple[float, float]:
        mover, outcome = position.turn, position.outcome()
        if depth == 0 or mover is None:
            first, second = position.scores()
            if outcome is not None and outcome.winner is not None:
                return first + WIN * (outcome.winner == 0), second + WIN * (outcome.winner == 1)
            return first, second
        return max(
            (self._both(after, depth - 1) for after in replies(position)),
            key=lambda both: both[mover],
        )


class Bfs(Searcher):
    """Breadth first: the way to the best position in reach, as if the other would help."""

    def worth(self, position: Position, me: int, depth: int) -> float:
        """The best that comes up on the way."""
        best, queue = -2 * WIN, deque([(position, depth)])
        while queue:
            here, left = queue.popleft()
            best = max(best, standing(here, me))
            if left and here.turn is not None:
                queue.extend((after, left - 1) for after in replies(here))
        return best

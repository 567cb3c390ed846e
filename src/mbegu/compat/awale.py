"""The `awale` module of pyAwale, on Mbegu's rules of Oware: old sessions and programs go on.

    >>> from mbegu.compat.awale import *
    >>> awale = Awale()
    >>> awale.sow_and_capture(3)
    >>> print(awale)
                 f    e    d    c    b    a
    North ( 0) [ 4] [ 4] [ 4] [ 4] [ 5] [ 5]
               [ 4] [ 4] [ 4] [ 0] [ 5] [ 5] ( 0) South
                 A    B    C    D    E    F
    >>> awale.best_sown(1)
    6

Houses are 0..5 for South (player 0) and 6..11 for North (player 1). Nobody is asked whose turn it is:
the house says who sows, and any board may be set up by hand.
"""

from collections import deque
from collections.abc import Callable, Iterable
from typing import cast

from mbegu.core.errors import IllegalMove, InvalidMove, InvalidPosition
from mbegu.core.outcome import Outcome, Reason
from mbegu.games.oware import Oware, OwarePosition

__all__ = [
    "ALGORITHMS",
    "Awale",
    "AwaleError",
    "EndOfGame",
    "InvalidSown",
    "NoMoreMove",
]

GAME = Oware()
WIN = 100  # more than any difference of scores: every win is worth the same


class AwaleError(Exception):
    """The root of what can go wrong."""

    # Python 2 printed the name of an exception without its module, and so it stands in the sessions
    # that we must reproduce; today only the names of built-in exceptions are printed like that.
    __module__ = "builtins"

    def __reduce__(self) -> tuple[Callable[..., "AwaleError"], tuple[object, ...]]:
        """Lets an error travel between processes, though it is not where its name says."""
        return _again, (type(self).__name__, *self.args)


class InvalidSown(AwaleError):
    """This house cannot be sown from."""

    __module__ = "builtins"


class NoMoreMove(AwaleError):
    """The player has no legal move."""

    __module__ = "builtins"


class EndOfGame(AwaleError):
    """The game is over; the board and the score stand as the last move left them."""

    __module__ = "builtins"


def _again(name: str, *args: object) -> AwaleError:
    return cast(AwaleError, globals()[name](*args))


class Awale:
    """A board that is changed in place.

    `algorithm` (pyAwale's word is `algo`) is how `best_sown` thinks, `depth` how many moves it looks ahead:

    - `minimax`: my best move, if the opponent always answers with his best
    - `negamax`: the same answer, told from the side of whoever is to move
    - `alphabeta`: the same answer, without looking at replies that can change nothing
    - `maxi`: each player takes the most seeds he can and does not mind what the other takes
    - `bfs`: breadth first: the way to the best position in reach, as if the opponent would help
    """

    def __init__(
        self,
        board: Iterable[int] = (4,) * 12,
        score: Iterable[int] = (0, 0),
        algorithm: str = "minimax",
        depth: int = 3,
        *,
        algo: str | None = None,
    ) -> None:
        algorithm = algo or algorithm
        if algorithm not in ALGORITHMS:
            raise AwaleError(f"no algorithm {algorithm!r}; there are: {', '.join(ALGORITHMS)}")
        if type(depth) is not int or depth < 1:
            raise AwaleError(f"depth must be a number from 1, not {depth!r}")
        self.board = list(board)
        self.score = list(score)
        self.algorithm = algorithm
        self.depth = depth

    def __repr__(self) -> str:
        """The board and the score."""
        return repr({"board": self.board, "score": self.score})

    def __str__(self) -> str:
        """North on top, from f to a; South below, from A to F."""
        return self._position(0).diagram()

    def sow_and_capture(self, house: int) -> None:
        """Sows from a house. The board has changed also when the game ends with EndOfGame."""
        if type(house) is not int or not 0 <= house < 12:
            raise InvalidSown(f"{house!r} is not a house: houses are 0 to 11")
        before = self._running(house // 6)
        try:
            after = cast(OwarePosition, before.play(house))
        except (IllegalMove, InvalidMove) as error:
            raise InvalidSown(str(error)) from None
        self.board, self.score = list(after.board), list(after.score)
        outcome = after.outcome()
        # That the next player cannot move is for best_sown to find.
        if outcome is not None and outcome.reason is not Reason.NO_MOVE:
            raise _end(outcome)

    def best_sown(self, player: int) -> int:
        """The best house for a player, the lowest of equals."""
        if type(player) is not int or player not in (0, 1):
            raise AwaleError(f"{player!r} is not a player: 0 is South, 1 is North")
        return ALGORITHMS[self.algorithm](self._running(player), self.depth)

    def _position(self, player: int) -> OwarePosition:
        """The board as a position in which this player is to move, unless it is over."""
        state = {"board": self.board, "score": self.score, "to_move": player}
        try:
            return GAME.from_json(state)
        except InvalidPosition as error:
            raise AwaleError(str(error)) from None

    def _running(self, player: int) -> OwarePosition:
        position = self._position(player)
        outcome = position.outcome()
        if outcome is not None:
            raise _end(outcome)
        return position


def _end(outcome: Outcome) -> AwaleError:
    """What to raise when the game is over."""
    if outcome.reason is Reason.NO_MOVE:
        return NoMoreMove("No move available!")
    if outcome.reason is Reason.FEW_SEEDS:
        return EndOfGame("No enough seeds!")
    if outcome.winner is None:  # only a board set up by hand can give both a majority
        return EndOfGame("No player wins!")
    return EndOfGame(f"{GAME.sides[outcome.winner]} player wins!")


# ---- thinking: each of these answers with a house ---------------------------------------------------


def _value(position: OwarePosition, player: int) -> int:
    """What a position is worth to a player: a win, or the difference of the captured seeds."""
    outcome = position.outcome()
    if outcome is not None:
        return 0 if outcome.winner is None else WIN if outcome.winner == player else -WIN
    return position.score[player] - position.score[1 - player]


def _after(position: OwarePosition) -> list[tuple[int, OwarePosition]]:
    """Every legal house, lowest first, with the position that follows."""
    moves = cast(list[int], position.legal_moves())
    return [(move, cast(OwarePosition, position.play(move))) for move in moves]


def _best(worth: Iterable[tuple[int, int]]) -> int:
    """The house of the greatest value, the first of equals."""
    return max(worth, key=lambda pair: pair[1])[0]


def _minimax(position: OwarePosition, depth: int) -> int:
    me = position.turn
    assert me is not None

    def value(position: OwarePosition, depth: int) -> int:
        if depth == 0 or position.turn is None:
            return _value(position, me)
        values = [value(after, depth - 1) for _move, after in _after(position)]
        return max(values) if position.turn == me else min(values)

    return _best((move, value(after, depth - 1)) for move, after in _after(position))


def _negamax(position: OwarePosition, depth: int) -> int:
    def value(position: OwarePosition, player: int, depth: int) -> int:
        if depth == 0 or position.turn is None:
            return _value(position, player)
        return max(-value(after, 1 - player, depth - 1) for _move, after in _after(position))

    assert position.turn is not None
    other = 1 - position.turn
    return _best((move, -value(after, other, depth - 1)) for move, after in _after(position))


def _alphabeta(position: OwarePosition, depth: int) -> int:
    def value(position: OwarePosition, player: int, depth: int, alpha: int, beta: int) -> int:
        if depth == 0 or position.turn is None:
            return _value(position, player)
        for _move, after in _after(position):
            alpha = max(alpha, -value(after, 1 - player, depth - 1, -beta, -alpha))
            if alpha >= beta:
                break
        return alpha

    assert position.turn is not None
    best, alpha = -1, -WIN - 1
    for move, after in _after(position):
        found = -value(after, 1 - position.turn, depth - 1, -WIN - 1, -alpha)
        if found > alpha:
            best, alpha = move, found
    return best


def _maxi(position: OwarePosition, depth: int) -> int:
    def ends(position: OwarePosition, depth: int) -> tuple[int, int]:
        """What both have when each maximises his own."""
        if position.turn is None:
            return _gain(position, 0), _gain(position, 1)
        if depth == 0:
            return position.score
        mover = position.turn
        return max((ends(after, depth - 1) for _move, after in _after(position)), key=_of(mover))

    assert position.turn is not None
    me = position.turn
    return _best((move, ends(after, depth - 1)[me]) for move, after in _after(position))


def _gain(position: OwarePosition, player: int) -> int:
    """A player's captured seeds, and more than any of them for a win."""
    outcome = position.outcome()
    assert outcome is not None
    return position.score[player] + (WIN if outcome.winner == player else 0)


def _of(player: int) -> Callable[[tuple[int, int]], int]:
    return lambda pair: pair[player]


def _bfs(position: OwarePosition, depth: int) -> int:
    assert position.turn is not None
    best: tuple[int, int] | None = None
    queue = deque((move, after, 1) for move, after in _after(position))
    while queue:
        first, here, level = queue.popleft()
        value = _value(here, position.turn)
        if best is None or value > best[1]:
            best = first, value
        if level < depth:
            queue.extend((first, after, level + 1) for _move, after in _after(here))
    assert best is not None
    return best[0]


ALGORITHMS: dict[str, Callable[[OwarePosition, int], int]] = {
    "bfs": _bfs,
    "minimax": _minimax,
    "maxi": _maxi,
    "negamax": _negamax,
    "alphabeta": _alphabeta,
}

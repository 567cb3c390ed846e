"""The truth about short endings: the readable rules, the whole path, and no table.

`Oracle.forces` asks whether a player can force a margin, within so many plies if one says so, in a
match that has gone through certain positions. A match ends by the rules of the game, or when
a position has come back as often as the match allows. Nothing is carried from one path to another, except
where the paths are the same: what is remembered is remembered together with every position that could
come back.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from mbegu.core.game import Game, Position
from mbegu.core.outcome import Outcome

Path = tuple[
    int, ...
]  # numbers of positions, sorted: a position that occurred twice stands there twice


class TooLarge(Exception):
    """The question would take too long."""


class Oracle:
    """Answers for one game, with at most so many positions looked at for each question."""

    def __init__(self, game: Game, patience: int) -> None:
        self.game, self.patience = game, patience
        self._numbers: dict[Position, int] = {}  # positions are slow to compare
        self._positions: list[Position] = []
        self._ends: list[int | None] = []  # the margin of player 0 where a game is over
        self._children: dict[int, list[int]] = {}
        self._answers: dict[tuple[object, ...], bool] = {}
        self._left = 0

    def forces(
        self,
        position: Position,
        history: Sequence[Position],
        player: int,
        margin: int,
        plies: int | None = None,
    ) -> bool:
        """Whether a player can force this margin or more, after the positions of the history."""
        self._left = self.patience
        if len(self._answers) > 100_000:
            self._answers.clear()
        try:
            return self._forces(
                self._number(position), self._path([*history, position]), player, margin, plies
            )
        except RecursionError:
            raise TooLarge from None

    def final(self, line: Sequence[Position]) -> int | None:
        """The margin of player 0 if a match that has gone this way is over."""
        return self._final(self._number(line[-1]), self._path(line))

    def _forces(self, here: int, path: Path, player: int, margin: int, plies: int | None) -> bool:
        final = self._final(here, path)
        if final is not None:
            return (final if player == 0 else -final) >= margin
        if plies == 0:
            return False
        question = (here, path, player, margin, plies)
        if question not in self._answers:
            self._left -= 1
            if self._left < 0:
                raise TooLarge
            left = None if plies is None else plies - 1
            some_or_all = any if self._positions[here].turn == player else all
            self._answers[question] = some_or_all(
                self._forces(after, self._extended(path, here, after), player, margin, left)
                for after in self._after(here)
            )
        return self._answers[question]

    def _final(self, here: int, path: Path) -> int | None:
        limit = self.game.repetition_limit
        if self._ends[here] is None and limit is not None and path.count(here) + 1 >= limit:
            return _margin(self.game.repetition_outcome(self._positions[here]))
        return self._ends[here]

    def _number(self, position: Position) -> int:
        number = self._numbers.setdefault(position, len(self._positions))
        if number == len(self._positions):
            self._positions.append(position)
            outcome = position.outcome()
            self._ends.append(None if outcome is None else _margin(outcome))
        return number

    def _after(self, here: int) -> list[int]:
        """The positions after every move."""
        if here not in self._children:
            position = self._positions[here]
            after = [position.play(move) for move in position.legal_moves()]
            self._children[here] = [self._number(child) for child in after]
        return self._children[here]

    def _path(self, line: Sequence[Position]) -> Path:
        path: Path = ()
        for earlier, later in pairwise(map(self._number, line)):
            path = self._extended(path, earlier, later)
        return path

    def _extended(self, path: Path, here: int, after: int) -> Path:
        """The positions that may come back after a move."""
        if self.game.repetition_limit is None:
            return ()
        if self.game.name == "oware":
            scores = self._positions[here].scores()
            if scores != self._positions[after].scores():
                return ()  # what is captured does not return to the board
        return tuple(sorted((*path, here)))


def _margin(outcome: Outcome) -> int:
    """What player 0 is ahead; a player who wins without being ahead wins by one."""
    if outcome.winner is None:
        return 0
    margin, sign = outcome.scores[0] - outcome.scores[1], 1 if outcome.winner == 0 else -1
    return margin if margin * sign > 0 else sign

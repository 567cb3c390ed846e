"""How a game without a kernel looks to a learner: slower, by the readable rules.

An action is the place of a move in the list of legal moves, so that the mask is a row of ones and then zeros.
What is seen are the counts of every place and store of the board, then who looks and who is to move; a game
that tells no board is seen as the letters of its text.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from mbegu.core.errors import IllegalMove, MbeguError
from mbegu.core.game import Game, Move, Position
from mbegu.core.i18n import _

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["MOST_ACTIONS", "PlainView"]

MOST_ACTIONS = 256
LETTERS = 254  # of a position's text
MOST_SEEN = 255  # pieces in a place


class PlainView:
    """The methods of `mbegu.rl.view.View`, over the readable rules."""

    actions = MOST_ACTIONS

    def __init__(self, game: Game) -> None:
        self.game = game
        board = game.board
        self._names = [place.name for place in (*board.places, *board.stores)]
        self._kinds = len(board.kinds)
        self.width = (len(self._names) * self._kinds if board.places else LETTERS) + 2

    def look(self, position: Position, player: int) -> tuple[NDArray[np.uint8], NDArray[np.int8]]:
        """What a player sees, and a mask of what he may do: nothing, when it is not his turn."""
        seen, mask = np.zeros(self.width, np.uint8), np.zeros(self.actions, np.int8)
        told = (
            self._counts(position) if self.game.board.places else str(position).encode()[:LETTERS]
        )
        seen[: len(told)] = list(told)
        seen[-2:] = player, position.turn == player
        if position.turn == player:
            mask[: len(self._moves(position))] = 1
        return seen, mask

    def _counts(self, position: Position) -> list[int]:
        lying, nothing = position.places(), (0,) * self._kinds
        return [
            min(count, MOST_SEEN)
            for name in self._names
            for count in (lying[name].counts if name in lying else nothing)
        ]

    def _moves(self, position: Position) -> list[Move]:
        moves = position.legal_moves()
        if len(moves) > self.actions:
            raise MbeguError(
                _(
                    "{game} has {count} moves here: without a kernel a learner knows {most} at most"
                ).format(game=self.game.name, count=len(moves), most=self.actions)
            )
        return moves

    def move_of(self, action: int, position: Position) -> Move:
        """The move that an action stands for; IllegalMove if it is not legal now."""
        moves = self._moves(position)
        if 0 <= action < len(moves):
            return moves[int(action)]
        legal = ", ".join(map(str, range(len(moves))))
        raise IllegalMove(
            _("action {action}").format(action=action),
            _("the legal actions there are {legal}").format(legal=legal or _("none")),
        )

    def action_of(self, move: Move, position: Position) -> int:
        """The number of a move."""
        return self._moves(position).index(move)

    def legal(self, position: Position) -> list[int]:
        """The legal actions, in order."""
        return list(range(len(self._moves(position))))

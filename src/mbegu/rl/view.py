"""A position as arrays, and a move as a number: what the environments of other libraries need.

>>> from mbegu.core.registry import game
>>> view = View(game("oware"))
>>> seen, mask = view.look(game("oware").start(), 0)
>>> seen.tolist()
[4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 0, 0]
>>> mask.tolist()
[1, 1, 1, 1, 1, 1]
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from mbegu.core.errors import IllegalMove
from mbegu.core.game import Game, Move, Position
from mbegu.core.i18n import _
from mbegu.engine.kernels.door import has_kernel
from mbegu.engine.kernels.driver import kernel_of
from mbegu.rl import lanes
from mbegu.rl.batch import actions_of, width_of
from mbegu.rl.plain_view import PlainView

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["View", "view_of"]


def view_of(game: Game) -> View | PlainView:
    """How a game looks to a learner, by its kernel if it has one."""
    return View(game) if has_kernel(game.name) else PlainView(game)


class View:
    """How a game looks to a learner. Both players see the board from their own seat."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self._kernel = kernel_of(game.name)
        self._options = {name: getattr(game, name) for name in game.options()}
        self.actions = actions_of(game)
        self.width = width_of(game)

    def look(self, position: Position, player: int) -> tuple[NDArray[np.uint8], NDArray[np.int8]]:
        """What a player sees, and a mask of what he may do: nothing, when it is not his turn."""
        seen, mask = np.zeros(self.width, np.uint8), np.zeros(self.actions, np.int8)
        state = self._kernel.pack(self._kernel.seated(position.to_json(), player), self._options)
        lanes.look(state, seen, mask)
        if position.turn != player:
            mask[:] = 0
        return seen, mask

    def move_of(self, action: int, position: Position) -> Move:
        """The move that an action stands for; IllegalMove if it is not legal now."""
        if position.turn is not None and 0 <= action < self.actions:
            _seen, mask = self.look(position, position.turn)
            if mask[action]:
                move: Move = self._kernel.from_move(int(action), position.turn, self._options)
                return move
        legal = ", ".join(map(str, self.legal(position)))
        raise IllegalMove(
            _("action {action}").format(action=action),
            _("the legal actions there are {legal}").format(legal=legal or _("none")),
        )

    def action_of(self, move: Move, position: Position) -> int:
        """The number of a move."""
        assert position.turn is not None
        return self._kernel.to_move(move, position.turn, self._options)

    def legal(self, position: Position) -> list[int]:
        """The legal actions, in order."""
        return sorted(self.action_of(move, position) for move in position.legal_moves())

"""An unmodified AI of the MAIC 2022 contest, as the process in which it lives sees it.

The worker of the arena imports this for such a bot and for no other: from then on the contest's own
top-level packages `core`, `morabaraba`, `utils` and `gui` can be imported in that process.
"""

import os
import sys
from typing import Any

from mbegu.arena.loading import load, shown
from mbegu.compat.maic import FOLDER

__all__ = ["Contest"]


class Contest:
    """An unmodified AI of the MAIC 2022 contest: a file with `class AI(MorabarabaPlayer)`."""

    def __init__(self, bot: dict[str, Any]) -> None:
        self.path = bot["path"]
        self.type = load(self.path).AI
        self.name = str(getattr(self.type, "name", os.path.basename(self.path)))

    @staticmethod
    def prepare() -> None:
        """The contest's own packages, `core`, `morabaraba` and `utils`, in this process only."""
        sys.path.insert(0, str(FOLDER))
        import gui
        import morabaraba.morabaraba_rules
        import numpy as np
        import utils

        import mbegu.core.registry
        import mbegu.games.morabaraba

    def game(self, order: dict[str, Any]) -> None:
        """The one game of this process begins."""
        import random

        import numpy as np
        from core import Color

        random.seed(order["seed"])
        np.random.seed(order["seed"] % 2**32)
        self.lot = random.Random(order["seed"])  # noqa: S311 (a game, not a secret)
        self.state = _contest_state(order["game"], order["position"])
        self.side = order["player"] * 2 - 1
        self.ai = self.type(Color(self.side))
        self.ai.reset_player_informations()

    def setup(self, order: dict[str, Any]) -> None:
        """The contest had no set-ups."""

    def choose(self, order: dict[str, Any]) -> Any:
        """Plays the moves since the last time on its own state, then asks the AI."""
        from copy import deepcopy

        for move in order["moves"]:
            self._follow(move)
        if self._is_over(deepcopy(self.state)):
            return self._by_lot(deepcopy(self.state))
        left = order["left"][order["player"]]
        action = self.ai.play(deepcopy(self.state), 3600.0 if left is None else left)
        return _action_text(action)

    def _is_over(self, state: Any) -> bool:
        """By the contest's own count, which stops some games earlier than the rules do.

        No AI was ever asked in such a position, and many have no answer.
        """
        from morabaraba.morabaraba_rules import MorabarabaRules

        return state.get_latest_player() is not None and MorabarabaRules.is_end_game(state)

    def _by_lot(self, state: Any) -> Any:
        from morabaraba.morabaraba_rules import MorabarabaRules

        actions = MorabarabaRules.get_player_actions(state, self.side)
        return _action_text(self.lot.choice(actions)) if actions else [shown(None)]

    def _follow(self, move: str) -> None:
        from morabaraba.morabaraba_rules import MorabarabaRules

        player = self.state.get_next_player()
        MorabarabaRules.make_move(self.state, _action(move), player)
        if player == self.side:
            self.ai.update_player_infos(self.state.get_player_info(player))


def _contest_state(name: str, text: str) -> Any:
    """A position as the contest's state; matches may begin anywhere."""
    from core import Color
    from morabaraba.morabaraba_board import MorabarabaBoard
    from morabaraba.morabaraba_state import MorabarabaState

    from mbegu.core.registry import game
    from mbegu.games.morabaraba import POINTS

    position = game(name).position(text)
    told = position.to_json()
    turn = told["turn"]
    state = MorabarabaState(MorabarabaBoard((7, 7)), turn, boring_limit=200)
    for point, sign in zip(POINTS, told["board"], strict=True):
        state.board.fill_cell(_cell(point), Color({"x": -1, "o": 1, ".": 0}[sign]))
    state.in_hand, state.score = (
        dict(zip((-1, 1), told[key], strict=True)) for key in ("in_hand", "score")
    )
    state.mill, state.boring_moves = told["phase"] == "STEAL", told["quiet"]
    state.fly_case, state.fly_moves = told["three"] > 0, told["three"]
    bans = [[[_cell(point) for point in mill.split("-")] for mill in ban] for ban in told["ban"]]
    state.player1_forbidden_mill, state.player2_forbidden_mill = (
        [True, mills] if mills else [False, None] for mills in bans
    )
    if position != position.game.start():
        state.set_latest_player(turn if state.mill else -turn)
    return state


def _cell(point: str) -> tuple[int, int]:
    return int(point[1]) - 1, "abcdefg".index(point[0])


def _action(move: str) -> Any:
    """`MOVE a1 a4` as the contest's action."""
    from morabaraba.morabaraba_action import MorabarabaAction, MorabarabaActionType

    kind, *points = move.split()
    cells = map(_cell, points)
    names = {"ADD": ("to",), "STEAL": ("at",)}.get(kind, ("at", "to"))
    return MorabarabaAction(MorabarabaActionType[kind], **dict(zip(names, cells, strict=True)))


def _action_text(action: Any) -> Any:
    """The contest's action as `MOVE a1 a4`; anything else in a list, which is never a move."""
    try:
        told = action.get_json_action()
        cells = [told["action"][name] for name in ("at", "to") if name in told["action"]]
        return " ".join([told["action_type"], *map(_point, cells)])
    except (AttributeError, KeyError, TypeError, ValueError):
        return [shown(action)]


def _point(cell: Any) -> str:
    """The name of a cell; off the grid as it stands, which makes an action that is never legal."""
    row, column = cell
    if row in range(7) and column in range(7):
        return "abcdefg"[int(column)] + str(int(row) + 1)
    return f"{tuple(cell)!r:.40}"

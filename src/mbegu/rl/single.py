"""The games as Gymnasium environments: one agent against a level of the engine.

    env = LevelEnv("oware", level=3)
    observation, info = env.reset(seed=1)
    observation, reward, terminated, truncated, info = env.step(action)

The reward is 1, 0 or -1 at the end. An illegal action loses the game at once; `action_mask` in the
observation says which are legal.
"""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
from gymnasium.spaces import Discrete

from mbegu.core.clock import Clock
from mbegu.core.errors import IllegalMove, MbeguError
from mbegu.core.game import Game
from mbegu.core.i18n import _
from mbegu.core.match import Match
from mbegu.core.registry import game as find_game
from mbegu.engine.levels import LevelBot
from mbegu.rl.aec import Observation, space_of
from mbegu.rl.view import view_of

__all__ = ["LevelEnv"]


class LevelEnv(gymnasium.Env[Observation, np.int64]):
    """A match against a level. `seat` is the agent's: 0 begins, 1 does not, None takes turns by lot."""

    metadata = {"render_modes": ["ansi"]}  # noqa: RUF012 - Gymnasium declares it so

    def __init__(
        self,
        game: str | Game,
        level: int = 1,
        *,
        seat: int | None = None,
        max_plies: int = 1_000,
        render_mode: str | None = None,
    ) -> None:
        self.game = find_game(game) if isinstance(game, str) else game
        if seat not in (0, 1, None):
            raise MbeguError(_("a seat is 0 or 1, not {seat}").format(seat=seat))
        self.level, self.seat, self.max_plies = level, seat, max_plies
        self.render_mode = render_mode
        self.view = view_of(self.game)
        self.observation_space: Any = space_of(self.view)
        self.action_space = Discrete(self.view.actions)
        self._bot = LevelBot(level, 0)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """A new game, in which the level may already have moved."""
        super().reset(seed=seed)
        self.match = Match(self.game)
        self.player = int(self.np_random.integers(2)) if self.seat is None else self.seat
        self._bot = LevelBot(self.level, int(self.np_random.integers(2**31)))
        self._reply()
        return self._seen(), {"player": self.player}

    def step(self, action: np.int64) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Plays the agent's move and whatever the level answers."""
        info: dict[str, Any] = {"player": self.player}
        try:
            self.match.play(self.view.move_of(int(action), self.match.position))
        except IllegalMove as error:
            self.match.forfeit(self.player)
            info["illegal"] = str(error)
        self._reply()
        outcome, reward = self.match.outcome, 0.0
        if outcome is not None:
            info |= {"reason": outcome.reason.value, "scores": outcome.scores}
            if outcome.winner is not None:
                reward = 1.0 if outcome.winner == self.player else -1.0
        cut = outcome is None and len(self.match.moves) >= self.max_plies
        return self._seen(), reward, outcome is not None, cut, info

    def render(self) -> str | None:
        """The board as text."""
        return self.match.position.diagram() if self.render_mode == "ansi" else None

    def _reply(self) -> None:
        """The level plays until it is the agent's turn."""
        match = self.match
        while match.turn == 1 - self.player and len(match.moves) < self.max_plies:
            match.play(self._bot.think(match.position, match.positions[:-1], Clock()))

    def _seen(self) -> Observation:
        seen, mask = self.view.look(self.match.position, self.player)
        if self.match.turn is None:
            mask[:] = 0
        return {"observation": seen, "action_mask": mask}

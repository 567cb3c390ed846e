"""The games as PettingZoo environments: two agents that take turns, with an `action_mask`.

    env = mbegu.rl.aec.env("kalah(seeds=4)")
    env.reset(seed=1)
    for agent in env.agent_iter():
        observation, reward, termination, truncation, info = env.last()
        action = None if termination or truncation else policy(observation)
        env.step(action)

An extra turn (Kalah) or a shot (Morabaraba) keeps the agent. By the rules of a match, repetition and
length included. `max_cycles` cuts a game off after so many moves of each.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium.spaces import Box, Dict, Discrete
from pettingzoo import AECEnv
from pettingzoo.utils import wrappers

from mbegu.core.errors import IllegalMove, MbeguError
from mbegu.core.game import Game
from mbegu.core.i18n import _
from mbegu.core.match import Match
from mbegu.core.registry import game as find_game
from mbegu.rl.plain_view import PlainView
from mbegu.rl.view import View, view_of

__all__ = ["MatchEnv", "env", "raw_env", "space_of"]

AGENTS = ("player_0", "player_1")
ILLEGAL = ("lose", "raise", "random")
Observation = dict[str, np.ndarray[Any, Any]]


def env(game: str | Game, **settings: Any) -> AECEnv[str, Observation, int | None]:
    """An environment that also complains about being used in the wrong order."""
    return wrappers.OrderEnforcingWrapper(raw_env(game, **settings))


def raw_env(game: str | Game, **settings: Any) -> MatchEnv:
    """The environment itself."""
    return MatchEnv(game, **settings)


def space_of(view: View | PlainView) -> Dict:
    """What an observation may be."""
    return Dict(
        {
            "observation": Box(0, 255, (view.width,), np.uint8),
            "action_mask": Box(0, 1, (view.actions,), np.int8),
        }
    )


class MatchEnv(AECEnv[str, Observation, int | None]):  # type: ignore[misc] # it has no types
    """A match between two agents.

    `illegal` says what an illegal action does: it loses the game ("lose"), raises IllegalMove
    ("raise"), or stands for a legal one by lot ("random").
    """

    def __init__(
        self,
        game: str | Game,
        *,
        max_cycles: int | None = None,
        illegal: str = "lose",
        render_mode: str | None = None,
    ) -> None:
        super().__init__()
        self.game = find_game(game) if isinstance(game, str) else game
        if illegal not in ILLEGAL:
            raise MbeguError(
                _("illegal actions may {choices}, not {value}").format(
                    choices=" | ".join(ILLEGAL), value=illegal
                )
            )
        self.metadata = {
            "name": f"{self.game.name}_v{self.game.id.rpartition('@')[2]}",
            "render_modes": ["ansi", "svg"],
            "is_parallelizable": False,
        }
        self.render_mode, self.max_cycles, self.illegal = render_mode, max_cycles, illegal
        self.view = view_of(self.game)
        self.possible_agents = list(AGENTS)
        self.agents: list[str] = []
        self.observation_spaces = {agent: space_of(self.view) for agent in AGENTS}
        self.action_spaces = {agent: Discrete(self.view.actions) for agent in AGENTS}
        self.match = Match(self.game)

    def observation_space(self, agent: str) -> Any:
        """The same object every time."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        """The same object every time."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """A new game; `options={"position": text}` begins it elsewhere."""
        text = (options or {}).get("position")
        start = None if text is None else self.game.position(text)
        self.match = Match(self.game, start)
        if seed is not None or not hasattr(self, "_lot"):
            self._lot = np.random.default_rng(seed)
        self.agents = list(AGENTS)
        self.rewards = dict.fromkeys(AGENTS, 0)
        self._cumulative_rewards = dict.fromkeys(AGENTS, 0)
        self.terminations = dict.fromkeys(AGENTS, False)
        self.truncations = dict.fromkeys(AGENTS, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in AGENTS}
        self.agent_selection = AGENTS[self.match.turn or 0]

    def observe(self, agent: str) -> Observation:
        """What an agent sees from its own seat, and what it may do."""
        seen, mask = self.view.look(self.match.position, AGENTS.index(agent))
        if self.match.turn is None:
            mask[:] = 0
        return {"observation": seen, "action_mask": mask}

    def step(self, action: int | None) -> None:
        """Plays the action of the agent whose turn it is."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        self._cumulative_rewards[agent] = 0
        self._clear_rewards()
        assert action is not None
        try:
            self.match.play(self.view.move_of(int(action), self.match.position))
        except IllegalMove as error:
            self._play_illegal(agent, error)
        outcome = self.match.outcome
        if outcome is not None:
            self.terminations = dict.fromkeys(AGENTS, True)
            for player, name in enumerate(AGENTS):
                self.rewards[name] = _reward(outcome.winner, player)
                self.infos[name] = {"reason": outcome.reason.value, "scores": outcome.scores}
        elif self.max_cycles is not None and len(self.match.moves) >= 2 * self.max_cycles:
            self.truncations = dict.fromkeys(AGENTS, True)
        turn = self.match.turn
        self.agent_selection = AGENTS[1 - AGENTS.index(agent) if turn is None else turn]
        self._accumulate_rewards()

    def _play_illegal(self, agent: str, error: IllegalMove) -> None:
        if self.illegal == "raise":
            raise error
        if self.illegal == "lose":
            self.match.forfeit(AGENTS.index(agent))
            return
        moves = self.match.position.legal_moves()
        self.match.play(moves[self._lot.integers(len(moves))])

    def render(self) -> str | None:
        """The board as text or as a picture."""
        if self.render_mode == "svg":
            from mbegu.games.pictures import picture  # noqa: PLC0415 - only who draws needs it

            return picture(self.match.position)
        return self.match.position.diagram() if self.render_mode == "ansi" else None

    def close(self) -> None:
        """Nothing is open."""


def _reward(winner: int | None, player: int) -> int:
    return 0 if winner is None else 1 if winner == player else -1

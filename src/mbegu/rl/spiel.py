"""The games in OpenSpiel's Python interface, for its algorithms and tests.

    game = load("kalah(seeds=3)")             # a pyspiel.Game
    state = game.new_initial_state()
    state.apply_action(state.legal_actions()[0])

`register()` makes them known to OpenSpiel by the names mbegu_oware, mbegu_kalah…, with the options as
parameters: `pyspiel.load_game("mbegu_kalah(seeds=3)")`. By the rules of a match; a game of
MAX_LENGTH moves is a draw. Needs `pip install open_spiel`.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pyspiel

from mbegu.core.game import Game
from mbegu.core.match import Match
from mbegu.core.registry import game as find_game
from mbegu.core.registry import game_class, usable_games
from mbegu.engine.kernels.door import kernel_names
from mbegu.rl.plain_view import PlainView
from mbegu.rl.view import View, view_of

__all__ = ["MatchState", "load", "register"]

MAX_LENGTH = 1_000


class MatchGame(pyspiel.Game):  # type: ignore[misc] # compiled, without types
    """A game with its options."""

    name: str

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        options = dict(params or {})
        self.rules: Game = find_game(self.name, **options)
        self.view = view_of(self.rules)
        info = pyspiel.GameInfo(
            num_distinct_actions=self.view.actions,
            max_chance_outcomes=0,
            num_players=2,
            min_utility=-1.0,
            max_utility=1.0,
            utility_sum=0.0,
            max_game_length=MAX_LENGTH,
        )
        super().__init__(_type_of(self.name), info, options)

    def new_initial_state(self, state: Any = None) -> MatchState:
        """The start of a game."""
        return MatchState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> Observer:
        """Both players see everything."""
        return Observer(self.view, params)


class MatchState(pyspiel.State):  # type: ignore[misc] # compiled, without types
    """A match as OpenSpiel sees it."""

    def __init__(self, game: MatchGame) -> None:
        super().__init__(game)
        self.view = game.view
        self.match = Match(game.rules)

    def current_player(self) -> int:
        """Who acts, or that it is over."""
        if self.is_terminal():
            return int(pyspiel.PlayerId.TERMINAL)
        turn = self.match.turn
        assert turn is not None
        return turn

    def _legal_actions(self, player: int) -> list[int]:
        return self.view.legal(self.match.position)

    def _apply_action(self, action: int) -> None:
        self.match.play(self.view.move_of(action, self.match.position))

    def _action_to_string(self, player: int, action: int) -> str:
        position = self.match.position
        move = self.view.move_of(action, position)
        return position.game.format_move(move, position)

    def is_terminal(self) -> bool:
        """Whether the game is over."""
        return len(self.match.moves) >= MAX_LENGTH or self.match.outcome is not None

    def returns(self) -> list[float]:
        """1 and -1 for a win, 0 for a draw or a game that goes on."""
        outcome = self.match.outcome
        if outcome is None or outcome.winner is None:
            return [0.0, 0.0]
        return [1.0, -1.0] if outcome.winner == 0 else [-1.0, 1.0]

    def __str__(self) -> str:
        """The position as one line of text."""
        return str(self.match.position)


class Observer:
    """What a player sees as a tensor, from his own seat, and as the text of the position."""

    def __init__(self, view: View | PlainView, params: Any = None) -> None:
        if params:
            raise ValueError(f"observations take no parameters, not {params}")
        self.view = view
        self.tensor = np.zeros(view.width, np.float32)
        self.dict = {"observation": self.tensor}

    def set_from(self, state: MatchState, player: int) -> None:
        """Looks at a state."""
        self.tensor[:] = self.view.look(state.match.position, player)[0]

    def string_from(self, state: MatchState, player: int) -> str:
        """The state in words."""
        return str(state)


@cache
def _type_of(name: str) -> Any:
    """OpenSpiel's card of a game; its options are the parameters."""
    kind = pyspiel.GameType
    return kind(
        short_name=f"mbegu_{name}",
        long_name=f"Mbegu: {game_class(name).title}",
        dynamics=kind.Dynamics.SEQUENTIAL,
        chance_mode=kind.ChanceMode.DETERMINISTIC,
        information=kind.Information.PERFECT_INFORMATION,
        utility=kind.Utility.ZERO_SUM,
        reward_model=kind.RewardModel.TERMINAL,
        max_num_players=2,
        min_num_players=2,
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification={
            option.name: option.default for option in game_class(name).options().values()
        },
    )


@cache
def register() -> None:
    """Makes the games known to OpenSpiel, once."""
    for name in sorted({found.name for found in usable_games()} & set(kernel_names())):
        own_class = type(f"Mbegu{name.title()}", (MatchGame,), {"name": name})
        pyspiel.register_game(_type_of(name), own_class)


def load(text: str) -> MatchGame:
    """A game by our own game string."""
    register()
    rules = find_game(text)
    options = {name: getattr(rules, name) for name in rules.options()}
    game: MatchGame = pyspiel.load_game(f"mbegu_{rules.name}", options)
    return game

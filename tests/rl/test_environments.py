"""The environments pass the tests of the libraries for which they are made."""

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from pettingzoo.test import api_test, max_cycles_test, seed_test
from pettingzoo.utils.conversions import aec_to_parallel

import mbegu
from mbegu.core.errors import IllegalMove, MbeguError
from mbegu.core.match import Match
from mbegu.rl import aec
from mbegu.rl.single import LevelEnv
from mbegu.rl.view import View

GAMES = mbegu.game_names()
# A dictionary with an action mask is no array, and a checker without a spec tries no other mode.
pytestmark = [
    pytest.mark.filterwarnings("ignore:Observation is not a NumPy array"),
    pytest.mark.filterwarnings("ignore:Observation space for each agent probably"),
    pytest.mark.filterwarnings("ignore:.*Not able to test alternative render modes"),
]


@pytest.mark.parametrize("name", GAMES)
def test_pettingzoo_accepts_it(name: str) -> None:
    api_test(aec.env(name), num_cycles=40)
    seed_test(lambda: aec.env(name), num_cycles=15)


# Actions are drawn without a look at the mask; these lots give no extra turn, no shot and no end in
# four cycles, so that both agents act equally often, as the test supposes.
LOTS = {"oware": 1, "kalah": 3, "awale2": 1, "urubugu": 2, "morabaraba": 1}


@pytest.mark.parametrize("name", GAMES)
def test_pettingzoo_counts_the_cycles(name: str) -> None:
    def env(max_cycles: int) -> Any:
        found = aec.env(name, max_cycles=max_cycles, illegal="random")
        found.unwrapped.metadata["is_parallelizable"] = True
        found.reset(seed=LOTS[name])
        for number, agent in enumerate(found.possible_agents):
            found.action_space(agent).seed(LOTS[name] + number)
        return found

    def parallel_env(max_cycles: int) -> Any:
        return aec_to_parallel(env(max_cycles))

    max_cycles_test(SimpleNamespace(env=env, parallel_env=parallel_env))


@pytest.mark.parametrize(
    ("text", "moves"),
    [("kalah", [2]), ("morabaraba", ["ADD a1", "ADD b2", "ADD a4", "ADD b4", "ADD a7"])],
)
def test_an_extra_turn_and_a_shot_keep_the_agent(text: str, moves: list[Any]) -> None:
    env = aec.raw_env(text)
    env.reset()
    for move in moves:
        env.step(env.view.action_of(move, env.match.position))
    assert env.agent_selection == "player_0"
    assert env.observe("player_0")["action_mask"].any()
    assert not env.observe("player_1")["action_mask"].any()


@pytest.mark.parametrize("name", GAMES)
def test_both_see_the_same_board_from_their_own_seats(name: str) -> None:
    game = mbegu.game(name)
    view, match = View(game), Match(game)
    match.play(match.position.legal_moves()[0])
    mine, his = view.look(match.position, 0)[0], view.look(match.position, 1)[0]
    assert sorted(mine) == sorted(his) or name == "awale2"  # which also says whose side it is
    assert (mine != his).any()


def test_rewards_come_at_the_end() -> None:
    env = aec.env("kalah(pits=2,seeds=1)", illegal="raise")
    env.reset()
    rewards: dict[str, float] = dict.fromkeys(aec.AGENTS, 0)
    for agent in env.agent_iter():
        observation, reward, termination, _truncation, info = env.last()
        rewards[agent] += reward
        if termination:
            assert sum(info["scores"]) == 4
        env.step(None if termination else int(np.flatnonzero(observation["action_mask"])[0]))
    assert sorted(rewards.values()) in ([-1, 1], [0, 0])


def test_illegal_actions() -> None:
    env = aec.raw_env("oware", illegal="raise")
    env.reset(options={"position": "0-4-4-4-4-4-4-4-4-4-4-4-4-0-S"})
    with pytest.raises(IllegalMove, match="action 0: the legal actions there are 1, 2, 3, 4, 5"):
        env.step(0)
    env = aec.raw_env("oware")
    env.reset(options={"position": "0-4-4-4-4-4-4-4-4-4-4-4-4-0-S"})
    env.step(0)
    assert env.rewards == {"player_0": -1, "player_1": 1}
    with pytest.raises(MbeguError, match=r"lose \| raise \| random"):
        aec.env("oware", illegal="ignore")


def test_boards_are_drawn() -> None:
    for mode, word in (("ansi", "4"), ("svg", "<svg")):
        env = aec.raw_env("oware", render_mode=mode)
        env.reset()
        assert word in str(env.render())


@pytest.mark.parametrize("name", ["kalah", "morabaraba"])
def test_gymnasium_accepts_it(name: str) -> None:
    check_env(LevelEnv(name, 1))


def test_an_agent_that_takes_the_other_seat_is_answered_first() -> None:
    env = LevelEnv("oware", 1, seat=1)
    observation, info = env.reset(seed=1)
    assert info == {"player": 1}
    assert len(env.match.moves) == 1
    ended, reward = False, 0.0
    while not ended:
        action = np.flatnonzero(observation["action_mask"])[0]
        observation, reward, ended, cut, info = env.step(action)
        assert not cut
    assert reward in (-1.0, 0.0, 1.0)
    assert "scores" in info

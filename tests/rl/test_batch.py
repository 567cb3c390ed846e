"""Many games at once are the games of the readable rules."""

import numpy as np
import pytest

import mbegu
from mbegu.core.errors import IllegalMove, MbeguError
from mbegu.core.game import Position
from mbegu.rl.batch import BatchEnv
from mbegu.rl.view import View

GAMES = ["oware", "kalah", "kalah(pits=9,seeds=3)", "awale2", "urubugu", "morabaraba"]


@pytest.mark.parametrize("text", GAMES)
def test_every_lane_plays_by_the_rules(text: str) -> None:
    game = mbegu.game(text)
    env, view = BatchEnv(game, 6, seed=5), View(game)
    positions: list[Position] = [game.start()] * env.size
    ends = 0
    for _ply in range(90):
        actions = env.sample().copy()
        before = list(positions)
        env.step(actions)
        for lane, position in enumerate(before):
            player = position.turn
            assert player is not None
            after = position.play(view.move_of(int(actions[lane]), position))
            outcome = after.outcome()
            assert env.ended[lane] == (outcome is not None)
            if outcome is None:
                assert env.rewards[lane] == 0
            else:
                winner = outcome.winner
                assert env.rewards[lane] == (0 if winner is None else 1 if winner == player else -1)
                after, ends = game.start(), ends + 1
            positions[lane] = after
            assert env.players[lane] == after.turn
            seen, mask = view.look(after, int(env.players[lane]))
            assert (env.observations[lane] == seen).all()
            assert np.flatnonzero(env.masks[lane]).tolist() == view.legal(after)
            assert (env.masks[lane] == mask).all()
    assert ends or text in ("awale2", "morabaraba", "oware"), "too few plies to see an end"


def test_threads_change_nothing() -> None:
    one, two = (BatchEnv("kalah", 4096, seed=3, threads=threads) for threads in (1, 2))
    for _ply in range(60):
        one.step(one.sample())
        two.step(two.sample())
    for name in ("observations", "masks", "players", "rewards", "ended", "plies"):
        assert (getattr(one, name) == getattr(two, name)).all()
    two.close()


def test_seeds_decide_the_lots() -> None:
    env = BatchEnv("oware", 100, seed=1)
    first = env.sample().copy()
    assert (env.sample() != first).any()
    env.reset(seed=1)
    assert (env.sample() == first).all()
    env.reset(seed=2)
    assert (env.sample() != first).any()


def test_a_long_game_is_cut_off() -> None:
    env = BatchEnv("oware", 3, max_plies=4)
    for ply in range(1, 9):
        _rewards, ended, cut = env.step(env.sample())
        assert not ended.any()
        assert cut.all() == (ply % 4 == 0)
        assert (env.plies == ply % 4).all()


def test_another_start() -> None:
    game = mbegu.game("oware")
    start = game.position("0-0-0-0-0-5-5-0-0-0-0-0-20-18-S")
    env = BatchEnv(game, 2, start=start)
    assert env.observations[0].tolist() == [0, 0, 0, 0, 0, 5, 5, 0, 0, 0, 0, 0, 20, 18]


def test_nothing_is_played_when_an_action_is_illegal() -> None:
    env = BatchEnv("kalah", 5)
    before = env.observations.copy()
    with pytest.raises(IllegalMove, match="action 6 in game 3: the legal actions there are 0, 1"):
        env.step(np.array([0, 0, 0, 6, 0]))
    with pytest.raises(IllegalMove, match="action -1 in game 0"):
        env.step(np.array([-1, 0, 0, 0, 0]))
    assert (env.observations == before).all()
    with pytest.raises(MbeguError, match="5 games need as many actions"):
        env.step(np.zeros(4, np.int64))


def test_bad_batches_are_refused() -> None:
    with pytest.raises(MbeguError, match="one game, one ply"):
        BatchEnv("kalah", 0)
    with pytest.raises(MbeguError, match="is not a position of kalah"):
        BatchEnv("kalah", 1, start=mbegu.game("kalah(seeds=3)").start())


@pytest.mark.parametrize("text", ["kalah", "oware"])
def test_a_peek_is_what_a_step_does(text: str) -> None:
    env = BatchEnv(text, 200, seed=8)
    for _ply in range(70):
        before = env.players.copy()
        seen, rewards, signs = env.peek()
        actions = env.sample()
        env.step(actions)
        lanes = np.arange(env.size)
        assert (rewards[lanes, actions] == env.rewards).all()
        assert ((signs[lanes, actions] == 0) == env.ended).all()
        going = ~env.ended
        assert ((signs[lanes, actions] == 1) == (before == env.players))[going].all()
        assert (seen[lanes, actions] == env.observations)[going].all()

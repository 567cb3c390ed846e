"""OpenSpiel's own tests accept our games."""

import pytest

import mbegu
from mbegu.rl import spiel

pyspiel = pytest.importorskip("pyspiel")


@pytest.mark.parametrize("text", [*mbegu.game_names(), "kalah(pits=4,seeds=2)"])
def test_random_simulation(text: str, capfd: pytest.CaptureFixture[str]) -> None:
    pyspiel.random_sim_test(spiel.load(text), num_sims=1, serialize=True, verbose=False)


def test_openspiel_finds_a_game_by_its_name() -> None:
    spiel.register()
    game = pyspiel.load_game("mbegu_kalah(seeds=3)")
    state = game.new_initial_state()
    assert str(state) == str(mbegu.game("kalah(seeds=3)").start())
    start = mbegu.game("kalah(seeds=3)").start()
    assert state.action_to_string(0, 0) == start.game.format_move(0, start)
    state.apply_action(3)  # three stones: an extra turn
    assert state.current_player() == 0
    copy = state.clone()
    copy.apply_action(0)
    assert len(state.history()) == 1


def test_what_its_algorithms_see() -> None:
    from open_spiel.python.observation import make_observation

    game = spiel.load("oware")
    observation = make_observation(game)
    state = game.new_initial_state()
    state.apply_action(2)
    observation.set_from(state, 1)
    # His own houses come first: of South's four seeds from C three stayed, and one reached him.
    assert observation.tensor.tolist() == [5, 4, 4, 4, 4, 4, 4, 4, 0, 5, 5, 5, 0, 0]
    assert state.returns() == [0.0, 0.0]

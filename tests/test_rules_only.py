"""A game that brings nothing but its rules, as a package of its own: every command plays it all the same."""

import json
from pathlib import Path

import pytest
from plugins import HERE, cup, install, mbegu, run, statistics

GAMES = {"rows": "rows_of_three:Rows", "two-walkers": "walkers:Walkers"}
COUNTS = {"rows": "504", "two-walkers": "17"}  # three plies, by hand; 9 * 8 * 7 of the first
SIDES = {"rows": "Dark", "two-walkers": "Moon"}  # who begins


@pytest.fixture(scope="module")
def rows(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("rows")
    files = {
        f"{name}.py": (HERE / f"{name}.py").read_text() for name in ("rows_of_three", "walkers")
    }
    install(folder, "strangers-rows", files, {"mbegu.games": GAMES})
    return folder


@pytest.mark.parametrize("game", GAMES)
def test_it_is_counted_and_analysed(rows: Path, game: str) -> None:
    assert mbegu(rows, "perft", game, "3").strip() == COUNTS[game]
    assert f"Best for {SIDES[game]}" in mbegu(rows, "analyse", game, "--nodes", "500")


@pytest.mark.parametrize("game", GAMES)
def test_levels_and_bots_play_it(rows: Path, game: str) -> None:
    match = mbegu(rows, "match", game, "level3", "random", "--games", "2", "--seed", "1")
    assert "level3" in match
    assert "crash" not in match


@pytest.mark.parametrize("game", GAMES)
def test_a_tournament_of_it(rows: Path, game: str, tmp_path: Path) -> None:
    assert "level2" in cup(rows, game, tmp_path)


@pytest.mark.parametrize("game", GAMES)
def test_the_lab_counts_it(rows: Path, game: str) -> None:
    told = statistics(rows, game)
    assert "moves of a game" in told
    assert f"{SIDES[game]}, who begins" in told


def test_a_person_plays_it_at_the_terminal(rows: Path) -> None:
    words = ("play", "rows", "--vs", "level1", "--seed", "1")
    played = run(rows, "-m", "mbegu", *words, typed="b2\nresign\ny\n")
    assert "Traceback" not in played.stderr
    assert "Dark lays a pebble on b2." in played.stdout
    assert "Light lays a pebble" in played.stdout


def test_passing_and_moving_twice_at_the_terminal(rows: Path, tmp_path: Path) -> None:
    record = tmp_path / "walk.txt"
    typed = f"wait\n+2\n+1\nsave {record}\nq\n"
    played = run(rows, "-m", "mbegu", "play", "walkers", "--vs", "human", typed=typed)
    assert "Traceback" not in played.stderr
    assert "Moon makes a move." in played.stdout
    assert "wait +2 2. +1" in record.read_text("utf-8")
    assert "wait: Moon makes a move." in mbegu(rows, "replay", str(record))
    assert "two-walkers is ready." in mbegu(rows, "game", "check", "two-walkers", "--games", "3")


def test_it_has_no_tables_and_says_so(rows: Path) -> None:
    found = run(rows, "-m", "mbegu", "tables", "build", "rows")
    assert found.returncode != 0
    assert "there are no tables for rows" in found.stderr


LEARN = """
import json
import sys
from mbegu.rl.aec import env
from pettingzoo.test import api_test

one = env(sys.argv[1])
api_test(one, num_cycles=50)
one.reset(seed=1)
rewards = []
for agent in one.agent_iter():
    seen, reward, ended, cut, info = one.last()
    one.step(None if ended or cut else int(seen["action_mask"].argmax()))
    rewards.append(float(reward))
print(json.dumps({"rewards": rewards, "width": len(seen["observation"])}))
"""


@pytest.mark.parametrize("game", GAMES)
def test_a_learner_plays_it(rows: Path, game: str) -> None:
    found = run(rows, "-W", "ignore", "-c", LEARN, game)
    assert found.returncode == 0, found.stderr
    told = json.loads(found.stdout.splitlines()[-1])
    if game == "rows":
        assert sorted(told["rewards"][-2:]) == [-1.0, 1.0]
        assert told["width"] == 9 * 2 + 2
    else:  # the first move of each is to wait: a draw
        assert set(told["rewards"]) == {0.0}

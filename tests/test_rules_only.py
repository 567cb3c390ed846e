"""A game that brings nothing but its rules, as a package of its own: every command plays it all the same."""

import json
import subprocess
from pathlib import Path

import pytest
from plugins import HERE, install, run

CUP = """
title = "Sand cup"
game = "rows"
format = "round-robin"
games = 2
movetime = 2
seed = 1

[[bot]]
bot = "random"

[[bot]]
bot = "level2"
"""


@pytest.fixture(scope="module")
def rows(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("rows")
    files = {
        "strangers_rows/__init__.py": "",
        "strangers_rows/rules.py": (HERE / "rows_of_three.py").read_text("utf-8"),
    }
    install(folder, "strangers-rows", files, {"mbegu.games": {"rows": "strangers_rows.rules:Rows"}})
    return folder


def said(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """A command that ends well and without a traceback."""
    found = run(folder, "-m", "mbegu", *arguments)
    assert "Traceback" not in found.stderr
    assert found.returncode == 0, found.stdout + found.stderr
    return found


def test_it_is_counted_and_analysed(rows: Path) -> None:
    assert said(rows, "perft", "rows", "3").stdout.strip() == "504"  # 9 * 8 * 7
    assert "Best for Dark" in said(rows, "analyse", "rows", "--nodes", "500").stdout


def test_levels_and_bots_play_it(rows: Path) -> None:
    match = said(rows, "match", "rows", "level3", "random", "--games", "2", "--seed", "1")
    assert "level3" in match.stdout
    assert "crash" not in match.stdout


def test_a_tournament_of_it(rows: Path, tmp_path: Path) -> None:
    (tmp_path / "cup.toml").write_text(CUP, "utf-8")
    told = said(rows, "tournament", str(tmp_path / "cup.toml"), "--folder", str(tmp_path / "cup"))
    assert "level2" in told.stdout
    assert list((tmp_path / "cup").glob("*.html"))


def test_the_lab_counts_it(rows: Path) -> None:
    stats = said(
        *(rows, "lab", "stats", "rows", "--games", "50"),
        *("--levels", "1", "--level-games", "1", "--nodes", "100"),
    )
    assert "moves of a game" in stats.stdout


def test_a_person_plays_it_at_the_terminal(rows: Path) -> None:
    words = ("play", "rows", "--vs", "level1", "--seed", "1")
    played = run(rows, "-m", "mbegu", *words, typed="b2\nresign\ny\n")
    assert "Traceback" not in played.stderr
    assert "Dark lays a pebble on b2." in played.stdout
    assert "Light lays a pebble" in played.stdout


def test_it_has_no_tables_and_says_so(rows: Path) -> None:
    found = run(rows, "-m", "mbegu", "tables", "build", "rows")
    assert found.returncode != 0
    assert "there are no tables for rows" in found.stderr


LEARN = """
import json
from mbegu.rl.aec import env
from pettingzoo.test import api_test

one = env("rows")
api_test(one, num_cycles=50)
one.reset(seed=1)
rewards = []
for agent in one.agent_iter():
    seen, reward, ended, cut, info = one.last()
    one.step(None if ended or cut else int(seen["action_mask"].argmax()))
    rewards.append(float(reward))
print(json.dumps({"rewards": rewards, "width": len(seen["observation"])}))
"""


def test_a_learner_plays_it(rows: Path) -> None:
    found = run(rows, "-W", "ignore", "-c", LEARN)
    assert found.returncode == 0, found.stderr
    told = json.loads(found.stdout.splitlines()[-1])
    assert sorted(told["rewards"][-2:]) == [-1.0, 1.0]
    assert told["width"] == 9 * 2 + 2

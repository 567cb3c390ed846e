"""Kernels come in by a door, and a game without one plays all the same."""

import json
from pathlib import Path

import pytest
from nim import Nim
from plugins import install_nim, run

import mbegu
from mbegu.core.clock import Clock
from mbegu.engine.engine import Engine, Limits
from mbegu.engine.kernels import door
from mbegu.engine.levels import LEVELS, LevelBot

COUNT = """
import mbegu
from mbegu.engine.kernels.door import has_kernel
from mbegu.engine.perft import by_rules, perft
start = mbegu.game("nim").start()
print(has_kernel("nim"), perft("nim", {}, start.to_json(), 6).nodes, by_rules(start, 6).nodes)
"""
THINK = """
import json, mbegu
from mbegu.engine.engine import Engine, Limits
from mbegu.engine.playout import playouts
from mbegu.lab.wandering import wander
from mbegu.rl.batch import BatchEnv
game = mbegu.game("nim(stones=11)")
*_, last = Engine(game).think(game.start(), Limits(depth=20))
games = playouts("nim", {"stones": 11}, game.start().to_json(), 50, seed=1)
env = BatchEnv("nim", 3, seed=1)
print(json.dumps({
    "best": last.best, "win": last.lines[0].score.win,
    "lengths": [int(games.lengths.min()), int(games.lengths.max())],
    "wandered": len(wander(game.start(), 20).margins),
    "seen": list(env.observations.shape), "masks": env.masks.tolist(),
}))
"""


def test_a_strangers_kernel_is_found_and_needs_to_say_little(tmp_path: Path) -> None:
    install_nim(tmp_path, kernel=True)
    said = run(tmp_path, "-c", THINK, MBEGU_CACHE=str(tmp_path / "cache"))
    assert said.returncode == 0, said.stderr
    told = json.loads(said.stdout)
    assert (told["best"], told["win"]) == (3, 5)  # leaves 8, and then 4
    assert 4 <= told["lengths"][0] <= told["lengths"][1] <= 11
    assert told["wandered"] == 20
    assert told["seen"] == [3, 8]  # eight bytes for the one word
    assert told["masks"] == [[0, 1, 1, 1]] * 3


def test_a_changed_kernel_of_a_stranger_is_compiled_anew(tmp_path: Path) -> None:
    install_nim(tmp_path, kernel=True)
    cache = str(tmp_path / "cache")
    counts = run(tmp_path, "-c", COUNT, MBEGU_CACHE=cache)
    assert counts.stdout.split() == ["True", "435", "435"], counts.stderr
    for file, old, new in (
        ("kernel.py", "MOST = U(3)", "MOST = U(2)"),
        ("rules.py", "for take in (1, 2, 3) if", "for take in (1, 2) if"),
    ):
        path = tmp_path / "strangers_nim" / file
        source = path.read_text("utf-8")
        assert old in source
        path.write_text(source.replace(old, new), "utf-8")
    counts = run(tmp_path, "-c", COUNT, MBEGU_CACHE=cache)
    assert counts.stdout.split() == ["True", "64", "64"], counts.stderr


def test_a_game_without_a_kernel_is_thought_about(tmp_path: Path) -> None:
    install_nim(tmp_path)
    counts = run(tmp_path, "-c", COUNT)
    assert counts.stdout.split() == ["False", "435", "435"], counts.stderr


@pytest.mark.parametrize("stones", range(1, 14))
def test_the_plain_search_wins_every_heap_that_can_be_won(stones: int) -> None:
    game = Nim(stones=stones)
    *_before, last = Engine(game).think(game.start(), Limits(depth=30))
    score = last.lines[0].score
    assert score.win is not None
    assert (score.win > 0) == (stones % 4 != 0)
    if stones % 4:
        assert last.best == stones % 4


@pytest.mark.parametrize("level", LEVELS)
def test_every_level_plays_a_game_without_a_kernel(level: int) -> None:
    position = Nim().start()
    bot = LevelBot(level, seed=3)
    while position.turn is not None:
        position = position.play(bot.choose(position, Clock()))
    assert position.outcome() is not None


def test_the_plain_search_keeps_its_limits_and_its_word() -> None:
    engine = Engine(Nim(stones=60))
    told = list(engine.think(engine.game.start(), Limits(nodes=500, lines=2)))
    assert told[-1].final
    assert told[-1].nodes <= 500
    assert len(told[-1].lines) == 2
    again = list(Engine(Nim(stones=60)).think(engine.game.start(), Limits(nodes=500, lines=2)))
    assert [line.moves for line in again[-1].lines] == [line.moves for line in told[-1].lines]
    *_before, only = engine.think(engine.game.start(), Limits(nodes=50, searchmoves=(2,)))
    assert only.best == 2


def test_the_plain_search_is_stopped() -> None:
    engine = Engine(Nim(stones=99))
    thought = engine.think(engine.game.start(), Limits(infinite=True))
    next(thought)
    engine.stop()
    assert list(thought)[-1].final


def test_the_plain_search_agrees_with_the_compiled_one(monkeypatch: pytest.MonkeyPatch) -> None:
    position = mbegu.game("oware").position("0-0-0-0-0-1-1-0-0-3-0-1-24-18-S")
    *_before, compiled = Engine(mbegu.game("oware")).think(position, Limits(depth=6))
    monkeypatch.setattr(door, "_points", dict)
    *_before, plain = Engine(mbegu.game("oware")).think(position, Limits(depth=6))
    assert plain.best == compiled.best
    assert plain.lines[0].score.win == compiled.lines[0].score.win


def test_a_broken_kernel_is_named_and_the_others_go_on(tmp_path: Path) -> None:
    install_nim(tmp_path, kernel=True)
    (tmp_path / "strangers_nim" / "kernel.py").write_text("1 / 0\n")
    said = run(tmp_path, "-m", "mbegu", "perft", "nim", "3")
    assert said.returncode != 0
    assert (
        "the kernel of nim (strangers_nim.kernel) cannot be used: ZeroDivisionError" in said.stderr
    )
    assert "Traceback" not in said.stderr
    assert run(tmp_path, "-m", "mbegu", "perft", "oware", "3").stdout.strip() == "190"


TABLES = """
def solver(game):
    return ("the solver of", game.name)
"""


def test_tables_of_a_strangers_game_come_in_by_the_door_of_its_kernel(tmp_path: Path) -> None:
    install_nim(tmp_path, kernel=True)
    (tmp_path / "strangers_nim" / "table.py").write_text(TABLES, "utf-8")
    told = run(
        tmp_path,
        "-c",
        "import mbegu; from mbegu.engine.tables.solver import solver_of; "
        "from mbegu.engine.solve import has_prover; "
        "game = mbegu.game('nim'); print(solver_of(game), has_prover(game))",
    )
    assert told.stdout == "('the solver of', 'nim') False\n", told.stderr

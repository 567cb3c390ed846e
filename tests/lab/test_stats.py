"""Statistics: of random games that are those of the playouts, of levels and of first moves."""

import json
import math
import random
from importlib.util import find_spec
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pyarrow as pa
import pytest
from pandas.api.interchange import from_dataframe

import mbegu
from mbegu import lab
from mbegu.cli import lab_stats, main
from mbegu.core.errors import MbeguError
from mbegu.engine.playout import playouts
from mbegu.lab import stats as module
from mbegu.lab.intervals import (
    clopper_pearson,
    grouped_mean,
    grouped_share,
    mean_interval,
    sign_test,
    wilson,
)
from mbegu.lab.stats import level_games, random_play, statistics_of
from mbegu.lab.wandering import wander


@pytest.mark.parametrize("name", mbegu.game_names())
def test_watched_games_are_the_games_of_the_playouts(name: str) -> None:
    start = mbegu.game(name).start()
    watched = wander(start, 300, seed=9, threads=2)
    played = playouts(name, {}, start.to_json(), 300, seed=9)
    assert (watched.margins == played.margins).all()
    assert (watched.lengths == played.lengths).all()
    assert (watched.choices >= watched.lengths).all()
    assert (watched.choices <= watched.lengths * watched.most).all()
    if name == "oware":  # captures of 25 end a game, leftovers are no captures
        assert watched.captured.max() <= 48
    if name == "morabaraba":
        assert (watched.captures == watched.captured).all()
        assert watched.captured.max() <= 20


def test_legal_moves_are_counted_as_the_rules_count_them() -> None:
    """The mean number of legal moves of readable random games, against the compiled ones."""
    game, lot = mbegu.game("kalah"), random.Random(1)
    counts = []
    for _game in range(60):
        position = game.start()
        while moves := position.legal_moves():
            counts.append(len(moves))
            position = position.play(lot.choice(moves))
    watched = wander(game.start(), 5_000, seed=1)
    mean = watched.choices.sum() / watched.lengths.sum()
    assert abs(np.mean(counts) - mean) < 0.2


def test_rows_of_random_play() -> None:
    rows, sides = random_play(mbegu.game("oware"), 2_000, seed=1)
    for row in rows:
        assert row["least"] <= row["median"] <= row["most"]
        assert row["low"] <= row["mean"] <= row["high"]
    assert sum(row["games"] for row in sides) == 2_000
    assert sides[0]["low"] < sides[0]["share"] < sides[0]["high"]


def test_all_tables_are_there() -> None:
    found = statistics_of(
        mbegu.game("kalah"),
        games=500,
        levels=(1, 2),
        games_of_levels=2,
        nodes=2_000,
        seed=4,
    )
    assert found.complete
    assert set(found.tables) == {"random", "sides", "openings", "games", "cross", "levels"}
    assert found.tables["openings"].num_rows == 6
    assert found.tables["games"].num_rows == 8
    cross = {(row["level"], row["against"]): row for row in found.tables["cross"].to_pylist()}
    assert cross[1, 2]["share"] == pytest.approx(1 - cross[2, 1]["share"])
    assert cross[1, 2]["games"] == 4
    levels = found.tables["levels"].to_pandas()
    assert list(levels["level"]) == [1, 2]
    json.dumps(found.to_json(), allow_nan=False)


def test_the_same_seed_plays_the_same_games() -> None:
    game = mbegu.game("kalah")
    assert list(level_games(game, [1, 2], 1, seed=5)) == list(level_games(game, [1, 2], 1, seed=5))


def test_ctrl_c_keeps_what_was_found(monkeypatch: pytest.MonkeyPatch) -> None:
    def stopped(*_words: Any, **_more: Any) -> Any:
        yield {"opening": "A", "value": 1.0}, 6
        raise KeyboardInterrupt

    monkeypatch.setattr(module, "opening_values", stopped)
    found = statistics_of(mbegu.game("oware"), games=100)
    assert not found.complete
    assert found.tables["openings"].num_rows == 1
    assert "games" not in found.tables


def test_wrong_levels_are_named(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(MbeguError, match="levels: there is no level 11"):
        statistics_of(mbegu.game("oware"), levels=[11])
    for words, why in (
        (["--levels", "one"], "--levels: “one” is not a list"),
        (["--nodes", "5"], "--nodes"),
        (["--games", "0"], "--games"),
    ):
        assert main(["lab", "stats", "oware", *words]) == 2
        assert why in capsys.readouterr().err
    assert main(["lab", "stats", "chess"]) == 2


def test_the_command(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["lab", "stats", "kalah", "--games", "300", "--levels", "1,2"]
    assert main([*words, "--level-games", "1", "--nodes", "500"]) == 0
    out = capsys.readouterr().out
    for part in (
        "Random play",
        "First moves, by search",
        "Games between equals",
        "Points of a level",
    ):
        assert part in out
    assert main([*words[:-1], "none", "--nodes", "0", "--json"]) == 0
    assert set(json.loads(capsys.readouterr().out)) == {"game", "complete", "random", "sides"}


# ---- intervals


def test_no_advantage_is_no_loss_and_long_moves_stand_in_a_column(
    capsys: pytest.CaptureFixture[str],
) -> None:
    rows = [
        {"opening": name, "value": value, "exact": False, "depth": 9}
        for name, value in (("SW>pool", -0.0), ("a", -0.001))
    ]
    table = pa.Table.from_pylist(rows)
    lab_stats._show(module.Statistics(mbegu.game("oware"), {"openings": table}))
    assert capsys.readouterr().out.splitlines()[1:] == [
        "  SW>pool   +0.00  depth 9",
        "        a   +0.00  depth 9",
    ]


def test_intervals_by_hand() -> None:
    assert clopper_pearson(5, 10) == pytest.approx((0.18709, 0.81291), abs=1e-5)
    assert clopper_pearson(0, 10) == pytest.approx((0, 0.30850), abs=1e-5)
    assert clopper_pearson(10, 10) == pytest.approx((0.69150, 1), abs=1e-5)
    assert wilson(5, 10) == pytest.approx((0.23659, 0.76341), abs=1e-5)
    assert wilson(0, 0) == clopper_pearson(0, 0) == (0, 1)
    assert mean_interval([1, 2, 3]) == pytest.approx((2, 2 - 1.1316, 2 + 1.1316), abs=1e-4)
    assert math.isnan(mean_interval([])[0])


def test_games_of_one_group_are_one_trial() -> None:
    once = [(k, k < 7) for k in range(10)]
    often = [(k, k < 7) for k in range(10) for _again in range(50)]
    assert grouped_share(often) == pytest.approx(grouped_share(once))
    assert grouped_mean(often) == pytest.approx(grouped_mean(once))
    apart = [(k, k < 350) for k in range(500)]
    share, low, high = grouped_share(apart)
    assert (low, high) == pytest.approx(wilson(350, 500), abs=2e-3)
    assert share == 0.7
    assert grouped_share([("one", 1), ("one", 0)]) == (0.5, 0, 1)
    alike = grouped_share([(k // 5, 1) for k in range(50)])
    assert alike[:1] + alike[2:] == (1, 1)
    assert 0.6 < alike[1] < 0.72  # ten trials that all succeed, not fifty
    mean, shortest, longest = grouped_mean([("one", 3), ("one", 5)])
    assert (mean, shortest, longest) == (4, -math.inf, math.inf)
    assert sign_test(9, 1) == pytest.approx(22 / 1024)
    assert sign_test(5, 5) == 1


def test_the_exact_interval_holds_its_word() -> None:
    """It misses a known share at most as often as it says."""
    lot = np.random.default_rng(1)
    missed = 0
    for successes in lot.binomial(50, 0.1, 400):
        low, high = clopper_pearson(int(successes), 50)
        missed += not low <= 0.1 <= high
    assert missed <= 20


def test_the_lab_gives_pandas_what_it_takes() -> None:
    for name in lab.__all__:
        assert callable(getattr(lab, name)), name
        assert find_spec(f"mbegu.lab.{name}") is None, "a module of this name would take its place"
    watched = lab.wander(mbegu.game("kalah").start(), 5)
    tables = [
        watched.table(),
        lab.find_counters((2,) * 16, limit=2).table(),
        lab.play_settings(families=["default", "front"], games=1, nodes=50).table(),
        *lab.statistics_of(
            mbegu.game("kalah"), games=50, levels=(1, 2), games_of_levels=1, nodes=100
        ).tables.values(),
    ]
    for table in tables:
        frame = from_dataframe(table)
        assert list(frame.columns) == table.column_names
        assert len(frame) == table.num_rows > 0
    assert watched.table().to_pandas()["lengths"].tolist() == watched.lengths.tolist()


@pytest.mark.parametrize("name", mbegu.game_names())
def test_positions_draw_themselves(name: str) -> None:
    drawn = mbegu.game(name).start()._repr_svg_()
    assert ElementTree.fromstring(drawn).tag.endswith("svg")

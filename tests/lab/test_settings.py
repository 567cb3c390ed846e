"""Families of settings against each other, and the best mixture of them."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from mbegu.cli import main
from mbegu.core.errors import MbeguError
from mbegu.games.urubugu import Urubugu
from mbegu.lab.experiment import check
from mbegu.lab.page import Page
from mbegu.lab.pieces import KINDS
from mbegu.lab.urubugu import settings as module
from mbegu.lab.urubugu.settings import Influence, equilibrium, play_pair, play_settings

FAMILIES = ("default", "pile", "uniform")


@pytest.fixture(scope="module")
def influence() -> Influence:
    return play_settings(families=FAMILIES, games=2, nodes=100, seed=3)


def test_everybody_plays_everybody(influence: Influence) -> None:
    assert influence.complete
    assert len(influence.rows) == 2 * 3 * 3
    assert {row["points"] for row in influence.rows} <= {0.0, 0.5, 1.0}
    table = influence.table().to_pandas()
    assert list(table.columns) == list(module.COLUMNS)
    assert table.groupby(["first", "second"]).size().eq(2).all()
    for row in influence.rows:
        assert sum(map(int, row["setting0"].split(","))) == 32
        if row["impaga"]:
            assert (row["plies"], row["points"]) == (1, 1.0)


def test_the_same_seed_plays_the_same_games(influence: Influence) -> None:
    again = play_pair(Urubugu(), "uniform", "default", [1], nodes=100, seed=3)
    known = [r for r in influence.rows if (r["first"], r["second"]) == ("uniform", "default")]
    assert again == known[1:]


def test_a_lot_is_fair(influence: Influence) -> None:
    fair = influence.fair()
    assert np.allclose(fair + fair.T, 1)
    value, rows, columns = equilibrium(fair)
    assert value == pytest.approx(0.5)
    assert rows.sum() == columns.sum() == pytest.approx(1)


@pytest.mark.parametrize(
    ("matrix", "value", "rows", "columns"),
    [
        ([[1, 0], [0, 1]], 0.5, [0.5, 0.5], [0.5, 0.5]),
        ([[3, 1], [2, 0]], 1, [1, 0], [0, 1]),  # the first row is better, then the second column
        ([[0, 2], [3, 1]], 1.5, [0.5, 0.5], [0.25, 0.75]),
    ],
)
def test_equilibria_by_hand(matrix: Any, value: float, rows: Any, columns: Any) -> None:
    found = equilibrium(matrix)
    assert found[0] == pytest.approx(value)
    assert found[1] == pytest.approx(rows)
    assert found[2] == pytest.approx(columns)


def test_ctrl_c_keeps_what_was_played(monkeypatch: pytest.MonkeyPatch) -> None:
    played: list[str] = []

    def one(game: Urubugu, first: str, second: str, *_others: Any, **_more: Any) -> list[Any]:
        if len(played) == 2:
            raise KeyboardInterrupt
        played.append(first)
        values = (first, second, 0, "", "", 1.0, 1, True)
        return [dict(zip(module.COLUMNS, values, strict=True))]

    monkeypatch.setattr(module, "play_pair", one)
    stopped = play_settings(families=FAMILIES)
    assert not stopped.complete
    assert len(stopped.rows) == 2
    assert np.isnan(stopped.matrix()).sum() == 7
    told = json.loads(json.dumps(stopped.to_json(), allow_nan=False))
    assert told["points_matrix"][0] == [1.0, 1.0, None]
    assert "equilibrium_lot" not in told


@pytest.mark.parametrize("families", [["default"], ["default", "default"], ["default", "frnt"]])
def test_wrong_families_are_named(families: list[str]) -> None:
    with pytest.raises(MbeguError, match=r"families: name two|frnt.* is not a family"):
        play_settings(families=families)


def test_the_command(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    words = ["lab", "settings", "--families", "default,pile", "--games", "1", "--nodes", "50"]
    assert main([*words, "--figures", str(tmp_path)]) == 0
    out = capsys.readouterr().out
    assert "The one who starts scores" in out
    assert "Best mixture when a lot decides who starts" in out
    assert {path.name for path in tmp_path.iterdir()} == {"points.png", "impaga.png", "plies.png"}
    assert main([*words, "--json", "--traditional"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["games"] == 4
    assert told["game"] == "urubugu(start_min=2,capture=both,landing=occupied)"
    assert main(["lab", "settings", "--families", "default,frnt"]) == 2
    assert "frnt" in capsys.readouterr().err
    assert main([*words, "--figures", "/dev/null/x"]) == 2
    assert "--figures /dev/null/x" in capsys.readouterr().err


def test_experiments_of_both_kinds() -> None:
    """In pieces they give what the functions give; a report can be told of them."""
    told = {
        "kind": "settings",
        "game": "urubugu",
        "seed": 3,
        "population": {"families": list(FAMILIES)},
        "budget": {"games": 2, "nodes": 100, "piece": 1},
    }
    experiment, kind = check(told), KINDS["settings"]
    pieces = kind.pieces(experiment)
    assert len(pieces) == 18
    row = kind.run_piece(experiment, pieces[-1]).to_pylist()[0]
    assert row == play_pair(Urubugu(), "uniform", "uniform", [1], nodes=100, seed=3)[0]

    told = {"kind": "counters", "game": "urubugu", "options": {"capture": "both"}} | {
        "population": {"families": ["default", "back", "uniform"]},
        "budget": {"settings": 3, "samples": 500, "piece": 2},
    }
    experiment, kind = check(told), KINDS["counters"]
    pieces = kind.pieces(experiment)
    assert [piece.what["settings"] for piece in pieces] == [1, 1, 2, 1]
    tables = [kind.run_piece(experiment, piece) for piece in pieces]
    default, back = tables[0].to_pylist()[0], tables[1].to_pylist()[0]
    after = experiment.rules.start(default["counter"], default["setting"]).play(default["move"])  # type: ignore[call-arg]
    assert after.outcome().winner == 0  # type: ignore[union-attr]
    assert back["counter"] is None
    assert "cannot be taken" in back["why_none"]
    page = Page("", "")
    kind.tell(page, experiment, tables[0])
    assert "1 of 1 settings have a counter" in page.html()

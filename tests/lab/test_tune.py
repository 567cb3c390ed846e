"""Fitting an evaluation: what is taught is learned, and a folder of games goes on where it was."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import mbegu
from mbegu.core.errors import MbeguError
from mbegu.lab import tune
from mbegu.lab.tune import PIECE, Fit, Rows, Tuning, fitted, rendered
from mbegu.lab.worth import worth_of_terms
from mbegu.work.executor import executor


@pytest.fixture(scope="module")
def tuning(tmp_path_factory: pytest.TempPathFactory) -> Tuning:
    found = Tuning(mbegu.game("oware"), tmp_path_factory.mktemp("tune"), nodes=200)
    found.collect(PIECE)
    return found


def same(one: Rows, other: Rows) -> bool:
    return np.array_equal(one.noted, other.noted, equal_nan=True) and np.array_equal(
        one.columns, other.columns
    )


def test_games_that_are_there_are_not_played_again(
    tuning: Tuning, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = tuning.rows()
    monkeypatch.setattr(tune, "play_piece", lambda *_anything: pytest.fail("played again"))
    counts: list[int] = []
    tuning.collect(PIECE, counts.append)
    assert counts == [PIECE]
    assert same(tuning.rows(), before)


def test_a_piece_that_was_not_finished_does_not_count(tuning: Tuning) -> None:
    before = len(tuning.rows().noted)
    (tuning.folder / "games-0-00001.partial.npz").write_bytes(b"half")
    assert len(tuning.rows().noted) == before


def test_a_folder_holds_games_of_one_kind(tuning: Tuning) -> None:
    with pytest.raises(MbeguError, match="another kind"):
        Tuning(mbegu.game("oware"), tuning.folder, nodes=201)


def test_the_same_seed_plays_the_same_games(tuning: Tuning, tmp_path: Path) -> None:
    again = Tuning(mbegu.game("oware"), tmp_path, nodes=200)
    again.collect(PIECE)
    assert same(again.rows(), tuning.rows())


def test_others_play_the_same_games(tmp_path: Path) -> None:
    """In processes as on a cluster: a piece is the same wherever it is played."""
    alone, together = (Tuning(mbegu.game("oware"), tmp_path / name, nodes=50) for name in "ab")
    alone.collect(2 * PIECE)
    with executor(2) as pool:
        together.collect(2 * PIECE, pool=pool)
    assert same(together.rows(), alone.rows())


@pytest.mark.parametrize("by_result", [False, True])
def test_what_is_taught_is_learned(
    tuning: Tuning, monkeypatch: pytest.MonkeyPatch, by_result: bool
) -> None:
    """A teacher for whom a seed taken is worth two, and nothing else anything."""
    rows = tuning.rows()
    noted, taken = rows.noted.copy(), rows.columns[:, 0]
    noted[:, 1], noted[:, 2] = np.sign(taken), 2 * taken
    noted[:, 3], noted[:, 4] = np.nan, 0
    taught = replace(rows, noted=noted)
    monkeypatch.setattr(Tuning, "rows", lambda _self: taught)
    monkeypatch.setattr(tune, "RESULT_SHARE", 0.0)
    monkeypatch.setattr(tune, "RIDGE", 0.01)
    fit = fitted(tuning, by_result=by_result)
    early, late = fit.weights["captured"]
    if by_result:
        assert min(early, late) > 512
    else:
        assert early == pytest.approx(512, abs=40)
        assert late == pytest.approx(512, abs=40)
        assert fit.error < fit.error_before


def test_games_serve_features_that_come_later(
    tuning: Tuning, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = tuning.rows()
    monkeypatch.setattr(tuning, "places", ())
    after = tuning.rows()
    assert after.columns.shape[1] == len(tuning.module.FEATURES) < before.columns.shape[1]
    assert (after.noted == before.noted)[~np.isnan(before.noted)].all()


def test_what_is_proved_teaches_alone(tuning: Tuning) -> None:
    rows = tuning.rows()
    noted = np.array([[0, -1, 3.0, 1, 1], [0, -1, 0.0, np.nan, 0]])
    proved, thought = tune._taught(tuning, replace(rows, noted=noted), tune.RESULT_SHARE)
    assert proved == 1
    assert thought == pytest.approx(0.5 * (1 - tune.RESULT_SHARE))


def test_weights_are_written_as_they_are_read() -> None:
    told: dict[str, Any] = {}
    fit = Fit({"taken": (1, -2)}, {"taken": (0.1, 0.2)}, (((3, 4), (5, 6)),), 7, 1.0, 2.0)
    exec(rendered(fit), told)
    assert told["WEIGHTS"] == {"taken": (1, -2)}
    assert told["PATTERNS"] == (((3, 4), (5, 6)),)


def test_a_game_without_features_is_refused() -> None:
    with pytest.raises((MbeguError, ValueError)):
        tune.evaluation_of(mbegu.game("reversi"))


def test_a_term_that_is_none_is_refused() -> None:
    with pytest.raises(MbeguError, match=r"no term beauty; it has captured, .*patterns"):
        worth_of_terms(mbegu.game("oware"), 2, 100, terms=("captured", "beauty"))

"""Fitting an evaluation: what is taught is learned, and a folder of games goes on where it was."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import mbegu
from mbegu.core.errors import MbeguError
from mbegu.lab import tune
from mbegu.lab.tune import PIECE, Fit, Tuning, fitted, rendered
from mbegu.work.executor import executor


@pytest.fixture(scope="module")
def tuning(tmp_path_factory: pytest.TempPathFactory) -> Tuning:
    found = Tuning(mbegu.game("oware"), tmp_path_factory.mktemp("tune"), nodes=200)
    found.collect(PIECE)
    return found


def test_games_that_are_there_are_not_played_again(
    tuning: Tuning, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = tuning.rows()
    monkeypatch.setattr(tune, "play_piece", lambda *_anything: pytest.fail("played again"))
    counts: list[int] = []
    tuning.collect(PIECE, counts.append)
    assert counts == [PIECE]
    assert (tuning.rows() == before).all()


def test_a_piece_that_was_not_finished_does_not_count(tuning: Tuning) -> None:
    before = len(tuning.rows())
    (tuning.folder / "games-0-00001.partial.npz").write_bytes(b"half")
    assert len(tuning.rows()) == before


def test_a_folder_holds_games_of_one_kind(tuning: Tuning) -> None:
    with pytest.raises(MbeguError, match="another kind"):
        Tuning(mbegu.game("oware"), tuning.folder, nodes=201)


def test_the_same_seed_plays_the_same_games(tuning: Tuning, tmp_path: Path) -> None:
    again = Tuning(mbegu.game("oware"), tmp_path, nodes=200)
    again.collect(PIECE)
    assert (again.rows() == tuning.rows()).all()


def test_others_play_the_same_games(tmp_path: Path) -> None:
    """In processes as on a cluster: a piece is the same wherever it is played."""
    alone, together = (Tuning(mbegu.game("oware"), tmp_path / name, nodes=50) for name in "ab")
    alone.collect(2 * PIECE)
    with executor(2) as pool:
        together.collect(2 * PIECE, pool=pool)
    assert (together.rows() == alone.rows()).all()


@pytest.mark.parametrize("by_result", [False, True])
def test_what_is_taught_is_learned(
    tuning: Tuning, monkeypatch: pytest.MonkeyPatch, by_result: bool
) -> None:
    """A teacher for whom a seed taken is worth two, and nothing else anything."""
    rows = np.tile(tuning.rows(), (4, 1))
    taken = rows[:, 7]  # the first feature
    rows[:, 1] = rows[:, 4] = 2 * taken
    monkeypatch.setattr(Tuning, "rows", lambda _self: rows)
    monkeypatch.setattr(tune, "CLIP", 1000.0)
    fit = fitted(tuning, by_result=by_result)
    early, late = fit.weights["captured"]
    others = [
        abs(weight) for name, pair in fit.weights.items() for weight in pair if name != "captured"
    ]
    if by_result:
        assert min(early, late) > 2 * max(others)
    else:
        assert early == pytest.approx(512, abs=40)
        assert late == pytest.approx(512, abs=40)
        assert max(others) < 60
        assert fit.error < fit.error_before


def test_weights_are_written_as_they_are_read() -> None:
    told: dict[str, Any] = {}
    fit = Fit({"taken": (1, -2)}, {"taken": (0.1, 0.2)}, (((3, 4), (5, 6)),), 7, 1.0, 2.0)
    exec(rendered(fit), told)
    assert told["WEIGHTS"] == {"taken": (1, -2)}
    assert told["PATTERNS"] == (((3, 4), (5, 6)),)


def test_a_game_without_features_is_refused() -> None:
    with pytest.raises((MbeguError, ValueError)):
        tune.evaluation_of(mbegu.game("reversi"))

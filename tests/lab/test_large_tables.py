"""Large tables: what is taught is learned, positions off the games are noted, and what is written is read."""

from __future__ import annotations

import zlib
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import mbegu
from mbegu.lab import large_tables, tune
from mbegu.lab.tune import PIECE, Tuning, fitted
from mbegu.lab.worth import _source_without


@pytest.fixture(scope="module")
def tuning(tmp_path_factory: pytest.TempPathFactory) -> Tuning:
    found = Tuning(mbegu.game("morabaraba"), tmp_path_factory.mktemp("tune"), nodes=30)
    found.collect(PIECE)
    return found


def test_positions_off_the_games_are_noted(tuning: Tuning) -> None:
    """A search meets what no game does; nobody knows how those would have ended."""
    won = tuning.rows().noted[:, 1]
    assert np.isnan(won).sum() > (~np.isnan(won)).sum() > 100


def test_shots_that_are_due_are_noted(tuning: Tuning) -> None:
    signs = tuning.rows().entries[1]
    assert {-1, 1} == set(signs.tolist())


def test_entries_learn_what_is_taught(tuning: Tuning, monkeypatch: pytest.MonkeyPatch) -> None:
    """A teacher for whom one entry is worth a cow and a half, and nothing else anything."""
    rows = tuning.rows()
    entries, signs = rows.entries
    common = int(np.bincount(entries.ravel()).argmax())
    noted = rows.noted.copy()
    noted[:, 1], noted[:, 3], noted[:, 4] = np.nan, np.nan, 0
    noted[:, 2] = 1.5 * signs * (entries == common).sum(1)
    taught = replace(rows, noted=noted)
    monkeypatch.setattr(Tuning, "rows", lambda _self: taught)
    fit = fitted(tuning)
    assert fit.error < fit.error_before
    assert fit.large is not None
    assert fit.large.argmax() == common
    others = np.delete(fit.large, common)
    assert fit.large[common] > 3 * np.abs(others).max()


def test_tables_are_written_as_they_are_read(tuning: Tuning, tmp_path: Path) -> None:
    count, _asked, unit, file = tuning.module.LARGE_TABLES
    worths = (np.arange(count) % 251 - 125).astype(np.int8)
    path = large_tables.write(tuning.module, worths, tmp_path / "weights.py")
    assert path == tmp_path / file.name
    assert (np.frombuffer(zlib.decompress(path.read_bytes()), np.int8) == worths).all()
    some = np.array([[0, 1, 2, 3]], np.int32), np.array([-1], np.int8)
    told = large_tables.told(tuning.module, some, worths)
    assert told[0] == -float(worths[:4].sum(dtype=int)) * unit / 256


def test_the_tables_are_a_term_that_can_be_taken_away(tuning: Tuning) -> None:
    name = tuning.module.LARGE_TABLES[3].name
    with _source_without(tuning.module, "patterns") as folder:
        path = folder / "mbegu" / "games" / "morabaraba" / name
        assert not any(zlib.decompress(path.read_bytes()))
    with _source_without(tuning.module, "shot") as folder:
        path = folder / "mbegu" / "games" / "morabaraba" / name
        assert any(zlib.decompress(path.read_bytes()))


def test_a_game_without_them_notes_its_games_alone(tmp_path: Path) -> None:
    found = Tuning(mbegu.game("oware"), tmp_path, nodes=30)
    found.collect(tune.PIECE)
    assert found.rows().entries is None
    assert not np.isnan(found.rows().noted[:, 1]).any()

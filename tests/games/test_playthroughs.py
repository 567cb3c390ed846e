"""A whole game of each kind, with every answer of the API, is still what it was."""

import difflib
import subprocess
import sys
from pathlib import Path

import playthrough
import pytest

import mbegu


@pytest.mark.parametrize("name", playthrough.SEEDS)
def test_playthrough(name: str) -> None:
    path = playthrough.FOLDER / f"{name}.txt"
    before = path.read_text("utf-8").splitlines()
    now = playthrough.playthrough(mbegu.game(name), playthrough.SEEDS[name]).splitlines()
    changes = list(difflib.unified_diff(before, now, str(path), "now", lineterm="", n=2))
    hint = "if this is meant: python tests/playthrough.py --write"
    assert not changes, "\n".join([*changes[:60], hint])
    assert "unfinished" not in now[-1]


def test_every_game_has_one() -> None:
    assert set(playthrough.SEEDS) == set(mbegu.game_names())
    assert {path.stem for path in playthrough.FOLDER.glob("*.txt")} == set(mbegu.game_names())


def test_the_command_tells_what_is_out_of_date_and_writes_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(playthrough, "FOLDER", tmp_path)
    monkeypatch.setattr(playthrough, "SEEDS", {"kalah": 1})
    assert playthrough.main([]) == 1
    assert capsys.readouterr().out == f"{tmp_path / 'kalah.txt'} is not what kalah does now\n"
    assert playthrough.main(["--write"]) == 0
    assert playthrough.main([]) == 0


def test_it_runs_as_a_command() -> None:
    path = Path(playthrough.__file__)
    assert subprocess.run([sys.executable, str(path)], capture_output=True).returncode == 0

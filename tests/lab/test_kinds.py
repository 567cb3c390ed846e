"""Kinds of experiments: one of somebody's own, and forced wins."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, ClassVar

import pyarrow as pa
import pytest

import mbegu
from mbegu.lab import code, pieces
from mbegu.lab.experiment import Experiment, Field, check
from mbegu.lab.kind import Kind, Piece, dice
from mbegu.lab.report import write_report
from mbegu.lab.run import read_table, run


class Branching(Kind):
    """How many moves there are at the start, and a number by lot."""

    name = "branching"
    title = "Branching"
    budget: ClassVar = {"rows": Field(3, "how many rows", 1, 100)}
    schema = pa.schema([("moves", pa.int32()), ("dice", pa.int64()), ("word", pa.string())])

    def parts(self, experiment: Experiment) -> Iterator[dict[str, Any]]:
        yield from ({"row": row} for row in range(experiment.budget["rows"]))

    def run_piece(self, experiment: Experiment, piece: Piece) -> pa.Table:
        number = int(dice(experiment, piece).generate_state(1)[0])
        moves = len(experiment.rules.start().legal_moves())
        return self.table([{"moves": moves, "dice": number, "word": "x"}])


@pytest.fixture
def own_kind(monkeypatch: pytest.MonkeyPatch) -> Experiment:
    monkeypatch.setitem(pieces.KINDS, "branching", Branching())
    return check({"kind": "branching", "game": "oware", "seed": 1})


def test_a_kind_of_ones_own_has_a_report(own_kind: Experiment, tmp_path: Path) -> None:
    run(own_kind, tmp_path / "run")
    text = write_report(tmp_path / "run").read_text(encoding="utf-8")
    assert "Branching" in text
    assert "The table has 3 rows." in text
    for column in ("moves", "dice", "word"):
        assert f">{column}<" in text
    together = write_report(tmp_path / "run", tmp_path / "run", out=tmp_path / "both")
    assert together.read_text(encoding="utf-8").count("The table has 3 rows.") == 2


def test_a_kind_of_ones_own_may_tell_itself(
    own_kind: Experiment, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        Branching, "tell", lambda self, page, experiment, table: page.say("It branches."),
        raising=False,
    )  # fmt: skip
    run(own_kind, tmp_path / "run")
    assert "It branches." in write_report(tmp_path / "run").read_text(encoding="utf-8")


def test_kinds_come_by_entry_points(monkeypatch: pytest.MonkeyPatch) -> None:
    class Point:
        value = "other:Branching"

        def load(self) -> type[Kind]:
            return Branching

    class Broken(Point):
        def load(self) -> type[Kind]:
            raise ImportError("not there")

    monkeypatch.setattr(pieces, "entry_points", lambda group: [Point(), Broken()])
    with pytest.warns(UserWarning, match="not there"):
        assert [kind.name for kind in pieces._installed()] == ["branching"]


def test_forced_wins_are_proved(tmp_path: Path) -> None:
    told = {
        "kind": "forced",
        "game": "urubugu",
        "population": {"starters": ["default"], "answers": ["pile", "default", "uniform"]},
        "budget": {"nodes": 300_000, "settings": 2, "hash": 16},
    }
    run(check(told), tmp_path / "run")
    rows = read_table(tmp_path / "run").to_pylist()
    assert [row["second"] for row in rows] == ["pile", "default", "uniform", "uniform"]
    pile, usual = rows[:2]
    assert (pile["result"], pile["plies"]) == ("wins", 1)
    assert usual["result"] == "wins"
    # The first move of the proof is one that wins at once, by the readable rules.
    game = mbegu.game("urubugu")
    outcome = game.start(pile["setting0"], pile["setting1"]).play(pile["move"]).outcome()
    assert outcome is not None
    assert outcome.winner == 0
    text = write_report(tmp_path / "run").read_text(encoding="utf-8")
    assert "by force" in text


def test_what_is_not_proved_is_open(tmp_path: Path) -> None:
    told = {"kind": "forced", "game": "urubugu", "population": {"answers": ["default"]}}
    told |= {"budget": {"nodes": 100, "hash": 1}}
    run(check(told), tmp_path / "run")
    rows = read_table(tmp_path / "run").to_pylist()
    assert {row["result"] for row in rows} == {"open"}
    assert all(row["plies"] is None for row in rows)


def test_a_manifest_names_the_code_and_the_workers(own_kind: Experiment, tmp_path: Path) -> None:
    run(own_kind, tmp_path / "run")
    (sitting,) = json.loads((tmp_path / "run" / "manifest.json").read_text())["sittings"]
    assert sitting["code"] == code.code()
    assert len(sitting["code"]["sha256"]) == 64
    assert sitting["workers"] == 1
    assert sitting["code"]["sha256"] in write_report(tmp_path / "run").read_text(encoding="utf-8")


def test_the_hash_is_of_the_sources(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("one = 1\n")
    before = code._sources(tmp_path)
    (tmp_path / "note.txt").write_text("no matter")
    assert code._sources(tmp_path) == before
    (tmp_path / "a.py").write_text("one = 2\n")
    changed = code._sources(tmp_path)
    assert changed != before
    (tmp_path / "a.py").rename(tmp_path / "b.py")
    assert code._sources(tmp_path) != changed


def test_the_commit_is_read_without_git(tmp_path: Path) -> None:
    package = tmp_path / "src" / "mbegu"
    package.mkdir(parents=True)
    assert code._commit(package) is None
    (tmp_path / "pyproject.toml").touch()
    git = tmp_path / ".git"
    (git / "refs" / "heads").mkdir(parents=True)
    (git / "HEAD").write_text("ref: refs/heads/main\n")
    (git / "packed-refs").write_text("# pack-refs\n" + "a" * 40 + " refs/heads/main\n")
    assert code._commit(package) == "a" * 40
    (git / "refs" / "heads" / "main").write_text("b" * 40 + "\n")
    assert code._commit(package) == "b" * 40
    (git / "HEAD").write_text("c" * 40 + "\n")
    assert code._commit(package) == "c" * 40


def wins_within(position: mbegu.Position, player: int, plies: int) -> bool:
    """By the readable rules: whether a player can force a win in so many moves of both."""
    outcome = position.outcome()
    if outcome is not None or plies == 0:
        return outcome is not None and outcome.winner == player
    children = (position.play(move) for move in position.legal_moves())
    enough = any if position.turn == player else all
    return enough(wins_within(child, player, plies - 1) for child in children)


@pytest.mark.parametrize(
    ("first", "second", "plies"),
    [("default", "pile", 1), ("alternating", "alternating", 3), ("back", "front", 3)],
)
def test_a_proof_is_one_by_the_readable_rules(
    first: str, second: str, plies: int, tmp_path: Path
) -> None:
    told = {"kind": "forced", "game": "urubugu", "budget": {"hash": 16}}
    told |= {"population": {"starters": [first], "answers": [second]}}
    run(check(told), tmp_path / "run")
    (row,) = read_table(tmp_path / "run").to_pylist()
    assert (row["result"], row["plies"]) == ("wins", plies)
    game = mbegu.game("urubugu")
    assert wins_within(game.start(row["setting0"], row["setting1"]), 0, plies)

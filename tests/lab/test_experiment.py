"""Experiment files: what they may say, and what is said about those that are wrong."""

import dataclasses
import re
import tomllib
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from mbegu.core.errors import MbeguError
from mbegu.lab.experiment import InvalidExperiment, check, parse_experiment, read_experiment
from mbegu.lab.pieces import KINDS, dice
from mbegu.lab.run import run

EXAMPLES = Path(__file__).resolve().parents[2] / "examples" / "lab"
OWARE = {"kind": "random", "game": "oware"}


def test_defaults_are_filled_in() -> None:
    experiment = check(OWARE | {"budget": {"games": 7}})
    assert experiment.budget == {"games": 7, "piece": 20_000, "plies": 1_000}
    assert experiment.seed == 0


def test_options_come_in_the_game_or_in_their_section() -> None:
    one = check({"kind": "random", "game": "kalah(seeds=3)"})
    other = check({"kind": "random", "game": "kalah", "options": {"seeds": 3}})
    assert one == other
    assert one.game == "kalah(pits=6,seeds=3)"


@pytest.mark.parametrize("kind", KINDS)
def test_an_experiment_written_out_reads_as_itself(kind: str) -> None:
    game = KINDS[kind].games[0] if KINDS[kind].games else "kalah(seeds=3)"
    experiment = check({"kind": kind, "game": game, "seed": 5, "title": 'A "b"', "question": "é?"})
    text = experiment.to_toml()
    assert parse_experiment(text) == experiment
    assert tomllib.loads(text)["budget"] == experiment.budget


def test_the_fingerprint_is_of_what_decides_the_table() -> None:
    experiment = check(OWARE)
    renamed = dataclasses.replace(experiment, title="another", question="?")
    assert renamed.fingerprint() == experiment.fingerprint()
    for change in ({"seed": 1}, {"game": "kalah"}, {"budget": {"games": 3}}):
        assert check(OWARE | change).fingerprint() != experiment.fingerprint()


@pytest.mark.parametrize(
    ("told", "message"),
    [
        ({"budget": {"gmaes": 3}}, "“budget.gmaes” means nothing here; did you mean budget.games?"),
        ({"sead": 3}, "“sead” means nothing here; did you mean seed?"),
        ({"zzz": 3}, "“zzz” means nothing here; there are: title, question, kind"),
        ({"options": {"min_seed": 3}}, "did you mean options.min_seeds?"),
        ({"options": {"min_seeds": "x"}}, "option min_seeds: “x” is not one of"),
        ({"kind": "radnom"}, "kind cannot be “radnom”; did you mean random?"),
        ({"kind": 3}, "kind cannot be “3”; it may be: a text"),
        ({"game": "owari"}, "no game is called “owari”"),
        ({"seed": -1}, "seed cannot be “-1”; it may be: 0.."),
        ({"seed": True}, "seed cannot be “True”"),
        ({"budget": {"games": "many"}}, "budget.games cannot be “many”; it may be: 1..1000000000"),
        ({"budget": {"games": 10**9, "piece": 1}}, "pieces are too many"),
        ({"budget": 3}, "budget cannot be “3”; it may be: a section: [budget]"),
        ({"kind": "levels", "population": {"levels": [10, 1]}}, "a list of 1..9"),
        ({"kind": "levels", "population": {"levels": [2, 2]}}, "each once"),
        ({"kind": "levels", "budget": {"games": 3}}, "budget.games must be even"),
    ],
)
def test_what_is_wrong_is_named(told: dict[str, object], message: str) -> None:
    with pytest.raises(MbeguError, match=re.escape(message)):
        check(OWARE | told)


def test_a_file_is_named_too(tmp_path: Path) -> None:
    path = tmp_path / "one.toml"
    path.write_text("kind = [")
    with pytest.raises(InvalidExperiment, match=r"one\.toml: this is not TOML"):
        read_experiment(path)
    with pytest.raises(InvalidExperiment, match=r"two\.toml: No such file"):
        read_experiment(tmp_path / "two.toml")
    path.write_text('game = "oware"')
    with pytest.raises(InvalidExperiment, match="say what is to be done"):
        read_experiment(path)
    path.write_text('kind = "random"')
    with pytest.raises(InvalidExperiment, match="say which game"):
        read_experiment(path)
    path.write_text('kind = "random"\ngame = "oware"')
    assert read_experiment(path).title == "one"


def test_pieces_cover_every_game_once() -> None:
    experiment = check(OWARE | {"budget": {"games": 25, "piece": 10}})
    whats = [piece.what for piece in KINDS["random"].pieces(experiment)]
    assert whats == [
        {"first": 0, "games": 10},
        {"first": 10, "games": 10},
        {"first": 20, "games": 5},
    ]


def test_each_piece_has_dice_of_its_own() -> None:
    experiment = check(OWARE | {"budget": {"games": 25, "piece": 10}})
    pieces = KINDS["random"].pieces(experiment)
    throws = {tuple(dice(experiment, piece).generate_state(4)) for piece in pieces}
    assert len(throws) == 3


LESS = {
    "random": {"games": 200, "piece": 100},
    "levels": {"games": 2},
    "openings": {"nodes": 500, "hash": 1},
    "counters": {"settings": 2, "samples": 200},
    "settings": {"games": 1, "nodes": 50},
    "forced": {"settings": 1, "nodes": 500, "hash": 1},
}


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_has_an_example_that_runs(kind: str, tmp_path: Path) -> None:
    """As it stands, but less of it: few levels and families, a small budget."""
    told = {path: tomllib.loads(path.read_text()) for path in sorted(EXAMPLES.glob("*.toml"))}
    ((path, example),) = [(path, one) for path, one in told.items() if one["kind"] == kind]
    assert read_experiment(path).question
    few = {key: value[:2] for key, value in example.get("population", {}).items() if isinstance(value, list)}  # fmt: skip
    less = example.get("population", {}) | few
    table = run(check(example | {"population": less, "budget": LESS[kind]}), tmp_path / "run")
    assert pq.read_table(table).num_rows


@pytest.mark.parametrize("kind", KINDS)
def test_every_misspelt_word_is_named_with_the_right_one(kind: str) -> None:
    game = KINDS[kind].games[0] if KINDS[kind].games else "kalah"
    for section in ("population", "budget"):
        for word in getattr(KINDS[kind], section):
            message = rf"“{section}\.{word}x” means nothing here; did you mean {section}\.{word}\?"
            with pytest.raises(InvalidExperiment, match=message):
                check({"kind": kind, "game": game, section: {word + "x": 1}})

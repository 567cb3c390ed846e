"""An engine with endgame tables: nothing that it claims is false, and it knows what others search for."""

from __future__ import annotations

import os
import random
from pathlib import Path

import pytest
from test_truth import KINDS, SCALE, SEED, Claims, walk

import mbegu
from mbegu.engine.engine import Engine, Info, Limits
from mbegu.engine.tables.build import build
from mbegu.engine.tables.store import open_table, table_path

OWARE = [kind for kind in KINDS if kind.startswith("oware")]
SEEDS = 8
NODES = (5, 60, 300, 2_000, 12_000)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("tables")


@pytest.fixture(autouse=True)
def tables(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MBEGU_TABLES", str(folder))


def thought(engine: Engine, text: str, nodes: int = 20_000) -> Info:
    *_before, last = engine.think(engine.game.position(text), Limits(nodes=nodes))
    return last


@pytest.mark.parametrize(
    ("kind", "seeds"),
    [*((kind, SEEDS) for kind in OWARE), (OWARE[0], 3), ("awale2", 8)],
)
def test_nothing_that_an_engine_with_tables_claims_is_false(kind: str, seeds: int) -> None:
    name, endings, count, plies, patience = KINDS[kind]
    game, lots = mbegu.game(name), random.Random(f"{SEED} {kind} {seeds}")
    table_path(game).unlink(missing_ok=True)
    build(game, seeds)
    engine, claims = Engine(game, hash_mb=1), Claims(game, patience)
    for position, history in walk(game, endings, count * SCALE // 2, plies, lots):
        limits = Limits(nodes=lots.choice(NODES), lines=lots.choice((1, 1, 3)))
        for info in engine.think(position, limits, history):
            if info.final or lots.random() < 0.1:
                claims.check(position, history, info.lines)
    print(f"{kind}: {dict(sorted(claims.counts.items()))}")
    assert claims.counts["exact"] >= count // 2


# ---- what it knows


def test_a_table_sees_what_search_does_not() -> None:
    game = mbegu.game("oware(min_seeds=0)")
    build(game, 10)
    text = "0-1-0-2-0-1-1-0-2-1-0-1-19-20-S"
    with_table, without = Engine(game), Engine(game, tables=False)
    assert thought(without, text, 3_000).lines[0].score.result is None
    score = thought(with_table, text, 3_000).lines[0].score
    assert score.result == 1  # a capture leads to an ending that is won
    assert not score.exact  # by how much is for a majority to decide


def test_an_exact_capture_needs_no_search() -> None:
    game = mbegu.game("oware(min_seeds=0)")
    build(game, SEEDS)
    dice, table, exact = random.Random(8), open_table(game), 0
    engine = Engine(game, hash_mb=1)
    while exact < 20:
        board = [0] * 12
        for _seed in range(dice.randint(4, SEEDS)):
            board[dice.randrange(12)] += 1
        position = game.from_json({"board": board, "score": [0, 0], "to_move": 0})
        if position.turn is None:
            continue
        found = table.look_up(position)
        assert found is not None
        after = [position.play(move) for move in position.legal_moves()]
        if not found.exact or any(child.scores() == (0, 0) for child in after):
            continue
        *_before, last = engine.think(position, Limits(nodes=50))
        assert last.lines[0].score.exact
        assert last.lines[0].score.margin == found.value
        exact += 1


def test_a_table_of_other_rules_is_not_asked(folder: Path) -> None:
    awari, usual = (
        mbegu.game("oware(grand_slam=illegal,min_seeds=0)"),
        mbegu.game("oware(min_seeds=1)"),
    )
    build(awari, 4)
    table_path(awari).replace(table_path(usual))
    engine = Engine(usual)
    thought(engine, "0-0-1-0-1-0-0-1-0-0-1-0-0-0-S", 100)
    assert engine._engine.ending is None  # type: ignore[union-attr]


def test_a_bad_table_is_told_of_once(caplog: pytest.LogCaptureFixture) -> None:
    game = mbegu.game("oware(min_seeds=2)")
    path = build(game, 4)
    os.truncate(path, 66_000)
    engine = Engine(game)
    for _time in range(3):
        assert thought(engine, "0-0-1-0-1-0-0-1-0-0-1-0-0-0-S", 100).lines
    assert [record.message for record in caplog.records if "goes on without" in record.message] == [
        f"{path} is cut off: 66000 bytes where there should be 67356; thinking goes on without it"
    ]


def test_a_table_that_comes_later_is_used() -> None:
    game = mbegu.game("oware(min_seeds=4)")
    engine, text = Engine(game), "0-0-1-0-1-0-0-1-0-0-1-0-0-0-S"
    thought(engine, text, 100)
    assert engine._engine.ending is None  # type: ignore[union-attr]
    build(game, 5)
    thought(engine, text, 100)
    assert engine._engine.ending is not None  # type: ignore[union-attr]

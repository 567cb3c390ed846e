"""Morabaraba's endgame tables: against a full search that only knows the readable rules."""

from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import mbegu
from mbegu.core.game import Game, Position
from mbegu.engine.engine import Engine, Limits
from mbegu.engine.tables.build import build, verify
from mbegu.engine.tables.file import Table
from mbegu.engine.tables.store import open_table
from mbegu.games.morabaraba.board import POINTS
from mbegu.games.morabaraba.probe import OFFSET
from mbegu.games.morabaraba.retrograde import UNKNOWN

RULES = ["morabaraba", "morabaraba(rules=classic)"]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("tables")


@pytest.fixture(scope="module", params=RULES)
def table(request: pytest.FixtureRequest, folder: Path) -> Table:
    game = mbegu.game(request.param)
    build(game, folder=folder)
    return open_table(game, folder)


def ending(game: Game, dice: random.Random, **more: Any) -> Position:
    """Three cows against three, by lot; on lines now and then, so that there are mills."""
    while True:
        points = dice.sample(POINTS, 6)
        text = "0/0 {} {} {} 9/9 - - {quiet} {three}".format(
            ",".join(points[:3]), ",".join(points[3:]), dice.choice("xo"), **more
        )
        position = game.position(text)
        if position.turn is not None:
            return position


def sign(number: float) -> int:
    return (number > 0) - (number < 0)


def full_search(position: Position, player: int, alpha: int = -1, beta: int = 1) -> int:
    """1, 0 or -1 for a player, by the readable rules alone, to the end of the game."""
    outcome = position.outcome()
    if outcome is not None:
        return 0 if outcome.winner is None else 1 if outcome.winner == player else -1
    ours = position.turn == player
    for move in position.legal_moves():
        value = full_search(position.play(move), player, alpha, beta)
        alpha, beta = (max(alpha, value), beta) if ours else (alpha, min(beta, value))
        if alpha >= beta:
            break
    return alpha if ours else beta


@pytest.mark.parametrize(("three", "samples"), [(9, 60), (8, 5)])
def test_a_table_tells_what_a_full_search_finds(table: Table, three: int, samples: int) -> None:
    game, dice, seen = mbegu.game(table.header.game), random.Random(three), set()
    for _sample in range(samples):
        position = ending(game, dice, quiet=three, three=three)
        found = table.look_up(position)
        assert found is not None
        assert position.turn is not None
        right = full_search(position, position.turn)
        assert sign(found.low) <= right <= sign(found.high), str(position)
        if sign(found.low) == sign(found.high):
            seen.add(right)
    assert 0 in seen
    assert len(seen) > 1


def test_what_the_search_proves_without_tables_is_what_they_tell(table: Table) -> None:
    game, dice, proved = mbegu.game(table.header.game), random.Random(3), 0
    engine = Engine(game, hash_mb=4, tables=False)
    for _sample in range(40):
        position = ending(game, dice, quiet=4, three=4)
        *_before, last = engine.think(position, Limits(nodes=20_000))
        found = table.look_up(position)
        assert found is not None
        if last.lines[0].score.result is not None:
            proved += 1
            assert sign(found.low) <= last.lines[0].score.result <= sign(found.high)
            assert found.low <= last.lines[0].score.margin <= found.high
    assert proved >= 12


def test_boards_that_look_the_same_are_worth_the_same(table: Table) -> None:
    game, dice = mbegu.game(table.header.game), random.Random(4)
    for _sample in range(40):
        position = ending(game, dice, quiet=0, three=0)
        facts = position.to_json()
        for symmetry in game.symmetries():
            turned = "".join(facts["board"][point] for point in symmetry.order[:24])
            if symmetry.swaps:
                turned = turned.translate(str.maketrans("xo", "ox"))
            side = -facts["turn"] if symmetry.swaps else facts["turn"]
            other = game.from_json(facts | {"board": turned, "turn": side})
            assert table.look_up(other) == table.look_up(position)


def test_every_board_is_worth_what_its_moves_are_worth(table: Table) -> None:
    checked, wrong = verify(table.path, mbegu.game(table.header.game))
    assert (checked.header.size, wrong) == (210_140, 0)
    exact = checked.header.layers[-1].exact
    assert sum(checked.header.layers[-1].values.values()) == exact
    assert exact > 0.9 * 210_140


def test_a_changed_board_is_noticed(table: Table) -> None:
    data = table.data.copy()
    data[1_000] = (data[1_000] + 1) % len(table.header.layers[-1].facts)

    class Alone:
        def share(self, work: Any, begin: int, end: int, *rest: Any) -> None:
            work(begin, min(end, 3_000), *rest)

    layers = table.header.layers
    assert table.solver.check(6, data, layers, Alone()) > 0  # type: ignore[arg-type]
    assert table.solver.check(6, table.data, layers, Alone()) == 0  # type: ignore[arg-type]


def test_boards_for_which_there_was_no_byte_spoil_no_others(table: Table) -> None:
    """A layer has 256 meanings; what is too rare for one is not told, and whoever checks must know it."""

    class Alone:
        def share(self, work: Any, begin: int, end: int, *rest: Any) -> None:
            work(begin, min(end, 3_000), *rest)

    *others, last = table.header.layers
    unknown = UNKNOWN * 257 - OFFSET
    layers = [*others, replace(last, facts=[*last.facts, [unknown, unknown, 0]])]
    data = table.data.copy()
    data[::7] = len(last.facts)
    assert table.solver.check(6, data, layers, Alone()) == 0  # type: ignore[arg-type]
    data[1_000] = (data[1_000] + 1) % len(last.facts)
    data[1_001] = (data[1_001] + 1) % len(last.facts)
    assert table.solver.check(6, data, layers, Alone()) > 0  # type: ignore[arg-type]


def test_a_ban_a_shot_and_a_cow_in_hand_are_not_in_the_table(folder: Path, table: Table) -> None:
    game = mbegu.game(table.header.game)
    classic = "classic" in table.header.game
    ban = "d1-g1" if classic else "a1-d1-g1"
    for text in (
        f"0/0 a1,d1,g7 a7,d7,b6 x 9/9 {ban} - 0 0",
        "0/0 a1,d1,g1 a7,d7,b6,c4 x! 8/9 - - 1 0",
        "0/1 a1,d1,g7 a7,d7 x 9/9 - - 0 0",
    ):
        assert table.look_up(game.position(text)) is None


def test_the_engine_wins_what_the_table_says_is_won(
    folder: Path, table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MBEGU_TABLES", str(folder))
    game, dice, won = mbegu.game(table.header.game), random.Random(5), 0
    engine = Engine(game, hash_mb=1)
    for _sample in range(40):
        position = ending(game, dice, quiet=0, three=0)
        found, winner = table.look_up(position), position.turn
        assert found is not None
        if found.low <= 0:
            continue
        won += 1
        while position.turn is not None:
            *_before, last = engine.think(position, Limits(nodes=2_000))
            if position.turn == winner:
                assert last.lines[0].score.result in (1, None)
            position = position.play(last.best)
        outcome = position.outcome()
        assert outcome is not None
        assert outcome.winner == winner
    assert won >= 3

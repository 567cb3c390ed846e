"""Kalah solved: tables and proofs against a slow solver that only knows the readable rules."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import mbegu
from mbegu.core.game import Game, Position
from mbegu.engine.checkpoint import Checkpoint
from mbegu.engine.jit import compiled
from mbegu.engine.kernels.driver import kernel_of
from mbegu.engine.solve import Bounds, SolveError, solve
from mbegu.engine.tables.build import build, verify
from mbegu.engine.tables.file import Table
from mbegu.engine.tables.probe import (
    TABLE_AT,
    TABLE_FACTS,
    TABLED,
    consult,
    is_tabled,
    packed_facts,
)
from mbegu.engine.tables.store import open_table, table_path
from mbegu.games.kalah import proof
from mbegu.games.kalah import solve as provers
from mbegu.games.kalah.pits import board_of, half_word

MARGINS = {  # published and well known: for m pits, with n = 1, 2, 3… stones
    (1, False): (0, -2, 6, -2, 2, 0),
    (1, True): (0, -2, 6, -2, 2, 0),
    (2, False): (2, -2, -2, -10, 6, 8),
    (2, True): (2, -2, -2, -12, 6, 8),
    (3, False): (0, 4, 2, 2, 6, -8),
    (3, True): (0, 4, 2, 2, 6, -10),
    (4, False): (2, 6, 6, 2),
    (4, True): (2, 6, 8, 2),
    (5, False): (0, 2, 6),
    (5, True): (0, 0, 8),
    (6, False): (2, 6, 2),
    (6, True): (2, 10, 2),
}


def kalah(pits: int, seeds: int = 1, empty_capture: bool = False) -> Game:
    return mbegu.game("kalah", pits=pits, seeds=seeds, empty_capture=empty_capture)


@pytest.fixture(autouse=True)
def no_tables_of_mine(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("MBEGU_TABLES", str(tmp_path / "none"))


@pytest.fixture
def searching(monkeypatch: pytest.MonkeyPatch) -> None:
    """Small tables, so that there is something to search."""
    monkeypatch.setattr(provers, "WORTH", ((1000, 3000),))


@cache
def slow(position: Position) -> int:
    """The final margin of player 0, by the readable rules."""
    outcome = position.outcome()
    if outcome is not None:
        assert outcome.scores is not None
        return outcome.scores[0] - outcome.scores[1]
    margins = (slow(position.play(move)) for move in position.legal_moves())
    return max(margins) if position.turn == 0 else min(margins)


def boards(stones: int, pits: int) -> Iterator[tuple[int, ...]]:
    if pits == 1:
        yield (stones,)
        return
    for first in range(stones + 1):
        for rest in boards(stones - first, pits - 1):
            yield (first, *rest)


def position_of(game: Any, board: tuple[int, ...], stores: tuple[int, int], turn: int) -> Position:
    pits = game.pits
    row = [*board[:pits], stores[0], *board[pits:], stores[1]]
    return game.from_json({"pits": row, "to_move": turn})


# ---- tables


@pytest.mark.parametrize("empty_capture", [False, True])
@pytest.mark.parametrize(("pits", "most"), [(1, 12), (2, 7), (3, 5), (6, 3), (9, 2), (10, 2)])
def test_every_board_is_worth_what_a_slow_solver_finds(
    pits: int, most: int, empty_capture: bool, tmp_path: Path
) -> None:
    game = kalah(pits, empty_capture=empty_capture)
    table = open_table(game, build(game, most, folder=tmp_path).parent)
    for stones in range(most + 1):
        for board in boards(stones, 2 * pits):
            layer, at = table.solver.place_of(board[:pits], board[pits:])  # type: ignore[attr-defined]
            value = table.header.layers[layer].facts[table.data[at]][0]
            assert value == slow(position_of(game, board, (0, 0), 0)), board
    assert verify(table.path, game)[1] == 0


def test_verify_sees_a_wrong_byte(tmp_path: Path) -> None:
    game = kalah(3)
    path = build(game, 6, folder=tmp_path)
    table = open_table(game, tmp_path)
    data = table.data.copy()
    data[-100] = (data[-100] + 1) % 7

    class Alone:
        def each(self, work: Any, count: int, *rest: Any) -> None:
            work(0, count, *rest)

    check = table.solver.check
    assert check(6, table.data, table.header.layers, Alone()) == 0  # type: ignore[arg-type]
    assert check(6, data, table.header.layers, Alone()) > 0  # type: ignore[arg-type]
    assert path.exists()


def test_games_that_only_begin_in_another_way_share_a_table(tmp_path: Path) -> None:
    build(kalah(4, 4), 5, folder=tmp_path)
    assert open_table(kalah(4, 3), tmp_path).header.seeds == 5
    paths = {table_path(kalah(4, n, empty), tmp_path) for n in (1, 5) for empty in (False, True)}
    assert len(paths) == 2


@compiled
def asked(state, thread):  # type: ignore[no-untyped-def]
    return is_tabled(state, thread), consult(state, thread)


def probed(table: Table, position: Position) -> Any:
    thread, facts = np.zeros(64, np.int64), np.array(packed_facts(table.header.layers))
    thread[TABLED], thread[TABLE_AT] = table.header.seeds, table.address
    thread[TABLE_FACTS] = facts.ctypes.data
    options = {name: getattr(position.game, name) for name in position.game.options()}
    state = kernel_of("kalah").pack(position.to_json(), options)
    return asked(state, thread.ctypes.data)


@pytest.mark.parametrize("pits", [3, 6, 10])
def test_the_search_finds_what_is_in_the_table(pits: int, tmp_path: Path) -> None:
    game, dice = kalah(pits), random.Random(pits)
    build(game, 3, folder=tmp_path)
    table = open_table(game, tmp_path)
    for board in dice.sample(list(boards(3, 2 * pits)), 40):
        position = position_of(game, board, (dice.randrange(9), dice.randrange(9)), 1)
        if position.turn is not None:
            found, margin = table.look_up(position), -slow(position)
            assert found is not None
            assert found.exact
            assert probed(table, position) == (True, (margin, margin, margin))


# ---- proofs


@pytest.mark.parametrize(("pits", "empty_capture"), MARGINS)
def test_the_margins_are_the_published_ones(pits: int, empty_capture: bool) -> None:
    for seeds, margin in enumerate(MARGINS[pits, empty_capture], 1):
        found = solve(kalah(pits, seeds, empty_capture).start(), memory_mb=64)
        assert (found.margin, found.exact) == (margin, True), found.position
        assert ended(found.position, found.line) == margin


def ended(position: Position, line: tuple[Any, ...]) -> int:
    for move in line:
        position = position.play(move)
    assert position.turn is None
    return slow(position)


@pytest.mark.usefixtures("searching")
@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize(
    ("pits", "seeds", "empty_capture"), [(2, 6, True), (3, 5, False), (4, 3, True), (5, 2, False)]
)
def test_a_search_finds_them_too(pits: int, seeds: int, empty_capture: bool, threads: int) -> None:
    position = kalah(pits, seeds, empty_capture).start()
    found = solve(position, memory_mb=16, threads=threads)
    assert found.margin == {(2, 6): 8, (3, 5): 6, (4, 3): 8, (5, 2): 2}[pits, seeds]
    assert ended(position, found.line) == found.margin
    assert found.nodes > 100


sized = st.sampled_from([(1, 12), (2, 9), (3, 8), (6, 7), (9, 6), (10, 6)])


@given(sized, st.data(), st.booleans(), st.integers(0, 1))
def test_any_position_by_a_search(
    size: tuple[int, int], data: st.DataObject, empty_capture: bool, turn: int
) -> None:
    pits, most = size
    holes = st.lists(st.integers(0, 2 * pits - 1), min_size=2, max_size=most)
    counts = [0] * (2 * pits)
    for hole in data.draw(holes):
        counts[hole] += 1
    stores = data.draw(st.tuples(st.integers(0, 9), st.integers(0, 9)))
    position = position_of(kalah(pits, 1, empty_capture), tuple(counts), stores, turn)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(provers, "WORTH", ((1000, 1),))
        found = solve(position, memory_mb=16)
    assert found.margin == slow(position)
    assert ended(position, found.line) == found.margin


def test_too_many_stones_for_a_proof() -> None:
    with pytest.raises(SolveError, match="at most 63 stones in them, not 80"):
        solve(kalah(10, 4).start())


def test_more_memory_than_there_is() -> None:
    with pytest.raises(SolveError, match="more than the memory that is free"):
        solve(kalah(3, 3).start(), memory_mb=10**9)


def test_other_games_are_solved_by_thinking_and_nothing_else_is_told() -> None:
    end = mbegu.game("oware").position("0-0-0-0-0-1-0-0-0-0-1-5-21-20-S")
    found = solve(end, memory_mb=16)
    assert (found.exact, found.margin) == (True, 6)
    open_game = solve(mbegu.game("oware").start(), memory_mb=16, seconds=0.2)
    assert (open_game.exact, open_game.margin, open_game.line) == (False, None, ())


# ---- checkpoints


@pytest.mark.usefixtures("searching")
def test_who_is_stopped_goes_on_from_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    position, told = kalah(4, 4).start(), list[Bounds]()
    original, asked = provers.KalahProver.ask, list[int]()

    def ask(prover: provers.KalahProver, beta: int) -> int | None:
        asked.append(beta)
        if len(asked) % 2 == 0:
            prover.stop()
        return original(prover, beta)

    monkeypatch.setattr(provers.KalahProver, "ask", ask)
    found = solve(position, memory_mb=32, folder=tmp_path, tell=told.append)
    rounds, low, high, nodes = 1, -32, 32, 0
    while not found.exact and rounds < 20:
        assert found.low is not None
        assert found.high is not None
        assert low <= found.low <= 2 <= found.high <= high
        assert (found.low, found.high) != (low, high)
        assert found.nodes > nodes
        low, high, nodes = found.low, found.high, found.nodes
        found, rounds = solve(position, memory_mb=32, folder=tmp_path), rounds + 1
    assert found.margin == 2
    assert rounds > 1
    assert list(tmp_path.iterdir()) == []


def test_time_that_is_over_before_it_begins(tmp_path: Path) -> None:
    found = solve(kalah(6, 4).start(), memory_mb=64, seconds=1e-9, folder=tmp_path)
    assert not found.exact
    assert len(list(tmp_path.iterdir())) == 1


@pytest.mark.usefixtures("searching")
def test_what_was_proved_is_not_proved_again(tmp_path: Path) -> None:
    position = kalah(4, 4).start()
    prover = provers.prover(position, 1, 32)
    assert prover.ask(2) == 2
    rows = prover.dearest(1 << 20)
    again = provers.prover(position, 1, 32)
    again.believe(rows)
    before = again.nodes()
    assert again.ask(2) == 2
    assert again.nodes() - before == 1
    assert 0 < len(prover.dearest(100)) <= 100


@pytest.mark.usefixtures("searching")
def test_a_search_that_is_too_deep_for_its_room_gives_no_answer() -> None:
    prover = provers.prover(kalah(4, 4).start(), 1, 32)
    board = board_of(4, prover._thread_data[0])
    mine, his = (half_word(side) for side in provers.sides(prover.position))
    beyond = prover._scratch[0, -proof.PLY :].copy()
    assert proof.prove(board, mine, his, 32, 2, proof.MOST_PLIES) == 0
    assert prover._thread_data[0, proof.STOPPED] == 1
    assert (prover._scratch[0, -proof.PLY :] == beyond).all()


@pytest.mark.usefixtures("searching")
def test_the_table_of_small_boards_tells_how_far_it_is() -> None:
    told: list[Bounds] = []
    solve(kalah(4, 4).start(), memory_mb=64, tell=told.append)
    shares = [bounds.building for bounds in told if bounds.building is not None]
    assert shares
    assert shares == sorted(shares)
    assert 0 <= shares[0] <= shares[-1] <= 1


def bad_checkpoints() -> list[Any]:
    return [
        pytest.param(lambda data: data[:-9], "is damaged", id="cut off"),
        pytest.param(lambda data: data[:5], "is damaged", id="a stump"),
        pytest.param(lambda data: b"", "is damaged", id="empty"),
        pytest.param(lambda data: data[:-1] + b"?", "is damaged", id="a wrong byte"),
        pytest.param(lambda data: b"PNG" + data[3:], "is damaged", id="something else"),
    ]


@pytest.mark.parametrize(("spoil", "message"), bad_checkpoints())
def test_a_bad_checkpoint_is_refused(spoil: Any, message: str, tmp_path: Path) -> None:
    position = kalah(4, 4).start()
    checkpoint = Checkpoint(position, tmp_path)
    facts = {"low": -2, "high": 6, "nodes": 1, "seconds": 1.0}
    checkpoint.write(facts, np.ones((3, 2), np.uint64))
    found = checkpoint.read()
    assert found is not None
    assert found[0]["high"] == 6
    checkpoint.path.write_bytes(spoil(checkpoint.path.read_bytes()))
    with pytest.raises(SolveError, match=message):
        solve(position, memory_mb=16, folder=tmp_path)


def test_a_checkpoint_of_other_rules_is_refused(tmp_path: Path) -> None:
    ours, theirs = (Checkpoint(kalah(4, 4, e).start(), tmp_path) for e in (False, True))
    theirs.write({"low": 0, "high": 0}, np.ones((1, 2), np.uint64))
    theirs.path.rename(ours.path)
    with pytest.raises(SolveError, match="belongs to something else"):
        ours.read()


# ---- the command


def mbegu_solve(*arguments: str) -> list[str]:
    return [sys.executable, "-m", "mbegu", "solve", *arguments]


def environment(data: Path) -> dict[str, str]:
    return {**os.environ, "MBEGU_DATA": str(data), "MBEGU_TABLES": str(data / "none")}


def test_the_command_prints_json(tmp_path: Path) -> None:
    command = mbegu_solve("kalah(pits=4,seeds=4)", "--json", "--memory", "64")
    done = subprocess.run(command, env=environment(tmp_path), capture_output=True, check=True)
    told = json.loads(done.stdout)
    assert (told["margin"], told["exact"]) == (2, True)
    assert {"line", "seconds", "nodes"} <= told.keys()
    game = kalah(4, 4)
    position: Position = game.start()
    for word in told["line"]:
        position = position.play(game.parse_move(word, position))
    assert slow(position) == 2


def test_ctrl_c_leaves_a_checkpoint_to_go_on_from(tmp_path: Path) -> None:
    arguments = "kalah(pits=6,seeds=5)", "--memory", "64", "--threads", "1"
    running = subprocess.Popen(
        mbegu_solve(*arguments),
        env=environment(tmp_path),
        stderr=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert running.stderr is not None
    lines = iter(running.stderr.readline, "")
    assert any("between" in line for line in lines)
    time.sleep(0.5)
    running.send_signal(signal.SIGINT)
    out, told = running.communicate(timeout=120)
    assert running.returncode == 130
    assert "goes on from here" in told
    assert "Not proved: between" in out
    first = Checkpoint(kalah(6, 5).start(), tmp_path / "solve").read()
    assert first is not None
    again = mbegu_solve(*arguments, "--time", "0.5", "--json")
    done = subprocess.run(again, env=environment(tmp_path), capture_output=True, check=False)
    facts = json.loads(done.stdout)
    assert (done.returncode, facts["exact"], facts["margin"]) == (1, False, None)
    assert facts["low"] >= first[0]["low"]
    assert facts["nodes"] > first[0]["nodes"]


def test_ctrl_c_before_anything_is_proved_says_so(tmp_path: Path) -> None:
    running = subprocess.Popen(
        mbegu_solve("kalah(pits=6,seeds=5)", "--memory", "1024"),
        env=environment(tmp_path),
        stderr=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert running.stderr is not None
    assert "Building the table" in running.stderr.readline()
    running.send_signal(signal.SIGINT)
    out, told = running.communicate(timeout=120)
    assert (running.returncode, out) == (130, "")
    assert told.splitlines()[-1] == (
        "Stopped before anything was proved. The same command begins anew."
    )


def test_bad_options_are_told_in_a_line(tmp_path: Path) -> None:
    for arguments, message in (
        (("kalah(pits=4,stones=4)",), "has no option"),
        (("kalah", "--memory", "1"), "16"),
        (("kalah", "--position", "<4,1>"), "pits=4"),
    ):
        done = subprocess.run(
            mbegu_solve(*arguments),
            env=environment(tmp_path),
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 2
        assert message in done.stderr
        assert "Traceback" not in done.stderr

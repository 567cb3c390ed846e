"""Endgame tables: against a slow solver that only knows the readable rules, and against bad files."""

from __future__ import annotations

import errno
import json
import mmap
import os
import random
import shutil
import signal
import struct
import subprocess
import sys
import time
import zlib
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import mbegu
from mbegu.core.game import Game, Position
from mbegu.engine.engine import free_memory_mb
from mbegu.engine.jit import NoCompiler, compiled
from mbegu.engine.kernels.driver import kernel_of
from mbegu.engine.tables import build as building
from mbegu.engine.tables.build import Progress, build, verify
from mbegu.engine.tables.file import HEADER_BYTES, Table, read_header, read_table
from mbegu.engine.tables.probe import (
    TABLE_AT,
    TABLE_FACTS,
    TABLED,
    consult,
    is_tabled,
    packed_facts,
)
from mbegu.engine.tables.ready import at_hand, prepare
from mbegu.engine.tables.solver import TableError, solver_of
from mbegu.engine.tables.store import list_tables, open_table, table_path
from mbegu.games.oware.table import choose_meanings, place_of

AWARI = "oware(grand_slam=illegal,min_seeds=0)"
RULES = [(AWARI, 5), ("oware(min_seeds=0)", 4), ("oware(grand_slam=take,min_seeds=3)", 4)]
SEEDS = 5


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("tables")


@cache
def built(rules: str, seeds: int, folder: Path) -> Table:
    game = mbegu.game(rules)
    build(game, seeds, folder=folder)
    return open_table(game, folder)


# ---- the values


def boards(seeds: int, houses: int = 12) -> Iterator[tuple[int, ...]]:
    if houses == 1:
        yield (seeds,)
        return
    for first in range(seeds + 1):
        for rest in boards(seeds - first, houses - 1):
            yield (first, *rest)


def position_of(game: Game, board: tuple[int, ...]) -> Position:
    return game.from_json({"board": list(board), "score": [0, 0], "to_move": 0})


def moves_of(position: Position) -> list[tuple[int, tuple[int, ...]]]:
    """What each move captures, and the board after it as the other sees it."""
    found = []
    for move in position.legal_moves():
        after = position.play(move).to_json()
        found.append((after["score"][0], (*after["board"][6:], *after["board"][:6])))
    return found


Facts = dict[tuple[int, ...], tuple[int, int, int]]


@cache
def solved(rules: str, most: int) -> Facts:
    """Value, low and high of every board, found by going over all of them until nothing changes."""
    game, facts = mbegu.game(rules), Facts()
    for seeds in range(most + 1):
        moves = {board: moves_of(position_of(game, board)) for board in boards(seeds)}
        ends = {board: sum(board[:6]) - sum(board[6:]) for board in moves if not moves[board]}
        value = _interval(moves, ends, seeds, {b: (v, v) for b, (v, _l, _h) in facts.items()})
        bounds = _interval(moves, ends, seeds, {b: fact[1:] for b, fact in facts.items()})
        for board in moves:
            low, high = value[board]
            facts[board] = (max(low, min(high, 0)), *bounds[board])
    return facts


def _interval(moves: Any, ends: Any, seeds: int, known: Any) -> Any:
    """What the mover gets if an endless game is lost, and if it is won."""
    now = dict.fromkeys(moves, (-seeds, seeds)) | {b: (v, v) for b, v in ends.items()}
    changed = True
    while changed:
        changed = False
        for board, found in moves.items():
            if found:
                after = [(taken, now[b] if not taken else known[b]) for taken, b in found]
                both = tuple(max(taken - pair[i] for taken, pair in after) for i in (1, 0))
                changed |= both != now[board]
                now[board] = both
    return now


@pytest.mark.parametrize(("rules", "most"), RULES)
def test_every_board_is_worth_what_a_slow_solver_finds(rules: str, most: int, folder: Path) -> None:
    table, game = built(rules, SEEDS, folder), mbegu.game(rules)
    facts = solved(rules, most)
    for board, fact in facts.items():
        seeds, at = place_of(board[:6], board[6:])
        layer = table.header.layers[seeds]
        assert tuple(layer.facts[table.data[at]]) == fact, board
        position = position_of(game, board)
        found = table.look_up(position)
        assert found is None if position.turn is None else found is not None
    for seeds in range(most + 1):
        counted = Counter(fact[0] for board, fact in facts.items() if sum(board) == seeds)
        assert table.header.layers[seeds].values == counted
        exact = sum(f[1] == f[2] for board, f in facts.items() if sum(board) == seeds)
        assert table.header.layers[seeds].exact == exact


def test_the_histogram_of_awari_with_five_seeds(folder: Path) -> None:
    values = built(AWARI, SEEDS, folder).header.layers[5].values
    assert values == {-5: 1892, -3: 2, -2: 85, -1: 224, 1: 121, 2: 184, 3: 22, 5: 1838}


def test_by_the_usual_rules_few_seeds_end_the_game(folder: Path) -> None:
    table = built("oware", 7, folder)
    assert table.header.layers[5].values == {-5: 252, -3: 756, -1: 1176, 1: 1176, 3: 756, 5: 252}
    assert table.header.layers[5].exact == 4368
    assert verify(table.path, mbegu.game("oware"))[1] == 0


def test_numbers_have_no_gaps() -> None:
    places = sorted(
        place_of(board[:6], board[6:])[1] for seeds in range(5) for board in boards(seeds)
    )
    assert places == list(range(len(places)))


def test_boards_are_found_again_by_their_number() -> None:
    solver = solver_of(mbegu.game("oware"))
    for at, board in enumerate(solver.boards(4, 0, 1365)):
        assert place_of(board[:6], board[6:])[1] == sum(solver.sizes(3)) + at


def true_value(position: Position, path: tuple[Position, ...], budget: list[int]) -> int:
    """The margin for the player to move by the rule of a match: a position that comes back ends it."""
    budget[0] -= 1
    if budget[0] < 0:
        raise TimeoutError
    outcome = position.outcome()
    turn = position.turn
    if outcome is not None or position in path:
        south, north = position.tally()  # type: ignore[attr-defined]
        return (
            south - north if turn == 0 or (turn is None and len(path) % 2 == 0) else north - south
        )
    return max(
        -true_value(position.play(move), (*path, position), budget)
        for move in position.legal_moves()
    )


def test_bounds_hold_by_the_rule_of_a_match(folder: Path) -> None:
    rules = "oware(min_seeds=0)"
    table, game = built(rules, SEEDS, folder), mbegu.game(rules)
    dice, checked = random.Random(5), 0
    for board in dice.sample([b for n in (2, 3, 4) for b in boards(n)], 400):
        position = position_of(game, board)
        if position.turn is None:
            continue
        try:
            truth = true_value(position, (), [3000])
        except (TimeoutError, RecursionError):
            continue
        found = table.look_up(position)
        assert found is not None
        assert found.low <= truth <= found.high, position
        checked += 1
    assert checked > 60


def test_rare_facts_share_a_byte_with_wider_bounds() -> None:
    seeds = 24
    tally = np.zeros((2 * seeds + 1, seeds + 1, seeds + 1), np.int64)
    for value in range(2 * seeds + 1):
        for low in range(0, value // 2 + 1, 3):
            for high in range(-(-value // 2), seeds + 1, 3):
                tally[value, low, high] = value + low + high
    chosen = choose_meanings(tally, seeds)
    assert len(set(chosen.values())) == 256
    first: dict[int, tuple[int, int, int]] = {}
    for fact, code in chosen.items():
        value, low, high = first.setdefault(code, fact)
        assert value == fact[0]
        assert low <= fact[1]
        assert high >= fact[2]


# ---- in compiled code


@compiled
def asked(state, thread):  # type: ignore[no-untyped-def]
    return is_tabled(state, thread), consult(state, thread)


def ask(table: Table, position: Position) -> Any:
    """What compiled code finds: whether it is in the table, and a guess, the least, the greatest."""
    thread, facts = np.zeros(64, np.int64), np.array(packed_facts(table.header.layers))
    thread[TABLED], thread[TABLE_AT] = table.header.seeds, table.address
    thread[TABLE_FACTS] = facts.ctypes.data
    options = {name: getattr(position.game, name) for name in position.game.options()}
    state = kernel_of("oware").pack(position.to_json(), options)
    return asked(state, thread.ctypes.data)


def test_compiled_code_finds_the_same(folder: Path) -> None:
    rules = "oware(min_seeds=0)"
    table, game, dice = built(rules, SEEDS, folder), mbegu.game(rules), random.Random(2)
    for board in dice.sample([b for n in range(SEEDS + 1) for b in boards(n)], 500):
        score, turn = [dice.randrange(19), dice.randrange(19)], dice.randrange(2)
        position = game.from_json({"board": list(board), "score": score, "to_move": turn})
        if position.turn is None:
            continue
        found = table.look_up(position)
        assert found is not None
        ahead = score[turn] - score[1 - turn]
        told = tuple(ahead + margin for margin in (found.value, found.low, found.high))
        assert ask(table, position) == (True, told)


def test_a_majority_ends_the_game_before_the_table_does(folder: Path) -> None:
    """Who can force more than half wins, but nobody knows by how much."""
    rules = "oware(min_seeds=0)"
    table, game = built(rules, SEEDS, folder), mbegu.game(rules)
    seen = set()
    for board in random.Random(3).sample(list(boards(4)), 200):
        for mine, his in ((24, 20), (20, 24), (22, 22), (23, 21)):
            position = game.from_json({"board": list(board), "score": [mine, his], "to_move": 0})
            if position.turn is None:
                continue
            found = table.look_up(position)
            assert found is not None
            _tabled, (_guess, least, most) = ask(table, position)
            ahead = mine - his
            assert (least > 0) == (ahead + found.low > 0)
            assert (most < 0) == (ahead + found.high < 0)
            try:
                truth = true_value(position, (), [2000])
            except (TimeoutError, RecursionError):
                continue
            assert least <= truth <= most, position
            seen.add((least > 0, most < 0))
    assert seen >= {(True, False), (False, True), (False, False)}


def test_a_position_beyond_the_table_is_not_looked_up(folder: Path) -> None:
    game = mbegu.game("oware(min_seeds=0)")
    table = built("oware(min_seeds=0)", SEEDS, folder)
    assert not ask(table, game.position("1-0-1-0-1-0-1-0-1-0-1-0-20-20-S"))[0]


def test_tables_at_hand(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    game = mbegu.game(AWARI)
    monkeypatch.setenv("MBEGU_TABLES", str(tmp_path))
    assert at_hand(game) is None
    path = table_path(game)
    shutil.copy(built(AWARI, SEEDS, folder).path, path)
    table = at_hand(game)
    assert table is not None
    assert at_hand(game) is table
    os.truncate(path, 70000)
    assert at_hand(game) is None
    assert at_hand(game) is None
    listed = dict(list_tables())[path]
    assert "is cut off" in str(listed)
    assert [record.message for record in caplog.records] == [
        f"{path} is cut off: 70000 bytes where there should be 71724; thinking goes on without it"
    ]


def test_a_usual_table_is_made_in_the_background(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MBEGU_TABLES", str(tmp_path))
    game = mbegu.game("oware(grand_slam=take,min_seeds=1)")
    monkeypatch.setattr("mbegu.games.oware.table.OwareSolver.usual", 4)
    thread = prepare(game)
    assert thread is not None
    thread.join()
    table = at_hand(game)
    assert table is not None
    assert table.header.seeds == 4
    assert prepare(game) is None  # it is there
    assert prepare(mbegu.game("urubugu")) is None  # there are none
    monkeypatch.setenv("MBEGU_TABLES", "")
    assert prepare(mbegu.game("oware(min_seeds=2)")) is None  # not wanted


def test_where_nothing_can_be_compiled_no_table_is_made(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(game: Game) -> None:
        raise NoCompiler

    monkeypatch.setenv("MBEGU_TABLES", str(tmp_path))
    monkeypatch.setattr("mbegu.engine.tables.build.build", refuse)
    thread = prepare(mbegu.game("oware(grand_slam=take,min_seeds=3)"))
    assert thread is not None
    thread.join()  # a thread that ends with an exception fails the test
    assert list(tmp_path.iterdir()) == []


# ---- building


def contents(table: Table) -> bytes:
    return table.path.read_bytes()


def test_two_threads_find_the_same(folder: Path, tmp_path: Path) -> None:
    build(mbegu.game(AWARI), 8, folder=tmp_path, workers=2)
    build(mbegu.game(AWARI), 8, folder=tmp_path / "alone")
    for name in (f"{AWARI}.mbt",):
        assert (tmp_path / name).read_bytes() == (tmp_path / "alone" / name).read_bytes()


def test_a_larger_table_begins_with_the_smaller_one(tmp_path: Path) -> None:
    game, told = mbegu.game(AWARI), list[Progress]()
    build(game, 3, folder=tmp_path)
    build(game, 6, folder=tmp_path, tell=told.append)
    fresh = open_table(game, tmp_path)
    build(game, 6, folder=tmp_path / "fresh")
    assert contents(fresh) == contents(open_table(game, tmp_path / "fresh"))
    assert told[-1].layer == "6"
    assert [progress.share for progress in told] == sorted(progress.share for progress in told)


def test_a_smaller_table_is_there_already(tmp_path: Path) -> None:
    game, told = mbegu.game(AWARI), list[Progress]()
    path = build(game, 5, folder=tmp_path)
    assert build(game, 3, folder=tmp_path, tell=told.append) == path
    assert read_header(path).seeds == 5
    assert told == []


def test_a_build_that_died_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    game = mbegu.game(AWARI)

    def die(progress: Progress) -> None:
        if progress.layer == "5":
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        build(game, 6, folder=tmp_path, tell=die)
    assert list_tables(tmp_path) == []
    solved_layers = []
    original = type(solver_of(game)).solve
    monkeypatch.setattr(
        type(solver_of(game)),
        "solve",
        lambda self, number, *rest: solved_layers.append(number) or original(self, number, *rest),
    )
    build(game, 6, folder=tmp_path)
    assert solved_layers == [5, 6]
    assert verify(table_path(game, tmp_path), game)[1] == 0
    assert not list(tmp_path.glob("*.partial"))


def test_a_damaged_partial_file_is_begun_again(tmp_path: Path) -> None:
    game = mbegu.game(AWARI)
    partial = tmp_path / f"{AWARI}.mbt.partial"
    partial.write_bytes(b"MBEGUTAB" + os.urandom(HEADER_BYTES))
    build(game, 4, folder=tmp_path)
    assert verify(table_path(game, tmp_path), game)[1] == 0


@pytest.mark.parametrize("spoil", ["byte", "end"])
def test_a_damaged_table_is_built_again(spoil: str, tmp_path: Path) -> None:
    game = mbegu.game(AWARI)
    path = build(game, 4, folder=tmp_path)
    whole = path.read_bytes()
    changed = bytes([whole[-3] ^ 1])
    path.write_bytes(whole[:-3] + (changed + whole[-2:] if spoil == "byte" else b""))
    with pytest.raises(TableError):
        read_table(path, game)
    assert build(game, 4, folder=tmp_path).read_bytes() == whole


def test_a_killed_build_goes_on(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "mbegu", "tables", "build", AWARI, "--seeds", "16"]
    process = subprocess.Popen([*command, "--out", str(tmp_path)], stderr=subprocess.DEVNULL)
    partial = tmp_path / f"{AWARI}.mbt.partial"
    try:
        for _wait in range(1200):
            if partial.exists() and partial.stat().st_size > HEADER_BYTES + 4000:
                break
            time.sleep(0.05)
    finally:
        process.send_signal(signal.SIGKILL)
        process.wait()
    kept = read_header(partial).seeds
    assert kept >= 4
    build(mbegu.game(AWARI), max(kept, 5), folder=tmp_path)
    assert verify(table_path(mbegu.game(AWARI), tmp_path), mbegu.game(AWARI))[1] == 0


def test_a_second_builder_is_told(tmp_path: Path) -> None:
    game = mbegu.game(AWARI)
    code = f"""
import mbegu, sys
from pathlib import Path
from mbegu.engine.tables.build import build
from mbegu.engine.tables.probe import (
    TABLE_AT,
    TABLE_FACTS,
    TABLED,
    consult,
    is_tabled,
    packed_facts,
)
from mbegu.engine.tables.ready import at_hand, prepare
from mbegu.engine.tables.solver import TableError
try:
    build(mbegu.game({AWARI!r}), 3, folder=Path({str(tmp_path)!r}))
except TableError as error:
    print(error)
"""
    said = []

    def meanwhile(progress: Progress) -> None:
        if not said:
            run = [sys.executable, "-c", code]
            said.append(subprocess.run(run, capture_output=True, text=True, check=True).stdout)

    build(game, 3, folder=tmp_path, tell=meanwhile)
    assert "another process is building" in said[0]


def test_a_full_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    game, original = mbegu.game(AWARI), building._add_layer

    def full(file: Any, header: Any, *rest: Any, **more: Any) -> None:
        if header.seeds == 4:
            raise OSError(errno.ENOSPC, "No space left on device")
        original(file, header, *rest, **more)

    monkeypatch.setattr(building, "_add_layer", full)
    with pytest.raises(TableError, match="no room left"):
        build(game, 5, folder=tmp_path)
    monkeypatch.setattr(building, "_add_layer", original)
    assert read_header(tmp_path / f"{AWARI}.mbt.partial").seeds == 3
    build(game, 5, folder=tmp_path)
    assert verify(table_path(game, tmp_path), game)[1] == 0


@pytest.mark.parametrize("reason", ["ENOSPC", "EFBIG", "EDQUOT"])
def test_whatever_limits_a_disk_is_called_no_room(reason: str, tmp_path: Path) -> None:
    if not hasattr(errno, reason):
        pytest.skip("this system knows no such limit")
    error = building._unwritable(tmp_path, OSError(getattr(errno, reason), "no"))
    assert "make room and go on" in str(error)


def test_too_little_memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(building, "free_memory_mb", lambda: 100)
    with pytest.raises(TableError, match="MB of memory"):
        build(mbegu.game("oware"), 18, folder=tmp_path)


def test_memory_that_is_gone_in_the_middle(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    game = mbegu.game(AWARI)
    kind = type(solver_of(game))
    original = kind.solve

    def solve(self: Any, number: int, *rest: Any) -> Any:
        if number == 3:
            raise MemoryError
        return original(self, number, *rest)

    with monkeypatch.context() as patch:
        patch.setattr(kind, "solve", solve)
        with pytest.raises(TableError, match="too little memory for"):
            build(game, 5, folder=tmp_path)
    assert read_header(tmp_path / f"{AWARI}.mbt.partial").seeds == 2
    assert build(game, 5, folder=tmp_path).exists()


def test_a_limit_of_the_process_is_free_memory_too() -> None:
    resource = pytest.importorskip("resource")
    if not Path("/proc/self/statm").exists():
        pytest.skip("this system does not tell how large a process is")
    used = int(Path("/proc/self/statm").read_text("ascii").split()[0]) * resource.getpagesize()
    before = resource.getrlimit(resource.RLIMIT_AS)
    resource.setrlimit(resource.RLIMIT_AS, (used + 100 * 2**20, before[1]))
    try:
        free = free_memory_mb()
    finally:
        resource.setrlimit(resource.RLIMIT_AS, before)
    assert free is not None
    assert free <= 90


def test_who_writes_over_a_small_table_kills_nobody_who_reads_it(
    folder: Path, tmp_path: Path
) -> None:
    game = mbegu.game(AWARI)
    path = Path(shutil.copy(built(AWARI, SEEDS, folder).path, tmp_path))
    table = read_table(path, game)
    os.truncate(path, 0)
    assert table.data.tobytes() == built(AWARI, SEEDS, folder).data.tobytes()


def test_a_large_table_is_mapped(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = built(AWARI, SEEDS, folder).path
    monkeypatch.setattr("mbegu.engine.tables.file.SMALL", 1000)
    table = read_table(path, mbegu.game(AWARI))
    path.rename(tmp_path / "elsewhere.mbt")  # who renames or removes it disturbs nobody either
    try:
        assert isinstance(table.data.base.obj, mmap.mmap)
        assert table.data.tobytes() == built(AWARI, SEEDS, folder).data.tobytes()
    finally:
        (tmp_path / "elsewhere.mbt").rename(path)


@pytest.mark.parametrize("seeds", [0, -1, 25, 10**9])
def test_no_such_table(seeds: int, tmp_path: Path) -> None:
    with pytest.raises(TableError, match="1 to 24 on the board"):
        build(mbegu.game("oware"), seeds, folder=tmp_path)


def test_a_place_where_nothing_can_be_written(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(TableError, match="cannot be written"):
        build(mbegu.game("oware"), 3, folder=tmp_path / "file" / "folder")


# ---- reading


@pytest.fixture
def file(folder: Path, tmp_path: Path) -> Path:
    """A table to be damaged."""
    source = built(AWARI, SEEDS, folder).path
    return Path(shutil.copy(source, tmp_path))


def refused(file: Path, why: str, rules: str = AWARI) -> None:
    with pytest.raises(TableError, match=why):
        read_table(file, mbegu.game(rules))


def test_a_table_of_other_rules(file: Path) -> None:
    refused(file, r"is a table of oware\(grand_slam=illegal", "oware(min_seeds=0)")
    file.rename(file.with_name("oware.mbt"))
    with pytest.raises(TableError, match="not of oware"):
        open_table(mbegu.game("oware"), file.parent)
    with pytest.raises(TableError, match="not of oware"):
        build(mbegu.game("oware"), 3, folder=file.parent)


@pytest.mark.parametrize("size", [0, 5, 100, HEADER_BYTES, HEADER_BYTES + 6187])
def test_a_truncated_table(file: Path, size: int) -> None:
    os.truncate(file, size)
    refused(file, "cut off" if size > 5 else "is not a table")


def test_a_table_that_is_too_long(file: Path) -> None:
    with file.open("ab") as end:
        end.write(b"x")
    refused(file, "cut off|bytes where")


@pytest.mark.parametrize("at", [9, 13, 20, 300, HEADER_BYTES, HEADER_BYTES + 6000])
def test_a_changed_byte(file: Path, at: int) -> None:
    data = bytearray(file.read_bytes())
    whole = bytes(data)
    data[at] ^= 1
    file.write_bytes(data)
    refused(file, "is damaged")
    build(mbegu.game(AWARI), SEEDS, folder=file.parent)
    assert file.read_bytes() == whole


LIES: dict[str, Any] = {
    "another version": lambda told: told | {"version": 9},
    "no object": lambda told: [told],
    "too deep": lambda _told: "[" * 50_000,
    "no layers": lambda told: told | {"layers": 7},
    "a game that is no text": lambda told: told | {"game": 5},
    "a size that is no number": lambda told: layer_with(told, size="x"),
    "a size below nothing": lambda told: layer_with(told, size=-5),
    "a huge size": lambda told: layer_with(told, size=10**30),
    "a name for the terminal": lambda told: layer_with(told, name="\x1b[31m"),
    "a field of its own": lambda told: layer_with(told, colour=1),
    "values that are no numbers": lambda told: layer_with(told, values={"x": 1}),
    "bytes without a meaning": lambda told: layer_with(told, facts=[[1, 1, 1]]),
    "meanings without numbers": lambda told: layer_with(told, facts="abc"),
    "meanings of two numbers": lambda told: layer_with(told, facts=[[0, 0]] * 60),
    "numbers too large": lambda told: layer_with(told, facts=[[10**20, 0, 0]] * 60),
    "too many meanings": lambda told: layer_with(told, facts=[[0, 0, 0]] * 400),
}


def layer_with(told: dict[str, Any], **lies: Any) -> dict[str, Any]:
    """A header whose last layer tells something else."""
    *others, last = told["layers"]
    return told | {"layers": [*others, last | lies]}


@pytest.mark.parametrize("lie", LIES)
def test_a_header_that_lies_with_a_right_checksum(lie: str, file: Path) -> None:
    """Neither compiled code nor anybody who lists tables falls over it."""
    data = file.read_bytes()
    length = int.from_bytes(data[8:12], "little")
    told = LIES[lie](json.loads(data[16 : 16 + length]))
    text = told.encode() if isinstance(told, str) else json.dumps(told).encode()
    block = data[:8] + struct.pack("<II", len(text), zlib.crc32(text)) + text
    file.write_bytes(block.ljust(HEADER_BYTES, b"\0") + data[HEADER_BYTES:])
    refused(file, "another version" if lie == "another version" else "is damaged")
    assert list_tables(file.parent)
    assert build(mbegu.game(AWARI), SEEDS, folder=file.parent) == file  # not refused for ever
    assert file.read_bytes() == data


def test_no_table_at_all(tmp_path: Path) -> None:
    refused(tmp_path / "none.mbt", "cannot be read")
    (tmp_path / "text.mbt").write_text("a text")
    refused(tmp_path / "text.mbt", "is not a table of Mbegu")
    refused(tmp_path, "cannot be read")


def test_a_position_that_is_not_in_the_table(folder: Path) -> None:
    table, game = built(AWARI, SEEDS, folder), mbegu.game(AWARI)
    assert table.look_up(game.start()) is None
    assert table.look_up(game.position("0-0-0-0-0-0-0-0-0-0-0-1-0-0-S")) is None  # over
    with pytest.raises(TableError, match="no tables for urubugu"):
        solver_of(mbegu.game("urubugu"))


def test_a_wrong_value_is_found(folder: Path) -> None:
    table = built(AWARI, SEEDS, folder)
    data = np.array(table.data)
    layer = table.header.layers[4]
    at = sum(table.solver.sizes(3)) + 700
    data[at] = (data[at] + 1) % len(layer.facts)
    with building.Threads(1, 1) as crew:
        assert table.solver.check(4, data, table.header.layers, crew) > 0


# ---- the command


def run(*arguments: str, code: int = 0) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "mbegu", "tables", *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == code, done.stderr
    assert "Traceback" not in done.stderr
    return done


def test_the_command(tmp_path: Path) -> None:
    out = ("--out", str(tmp_path))
    assert "no tables" in run("list", *out).stdout
    built_ = run("build", AWARI, "--seeds", "5", "--workers", "2", *out)
    path = tmp_path / f"{AWARI}.mbt"
    assert built_.stdout == f"The table is {path}\n"
    assert "5 on the board" in built_.stderr
    assert run("path", AWARI, *out).stdout == f"{path}\n"
    assert "at most 5 on the board, 6,188 positions" in run("list", *out).stdout
    facts = json.loads(run("info", AWARI, "--json", *out).stdout)
    assert facts["histograms"]["5"]["-5"] == 1892
    assert facts["seeds"] == 5
    assert "+5: 1,838" in run("info", AWARI, *out).stdout
    assert "all 6,188 positions" in run("verify", AWARI, *out).stdout
    text = tmp_path / "five.csv"
    run("export", AWARI, str(text), "--seeds", "5", *out)
    rows = [tuple(map(int, line.split(","))) for line in text.read_text().splitlines()]
    facts_ = solved(AWARI, 5)
    assert len(rows) == 4368
    assert all(facts_[row[:12]] == row[12:] for row in rows)
    copy = tmp_path / "copy.mbt"
    run("export", AWARI, str(copy), *out)
    assert copy.read_bytes() == path.read_bytes()


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (("info", "oware"), "mbegu tables build"),
        (("verify", "oware"), "mbegu tables build"),
        (("build", "oware", "--seeds", "99"), "1 to 24 on the board"),
        (("build", "urubugu"), "no tables for urubugu"),
        (("info", "urubugu"), "no tables for urubugu"),
        (("build", "chess"), "chess"),
        (("build", "oware", "--seeds", "many"), "many"),
    ],
)
def test_wrong_commands(arguments: tuple[str, ...], why: str, tmp_path: Path) -> None:
    done = run(*arguments, "--out", str(tmp_path), code=2)
    assert why in done.stderr
    assert done.stderr.count("\n") == 1

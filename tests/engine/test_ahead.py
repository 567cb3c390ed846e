"""Kernels compiled ahead of time think as those that Numba compiles: in a library, and in WebAssembly."""

from __future__ import annotations

import gc
import hashlib
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import thoughts
from node_host import ROOT, NodeHost
from prebuilt_kernels import prebuilt_kernels, small_table
from replays import CHROMIUM, Tab, chromium

import mbegu
from mbegu.core.clock import Clock
from mbegu.core.registry import OURS
from mbegu.engine import machine
from mbegu.engine import thread_data as layout
from mbegu.engine.ahead.build import build, compiled, is_fresh
from mbegu.engine.ahead.entries import state_classes
from mbegu.engine.ahead.link import emit
from mbegu.engine.ahead.targets import TARGETS, WASM, of_system, this_system
from mbegu.engine.engine import Engine, Limits
from mbegu.engine.levels import LevelBot
from mbegu.engine.tables import build as tables
from mbegu.engine.tables.lent import lent_table

POSITIONS, NODES = 200, 1500
SCRIPT = Path(thoughts.__file__)
COMPILERS = "numba,llvmlite"


@pytest.fixture(scope="session")
def prebuilt() -> Path:
    """The libraries of the default rules for this computer and for tabs, built once for these sources."""
    return prebuilt_kernels()


def run(prebuilt: Path | str, *words: object) -> dict[str, Any]:
    environment = {**os.environ, "MBEGU_PREBUILT": str(prebuilt)}
    command = [sys.executable, str(SCRIPT), *map(str, words)]
    done = subprocess.run(command, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    told: dict[str, Any] = json.loads(done.stdout)
    return told


@pytest.fixture(scope="session")
def by_numba() -> dict[str, Any]:
    """The thoughts of the code that Numba compiles now."""
    return run("0", POSITIONS, NODES)


def test_a_library_thinks_the_same_without_numba(prebuilt: Path, by_numba: dict[str, Any]) -> None:
    found = run(prebuilt, POSITIONS, NODES, COMPILERS)
    assert found.pop("imported") == ["numpy"]
    assert "numba" in by_numba["imported"]
    for game in OURS:
        assert found[game][0] is True
        assert len(found[game]) == 1 + POSITIONS
        assert found[game] == by_numba[game]


def test_with_a_library_numba_is_not_even_imported(prebuilt: Path) -> None:
    assert run(prebuilt, 1, 100)["imported"] == ["numpy"]


def test_a_plain_processor_thinks_the_same(
    prebuilt: Path, by_numba: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MBEGU_PROCESSOR", "plain")
    found = run(prebuilt, 20, NODES, COMPILERS)
    again = run("0", 20, NODES)
    assert [found[game] for game in OURS] == [again[game] for game in OURS]


def test_without_a_library_and_without_numba_the_readable_rules_think(tmp_path: Path) -> None:
    found = run(tmp_path, 2, 50, f"{COMPILERS},numpy")
    assert found["imported"] == []
    assert all(found[game][0] is False and len(found[game]) == 3 for game in OURS)


def test_a_library_of_other_sources_is_left_alone(prebuilt: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy"
    shutil.copytree(prebuilt, copy)
    told = json.loads((copy / "manifest.json").read_text())
    (copy / "manifest.json").write_text(json.dumps(told | {"sources": "0" * 64}))
    assert run(copy, 1, 50, COMPILERS)["oware"][0] is False


def test_a_damaged_library_is_left_alone(prebuilt: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy"
    shutil.copytree(prebuilt, copy)
    for file in copy.rglob("oware.*"):
        file.write_bytes(file.read_bytes()[:5000])
    found = run(copy, 1, 50, COMPILERS)
    assert found["oware"][0] is False
    assert found["kalah"][0] is True


SAY = """
import sys
sys.path.insert(0, ".")
from thoughts import Blocked
sys.meta_path.insert(0, Blocked(["numba", "llvmlite"]))
"""


@pytest.mark.parametrize("command", ["perft oware 3", "solve kalah(pits=2,seeds=2)"])
def test_without_numba_nobody_sees_a_traceback(command: str, tmp_path: Path) -> None:
    code = f"{SAY}\nfrom mbegu.cli import main\nsys.argv = ['mbegu', *{command.split()!r}]\nmain()"
    environment = {**os.environ, "MBEGU_PREBUILT": str(tmp_path), "MBEGU_CACHE": str(tmp_path)}
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=SCRIPT.parent,
        env=environment,
        capture_output=True,
        text=True,
    )
    assert "Traceback" not in done.stderr
    assert done.returncode == 0 or "[jit]" in done.stderr


# ---- the same bytes -------------------------------------------------------------------------------


def test_the_same_sources_make_the_same_bytes(
    prebuilt: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYTHONHASHSEED", "12345")
    monkeypatch.setenv("MBEGU_CACHE", str(tmp_path))  # where no bitcode is kept
    told = json.loads((prebuilt / "manifest.json").read_text())["libraries"]["morabaraba"]
    targets = [*of_system(this_system()), WASM]
    found = build(
        tmp_path / "again",
        targets,
        games=["morabaraba"],
        defaults_only=True,
        say=lambda _line: None,
    )
    again = found["libraries"]["morabaraba"]["sha256"]
    assert again == {name: told["sha256"][name] for name in again}
    for target in targets:
        path = prebuilt / target.name / f"morabaraba{target.suffix}"
        assert hashlib.sha256(path.read_bytes()).hexdigest() == again[target.name]


def test_what_was_built_for_others_stays(tmp_path: Path) -> None:
    """`make site` builds for tabs alone, after `make wheels` has built for this computer: the bundle has both."""
    here = of_system(this_system())
    for targets in (here, [WASM]):
        build(tmp_path, targets, games=["oware"], defaults_only=True, say=lambda _line: None)
        told = json.loads((tmp_path / "manifest.json").read_text())["libraries"]["oware"]
        if targets is here:
            assert is_fresh(tmp_path, here)
            assert not is_fresh(tmp_path, [WASM])
    assert set(told["sha256"]) == {target.name for target in (*here, WASM)}
    assert is_fresh(tmp_path, [*here, WASM])
    other = {"sources": "others", "libraries": {"kalah": {"sha256": {}}}}
    (tmp_path / "manifest.json").write_text(json.dumps(other))
    found = build(tmp_path, [WASM], games=["oware"], defaults_only=True, say=lambda _line: None)
    assert list(found["libraries"]) == ["oware"]


# ---- WebAssembly ----------------------------------------------------------------------------------


def test_a_module_imports_its_memory_alone(prebuilt: Path) -> None:
    for module in (prebuilt / "wasm").glob("*.wasm"):
        told = subprocess.run(
            ["node", "-e", IMPORTS, str(module)], capture_output=True, text=True, check=True
        )
        assert told.stdout.strip() == "env.memory"
        assert 20_000 < module.stat().st_size < 450_000


IMPORTS = """
const module = new WebAssembly.Module(require("fs").readFileSync(process.argv[1]));
console.log(WebAssembly.Module.imports(module).map((each) => `${each.module}.${each.name}`).join());
"""
Opened = Callable[..., list[NodeHost]]
with_web = pytest.mark.skipif(not (ROOT / "web" / "node_modules").exists(), reason="npm ci in web/")


@pytest.fixture
def tab(prebuilt: Path) -> Iterator[Opened]:
    """Once called, this process thinks in Node, as Python in a tab does."""
    opened: list[NodeHost] = []
    libraries = json.loads((prebuilt / "manifest.json").read_text())["libraries"]

    def begin(
        helpers: int = 0, table: Path | None = None, told_of_it: object = None
    ) -> list[NodeHost]:
        def supply(state: str) -> tuple[NodeHost, dict[str, Any]] | None:
            for name, told in libraries.items():
                if told["state"] == state:
                    opened.append(NodeHost(prebuilt / "wasm" / f"{name}.wasm", helpers, table))
                    return opened[-1], told | {"table": told_of_it}
            return None

        machine.install(supply)
        return opened

    yield begin
    machine.install(None)
    for host in opened:
        host.close()


@pytest.fixture(scope="module")
def browser() -> Iterator[Tab | None]:
    """One page of Chromium for all that is asked again; None where there is none."""
    if CHROMIUM is None:
        yield None
        return
    with chromium() as page:
        yield page


@with_web
@pytest.mark.parametrize("game", OURS)
def test_a_tab_thinks_the_same(
    game: str, prebuilt: Path, by_numba: dict[str, Any], tab: Opened, browser: Tab | None
) -> None:
    opened = tab()
    found = json.loads(json.dumps(thoughts.thoughts(game, POSITIONS, NODES)))
    assert found == by_numba[game]
    (host,) = opened
    if browser is None:
        pytest.skip("CHROMIUM IS MISSING: ONLY NODE WAS COMPARED.")
    again = browser.replay(host.module, host.asked, host.told)
    assert again["asked"] > POSITIONS
    assert again["others"] == 0


@with_web
def test_a_tab_sees_its_deadline(tab: Opened) -> None:
    tab()
    game = mbegu.game("oware")
    infos = list(Engine(game, hash_mb=1).think(game.start(), Limits(movetime=0.3)))
    assert infos[-1].final
    assert infos[-1].depth > 4
    assert len(infos) > 4  # it tells of every step


# Few enough seeds to be solved: whoever searches, however many do, finds the same.
ENDING = {"pits": [1, 0, 2, 1, 3, 0, 17, 2, 1, 0, 1, 2, 0, 18], "to_move": 0}


@with_web
def test_two_workers_search_in_one_memory(tab: Opened) -> None:
    game = mbegu.game("kalah")
    position = game.from_json(ENDING)
    *_before, alone = Engine(game, hash_mb=4).think(position, Limits(nodes=10**6))
    opened = tab(helpers=1)
    engine = Engine(game, hash_mb=4, threads=8)
    *_before, both = engine.think(position, Limits(nodes=10**6))
    (host,) = opened
    assert engine._engine is not None
    assert engine._engine.threads == 2  # type: ignore[union-attr]
    assert alone.lines[0].score.exact
    assert both.lines[0].score == alone.lines[0].score
    *_before, info = engine.think(game.start(), Limits(movetime=0.3))
    words = engine._engine.thread_data[1].words  # type: ignore[union-attr]
    assert words[layout.NODES] > 0  # the other one has searched too
    assert info.nodes > words[layout.NODES]
    assert [asked[0] for asked in host.asked].count("begin") > 4


@with_web
def test_a_table_tells_a_tab_the_same(
    tab: Opened, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = mbegu.game("oware")
    file, told = small_table(tmp_path, "oware", 5)
    monkeypatch.setenv("MBEGU_TABLES", str(tables.build(game, 5, folder=tmp_path).parent))

    def thoughts_of_endings() -> list[Any]:
        engine = Engine(game, hash_mb=1)
        infos = [list(engine.think(each, Limits(nodes=3000)))[-1] for each in endings(game)]
        assert engine._engine.ending is not None  # type: ignore[union-attr]
        return [(info.depth, info.nodes, info.lines) for info in infos]

    native = thoughts_of_endings()
    tab(0, file, told)
    assert thoughts_of_endings() == native
    variant = mbegu.game("oware(min_seeds=0)")
    assert lent_table(machine.machine_of(state_classes("oware")[0]), variant) is None  # type: ignore[arg-type]


def endings(game: Any) -> Iterator[Any]:
    for seeds in ("1-0-2-0-0-1-0-1-0-0-2-0", "0-3-0-0-0-1-1-0-0-1-0-1", "1-1-1-0-0-0-0-0-0-3-1-0"):
        left = 48 - sum(map(int, seeds.split("-")))
        for captured in range(left - 24, 25, 2):
            for side in "SN":
                yield game.position(f"{seeds}-{captured}-{left - captured}-{side}")


@with_web
def test_a_level_that_thinks_anew_for_each_move_takes_no_more_memory(tab: Opened) -> None:
    opened = tab()
    position = mbegu.game("oware").start()

    def taken() -> int:
        position_after = LevelBot(7, seed=1).think(position, (), Clock())
        assert position_after is not None
        gc.collect()
        return opened[0].allocate(0)

    first = taken()
    assert [taken() for _move in range(5)] == [first] * 5


def test_every_target_can_be_written() -> None:
    """The object files of all systems, from one bitcode; linking them is for `make wheels`."""
    code, told = compiled("morabaraba", state_classes("morabaraba")[0])
    assert "search_root" in told["entries"]
    heads = {"linux": b"\x7fELF", "windows": b"\x64\x86", "macos": b"\xcf\xfa\xed\xfe"}
    for target in TARGETS.values():
        assert emit(code, target).startswith(heads[target.name.partition("-")[0]])

"""Kernels compiled ahead of time think as those that Numba compiles: in a library, and in WebAssembly."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import thoughts
from node_host import ROOT, NodeHost

import mbegu
from mbegu.core.registry import OURS
from mbegu.engine import machine
from mbegu.engine.ahead.build import build, compiled, is_fresh
from mbegu.engine.ahead.entries import state_classes
from mbegu.engine.ahead.link import emit
from mbegu.engine.ahead.targets import TARGETS, WASM, of_system, this_system
from mbegu.engine.cache import cache_folder, source_digest

POSITIONS, NODES = 200, 1500
SCRIPT = Path(thoughts.__file__)
COMPILERS = "numba,llvmlite"


@pytest.fixture(scope="session")
def prebuilt() -> Path:
    """The libraries of the default rules for this computer and for tabs, built once for these sources."""
    ours = Path(mbegu.__file__).parent / "engine" / "ahead" / "prebuilt"
    if is_fresh(ours):
        return ours
    folder = cache_folder() / "ahead" / source_digest()[:20]
    if not is_fresh(folder):
        part = folder.with_name(f"{folder.name}.{os.getpid()}")
        build(part, [*of_system(this_system()), WASM], defaults_only=True)
        with contextlib.suppress(OSError):  # another process was quicker
            part.rename(folder)
    return folder


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
    assert done.returncode == 0 or ".[jit]" in done.stderr


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


# ---- WebAssembly ----------------------------------------------------------------------------------


def test_a_module_imports_nothing(prebuilt: Path) -> None:
    for module in (prebuilt / "wasm").glob("*.wasm"):
        count = subprocess.run(
            ["node", "-e", IMPORTS, str(module)], capture_output=True, text=True, check=True
        )
        assert count.stdout.strip() == "0"
        assert 20_000 < module.stat().st_size < 400_000


IMPORTS = """
const module = new WebAssembly.Module(require("fs").readFileSync(process.argv[1]));
console.log(WebAssembly.Module.imports(module).length);
"""


@pytest.fixture
def tab(prebuilt: Path) -> Iterator[list[NodeHost]]:
    """From now on this process thinks in Node, as Python in a tab does."""
    opened: list[NodeHost] = []
    libraries = json.loads((prebuilt / "manifest.json").read_text())["libraries"]

    def supply(state: str) -> tuple[NodeHost, dict[str, Any]] | None:
        for name, told in libraries.items():
            if told["state"] == state:
                opened.append(NodeHost(prebuilt / "wasm" / f"{name}.wasm"))
                return opened[-1], told
        return None

    machine.install(supply)
    yield opened
    machine.install(None)
    for host in opened:
        host.close()


@pytest.mark.skipif(not (ROOT / "web" / "node_modules").exists(), reason="npm ci in web/")
@pytest.mark.parametrize("game", OURS)
def test_a_tab_thinks_the_same(game: str, by_numba: dict[str, Any], tab: list[NodeHost]) -> None:
    found = json.loads(json.dumps(thoughts.thoughts(game, POSITIONS, NODES)))
    assert tab
    assert found == by_numba[game]


@pytest.mark.skipif(not (ROOT / "web" / "node_modules").exists(), reason="npm ci in web/")
def test_a_tab_sees_its_deadline(tab: list[NodeHost]) -> None:
    from mbegu.engine.engine import Engine, Limits

    game = mbegu.game("oware")
    *_before, info = Engine(game, hash_mb=1).think(game.start(), Limits(movetime=0.3))
    assert info.final
    assert info.depth > 4


def test_every_target_can_be_written() -> None:
    """The object files of all systems, from one bitcode; linking them is for `make wheels`."""
    code, told = compiled("morabaraba", state_classes("morabaraba")[0])
    assert "search_root" in told["entries"]
    heads = {"linux": b"\x7fELF", "windows": b"\x64\x86", "macos": b"\xcf\xfa\xed\xfe"}
    for target in TARGETS.values():
        assert emit(code, target).startswith(heads[target.name.partition("-")[0]])

"""The disk cache, with real processes: cold, warm, at once, damaged, barred, full, outdated."""

from __future__ import annotations

import ast
import errno
import hashlib
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path
from types import SimpleNamespace

import pytest

import mbegu
from mbegu.engine import cache
from mbegu.engine.compiler import DIGEST

PERFT = """
from mbegu.engine import cache
from mbegu.engine.perft import perft
cache.on_compile(lambda name: print("compiling", name))
start = {"pits": [4] * 6 + [0] + [4] * 6 + [0], "to_move": 0}
print(perft("kalah", {}, start, 6).nodes)
"""


def run(folder: Path, sources: Path) -> subprocess.Popen[str]:
    environment = {**os.environ, "MBEGU_CACHE": str(folder), "PYTHONPATH": str(sources)}
    return subprocess.Popen(
        [sys.executable, "-c", PERFT],
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def said(process: subprocess.Popen[str]) -> tuple[list[str], str]:
    out, err = process.communicate(timeout=100)
    assert process.returncode == 0, err
    return out.splitlines(), err


COMPILED = ["compiling mbegu.engine.kernels.walk.walk", "23233"]


@pytest.fixture(scope="module")
def sources(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The package as it is now, safe from edits while the tests run."""
    folder = tmp_path_factory.mktemp("src")
    shutil.copytree(Path(mbegu.__file__).parent, folder / "mbegu")
    return folder


@pytest.fixture(scope="module")
def warm(tmp_path_factory: pytest.TempPathFactory, sources: Path) -> Path:
    """A cache that two processes have filled at the same time."""
    folder = tmp_path_factory.mktemp("cache")
    for process in [run(folder, sources), run(folder, sources)]:
        out, err = said(process)
        assert out[-1] == "23233"
        assert err == ""
    assert len(list(folder.rglob("*.bin"))) == 1
    assert not list(folder.rglob("*.tmp"))
    return folder


def test_a_warm_cache_needs_no_compiling(warm: Path, sources: Path) -> None:
    assert said(run(warm, sources)) == (["23233"], "")


def test_a_damaged_entry_is_compiled_anew(warm: Path, sources: Path, tmp_path: Path) -> None:
    folder = tmp_path / "copy"
    shutil.copytree(warm, folder)
    (entry,) = folder.rglob("*.bin")
    whole = entry.read_bytes()
    entry.write_bytes(whole[:1000] + b"x" + whole[1001:])
    out, err = said(run(folder, sources))
    assert out == COMPILED
    assert "damaged" in err
    assert err.count("\n") == 1
    mended = entry.read_bytes()
    assert hashlib.sha256(mended[DIGEST:]).digest() == mended[:DIGEST]


def test_a_folder_that_cannot_be_used(sources: Path, tmp_path: Path) -> None:
    barred = tmp_path / "file"
    barred.write_text("not a folder")
    out, err = said(run(barred, sources))
    assert out == COMPILED
    assert f"the cache {barred} cannot be used (Not a directory)" in err
    assert err.count("\n") == 1


def test_changed_rules_never_meet_an_old_kernel(warm: Path, sources: Path, tmp_path: Path) -> None:
    edited = tmp_path / "src"
    shutil.copytree(sources, edited)
    kernel = edited / "mbegu" / "games" / "kalah" / "kernel.py"
    text = kernel.read_text(encoding="utf-8")
    changed = text.replace("across if empty_capture else facing", "across")
    assert changed != text
    kernel.write_text(changed, encoding="utf-8")
    out, err = said(run(warm, edited))
    assert out == [COMPILED[0], "23169"]  # the count of empty_capture=True
    assert err == ""
    assert said(run(warm, sources)) == (["23233"], "")  # and the other is still there


def test_a_full_disk(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    from mbegu.engine.jit import compiled

    def full(path: Path, entry: bytes) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setenv("MBEGU_CACHE", str(tmp_path))
    monkeypatch.setattr(cache, "replace_file", full)
    cache._told.clear()
    assert compiled(_double)(21) == 42
    assert "No space left" in caplog.text
    assert caplog.text.count("\n") == 1


def _double(number: int) -> int:
    return 2 * number


def test_old_folders_are_pruned(tmp_path: Path) -> None:
    now = time.time()
    for age in range(8):
        folder = tmp_path / f"version{age}"
        folder.mkdir()
        (folder / "kernel.bin").write_bytes(b"")
        os.utime(folder, (now - 3600 * age, now - 3600 * age))
    ancient = now - 2 * cache.KEPT_SECONDS
    os.utime(tmp_path / "version2", (ancient, ancient))
    current = tmp_path / "version5"
    cache.prune(current)
    left = sorted(folder.name for folder in tmp_path.iterdir())
    assert left == ["version0", "version1", "version3", "version4", "version5"]


def test_where_the_cache_stands(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("MBEGU_CACHE", raising=False)
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert cache.cache_folder() == tmp_path / "mbegu"
    monkeypatch.setenv("MBEGU_CACHE", str(tmp_path / "mine"))
    assert cache.cache_folder() == tmp_path / "mine"


def test_mbegu_itself_does_not_import_numba() -> None:
    asked = "import sys, mbegu, mbegu.engine, mbegu.engine.perft; print('numba' in sys.modules)"
    answer = subprocess.run([sys.executable, "-c", asked], capture_output=True, text=True)
    assert answer.stdout.strip() == "False"


def test_compiled_code_imports_only_what_its_fingerprint_is_made_from() -> None:
    engine = Path(cache.__file__).parent
    for source in cache.compiled_sources():
        for node in ast.walk(ast.parse(source.read_text(encoding="utf-8"))):
            names = []
            if isinstance(node, ast.ImportFrom) and node.module:
                names = [node.module, *(f"{node.module}.{alias.name}" for alias in node.names)]
            elif isinstance(node, ast.Import):
                names = [alias.name for alias in node.names]
            for name in names:
                assert name not in {
                    f"mbegu.engine.{face.replace('/', '.')}" for face in cache.FACES
                }, source
    for face in cache.FACES:
        text = (engine / f"{face}.py").read_text(encoding="utf-8")
        assert "@compiled" not in text
        assert "njit" not in text


def test_a_changed_kernel_has_another_fingerprint_and_a_changed_face_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    engine = tmp_path / "engine"
    shutil.copytree(Path(cache.__file__).parent, engine)
    monkeypatch.setattr(cache, "__file__", str(engine / "cache.py"))
    made = cache.source_digest.__wrapped__
    before = made()
    for name, same in (("deepening.py", True), ("evaluation/__init__.py", False)):
        with (engine / name).open("a", encoding="utf-8") as source:
            source.write("# changed\n")
        assert (made() == before) is same


def test_a_changed_table_is_another_kernel(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Tables become part of compiled code: of ours, and of a package that brings its own kernel."""
    (tmp_path / "engine").mkdir()
    (tmp_path / "engine" / "search.py").touch()
    table = tmp_path / "games" / "zama" / "windows.bin"
    table.parent.mkdir(parents=True)
    monkeypatch.setattr(cache, "__file__", str(tmp_path / "engine" / "cache.py"))
    found = set()
    for content in (b"one", b"two"):
        table.write_bytes(content)
        found.add(cache.source_digest.__wrapped__())
    assert len(found) == 2

    (table.parent / "__init__.py").touch()
    state = type("ZamaState", (), {})
    monkeypatch.setattr(cache, "_makers", {state: {table.parent / "kernel.py"}})
    monkeypatch.setattr(cache, "_digest_of_files", lambda names: " ".join(sorted(names)))
    told = cache.digest_of_states(SimpleNamespace(args=[SimpleNamespace(instance_class=state)]))
    assert str(table) in told

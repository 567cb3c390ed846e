"""Builds libraries: each class of states is compiled once, in a process of its own, for all targets.

The same sources, Numba and linker make the same bytes.
"""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from importlib.metadata import version
from pathlib import Path
from typing import Any

from mbegu.core.registry import OURS
from mbegu.engine.ahead.compile import SETTINGS
from mbegu.engine.ahead.endings import FOLDER, write_table
from mbegu.engine.ahead.entries import library_name, state_classes
from mbegu.engine.ahead.link import emit, link
from mbegu.engine.ahead.targets import Target
from mbegu.engine.cache import compiled_sources, source_digest

__all__ = ["build"]

Say = Callable[[str], None]


def build(
    folder: Path,
    targets: Sequence[Target],
    *,
    games: Iterable[str] = OURS,
    defaults_only: bool = False,
    tables: bool = False,
    say: Say = print,
) -> dict[str, Any]:
    """Writes the libraries of some games for some targets into a folder, and the manifest; with `tables`
    the small endgame tables of the default rules too, for tabs. What the folder has for other targets stays,
    if it was made from the same sources."""
    wanted = [
        (game, each)
        for game in games
        for each in state_classes(game)[: 1 if defaults_only else None]
    ]
    with ThreadPoolExecutor(max_workers=os.cpu_count() or 1) as workers:
        made = list(workers.map(lambda each: _build_class(folder, targets, each, say), wanted))
    for game in games if tables else ():
        told = write_table(folder, game)
        if told is not None:
            dict(made)[library_name(state_classes(game)[0])]["table"] = told
            say(
                f"{FOLDER}/{told['file']}: {sum(size for _name, size, _facts in told['layers']) // 1000} kB"
            )
    manifest = _origin()
    manifest["libraries"] = _joined(_kept(folder), dict(made))
    text = json.dumps(manifest, indent=1, sort_keys=True) + "\n"
    (folder / "manifest.json").write_text(text, encoding="utf-8")
    return manifest


def _origin() -> dict[str, Any]:
    """What decides the bytes of all libraries."""
    made_with = {name: version(name) for name in ("numba", "llvmlite", "ziglang")}
    return {"sources": source_digest(), "made with": made_with}


def _kept(folder: Path) -> dict[str, dict[str, Any]]:
    """The libraries that a folder has already, if they were made as ours are."""
    told = _manifest(folder)
    alike = all(told.get(key) == value for key, value in _origin().items())
    return told["libraries"] if alike else {}


def _joined(kept: dict[str, Any], made: dict[str, Any]) -> dict[str, Any]:
    """What the manifest tells of all of them: each is for the targets of both."""
    found = {**kept, **made}
    for name in kept.keys() & made.keys():
        sums = {**kept[name]["sha256"], **made[name]["sha256"]}
        found[name] = {**kept[name], **made[name], "sha256": sums}
    return found


def _build_class(
    folder: Path, targets: Sequence[Target], wanted: tuple[str, type], say: Say
) -> tuple[str, dict[str, Any]]:
    """The libraries for one class of states; their name, and what the manifest tells of them."""
    game, state_class = wanted
    name = library_name(state_class)
    bitcode, told = compiled(game, state_class)
    told["sha256"] = {}
    for target in targets:
        path = folder / target.name / f"{name}{target.suffix}"
        link(emit(bitcode, target), target, list(told["entries"]), path)
        told["sha256"][target.name] = hashlib.sha256(path.read_bytes()).hexdigest()
        say(f"{target.name}/{path.name}: {path.stat().st_size // 1000} kB")
    return name, told


def compiled(game: str, state_class: type) -> tuple[bytes, dict[str, Any]]:
    """The bitcode of a library and its part of the manifest, from a process with Numba's settings."""
    with tempfile.TemporaryDirectory() as folder:
        code, told = Path(folder, "code.bc"), Path(folder, "told.json")
        done = subprocess.run(  # noqa: S603
            [
                *(sys.executable, "-m", "mbegu.engine.ahead.compile"),
                *(game, state_class.__name__, str(code), str(told)),
            ],
            env={**os.environ, **SETTINGS, "MBEGU_PREBUILT": "0"},
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode:
            raise RuntimeError(f"{state_class.__name__} could not be compiled:\n{done.stderr}")
        return code.read_bytes(), json.loads(told.read_text(encoding="utf-8"))


def is_fresh(folder: Path, targets: Iterable[Target] = ()) -> bool:
    """Whether a folder has the libraries of these sources, each of them for these targets."""
    told = _manifest(folder)
    if not compiled_sources() or told.get("sources") != source_digest():
        return False
    return all(
        target.name in library["sha256"]
        and (folder / target.name / f"{name}{target.suffix}").is_file()
        for name, library in told["libraries"].items()
        for target in targets
    )


def _manifest(folder: Path) -> dict[str, Any]:
    """What a folder tells of its libraries; empty if there are none."""
    try:
        told: dict[str, Any] = json.loads((folder / "manifest.json").read_bytes())
    except (OSError, ValueError):
        return {}
    return told

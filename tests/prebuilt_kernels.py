"""The kernels of the default rules, compiled ahead of time for this computer and for tabs: once for these sources."""

from __future__ import annotations

import os
import time
from pathlib import Path

from mbegu.core.files import lock_file
from mbegu.core.registry import OURS
from mbegu.engine.ahead import __file__ as ahead
from mbegu.engine.ahead.build import build, is_fresh
from mbegu.engine.ahead.endings import write_table
from mbegu.engine.ahead.entries import library_name, state_classes
from mbegu.engine.ahead.targets import WASM, of_system, this_system
from mbegu.engine.cache import cache_folder, source_digest

__all__ = ["prebuilt_kernels", "small_table"]


def prebuilt_kernels() -> Path:
    """The folder; whoever comes first builds it, the others wait."""
    ours = Path(ahead).with_name("prebuilt")
    if is_fresh(ours) and _has_all(ours):
        return ours
    folder = cache_folder() / "ahead" / source_digest()[:20]
    folder.parent.mkdir(parents=True, exist_ok=True)
    handle = os.open(folder.with_suffix(".lock"), os.O_RDWR | os.O_CREAT)
    try:
        while not lock_file(handle):
            time.sleep(0.5)
        if not is_fresh(folder):
            build(folder, [*of_system(this_system()), WASM], defaults_only=True)
    finally:
        os.close(handle)
    return folder


def _has_all(folder: Path) -> bool:
    """Whether a clone's own libraries are for this computer too: `make site` builds those for tabs alone."""
    names = [library_name(state_classes(game)[0]) for game in OURS]
    return all(
        (folder / target.name / f"{name}{target.suffix}").exists()
        for target in (*of_system(this_system()), WASM)
        for name in names
    )


def small_table(folder: Path, game: str, seeds: int) -> tuple[Path, dict[str, object]]:
    """An endgame table as a tab has it, and what is told of it."""
    told = write_table(folder, game, seeds)
    assert told is not None
    return folder / "tables" / told["file"], told

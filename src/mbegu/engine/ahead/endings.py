"""Small endgame tables for tabs, which have neither files to read nor time to build one."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any

from mbegu.core.registry import game as find_game
from mbegu.engine.cache import cache_folder, replace_file, source_digest
from mbegu.engine.tables.build import build
from mbegu.engine.tables.file import HEADER_BYTES, read_header
from mbegu.engine.tables.lent import told_table
from mbegu.engine.tables.solver import TableError, solver_of

__all__ = ["FOLDER", "write_table"]

FOLDER = "tables"  # in the folder of the libraries


def write_table(folder: Path, name: str, most: int | None = None) -> dict[str, Any] | None:
    """Writes the bytes of a game's table, and tells what they are; None for a game that has no tables, or none that is small enough.

    `most` is how many seeds it has, if not as many as the game says."""
    game = find_game(name)
    try:
        solver = solver_of(game)
    except TableError:
        return None
    seeds = solver.light if most is None else most
    if seeds == 0:
        return None
    kept = cache_folder() / "tab-tables" / source_digest()[:20] / str(seeds)
    path = build(game, seeds, folder=kept)
    layers = read_header(path).layers
    data = path.read_bytes()[HEADER_BYTES:]
    target = folder / FOLDER / f"{name}.bin"
    target.parent.mkdir(parents=True, exist_ok=True)
    replace_file(target, data)
    digest = hashlib.sha256(data).hexdigest()
    return {**told_table(game, layers), "file": target.name, "sha256": digest}

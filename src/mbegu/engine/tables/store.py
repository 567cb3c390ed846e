"""Where tables are kept, and the ones that are open.

$MBEGU_TABLES, or tables/ in the user's data folder
  oware.mbt   oware(grand_slam=illegal,min_seeds=0).mbt   …
"""

from __future__ import annotations

import os
from pathlib import Path

from mbegu.core.folders import data_folder
from mbegu.core.game import Game
from mbegu.engine.tables.file import Header, Table, check_size, read_header, read_table
from mbegu.engine.tables.solver import TableError, tabled

__all__ = ["list_tables", "open_table", "table_folder", "table_path"]

SUFFIX = ".mbt"


def table_folder() -> Path:
    """Where this user's tables stand."""
    chosen = os.environ.get("MBEGU_TABLES")
    return Path(chosen) if chosen else data_folder() / "tables"


def table_path(game: Game, folder: Path | None = None) -> Path:
    """The file of a game's table, whether it is there or not."""
    return (folder or table_folder()) / f"{tabled(game)}{SUFFIX}"


def open_table(game: Game, folder: Path | None = None) -> Table:
    """The table of a game, mapped into memory; TableError if there is none or it cannot be believed."""
    return read_table(table_path(game, folder), game)


def list_tables(folder: Path | None = None) -> list[tuple[Path, Header | TableError]]:
    """The tables of a folder, by name, and what is wrong with those that are not."""
    found: list[tuple[Path, Header | TableError]] = []
    for path in sorted((folder or table_folder()).glob(f"*{SUFFIX}")):
        try:
            header = read_header(path)
            check_size(path, header, path.stat().st_size)
            found.append((path, header))
        except TableError as error:
            found.append((path, error))
    return found

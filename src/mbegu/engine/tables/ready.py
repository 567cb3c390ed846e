"""The tables that an engine has at hand: opened once a process, made in the background if there are none."""

from __future__ import annotations

import logging
import os
import threading
from functools import cache

from mbegu.core.errors import MbeguError
from mbegu.core.game import Game
from mbegu.core.i18n import _
from mbegu.engine.tables.file import Table
from mbegu.engine.tables.solver import TableError, solver_of
from mbegu.engine.tables.store import open_table, table_path

__all__ = ["at_hand", "prepare"]

log = logging.getLogger("mbegu.engine")

_open: dict[Game, tuple[object, Table]] = {}
_refused: dict[Game, object] = {}
_lock = threading.Lock()


def at_hand(game: Game) -> Table | None:
    """The table of a game, if there is one; a bad one is told of once, and the search goes on without."""
    if _unwanted():
        return None
    path = table_path(game)
    try:
        there = path.stat()
    except OSError:
        return None
    stamp = path, there.st_mtime_ns, there.st_size, there.st_ino
    with _lock:
        if game in _open and _open[game][0] == stamp:
            return _open[game][1]
        if _refused.get(game) == stamp:
            return None
        try:
            table = open_table(game)
        except TableError as error:
            _refused[game] = stamp
            log.warning("%s", _("{trouble}; thinking goes on without it").format(trouble=error))
            return None
        _open[game] = stamp, table
        return table


def _unwanted() -> bool:
    """Whether the variable that tells where tables are is there, and says nowhere."""
    return os.environ.get("MBEGU_TABLES") == ""


def prepare(game: Game) -> threading.Thread | None:
    """Makes the usual table of a game in the background, unless there is one already."""
    if _unwanted() or table_path(game).exists():
        return None
    try:
        solver_of(game)
    except TableError:
        return None
    return _begun(game)


@cache
def _begun(game: Game) -> threading.Thread:
    """Once a process."""
    thread = threading.Thread(target=_build, args=(game,), daemon=True)
    thread.start()
    return thread


def _build(game: Game) -> None:
    from mbegu.engine.tables.build import build  # noqa: PLC0415 - not for those who only read

    try:
        build(game)
    except MbeguError as error:
        # Another process builds it, the disk is full, nothing can be compiled here: it is not needed.
        log.info("%s", error)

"""Copies of everything that a server keeps, in one file that any database can take back.

A copy is gzipped JSON, one line a row, with a head and an end, so that a torn file is noticed. It
holds the secret that signs the cookies and the hashes of passwords: it is readable by its owner only.
"""

import gzip
import json
import os
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TextIO

import sqlalchemy as sa

from mbegu.core.errors import MbeguError, system_words
from mbegu.core.i18n import _
from mbegu.server.keep.database import clock, is_sqlite
from mbegu.server.keep.rows import load_rooms
from mbegu.server.keep.store import RoomRow, Store, StoreError
from mbegu.server.keep.tables import LATEST, metadata, processes, rooms
from mbegu.server.net.messages import moment
from mbegu.server.play.game_state import Course

__all__ = ["BackupError", "BackupSummary", "check", "restore", "save"]

FORMAT = 1
PAGE = 500  # rows at once
KEPT = [table for table in metadata.tables.values() if table is not processes]
Progress = Callable[[int], None]


class BackupError(StoreError):
    """A copy that cannot be made, read or taken back."""


@dataclass(frozen=True)
class BackupSummary:
    """What a copy holds, and the games in it that cannot be played again."""

    games: int
    events: int
    damaged: tuple[str, ...] = ()


# ---- saving


def save(url: str, file: Path, force: bool = False) -> BackupSummary:
    """Writes everything into a file, as it stands at one moment; the server may go on meanwhile."""
    if file.exists() and not force:
        raise BackupError(
            _("{file} exists already: choose another name, or overwrite it with --force").format(
                file=file
            )
        )
    _must_be_there(url)
    with _opened(url) as engine, _whole_file(file) as out:
        counts: Counter[str] = Counter()
        _write_line(out, {"mbegu": "backup", "format": FORMAT, "revision": LATEST, **_made()})
        with _one_moment(engine) as connection:
            for table in KEPT:
                for row in _rows(connection, table):
                    _write_line(out, [table.name, row])
                    counts[table.name] += 1
        _write_line(out, {"end": counts})
        return BackupSummary(counts["rooms"], counts["events"])


def _must_be_there(url: str) -> None:
    """A file that is missing would be made, and an empty copy of it would look like a good one."""
    found = sa.make_url(url if "://" in url else f"sqlite:///{url}")
    if found.get_backend_name() == "sqlite" and not Path(found.database or "").is_file():
        raise BackupError(_("there is no database {name}").format(name=found.database))


def _made() -> dict[str, str]:
    return {"made": moment(time.time())}


def _write_line(out: TextIO, line: Any) -> None:
    out.write(json.dumps(line, separators=(",", ":")) + "\n")


@contextmanager
def _opened(url: str) -> Iterator[sa.Engine]:
    with closing(Store(url)) as store:
        yield store.engine


@contextmanager
def _one_moment(engine: sa.Engine) -> Iterator[sa.Connection]:
    """A connection that sees everything as it is now, whatever happens meanwhile."""
    # In SQLite every transaction is so.
    level = {} if is_sqlite(engine) else {"isolation_level": "REPEATABLE READ"}
    with engine.execution_options(**level).connect() as connection, connection.begin():
        yield connection


def _rows(connection: sa.Connection, table: sa.Table) -> Iterator[dict[str, Any]]:
    found = connection.execution_options(yield_per=PAGE).execute(
        sa.select(table).order_by(*table.primary_key.columns)
    )
    for row in found.mappings():
        yield {**row, "host": None} if table is rooms else dict(row)


@contextmanager
def _whole_file(file: Path) -> Iterator[TextIO]:
    """A gzipped file that is there as a whole or not at all."""
    try:
        number, name = tempfile.mkstemp(prefix=f".{file.name}.", dir=file.parent)
    except OSError as error:
        raise BackupError(
            _("{file} cannot be written: {why}").format(file=file, why=system_words(error))
        ) from None
    try:
        with os.fdopen(number, "wb") as raw:
            with gzip.open(raw, "wt", encoding="utf-8", compresslevel=6) as out:
                yield out
            raw.flush()
            os.fsync(raw.fileno())
        Path(name).replace(file)
    except OSError as error:
        raise BackupError(
            _("{file} cannot be written: {why}").format(file=file, why=system_words(error))
        ) from None
    finally:
        Path(name).unlink(missing_ok=True)


# ---- taking back


def restore(file: Path, url: str, force: bool = False) -> BackupSummary:
    """Puts a copy into a database, all of it or nothing; only into an empty one, unless forced."""
    with _opened(url) as engine, engine.connect() as plain:
        connection = plain.execution_options(mbegu_write=True)
        with connection.begin():
            _must_be_free(connection, force)
            for table in reversed(KEPT):
                connection.execute(sa.delete(table))
            counts: Counter[str] = Counter()
            for table, page in _pages(file):
                connection.execute(sa.insert(table), page)
                counts[table.name] += len(page)
        return BackupSummary(counts["rooms"], counts["events"])


def _must_be_free(connection: sa.Connection, force: bool) -> None:
    living = sa.select(sa.func.count()).where(processes.c.until > clock(connection))
    if connection.scalar(living):
        raise BackupError(_("a server runs on this database: stop it first"))
    filled = any(
        connection.scalar(sa.select(sa.func.count()).select_from(table))
        for table in KEPT
        if table.name != "settings"
    )
    if filled and not force:
        raise BackupError(
            _("the database is not empty: choose another one, or replace all it holds with --force")
        )


def _pages(file: Path) -> Iterator[tuple[sa.Table, list[dict[str, Any]]]]:
    """The rows of a copy, many at a time, each page of one table; checked to the end."""
    page: list[dict[str, Any]] = []
    current: sa.Table | None = None
    for table, row in _checked_lines(file):
        if current is not None and (table is not current or len(page) == PAGE):
            yield current, page
            page = []
        current = table
        page.append(row)
    if current is not None and page:
        yield current, page


def _checked_lines(file: Path) -> Iterator[tuple[sa.Table, dict[str, Any]]]:
    counts: Counter[str] = Counter()
    number = 0
    try:
        with gzip.open(file, "rt", encoding="utf-8") as lines:
            for number, text in enumerate(lines, 1):
                line = json.loads(text)
                if number == 1:
                    _check_head(line, file)
                elif isinstance(line, dict):
                    if dict(counts) != line["end"]:
                        break
                    return
                else:
                    name, row = line
                    counts[name] += 1
                    yield metadata.tables[name], row
    except FileNotFoundError:
        raise BackupError(_("{file} is not there").format(file=file)) from None
    except (OSError, EOFError, ValueError, KeyError, TypeError) as error:
        if isinstance(error, MbeguError):
            raise
        raise BackupError(
            _(
                "{file} is not a copy that mbegu backup has made, or it is damaged (line {line})"
            ).format(file=file, line=number + 1)
        ) from None
    raise BackupError(_("{file} is torn: its end is missing").format(file=file))


def _check_head(head: Any, file: Path) -> None:
    if head["mbegu"] != "backup" or head["format"] > FORMAT or head["revision"] > LATEST:
        raise BackupError(
            _("{file} was made by a newer version of Mbegu: install that one").format(file=file)
        )


# ---- checking


def check(url: str, progress: Progress = lambda _games: None) -> BackupSummary:
    """Plays every stored game again: the log of each must lead to what is told of it."""
    games, lines, damaged, last = 0, 0, list[str](), ""
    with _opened(url) as engine:
        while True:
            with _one_moment(engine) as connection:
                names = connection.scalars(
                    sa.select(rooms.c.id).where(rooms.c.id > last).order_by(rooms.c.id).limit(PAGE)
                ).all()
                found = load_rooms(connection, names)
            if not names:
                return BackupSummary(games, lines, tuple(damaged))
            for row in found:
                games, lines = games + 1, lines + len(row.log)
                if not _plays(row):
                    damaged.append(row.id)
            last = names[-1]
            progress(games)


def _plays(row: RoomRow) -> bool:
    try:
        course = Course(row)
        told = course.summary(row.updated, course.version)
    except (MbeguError, ValueError, KeyError, TypeError, AssertionError):
        return False
    numbered = [line.version for line in row.log] == list(range(1, row.version + 1))
    same = all(told[key] == getattr(row, key) for key in ("status", "plies", "position"))
    return numbered and same

"""The way to a database: its URL, its connections, and one clear line when it cannot be used.

A file name or a `sqlite:///` URL is a SQLite database, `postgresql://` a PostgreSQL server.
"""

import re
import sqlite3
from pathlib import Path
from typing import Any

import sqlalchemy as sa
from sqlalchemy.exc import ArgumentError, NoSuchModuleError

from mbegu.core.errors import MbeguError, system_words
from mbegu.core.extras import need
from mbegu.core.folders import data_folder
from mbegu.core.i18n import _
from mbegu.core.printable import one_line
from mbegu.server.play.ports import StoreError

__all__ = [
    "StoreError",
    "clock",
    "copy_file",
    "data_folder",
    "default_url",
    "existing_url",
    "is_sqlite",
    "open_engine",
    "refusal",
    "shown",
]

# A server that is gone without a word is noticed within seconds, not when the system gives up.
POSTGRES = {
    "connect_timeout": 5,
    "tcp_user_timeout": 8000,
    "keepalives_idle": 10,
    "keepalives_interval": 3,
    "keepalives_count": 3,
    "application_name": "mbegu",
}
_PASSWORD = re.compile(r"(://[^/@:]*:)([^@]*)(@?)")


def default_url() -> str:
    """The database of whoever does not name one."""
    return f"sqlite:///{data_folder() / 'mbegu.sqlite3'}"


def existing_url(chosen: str | None) -> str:
    """The database of one who looks after a server: it must be there, and is not made."""
    text = chosen or default_url()
    path = text.removeprefix("sqlite:///")
    if not path.startswith("file:") and "://" not in path and not Path(path).exists():
        raise StoreError(
            _(
                "there is no database {name}: say where the server has it, with --database or "
                "MBEGU_DATABASE"
            ).format(name=path)
        )
    return text


def _make_own_folder(folder: Path) -> None:
    """Our own data folder is made where it is missing; any other was mistyped, rather."""
    if folder.is_dir():
        return
    if folder != data_folder():
        raise StoreError(_("there is no folder {name}: make it first").format(name=folder))
    folder.mkdir(parents=True, exist_ok=True)


def shown(url: str) -> str:
    """A URL as it may be printed: without its password.

    >>> shown("postgresql://me:secret@db.school/mbegu")
    'postgresql://me:***@db.school/mbegu'
    """
    return _PASSWORD.sub(lambda found: f"{found[1]}***@" if found[3] else found[0], url)


def open_engine(text: str) -> sa.Engine:
    """The engine for a URL; a plain file name is a SQLite database."""
    try:
        url = sa.make_url(text if "://" in text else f"sqlite:///{text}")
        if url.get_backend_name() in ("postgresql", "postgres"):
            need("psycopg")
            url = url.set(drivername="postgresql+psycopg")
            # The values of the URL go first: they are somebody's choice.
            more = {key: value for key, value in POSTGRES.items() if key not in url.query}
            return sa.create_engine(url, pool_pre_ping=True, connect_args=more)
        if url.get_backend_name() != "sqlite":
            raise ArgumentError(_("only SQLite and PostgreSQL are supported"))
        if url.database in (None, "", ":memory:"):
            raise StoreError(_("the database needs a file: games in memory would be lost"))
        if not str(url.database).startswith("file:"):
            _make_own_folder(Path(str(url.database)).parent)
        engine = sa.create_engine(url)
    except (ArgumentError, NoSuchModuleError, ImportError, ValueError) as error:
        if isinstance(error, MbeguError):
            raise
        raise StoreError(
            _(
                "the database {name} cannot be used: {why}; write a file name or a URL like "
                "sqlite:///games.sqlite3 or postgresql://user:password@host/name"
            ).format(name=shown(text), why=one_line(shown(str(error))))
        ) from None
    except OSError as error:
        raise StoreError(refusal(system_words(error), text)) from None
    _tune_sqlite(engine)
    return engine


def is_sqlite(engine: sa.Engine | sa.Connection) -> bool:
    """Whether the database is a file of our own."""
    return engine.dialect.name == "sqlite"


def clock(connection: sa.Connection) -> float:
    """The time as the database tells it: the same for all who share it."""
    asked = (
        "SELECT (julianday('now') - 2440587.5) * 86400.0"
        if is_sqlite(connection)
        else "SELECT extract(epoch FROM clock_timestamp())::float8"
    )
    return float(connection.exec_driver_sql(asked).scalar_one())


def copy_file(engine: sa.Engine, ending: str) -> None:
    """Copies a SQLite database to a file beside it, once: what was there before a migration."""
    path = Path(f"{engine.url.database}.{ending}")
    if str(path).startswith("file:") or path.exists():
        return
    part = path.with_name(path.name + ".part")
    part.unlink(missing_ok=True)
    part.touch(0o600)  # it holds secrets, as the database does
    line, copy = engine.raw_connection(), sqlite3.connect(part)
    try:
        source: Any = line.driver_connection
        source.backup(copy)
    finally:
        copy.close()
        line.close()
    part.replace(path)


def _tune_sqlite(engine: sa.Engine) -> None:
    """Write-ahead log, every commit on the disk, and transactions that begin where we say so."""

    @sa.event.listens_for(engine, "connect")
    def connected(raw: Any, _record: Any) -> None:
        raw.isolation_level = None  # or Python's driver would begin transactions by itself
        cursor = raw.cursor()
        cursor.execute("PRAGMA busy_timeout = 5000")
        cursor.execute("PRAGMA journal_mode = WAL")
        cursor.execute("PRAGMA synchronous = FULL")
        cursor.execute("PRAGMA foreign_keys = ON")
        cursor.close()

    @sa.event.listens_for(engine, "begin")
    def begun(connection: sa.Connection) -> None:
        writes = connection.get_execution_options().get("mbegu_write")
        connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")


def refusal(why: str, name: str) -> str:
    """What is wrong with a database, and what to do about it."""
    lower, why = why.lower(), one_line(shown(why))
    if "not a database" in lower or "malformed" in lower:
        return _(
            "{name} is not a Mbegu database, or it is damaged: move it away or choose another with "
            "--database"
        ).format(name=name)
    if "password" in lower or "authentication failed" in lower:
        return _(
            "the database {name} does not let us in: check the user and the password in its URL"
        ).format(name=name)
    if "does not exist" in lower:
        return _(
            "the database {name} is not there: make it with createdb, or choose another with "
            "--database"
        ).format(name=name)
    if "readonly" in lower or "read-only" in lower or "permission denied" in lower:
        return _(
            "the database {name} cannot be written: change its permissions or choose another with "
            "--database"
        ).format(name=name)
    if "connection" in lower and ("refused" in lower or "timeout" in lower or "failed" in lower):
        return _(
            "the database {name} does not answer: is its server running, and is this its address?"
        ).format(name=name)
    return _("the database {name} cannot be opened: {why}; choose another with --database").format(
        name=name, why=why
    )

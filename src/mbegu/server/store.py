"""What the server keeps: rooms, their seats, and the events that are a game's record.

All changes go through one writer thread, which commits together what has come in meanwhile, so that
many games share the cost of a disk that must say "written". SQLite by default, other databases by URL.
"""

import asyncio
import json
import os
import queue
import secrets
import sys
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

import sqlalchemy as sa
from sqlalchemy.exc import ArgumentError, DBAPIError, NoSuchModuleError, SQLAlchemyError

from mbegu.core.errors import MbeguError
from mbegu.core.i18n import _
from mbegu.server.tables import LATEST, events, rooms, seats, settings

__all__ = ["Happening", "RoomRow", "SeatRow", "Store", "StoreError", "data_folder", "default_url"]

Answer = TypeVar("Answer")
HASTE = 64  # changes that one commit takes at most


class StoreError(MbeguError):
    """The database cannot be opened, read or written."""


@dataclass(frozen=True)
class SeatRow:
    """Who sits on a side: a human of some session, or a computer of some level."""

    kind: str
    level: int = 0
    name: str = ""
    session: str | None = None
    account: str | None = None


@dataclass(frozen=True)
class Happening:
    """One line of a room's log."""

    version: int
    at: float
    kind: str
    data: dict[str, Any]
    command: str | None = None


@dataclass(frozen=True)
class RoomRow:
    """A room as it is kept. The second half is a summary of its events, for lists."""

    id: str
    owner: str
    game: str
    rules: str
    start: str | None  # None until both set-ups are there
    control: str
    pace: float
    source: str | None  # the record that was imported, as JSON
    created: float
    seats: tuple[SeatRow, SeatRow]

    updated: float
    version: int = 0
    status: str = "playing"
    plies: int = 0
    position: str | None = None
    outcome: str | None = None  # JSON
    rated: bool = False
    log: tuple[Happening, ...] = field(default=(), repr=False)


# ---- the store ----------------------------------------------------------------------------------------


class Store:
    """An open database."""

    def __init__(self, url: str) -> None:
        self._engine = _open(url)
        self.secret = self._told(url, self._prepare)
        self._jobs: queue.SimpleQueue[_Job | None] = queue.SimpleQueue()
        self._writer = threading.Thread(target=self._write_all, name="writer", daemon=True)
        self._writer.start()

    def close(self) -> None:
        """Writes what is waiting, and closes."""
        self._jobs.put(None)
        self._writer.join(timeout=2)
        self._engine.dispose()

    # ---- opening

    def _told(self, url: str, action: Callable[[], Answer]) -> Answer:
        """Does something at the start, and says in one line what is wrong with the database."""
        name = self._engine.url.render_as_string(hide_password=True)
        if self._engine.url.get_backend_name() == "sqlite":
            name = self._engine.url.database or name
        try:
            return action()
        except DBAPIError as error:
            self._engine.dispose()
            raise StoreError(_refusal(str(error.orig), name)) from None
        except (SQLAlchemyError, OSError) as error:
            self._engine.dispose()
            raise StoreError(_refusal(str(error), name)) from None

    def _prepare(self) -> bytes:
        """Brings the tables up to date; the secret that signs the cookies."""
        with self._engine.connect() as connection:
            found = self._revision(connection)
        with self._engine.connect() as plain:
            connection = plain.execution_options(mbegu_write=True)
            with connection.begin():
                if found != LATEST:
                    self._migrate(connection)
                value = connection.scalar(
                    sa.select(settings.c.value).where(settings.c.key == "secret")
                )
                if value is None:
                    value = secrets.token_hex(32)
                    connection.execute(sa.insert(settings).values(key="secret", value=value))
                # Written, not only read: a database that refuses changes must say so now.
                connection.execute(
                    sa.update(settings).where(settings.c.key == "secret").values(value=value)
                )
        return bytes.fromhex(value)

    def _revision(self, connection: sa.Connection) -> str | None:
        if not sa.inspect(connection).has_table("alembic_version"):
            return None
        found = connection.scalar(sa.text("SELECT version_num FROM alembic_version"))
        if found is not None and not str(found) <= LATEST:
            raise StoreError(
                _(
                    "the database {name} was made by a newer version of Mbegu: install that one"
                ).format(name=self._engine.url.database)
            )
        return None if found is None else str(found)

    def _migrate(self, connection: sa.Connection) -> None:
        from alembic import command  # noqa: PLC0415 (takes its time, and is rarely needed)
        from alembic.config import Config  # noqa: PLC0415

        config = Config()
        config.set_main_option("script_location", str(Path(__file__).parent / "migrations"))
        config.attributes["connection"] = connection
        command.upgrade(config, "head")

    # ---- the writer

    async def write(self, change: Callable[[sa.Connection], Answer]) -> Answer:
        """Makes a change; when this returns, it is on the disk."""
        job = _Job(change)
        self._jobs.put(job)
        try:
            answer: Answer = await asyncio.wrap_future(job.done)
        except SQLAlchemyError as error:
            raise StoreError(_("this could not be kept; try again in a moment")) from error
        return answer

    def _write_all(self) -> None:
        last = False
        while not last:
            jobs = [self._jobs.get()]
            with suppress(queue.Empty):
                while len(jobs) < HASTE:
                    jobs.append(self._jobs.get_nowait())
            last = None in jobs
            # A job whose asker has gone before its turn is left out; from here on it cannot be
            # called back, so that the answer always finds somebody, or nobody, but never an error.
            batch = [job for job in jobs if job and job.done.set_running_or_notify_cancel()]
            if not self._commit(batch):
                for job in batch:  # one of them is at fault: the others must not suffer
                    self._commit([job], alone=True)

    def _commit(self, batch: Sequence["_Job"], alone: bool = False) -> bool:
        try:
            with self._engine.connect() as plain:
                connection = plain.execution_options(mbegu_write=True)
                with connection.begin():
                    answers = [job.change(connection) for job in batch]
        except Exception as error:
            if alone:
                batch[0].done.set_exception(error)
            return alone
        for job, answer in zip(batch, answers, strict=True):
            job.done.set_result(answer)
        return True

    # ---- reading

    async def read(self, question: Callable[[sa.Connection], Answer]) -> Answer:
        """Answers a question without holding up anybody."""

        def ask() -> Answer:
            with self._engine.connect() as connection:
                return question(connection)

        try:
            return await asyncio.to_thread(ask)
        except SQLAlchemyError as error:
            raise StoreError(_("the database does not answer; try again in a moment")) from error

    # ---- rooms

    async def add_rooms(self, rows: Sequence[RoomRow]) -> None:
        """Keeps new rooms with their seats and events: all of them or none."""

        def change(connection: sa.Connection) -> None:
            for row in rows:
                connection.execute(sa.insert(rooms).values(_columns(row)))
                connection.execute(
                    sa.insert(seats),
                    [
                        {
                            "room": row.id,
                            "seat": number,
                            "kind": seat.kind,
                            "level": seat.level,
                            "name": seat.name,
                            "session": seat.session,
                            "account": seat.account,
                        }
                        for number, seat in enumerate(row.seats)
                    ],
                )
                _add_events(connection, row.id, row.log)

        await self.write(change)

    async def append(
        self, room: str, happenings: Sequence[Happening], summary: dict[str, Any]
    ) -> None:
        """Adds events to a room's log, with what they make of it."""

        def change(connection: sa.Connection) -> None:
            _add_events(connection, room, happenings)
            connection.execute(sa.update(rooms).where(rooms.c.id == room).values(**summary))

        await self.write(change)

    async def load(self, room: str) -> RoomRow | None:
        """A room with its seats and events; None if there is none."""

        def question(connection: sa.Connection) -> RoomRow | None:
            row = connection.execute(sa.select(rooms).where(rooms.c.id == room)).mappings().first()
            if row is None:
                return None
            log = connection.execute(
                sa.select(events).where(events.c.room == room).order_by(events.c.version)
            )
            happenings = tuple(
                Happening(line.version, line.at, line.kind, json.loads(line.data), line.command)
                for line in log
            )
            return _room(dict(row), _seats(connection, [room])[room], happenings)

        return await self.read(question)

    async def mine(
        self, session: str, limit: int, before: tuple[float, str] | None, status: str | None
    ) -> list[RoomRow]:
        """The rooms in which a session has a seat or which it made, last touched first, no events."""

        def question(connection: sa.Connection) -> list[RoomRow]:
            seated = sa.select(seats.c.room).where(seats.c.session == session)
            chosen = sa.select(rooms).where(
                sa.or_(rooms.c.id.in_(seated), rooms.c.owner == session)
            )
            if status is not None:
                chosen = chosen.where(rooms.c.status == status)
            if before is not None:
                chosen = chosen.where(
                    sa.tuple_(rooms.c.updated, rooms.c.id) < sa.tuple_(*map(sa.literal, before))
                )
            chosen = chosen.order_by(rooms.c.updated.desc(), rooms.c.id.desc()).limit(limit)
            found = [dict(row) for row in connection.execute(chosen).mappings()]
            sitting = _seats(connection, [row["id"] for row in found])
            return [_room(row, sitting[row["id"]], ()) for row in found]

        return await self.read(question)

    async def delete(self, room: str) -> None:
        """Forgets a room."""

        def change(connection: sa.Connection) -> None:
            for table in (events, seats):
                connection.execute(sa.delete(table).where(table.c.room == room))
            connection.execute(sa.delete(rooms).where(rooms.c.id == room))

        await self.write(change)


class _Job:
    """A change that waits for its commit."""

    __slots__ = ("change", "done")

    def __init__(self, change: Callable[[sa.Connection], Any]) -> None:
        self.change = change
        self.done: Future[Any] = Future()


def _columns(row: RoomRow) -> dict[str, Any]:
    return {column.name: getattr(row, column.name) for column in rooms.columns}


def _room(
    row: dict[str, Any], sitting: tuple[SeatRow, SeatRow], log: tuple[Happening, ...]
) -> RoomRow:
    return RoomRow(**row, seats=sitting, log=log)


def _seats(connection: sa.Connection, ids: Sequence[str]) -> dict[str, tuple[SeatRow, SeatRow]]:
    found: dict[str, dict[int, SeatRow]] = {room: {} for room in ids}
    for line in connection.execute(sa.select(seats).where(seats.c.room.in_(ids))):
        found[line.room][line.seat] = SeatRow(
            line.kind, line.level, line.name, line.session, line.account
        )
    return {room: (both[0], both[1]) for room, both in found.items()}


def _add_events(connection: sa.Connection, room: str, happenings: Sequence[Happening]) -> None:
    if happenings:
        connection.execute(
            sa.insert(events),
            [
                {
                    "room": room,
                    "version": line.version,
                    "at": line.at,
                    "kind": line.kind,
                    "data": json.dumps(line.data, separators=(",", ":")),
                    "command": line.command,
                }
                for line in happenings
            ],
        )


# ---- opening ------------------------------------------------------------------------------------------


def data_folder() -> Path:
    """Where a user's data lives: $MBEGU_DATA, else where the system keeps such things."""
    chosen = os.environ.get("MBEGU_DATA")
    if chosen:
        return Path(chosen)
    home = Path.home()
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or home / "AppData" / "Local") / "mbegu"
    if sys.platform == "darwin":
        return home / "Library" / "Application Support" / "mbegu"
    return Path(os.environ.get("XDG_DATA_HOME") or home / ".local" / "share") / "mbegu"


def default_url() -> str:
    """The database of whoever does not name one."""
    return f"sqlite:///{data_folder() / 'mbegu.sqlite3'}"


def _open(text: str) -> sa.Engine:
    """The engine for a URL; a plain file name is a SQLite database."""
    url = text if "://" in text else f"sqlite:///{text}"
    try:
        parsed = sa.make_url(url)
        if parsed.get_backend_name() == "sqlite":
            if parsed.database in (None, "", ":memory:"):
                raise StoreError(_("the database needs a file: games in memory would be lost"))
            if not str(parsed.database).startswith("file:"):
                Path(str(parsed.database)).parent.mkdir(parents=True, exist_ok=True)
        engine = sa.create_engine(parsed, pool_pre_ping=parsed.get_backend_name() != "sqlite")
    except (ArgumentError, NoSuchModuleError, ImportError) as error:
        raise StoreError(
            _(
                "the database {name} cannot be used: {why}; write a file name or a URL like "
                "sqlite:///games.sqlite3"
            ).format(name=text, why=" ".join(str(error).split()))
        ) from None
    except OSError as error:
        raise StoreError(_refusal(error.strerror or str(error), text)) from None
    if parsed.get_backend_name() == "sqlite":
        _tune_sqlite(engine)
    return engine


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


def _refusal(why: str, name: str) -> str:
    """What is wrong with a database, and what to do about it."""
    lower = why.lower()
    if "not a database" in lower or "malformed" in lower:
        return _(
            "{name} is not a Mbegu database, or it is damaged: move it away or choose another with "
            "--database"
        ).format(name=name)
    if "readonly" in lower or "read-only" in lower or "permission denied" in lower:
        return _(
            "the database {name} cannot be written: change its permissions or choose another with "
            "--database"
        ).format(name=name)
    return _("the database {name} cannot be opened: {why}; choose another with --database").format(
        name=name, why=" ".join(why.split())
    )

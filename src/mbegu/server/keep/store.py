"""What the server keeps (event sourcing): rooms, their seats, and the events that are a game's record.

All changes go through one writer thread, which commits together what has come in meanwhile, so that
many games share the cost of a disk that must say "written" (group commit). Events must follow upon the
last stored one (optimistic concurrency). However many events a commit has, they
are two statements. SQLite or PostgreSQL: see `database.py`.
"""

import asyncio
import queue
import secrets
import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from contextvars import copy_context
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

import sqlalchemy as sa
from sqlalchemy.exc import DBAPIError, SQLAlchemyError

from mbegu.core.i18n import _
from mbegu.server.keep import revocation
from mbegu.server.keep.database import (
    StoreError,
    clock,
    copy_file,
    data_folder,
    default_url,
    is_sqlite,
    open_engine,
    refusal,
    shown,
)
from mbegu.server.keep.group_commit import (
    Append,
    Displaced,
    Job,
    MovesUnderWay,
    append_all,
    is_gone,
    moves_first,
    tell_askers,
)
from mbegu.server.keep.ratings import settle
from mbegu.server.keep.rows import (
    Happening,
    RoomRow,
    SeatRow,
    add_events,
    add_seats,
    columns_of,
    load_rooms,
    room_of,
    seats_of,
    take_seat,
)
from mbegu.server.keep.soundness import Soundness
from mbegu.server.keep.tables import LATEST, events, processes, rooms, seats, settings
from mbegu.server.net.priority import writing
from mbegu.server.play.events import EventKind

__all__ = [
    "Displaced",
    "Elsewhere",
    "Happening",
    "Revoked",
    "RoomRow",
    "SeatRow",
    "Store",
    "StoreError",
    "data_folder",
    "default_url",
]

Answer = TypeVar("Answer")
PROBE_EVERY = 5.0  # seconds: whoever asks whether all is well does not make the disk work
READERS = 2  # threads; more of them would only take Python from one another, and from the loop
HASTE = 256  # changes that one commit takes at most
MOST_GOOD = 20_000  # sign-ins and tokens that need not be asked for again
GATHER = 0.01  # seconds from one commit to the next, while there is more than one change in each
MIGRATION_LOCK = 0x6D626567  # any number, as long as all servers use the same


class Elsewhere(StoreError):
    """Another process has the room open."""

    store_fails = False


class Revoked(StoreError):
    """The sign-in or token by which somebody acts has ended."""

    store_fails = False


@cache
def _rooms_of(by_status: bool, further: bool) -> "sa.Select[Any]":
    """Asks for the rooms of a session; made once, as what SQLAlchemy makes is garbage that refers to itself."""
    session: sa.BindParameter[str] = sa.bindparam("session")
    seated = sa.select(seats.c.room).where(seats.c.session == session)
    made = sa.select(rooms.c.id).where(rooms.c.owner == session)
    # Found by their ids and nothing else: any other index leads through everybody's games.
    touched = rooms.c.updated + 0
    chosen = sa.select(rooms).where(rooms.c.id.in_(sa.union(seated, made)))
    if by_status:
        chosen = chosen.where(sa.func.coalesce(rooms.c.status, "") == sa.bindparam("status"))
    if further:
        last = sa.tuple_(sa.bindparam("updated", type_=sa.Float), sa.bindparam("id", type_=sa.Text))
        chosen = chosen.where(sa.tuple_(touched, rooms.c.id) < last)
    return chosen.order_by(touched.desc(), rooms.c.id.desc()).limit(sa.bindparam("limit"))


# ---- the store ----------------------------------------------------------------------------------------


class Store:
    """An open database."""

    def __init__(self, url: str, migrate: bool = False) -> None:
        self.url, self._may_migrate = url, migrate
        self.engine = open_engine(url)
        self.secret = self._told(self._prepare)
        self.host: str | None = None  # the process for which rooms are opened
        self.fences: dict[str, int] = {}  # of the rooms that are ours
        self.soundness, self._probed = Soundness(), 0.0
        self.displaced: Callable[[str], None] = lambda _room: None
        self._line: sa.Connection | None = None
        self._word: str | None = None  # of the last revocation that the writer has seen
        self._good: set[str] = set()  # sign-ins and tokens that have been good since then
        self._jobs: queue.SimpleQueue[Job | None] = queue.SimpleQueue()
        self._closed = False
        self._readers = ThreadPoolExecutor(READERS, thread_name_prefix="reader")
        self._moves = MovesUnderWay()
        self._writer = threading.Thread(target=self._write_all, name="writer", daemon=True)
        self._writer.start()

    def close(self) -> None:
        """Writes what is waiting, and closes."""
        self._closed = True
        self._jobs.put(None)
        self._writer.join(timeout=2)
        self._readers.shutdown(wait=False, cancel_futures=True)
        self.engine.dispose()

    # ---- opening

    def _told(self, action: Callable[[], Answer]) -> Answer:
        """Does something at the start, and says in one line what is wrong with the database."""
        name = shown(self.url)
        if is_sqlite(self.engine):
            name = self.engine.url.database or name
        try:
            return action()
        except StoreError:
            self.engine.dispose()
            raise
        except DBAPIError as error:
            self.engine.dispose()
            raise StoreError(refusal(str(error.orig), name)) from None
        except (SQLAlchemyError, OSError) as error:
            self.engine.dispose()
            raise StoreError(refusal(str(error), name)) from None

    def _prepare(self) -> bytes:
        """Brings the tables up to date; the secret that signs the cookies."""
        with self.engine.connect() as connection:
            # A newer database is refused before anything is changed, an older one copied.
            revision = self._revision(connection)
        if revision not in (None, LATEST):
            self._copy_first()
        with self.engine.connect() as plain:
            connection = plain.execution_options(mbegu_write=True)
            with connection.begin():
                if not is_sqlite(connection):  # servers that start together take turns
                    connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({MIGRATION_LOCK})")
                if self._revision(connection) != LATEST:
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

    def _copy_first(self) -> None:
        """Copies a file of ours; whoever has a database server makes the copy, and says so."""
        if is_sqlite(self.engine):
            copy_file(self.engine, f"before-{LATEST}")
        elif not self._may_migrate:
            name = shown(self.url)
            raise StoreError(
                _(
                    "the database {name} is of an earlier version of Mbegu: copy it first, with "
                    "pg_dump --format=custom --file=mbegu.dump and its URL, and then start once with "
                    "mbegu serve --migrate"
                ).format(name=name)
            )

    def _revision(self, connection: sa.Connection) -> str | None:
        if not sa.inspect(connection).has_table("alembic_version"):
            return None
        found = connection.scalar(sa.text("SELECT version_num FROM alembic_version"))
        if found is not None and not str(found) <= LATEST:
            raise StoreError(
                _(
                    "the database {name} was made by a newer version of Mbegu: install that one"
                ).format(name=self.engine.url.database)
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
        answer: Answer = await self._enqueue(Job(change))
        return answer

    async def _enqueue(self, job: "Job") -> Any:
        if self._closed:
            raise StoreError(_("the server stops: try again in a moment"))
        self._jobs.put(job)
        try:
            return await job.done
        except SQLAlchemyError as error:
            raise StoreError(_("this could not be kept; try again in a moment")) from error

    def _write_all(self) -> None:
        last, later, busy, begun = False, list[Job](), False, 0.0
        while not last or later:
            jobs: list[Job | None] = [] if later else [self._jobs.get()]
            if busy:  # while many play, each commit waits for a few more
                time.sleep(max(0.0, begun + GATHER - time.monotonic()))
            begun = time.monotonic()
            with suppress(queue.Empty):
                while len(jobs) < HASTE:
                    jobs.append(self._jobs.get_nowait())
            last = last or None in jobs
            # A job whose asker has gone before its turn is left out.
            waiting = [job for job in later + jobs if job is not None and not job.done.cancelled()]
            batch, later = moves_first(waiting)
            busy = sum(isinstance(job, Append) for job in batch) > 1
            self._commit(batch)
        self._hang_up()

    def _commit(self, batch: "list[Job]") -> None:
        """Writes all of them, or those that can be written, and tells the askers."""
        for last_try in (False, True):
            try:
                answers = self._transact(batch)
            except Exception as error:
                self._hang_up()
                self.soundness.failed("writing", error)
                if is_gone(error):  # a line that was cut meanwhile is worth a second try
                    if last_try:
                        tell_askers(batch, [error] * len(batch))
                    continue
                if len(batch) == 1:
                    tell_askers(batch, [error])
                else:
                    for job in batch:  # one of them is at fault: the others must not suffer
                        self._commit([job])
            else:
                self.soundness.went_well("writing")
                tell_askers(batch, answers)
            return

    def _transact(self, batch: "list[Job]") -> list[Any]:
        if self._line is None:
            self._line = self.engine.connect().execution_options(mbegu_write=True)
        appends = [job for job in batch if isinstance(job, Append)]
        with self._line.begin():
            if appends:
                self._check_credentials(self._line, appends)
                append_all(self._line, appends)
            for job in appends:
                for line in job.happenings:
                    if line.kind == EventKind.JOINED:
                        take_seat(self._line, job.room, line.data)
                if any(line.kind == EventKind.ENDED for line in job.happenings):
                    settle(self._line, job.room)
            return [None if isinstance(job, Append) else job.change(self._line) for job in batch]

    def _check_credentials(self, connection: sa.Connection, appends: "list[Append]") -> None:
        """Refuses what comes by a sign-in or token that has ended: its process may not know it yet."""
        asked = {job.credential for job in appends if job.credential is not None}
        if not asked:
            return
        word = revocation.word(connection)
        if word != self._word or len(self._good) > MOST_GOOD:
            self._word, self._good = word, set()
        fresh = asked - self._good
        if fresh:
            self._good |= revocation.alive(connection, fresh)
        if not asked <= self._good:
            raise Revoked

    def _hang_up(self) -> None:
        if self._line is not None:
            with suppress(SQLAlchemyError):
                self._line.close()
            self._line = None

    @property
    def waiting(self) -> int:
        """How many changes wait for a commit."""
        return self._jobs.qsize()

    # ---- reading

    async def read(self, question: Callable[[sa.Connection], Answer]) -> Answer:
        """Answers a question without holding up anybody."""

        def ask() -> Answer:
            self._moves.give_way()
            with self.engine.connect() as connection:
                return question(connection)

        try:
            if self._closed:
                raise StoreError(_("the server stops: try again in a moment"))
            language = copy_context()
            loop = asyncio.get_running_loop()
            found = await loop.run_in_executor(self._readers, language.run, ask)
        except SQLAlchemyError as error:
            self.soundness.failed("reading", error)
            raise StoreError(_("the database does not answer; try again in a moment")) from error
        self.soundness.went_well("reading")
        return found

    async def probe(self) -> str | None:
        """What is wrong with the database, found out by reading and writing a line."""
        same = sa.update(settings).where(settings.c.key == "secret").values(key="secret")
        try:
            await self.read(lambda connection: connection.scalar(sa.text("SELECT 1")))
            if time.monotonic() - self._probed > PROBE_EVERY or self.soundness.trouble is not None:
                await self.write(lambda connection: connection.execute(same))
                self._probed = time.monotonic()
        except StoreError as error:
            return self.soundness.trouble or str(error)
        return self.soundness.trouble

    # ---- rooms

    async def add_rooms(self, rows: Sequence[RoomRow]) -> None:
        """Keeps new rooms with their seats and events: all of them or none."""

        def change(connection: sa.Connection) -> None:
            ours = {"host": self.host, "fence": 1}
            connection.execute(sa.insert(rooms), [columns_of(row) | ours for row in rows])
            add_seats(connection, rows)
            add_events(connection, [(row.id, line) for row in rows for line in row.log])

        if rows:
            await self.write(change)

    async def append(
        self,
        room: str,
        happenings: Sequence[Happening],
        summary: dict[str, Any],
        credential: str | None = None,
    ) -> None:
        """Adds events to a room's log, with what they make of it.

        They must follow upon the last stored one, and the room must not have been taken by another
        process: otherwise the room is `Displaced`, and nothing is written. Nor is anything written
        for a sign-in or token, the `credential`, that has ended meanwhile: `Revoked`.
        """
        fence = self.fences.get(room)
        try:
            with writing(), self._moves:
                await self._enqueue(Append(room, happenings, summary, fence, credential))
        except Revoked:
            raise Revoked(_("you have been signed out: connect again")) from None
        except Displaced:
            self.fences.pop(room, None)
            self.displaced(room)
            raise Displaced(_("this game has gone on elsewhere: connect again")) from None

    async def claim(self, room: str) -> None:
        """Makes a room ours, if no other living process has it: before it is loaded."""
        if self.host is None or room in self.fences:
            return

        def change(connection: sa.Connection) -> tuple[str | None, int] | None:
            living = sa.select(processes.c.id).where(processes.c.until > clock(connection))
            free = sa.or_(
                rooms.c.host.is_(None), rooms.c.host == self.host, rooms.c.host.not_in(living)
            )
            connection.execute(
                sa.update(rooms)
                .where(rooms.c.id == room, free)
                .values(host=self.host, fence=rooms.c.fence + 1)
            )
            found = connection.execute(
                sa.select(rooms.c.host, rooms.c.fence).where(rooms.c.id == room)
            ).first()
            return None if found is None else (found.host, found.fence)

        found = await self.write(change)
        if found is None:
            return
        host, fence = found
        if host != self.host:
            raise Elsewhere(_("this game is open on another server; try again in a moment"))
        self.fences[room] = fence

    async def load(self, room: str) -> RoomRow | None:
        """A room with its seats and events; None if there is none."""
        found = await self.read(lambda connection: load_rooms(connection, [room]))
        return found[0] if found else None

    async def invited(self, invite: str) -> tuple[RoomRow, int] | None:
        """The room and the seat to which somebody is invited, no events; None if there is none."""

        def question(connection: sa.Connection) -> tuple[RoomRow, int] | None:
            found = connection.execute(
                sa.select(rooms, seats.c.seat)
                .join(seats, seats.c.room == rooms.c.id)
                .where(seats.c.invite == invite)
            )
            row = found.mappings().first()
            if row is None:
                return None
            columns = {column.name: row[column.name] for column in rooms.columns}
            sitting = seats_of(connection, [row["id"]])[row["id"]]
            return room_of(columns, sitting, ()), int(row["seat"])

        return await self.read(question)

    async def mine(
        self, session: str, limit: int, before: tuple[float, str] | None, status: str | None
    ) -> list[RoomRow]:
        """The rooms in which a session has a seat or which it made, last touched first, no events."""

        def question(connection: sa.Connection) -> list[RoomRow]:
            values = {"session": session, "limit": limit, "status": status}
            if before is not None:
                values |= {"updated": before[0], "id": before[1]}
            chosen = _rooms_of(status is not None, before is not None)
            found = [dict(row) for row in connection.execute(chosen, values).mappings()]
            sitting = seats_of(connection, [row["id"] for row in found])
            return [room_of(row, sitting[row["id"]], ()) for row in found]

        return await self.read(question)

    async def delete(self, room: str) -> None:
        """Forgets a room."""

        def change(connection: sa.Connection) -> None:
            for table in (events, seats):
                connection.execute(sa.delete(table).where(table.c.room == room))
            connection.execute(sa.delete(rooms).where(rooms.c.id == room))

        await self.write(change)

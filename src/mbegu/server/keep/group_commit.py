"""Group commit: changes that wait for one, and the events of many rooms that are written together."""

import asyncio
import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import cache
from typing import Any

import sqlalchemy as sa
from sqlalchemy.exc import DBAPIError

from mbegu.server.keep.database import StoreError
from mbegu.server.keep.rows import ENCODER, Happening, add_events, recordset
from mbegu.server.keep.tables import rooms
from mbegu.server.net.priority import HOLD, for_others, for_players

__all__ = [
    "Append",
    "Displaced",
    "Job",
    "MovesUnderWay",
    "append_all",
    "is_gone",
    "moves_first",
    "tell_askers",
]

OTHERS_AT_ONCE = 2  # changes in one commit that are no events of games: these do not wait for them


class Displaced(StoreError):
    """The store has gone on without this process: the room must be loaded again, here or elsewhere."""

    store_fails = False


class Job:
    """A change that waits for its commit."""

    def __init__(self, change: Callable[[sa.Connection], Any]) -> None:
        self.change = change
        self.done: asyncio.Future[Any] = asyncio.get_running_loop().create_future()


class Append(Job):
    """Events that wait for their commit; all of a commit are written together."""

    def __init__(
        self,
        room: str,
        happenings: Sequence[Happening],
        summary: dict[str, Any],
        fence: int | None,
        credential: str | None,
    ) -> None:
        super().__init__(lambda _connection: None)
        self.room, self.happenings, self.summary, self.fence = room, happenings, summary, fence
        self.credential = credential


class MovesUnderWay:
    """How many events of games are on their way to the disk; whoever reads lets them go first.

    A reader would take Python itself from the writer, at each of its steps.
    """

    def __init__(self) -> None:
        self._count, self._none = 0, threading.Event()
        self._none.set()

    def __enter__(self) -> None:
        """One more, told by the event loop."""
        self._count += 1
        self._none.clear()

    def __exit__(self, *_error: object) -> None:
        """One less."""
        self._count -= 1
        if not self._count:
            self._none.set()

    def give_way(self) -> None:
        """Waits in a reader's thread, for a moment at most: somebody moves all the time."""
        self._none.wait(HOLD)


def moves_first(waiting: list[Job]) -> tuple[list[Job], list[Job]]:
    """What one commit takes, and what waits for the next: all events of games, a few of the rest."""
    others = [job for job in waiting if not isinstance(job, Append)]
    later = others[OTHERS_AT_ONCE:]
    wait = set(map(id, later))
    return [job for job in waiting if id(job) not in wait], later


def is_gone(error: Exception) -> bool:
    """Whether the database does not answer, so that no other change would fare better."""
    if not isinstance(error, DBAPIError):
        return False
    text = str(error.orig).lower()
    return error.connection_invalidated or "locked" in text or "connection" in text


def tell_askers(batch: Sequence[Job], answers: Sequence[Any]) -> None:
    """Wakes the askers, all players of one loop together, and then the others."""
    loops: dict[tuple[asyncio.AbstractEventLoop, bool], list[tuple[Job, Any]]] = {}
    for job, answer in zip(batch, answers, strict=True):
        asker = job.done.get_loop(), isinstance(job, Append)
        loops.setdefault(asker, []).append((job, answer))
    for (loop, plays), settled in loops.items():
        context = for_players() if plays else for_others()
        with suppress(RuntimeError):  # the loop is closed: nobody waits any more
            loop.call_soon_threadsafe(_deliver, settled, context=context)


def _deliver(settled: Sequence[tuple[Job, Any]]) -> None:
    for job, answer in settled:
        if job.done.done():
            continue
        if isinstance(answer, Exception):
            job.done.set_exception(answer)
        else:
            job.done.set_result(answer)


def append_all(connection: sa.Connection, appends: Sequence[Append]) -> None:
    """Writes the events of many rooms by two statements: summaries first, which find every clash."""
    latest: dict[str, tuple[int, Append]] = {}  # the version before, and the last change
    for job in appends:
        before, last = latest.get(job.room, (job.happenings[0].version - 1, None))
        if last is not None and last.happenings[-1].version != job.happenings[0].version - 1:
            raise Displaced
        latest[job.room] = before, job
    groups: dict[tuple[str, ...], list[tuple[Any, ...]]] = {}
    for before, job in latest.values():
        line = job.room, before, job.fence, *job.summary.values()
        groups.setdefault(tuple(job.summary), []).append(line)
    for keys, lines in groups.items():
        text = _summaries(connection.dialect.name, keys)
        if connection.exec_driver_sql(text, (ENCODER.encode(lines),)).rowcount != len(lines):
            raise Displaced
    add_events(connection, ((job.room, line) for job in appends for line in job.happenings))


@cache
def _summaries(dialect: str, keys: tuple[str, ...]) -> str:
    """SQL that brings the summaries of many rooms up to date, from one piece of JSON."""
    types = {column.name: column.type for column in rooms.columns}
    told = {"id": types["id"], "before": types["version"], "fence": types["fence"]}
    setting = ", ".join(f"{key} = t.{key}" for key in keys)
    return (
        f"UPDATE rooms SET {setting} FROM {recordset(dialect, told | {key: types[key] for key in keys})} "  # noqa: S608 (our own names)
        "WHERE rooms.id = t.id AND rooms.version = t.before "
        "AND (t.fence IS NULL OR rooms.fence = t.fence)"
    )

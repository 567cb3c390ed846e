"""Rooms, seats and events as they are kept: what they are, and how they are read and written.

However many events there are, they are added by one statement, from one piece of JSON.
"""

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any

import sqlalchemy as sa

from mbegu.core.registry import game as find_game
from mbegu.server.keep.tables import events, rooms, seats

__all__ = [
    "ENCODER",
    "Happening",
    "RoomRow",
    "SeatRow",
    "add_events",
    "add_seats",
    "columns_of",
    "load_rooms",
    "recordset",
    "room_of",
    "seats_of",
    "take_seat",
]

EVENT = ("room", "version", "at", "kind", "data", "command")  # the columns of a line
ENCODER = json.JSONEncoder(separators=(",", ":"), check_circular=False)


@dataclass(frozen=True)
class SeatRow:
    """Who sits on a side: a human of some session, a computer of some level, or nobody yet."""

    kind: str
    level: int = 0
    name: str = ""
    session: str | None = None
    account: str | None = None
    invite: str | None = None  # lets somebody take the seat, once


@dataclass(slots=True)
class Happening:
    """One line of a room's log."""

    version: int
    at: float
    kind: str
    data: dict[str, Any]
    command: str | None = None
    _text: str | None = field(default=None, compare=False, repr=False)

    @property
    def text(self) -> str:
        """The data as they are kept: from now on they are not changed any more."""
        if self._text is None:
            self._text = ENCODER.encode(self.data)
        return self._text


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
    near: bool = False  # both come from one address
    host: str | None = None  # the process that has it open
    fence: int = 0  # rises whenever another process takes it
    log: tuple[Happening, ...] = field(default=(), repr=False)

    @property
    def begins_as_usual(self) -> bool:
        """Whether it is a game from the start, not from a position of somebody's choice."""
        return self.start is None or self.start == str(find_game(self.game).start())


# ---- in the database


@cache
def _happenings(dialect: str) -> str:
    """SQL that adds many events, from one piece of JSON."""
    types = {name: events.c[name].type for name in EVENT}
    names = ", ".join(EVENT)
    return f"INSERT INTO events ({names}) SELECT {names} FROM {recordset(dialect, types)}"  # noqa: S608


def recordset(dialect: str, types: dict[str, Any]) -> str:
    """The lists of a JSON list as a table t, whose columns they fill in this order."""
    numbered = enumerate(types.items())
    if dialect == "sqlite":
        columns = [f"json_extract(value, '$[{n}]') AS {name}" for n, (name, _kind) in numbered]
        return f"(SELECT {', '.join(columns)} FROM json_each(?)) AS t"  # noqa: S608
    columns = [f"CAST(value->>{n} AS {kind.compile()}) AS {name}" for n, (name, kind) in numbered]
    return f"(SELECT {', '.join(columns)} FROM json_array_elements(CAST(%s AS json))) AS t"  # noqa: S608


def add_events(connection: sa.Connection, lines: Iterable[tuple[str, Happening]]) -> None:
    """Adds events to the logs of their rooms."""
    found = [
        (room, line.version, line.at, line.kind, line.text, line.command) for room, line in lines
    ]
    if found:
        connection.exec_driver_sql(_happenings(connection.dialect.name), (ENCODER.encode(found),))


def take_seat(connection: sa.Connection, room: str, data: dict[str, Any]) -> None:
    """Brings the list of seats up to date with an event that says who has come."""
    taken = {key: data[key] for key in ("name", "session", "account")}
    connection.execute(
        sa.update(seats)
        .where(seats.c.room == room, seats.c.seat == data["player"])
        .values(kind="human", **taken)
    )


def columns_of(row: RoomRow) -> dict[str, Any]:
    """A room as a line of its table."""
    return {column.name: getattr(row, column.name) for column in rooms.columns}


def room_of(
    row: dict[str, Any], sitting: tuple[SeatRow, SeatRow], log: tuple[Happening, ...]
) -> RoomRow:
    """A room from a line of its table."""
    return RoomRow(**row, seats=sitting, log=log)


def load_rooms(connection: sa.Connection, ids: Sequence[str]) -> list[RoomRow]:
    """Rooms with their seats and events, by their ids."""
    logs: dict[str, list[Happening]] = {room: [] for room in ids}
    chosen = sa.select(events).where(events.c.room.in_(ids))
    for line in connection.execute(chosen.order_by(events.c.room, events.c.version)):
        logs[line.room].append(
            Happening(
                line.version, line.at, line.kind, json.loads(line.data), line.command, line.data
            )
        )
    found = connection.execute(sa.select(rooms).where(rooms.c.id.in_(ids))).mappings()
    sitting = seats_of(connection, ids)
    return [room_of(dict(row), sitting[row["id"]], tuple(logs[row["id"]])) for row in found]


def seats_of(connection: sa.Connection, ids: Sequence[str]) -> dict[str, tuple[SeatRow, SeatRow]]:
    """Who sits in some rooms."""
    found: dict[str, dict[int, SeatRow]] = {room: {} for room in ids}
    for line in connection.execute(sa.select(seats).where(seats.c.room.in_(ids))):
        found[line.room][line.seat] = SeatRow(
            line.kind, line.level, line.name, line.session, line.account, line.invite
        )
    return {room: (both[0], both[1]) for room, both in found.items() if both}


def add_seats(connection: sa.Connection, added: Sequence[RoomRow]) -> None:
    """Adds the seats of new rooms."""
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
                "invite": seat.invite,
            }
            for row in added
            for number, seat in enumerate(row.seats)
        ],
    )

"""Rooms, seats and events in the database: how they are read and written.

However many events there are, they are added by one statement, from one piece of JSON.
"""

import json
from collections.abc import Iterable, Sequence
from functools import cache
from typing import Any

import sqlalchemy as sa

from mbegu.server.keep.tables import events, rooms, seats
from mbegu.server.play.events import KINDS
from mbegu.server.play.rows import ENCODER, Happening, RoomRow, SeatKind, SeatRow

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
        .values(kind=SeatKind.HUMAN.value, **taken)
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
                line.version,
                line.at,
                KINDS.get(line.kind, line.kind),  # one of a newer Mbegu stays what it is
                json.loads(line.data),
                line.command,
                line.data,
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

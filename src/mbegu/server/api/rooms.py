"""The HTTP addresses of rooms: new ones, mine, one as it stands, and its record."""

import asyncio
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from mbegu.core.i18n import _
from mbegu.core.notation import notations
from mbegu.core.registry import game as find_game
from mbegu.server.api import invites
from mbegu.server.api.endpoints import limit_of, polite, read_body, read_json
from mbegu.server.api.openapi import Operation, Query, text
from mbegu.server.api.people_schemas import Invitation
from mbegu.server.api.record_schemas import Handed, HandedIn
from mbegu.server.api.schemas import MyRooms, NewRoom, Records, RoomMade, RoomsMade, Snapshot
from mbegu.server.net.replies import Answer, reply
from mbegu.server.people.sessions import Who
from mbegu.server.play.forms import InvalidForm, new_room
from mbegu.server.play.hall import Hall
from mbegu.server.play.handing import MOST_HANDED, check_may_go_on, read_continuation
from mbegu.server.play.ports import StoreError
from mbegu.server.play.records import check_form, is_short, record_file
from mbegu.server.play.room import Room
from mbegu.server.play.rows import LADDER_LEVEL, RoomRow, SeatKind, Status
from mbegu.server.think.ladder_bots import find_rung

__all__ = ["OPERATIONS"]

MOST_RECORDS = 4 * 1024 * 1024
MOST_LISTED = 100
SHORT = 100  # events of a game whose record is written at once; of a longer one by the clerk
AN_HOUR = 3600.0  # seconds
A_PIECE = 200  # events that are kept at once: nobody waits long for the disk


@polite
async def make_room(request: Request) -> Response:
    """A new game."""
    form = await read_json(request)
    row = signed(new_room(form, request.state.session), request.state.who)
    await _check_bots(row)
    if any(seat.kind == SeatKind.OPEN for seat in row.seats):  # others will read it
        for seat in row.seats:
            await request.app.state.hall.people.check_name(request.state.session, seat.name)
    if _has_computer(row) and not row.begins_as_usual:
        await request.app.state.hall.people.check_fair(
            request.state.session, find_game(row.game), str(row.start)
        )
    if not request.app.state.limits.rooms.take(request.state.visitor, request.state.address):
        raise Answer(429, _("too many new games: wait a moment"))
    await request.app.state.hall.add([row])
    return reply({"room": row.id}, 201)


async def _check_bots(row: RoomRow) -> None:
    """A bot of the ladder that is asked for must stand on it."""
    for seat in row.seats:
        if seat.kind == SeatKind.COMPUTER and seat.level == LADDER_LEVEL:
            await asyncio.to_thread(find_rung, find_game(row.game), seat.name)


def _has_computer(row: RoomRow) -> bool:
    return any(seat.kind == SeatKind.COMPUTER for seat in row.seats)


def signed(row: RoomRow, who: Who) -> RoomRow:
    """A new room with the account on the seats of one who has one.

    Who sits alone sits there by his own name; two on one screen may be called as they like.
    """
    if who.account is None:
        return row
    mine = [seat for seat in row.seats if seat.session == who.session]
    first, second = (
        replace(seat, account=who.account, name=who.name if len(mine) == 1 else seat.name)
        if seat in mine
        else seat
        for seat in row.seats
    )
    return replace(row, seats=(first, second))


# ---- what is there


@polite
async def my_rooms(request: Request) -> Response:
    """The games in which I have a seat."""
    query = request.query_params
    limit = limit_of(request, 20, MOST_LISTED)
    status = query.get("status")
    if status is not None and status not in list(Status):
        raise InvalidForm(_("status must be open, setup, playing or over"))
    hall: Hall = request.app.state.hall
    found = await hall.mine(request.state.session, limit, query.get("before"), status)
    return reply(found)


async def _room(request: Request) -> Room:
    hall: Hall = request.app.state.hall
    room = await hall.room(request.path_params["room"])
    if room is None:
        raise Answer(404, _("there is no such game: it may have been deleted"))
    return room


@polite
async def look(request: Request) -> Response:
    """A room as it stands."""
    room = await _room(request)
    hall: Hall = request.app.state.hall
    return reply(await hall.snapshot(room, request.state.session))


@polite
async def delete_room(request: Request) -> Response:
    """Forgets a game of mine."""
    room = await _room(request)
    await request.app.state.hall.delete(room, request.state.session)
    return Response(status_code=204)


@polite
async def continue_room(request: Request) -> Response:
    """A game that went on in a tab while this server was away."""
    limits, who = request.app.state.limits, request.state
    if not limits.handed.take(who.visitor, who.address):
        raise Answer(429, _("too many games are handed in: wait a moment"))
    told = read_continuation(await read_json(request, MOST_HANDED))
    room = await _room(request)
    check_may_go_on(room.course, who.session)
    assert room.match is not None
    game = str(room.game), str(room.match.positions[0])
    wrong: Response | None = await request.app.state.clerk.check_game(
        game, told.moves, told.end is not None, who.visitor, who.address
    )
    if wrong is not None:
        return wrong
    new = await request.app.state.hall.hand_in(room, who.session, told)
    room = await _room(request)  # it may have been put away meanwhile, and opened again
    assert room.match is not None
    return reply({"version": room.version, "plies": len(room.match.moves), "new": new})


# ---- records


@polite
async def record(request: Request) -> Response:
    """The record of a game, as a file."""
    room = await _room(request)
    form = request.query_params.get("format", "text")
    check_form(form)
    if is_short(room.row, room.course.version, SHORT):
        name, text = record_file(room.record(), room.id, form)
    else:
        row = replace(room.row, seats=room.seats, log=tuple(room.course.happenings()))
        who, clerk = request.state, request.app.state.clerk
        name, text = await clerk.record(row, form, who.visitor, who.address)
    headers = {"cache-control": "no-store"}
    if form == "json":
        return Response(text, media_type="application/json", headers=headers)
    headers["content-disposition"] = f'attachment; filename="{name}"'
    return Response(text, media_type="text/plain; charset=utf-8", headers=headers)


@polite
async def import_records(request: Request) -> Response:
    """Makes rooms of records."""
    if not request.app.state.limits.records.take(request.state.visitor, request.state.address):
        raise Answer(429, _("too many imports: wait a moment"))
    body = await read_body(request, MOST_RECORDS)
    who, clerk = request.state, request.app.state.clerk
    rows = await clerk.rooms(body, who.session, who.visitor, who.address)
    if isinstance(rows, Response):
        return rows
    many = sum(1 + len(row.log) for row in rows)
    if not request.app.state.limits.brought.take(who.visitor, who.address, many):
        raise Answer(429, _("too many imports: wait a moment"), AN_HOUR)
    return reply({"rooms": await _add_in_pieces(request.app.state.hall, rows)}, 201)


async def _add_in_pieces(hall: Hall, rows: list[RoomRow]) -> list[str]:
    """Keeps all of them or none, and lets those who play come between; the ids.

    The list is emptied on the way: to free it all at once would hold up the players too.
    """
    rows.reverse()
    kept: list[str] = []
    try:
        for piece in _pieces(rows):
            await hall.add(piece)
            kept += [row.id for row in piece]
    except StoreError:
        for room in kept:
            with suppress(StoreError):
                await hall.store.delete(room)
        raise
    return kept


def _pieces(rows: list[RoomRow]) -> Iterator[list[RoomRow]]:
    piece, size = list[RoomRow](), 0
    while rows:
        piece.append(rows.pop())
        size += 1 + len(piece[-1].log)
        if size >= A_PIECE:
            yield piece
            piece, size = [], 0
    yield piece


# ---- the table

_ROOM_QUERY = [
    Query("limit", {"type": "integer", "minimum": 1, "maximum": MOST_LISTED}),
    Query("before", text(200), "the `next` of the page before"),
    Query("status", {"enum": [status.value for status in Status]}),
]
OPERATIONS = [
    Operation(
        "GET",
        "/rooms",
        my_rooms,
        "Rooms",
        "My games, last touched first",
        MyRooms,
        query=_ROOM_QUERY,
        errors=(400, 401),
    ),
    Operation(
        "POST",
        "/rooms",
        make_room,
        "Rooms",
        "A new game",
        RoomMade,
        201,
        NewRoom,
        errors=(400, 401),
    ),
    Operation(
        "GET",
        "/rooms/{room}",
        look,
        "Rooms",
        "A game as it stands",
        Snapshot,
        errors=(401, 404),
    ),
    Operation(
        "DELETE",
        "/rooms/{room}",
        delete_room,
        "Rooms",
        "Delete a game of mine",
        status=204,
        errors=(401, 404),
    ),
    Operation(
        "POST",
        "/rooms/{room}/continue",
        continue_room,
        "Rooms",
        "Hand in a game against the computer that went on without the server",
        HandedIn,
        takes=Handed,
        errors=(400, 401, 404, 409, 413, 422),
    ),
    Operation(
        "GET",
        "/rooms/{room}/record",
        record,
        "Records",
        "The record of a game",
        Any,
        query=[Query("format", {"enum": ["text", "json", *(other.name for other in notations())]})],
        errors=(400, 401, 404),
        media=("text/plain", "application/json"),
    ),
    Operation(
        "POST",
        "/records",
        import_records,
        "Records",
        "Make rooms of records, ours or OGN",
        RoomsMade,
        201,
        Records,
        errors=(400, 401),
    ),
    Operation(
        "GET",
        "/invites/{token}",
        invites.invitation,
        "Rooms",
        "The game to which a link invites",
        Invitation,
        errors=(401, 404),
    ),
    Operation(
        "GET",
        "/invites/{token}/qr.svg",
        invites.code,
        "Rooms",
        "The link as a QR code",
        str,
        errors=(401, 404, 410),
        media=("image/svg+xml",),
    ),
]

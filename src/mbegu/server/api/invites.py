"""Invitations: what a link leads to, and its QR code. The seat itself is taken in the room's socket."""

import time

from starlette.requests import Request
from starlette.responses import Response

from mbegu.core.i18n import _
from mbegu.core.registry import game as find_game
from mbegu.server.api import qr
from mbegu.server.api.endpoints import polite, store_of
from mbegu.server.keep.ratings import rating_of
from mbegu.server.net.messages import Json, moment
from mbegu.server.net.replies import Answer, reply
from mbegu.server.play.forms import invite_is_over
from mbegu.server.play.hall import Hall
from mbegu.server.play.rows import RoomRow, SeatKind

__all__ = ["code", "invitation"]

GONE = 410
HERE = ("localhost", "127.0.0.1", "::1")


async def _invited(request: Request) -> tuple[RoomRow, int]:
    found = await store_of(request).invited(request.path_params["token"])
    if found is None:
        raise Answer(
            404,
            _("this invitation leads nowhere: the link is not complete, or the game was deleted"),
        )
    return found


@polite
async def invitation(request: Request) -> Response:
    """The game to which somebody is invited."""
    row, seat = await _invited(request)
    told = _invitation(row, seat, request.state.session)
    told["rating"] = await _rating(request, row, row.seats[1 - seat].account)
    return reply(told)


async def _rating(request: Request, row: RoomRow, account: str | None) -> Json | None:
    """How strong the one is against whom a rated game would be; None if nothing is at stake."""
    if account is None or not row.rated:
        return None
    game = find_game(row.game).name
    found = await store_of(request).read(lambda connection: rating_of(connection, account, game))
    return found.to_json()


def _invitation(row: RoomRow, player: int, session: str) -> Json:
    game, seat, other = find_game(row.game), row.seats[player], row.seats[1 - player]
    if seat.kind != SeatKind.OPEN:
        state = "yours" if seat.session == session else "taken"
    elif session in (row.owner, other.session):
        state = "own"
    else:
        state = "expired" if invite_is_over(row, time.time()) else "open"
    return {
        "state": state,
        "room": row.id,
        "seat": player,
        "game": row.game,
        "title": _(game.title),
        "sides": [game.side(0), game.side(1)],
        "clock": row.control,
        "rated": row.rated,
        "setups": row.start is None,
        "position": row.position,
        "from": other.name,
        "status": row.status,
        "created": moment(row.created),
    }


@polite
async def code(request: Request) -> Response:
    """The link as a QR code."""
    row, seat = await _invited(request)
    if row.seats[seat].kind != SeatKind.OPEN:
        raise Answer(GONE, _("somebody has taken this seat already: you may watch"))
    hall: Hall = request.app.state.hall
    base = f"{request.url.scheme}://{request.headers.get('host', '')}"
    if request.url.hostname in HERE and hall.public is not None:
        base = hall.public  # no phone finds the localhost of another machine
    picture = qr.svg(f"{base}/join/{row.seats[seat].invite}")
    return Response(picture, media_type="image/svg+xml", headers={"cache-control": "no-store"})

"""The HTTP addresses of games and positions: cards, pages, views, moves that are only tried, lessons."""

from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from mbegu.core.game import Position
from mbegu.core.i18n import _, current_language
from mbegu.core.registry import game_class, trouble
from mbegu.games.pictures import picture
from mbegu.server.api.clerk import Clerk
from mbegu.server.api.endpoints import MOST_BODY, polite, read_body
from mbegu.server.api.game_pages import page_html
from mbegu.server.api.openapi import GAME, Operation, Query, text
from mbegu.server.api.schemas import Games, Lesson, Steps, StepTold, Trial, View
from mbegu.server.net.replies import Answer, lasting, reply
from mbegu.server.play.catalogue import position_of, prepare, told_cards, told_lesson
from mbegu.server.play.forms import read_object
from mbegu.server.play.trials import tried
from mbegu.server.play.views import view

__all__ = ["MOST_TRIED", "OPERATIONS", "prepare"]

A_FEW = 4  # moves that are tried at once; with more the clerk is asked
MOST_TRIED = 256 * 1024  # a body with so many moves


@polite
async def games(request: Request) -> Response:
    """Every game with its card."""
    engine = request.app.state.thinkers.has_engine
    return lasting(told_cards(current_language(), engine), request)


# ---- positions


@polite
async def see(request: Request) -> Response:
    """A position and all about it."""
    return reply(view(_position(request)))


def _position(request: Request) -> Position:
    query = request.query_params
    return position_of(query.get("game", ""), query.get("position"))


@polite
async def draw(request: Request) -> Response:
    """A position as a picture."""
    return Response(
        picture(_position(request)),
        media_type="image/svg+xml",
        headers={"cache-control": "public, max-age=3600", "vary": "Cookie, Accept-Language"},
    )


@polite
async def attempt(request: Request) -> Response:
    """What a move would do, or several; nothing is kept."""
    body = await read_body(request, MOST_TRIED)
    form = read_object(body) if len(body) <= MOST_BODY else {}
    moves = form.get("moves")
    if not form or (isinstance(moves, list) and len(moves) > A_FEW):
        clerk: Clerk = request.app.state.clerk
        packed = "gzip" in request.headers.get("accept-encoding", "")
        return await clerk.attempt(body, packed, request.state.visitor, request.state.address)
    return Response(
        tried(form), media_type="application/json", headers={"cache-control": "no-store"}
    )


# ---- pages and lessons


@polite
async def page(request: Request) -> Response:
    """All about a game, to be read."""
    found = game_class(request.path_params["game"])
    if trouble(found.name) or not found.page():
        raise Answer(404, _("{game} has no page.md beside its rules").format(game=found.name))
    return HTMLResponse(page_html(found))


@polite
async def lessons(request: Request) -> Response:
    """The steps of a lesson, each with its position."""
    found = game_class(request.path_params["game"])
    return lasting(told_lesson(found.name, current_language()), request)


# ---- the table

_WHICH = [
    Query("game", GAME, "a game, with options", required=True),
    Query("position", text(1000), "a position; the start unless told"),
]
OPERATIONS = [
    Operation(
        "GET",
        "/games",
        games,
        "Games",
        "Every game with its card",
        Games,
        errors=(401,),
    ),
    Operation(
        "GET",
        "/games/{game}/page",
        page,
        "Games",
        "All about a game, to be read",
        str,
        errors=(400, 401, 404),
        media=("text/html",),
    ),
    Operation(
        "GET",
        "/view",
        see,
        "Games",
        "A position and all about it",
        View,
        query=_WHICH,
        errors=(400, 401),
    ),
    Operation(
        "POST",
        "/try",
        attempt,
        "Games",
        "What a move would do, or several; nothing is kept",
        (StepTold, Steps),
        takes=Trial,
        errors=(400, 401, 422),
    ),
    Operation(
        "GET",
        "/picture.svg",
        draw,
        "Games",
        "A position as a picture",
        str,
        query=_WHICH,
        errors=(400, 401),
        media=("image/svg+xml",),
    ),
    Operation(
        "GET",
        "/lessons/{game}",
        lessons,
        "Games",
        "The steps of a lesson",
        Lesson,
        errors=(400, 401),
    ),
]

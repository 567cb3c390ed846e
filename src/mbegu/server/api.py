"""The HTTP addresses under /api/v1. docs/protocol.md tells what each takes and gives."""

import asyncio
from dataclasses import replace
from typing import Any

from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route

from mbegu import __version__
from mbegu.core.errors import InvalidMove, shorten
from mbegu.core.game import Game, Move, Position
from mbegu.core.i18n import LANGUAGES, _, current_language
from mbegu.core.ogn import format_ogn
from mbegu.core.registry import game as find_game
from mbegu.core.registry import game_class, game_names
from mbegu.core.story import tell
from mbegu.games.lessons import lesson
from mbegu.games.pictures import picture
from mbegu.server import invites, ladder, people
from mbegu.server.answers import Answer, polite, read_json, reply
from mbegu.server.fairness import check_fair
from mbegu.server.forms import InvalidForm, imported_rooms, new_room
from mbegu.server.hall import Hall
from mbegu.server.openapi import (
    ANY,
    BOOL,
    INTEGER,
    MOMENT,
    MOVE,
    NUMBER,
    Operation,
    Query,
    array,
    docs_page,
    document,
    maybe,
    obj,
    ref,
    routes_of,
    text,
)
from mbegu.server.room import Room
from mbegu.server.sessions import Who
from mbegu.server.sockets import question_of
from mbegu.server.store import RoomRow
from mbegu.server.thinking import ThoughtFailed, has_engine
from mbegu.server.views import card, told_events, view
from mbegu.server.wire import PROTOCOL

__all__ = ["OPERATIONS", "SCHEMAS", "prepare", "routes"]

MOST_RECORDS = 4 * 1024 * 1024
MOST_MOVES = 2000
MOST_SECONDS = 10.0  # of an analysis that is answered in one piece
PATIENCE = 60.0  # seconds more until the engine has a moment, or is compiled
MOST_TRIED = 256 * 1024  # a body with so many moves


# ---- games and positions


@polite
async def games(request: Request) -> Response:
    """Every game with its card."""
    cards = _cards(current_language())
    return reply(
        {
            "games": cards,
            "languages": LANGUAGES,
            "version": __version__,
            "protocol": PROTOCOL,
            "engine": has_engine(),
            "levels": [1, 10],
        }
    )


def prepare() -> None:
    """Loads the games before the first visitor asks for them."""
    _cards(current_language())


_CARDS: dict[str, list[dict[str, Any]]] = {}


def _cards(language: str) -> list[dict[str, Any]]:
    if language not in _CARDS:
        _CARDS[language] = [
            {**card(game_class(name)), "lesson": len(lesson(name))} for name in game_names()
        ]
    return _CARDS[language]


@polite
async def see(request: Request) -> Response:
    """A position and all about it."""
    return reply(view(_position(request)))


def _position(request: Request) -> Position:
    game = find_game(request.query_params.get("game", ""))
    text = request.query_params.get("position")
    return game.start() if text is None else game.position(text)


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
    form = await read_json(request, MOST_TRIED)
    game = find_game(form.get("game", ""))
    text = form.get("position")
    if text is not None and not isinstance(text, str):
        raise InvalidForm(_("position must be a text"))
    position = game.start() if text is None else game.position(text)
    if "moves" not in form:
        _move, after, step = _step(game, position, form.get("move"))
        return reply({**step, "view": view(after)})
    moves = form["moves"]
    if not isinstance(moves, list) or len(moves) > MOST_MOVES:
        raise InvalidForm(_("moves must be a list of at most {most}").format(most=MOST_MOVES))
    steps = []
    for number, move in enumerate(moves):
        _move, position, step = _step(game, position, move)
        if form.get("views") is False:
            steps.append({**step, "text": str(position), "scores": list(position.scores())})
        else:
            steps.append({**step, "view": view(position)})
        if number % 20 == 19:
            await asyncio.sleep(0)  # others want to be answered too
    return reply({"steps": steps})


def _step(game: Game, position: Position, move: Any) -> tuple[Move, Position, dict[str, Any]]:
    """Plays a move, given as a value or as a word."""
    if isinstance(move, bool) or not isinstance(move, int | str):
        raise InvalidMove(_("{move} is not a move").format(move=shorten(move)))
    if isinstance(move, str) and move not in position.legal_moves():
        move = game.read_move(move.strip(), position)
    story = list(position.events(move))
    step = {
        "move": move,
        "word": game.format_move(move, position),
        "player": position.turn,
        "story": tell(position, move),
        "events": told_events(position, story),
    }
    return move, position.play(move), step


@polite
async def lessons(request: Request) -> Response:
    """The steps of a lesson, each with its position."""
    found = game_class(request.path_params["game"])
    steps = []
    for step in lesson(found.name):
        position = step.start()
        steps.append(
            {
                "title": _(step.title),
                "text": _(step.text),
                "game": str(position.game),
                "position": str(position),
                "accept": list(step.accept),
                "words": [position.game.format_move(move, position) for move in step.accept],
                "hint": _(step.hint),
                "after": _(step.after),
                "view": view(position),
            }
        )
    return reply({"game": found.name, "title": _(found.title), "steps": steps})


# ---- rooms


@polite
async def make_room(request: Request) -> Response:
    """A new game."""
    form = await read_json(request)
    row = signed(new_room(form, request.state.session), request.state.who)
    if row.start is not None and form.get("position") is not None and _has_computer(row):
        await check_fair(
            request.app.state.hall.store, request.state.session, find_game(row.game), row.start
        )
    if not request.app.state.limits.rooms.take(request.state.visitor, request.state.address):
        raise Answer(429, _("too many new games: wait a moment"))
    await request.app.state.hall.add([row])
    return reply({"room": row.id}, 201)


def _has_computer(row: RoomRow) -> bool:
    return any(seat.kind == "computer" for seat in row.seats)


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


@polite
async def my_rooms(request: Request) -> Response:
    """The games in which I have a seat."""
    query = request.query_params
    limit = query.get("limit", "20")
    if not limit.isascii() or not limit.isdigit() or not 1 <= int(limit[:9]) <= 100:
        raise InvalidForm(_("limit must be from 1 to 100"))
    status = query.get("status")
    if status not in (None, "open", "setup", "playing", "over"):
        raise InvalidForm(_("status must be open, setup, playing or over"))
    hall: Hall = request.app.state.hall
    found = await hall.mine(request.state.session, int(limit), query.get("before"), status)
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
    if room.owner != request.state.session:
        raise Answer(403, _("only the one who made this game may delete it"))
    others = [seat for seat in room.seats if seat.kind == "human" and seat.session != room.owner]
    if others:
        raise Answer(403, _("this game belongs to the other player too: it stays"))
    await request.app.state.hall.delete(room)
    return Response(status_code=204)


@polite
async def record(request: Request) -> Response:
    """The record of a game, as a file."""
    room = await _room(request)
    form = request.query_params.get("format", "text")
    if form not in ("text", "ogn", "json"):
        raise InvalidForm(_("format must be text, ogn or json"))
    found = room.record()
    name = f"{room.game.name}-{found.date.replace('.', '') or 'game'}-{room.id[:6]}"
    name = name.replace("?", "x")
    if form == "json":
        return reply(found.to_json())
    text, ending = (format_ogn(found), "ogn") if form == "ogn" else (str(found), "txt")
    return Response(
        text,
        media_type="text/plain; charset=utf-8",
        headers={
            "content-disposition": f'attachment; filename="{name}.{ending}"',
            "cache-control": "no-store",
        },
    )


@polite
async def import_records(request: Request) -> Response:
    """Makes rooms of records."""
    if not request.app.state.limits.records.take(request.state.visitor, request.state.address):
        raise Answer(429, _("too many imports: wait a moment"))
    form = await read_json(request, MOST_RECORDS)
    rows = await asyncio.to_thread(imported_rooms, form.get("text"), request.state.session)
    await request.app.state.hall.add(rows)
    return reply({"rooms": [row.id for row in rows]}, 201)


@polite
async def unknown(request: Request) -> Response:
    """What is not there."""
    raise Answer(404, _("there is nothing at this address"))


# ---- analysis


@polite
async def analyse(request: Request) -> Response:
    """What the engine thinks of a position, when it has thought."""
    form = await read_json(request, MOST_TRIED)
    game, text, history, lines, seconds = question_of(form)
    if seconds > MOST_SECONDS:
        raise InvalidForm(_("seconds must be from 0.1 to {most}").format(most=f"{MOST_SECONDS:g}"))
    session, hall = request.state.session, request.app.state.hall
    await check_fair(hall.store, session, game, text)
    if not request.app.state.limits.analyses.take(request.state.visitor, request.state.address):
        raise Answer(429, _("too many analyses: wait a moment"))
    if hall.thinkers.waiting_of(f"analysis {session}"):
        raise Answer(429, _("one analysis at a time: wait for the one that runs"))
    last: dict[str, Any] = {}
    try:
        async with asyncio.timeout(seconds + PATIENCE):
            await hall.thinkers.analyse(
                game,
                text,
                history,
                lines,
                seconds,
                f"analysis {session}",
                last.update,
                lambda: None,
            )
    except (ThoughtFailed, TimeoutError) as error:
        raise Answer(503, str(error) or _("the engine is busy: try again")) from None
    return reply({**last, "final": True})


# ---- the table

_GAME = text(1000, examples=["oware", "kalah(seeds=3)"])
_SIDES = array(text(), minItems=2, maxItems=2)
_SCORES = array(NUMBER, minItems=2, maxItems=2)
_OUTCOME = obj(
    {"winner": maybe(INTEGER), "scores": _SCORES, "reason": text()}, result=text(), sentence=text()
)
_TURN = {"enum": [0, 1, None]}
_SEAT = obj({"kind": {"enum": ["human", "computer", "open"]}, "name": text(), "yours": BOOL})
_EVENTS = array(obj({"event": text()}))
SCHEMAS = {
    "View": obj(
        {
            "game": text(),
            "rules": text(),
            "text": text(),
            "state": {"type": "object"},
            "turn": _TURN,
            "scores": _SCORES,
            "sides": _SIDES,
            "legal": array(obj({"move": MOVE, "word": text(), "story": text()})),
            "barred": {"type": "object", "additionalProperties": text()},
            "marks": {"type": "object"},
            "outcome": maybe(_OUTCOME),
        }
    ),
    "Step": obj(
        {"events": _EVENTS, "word": text(), "move": MOVE, "story": text(), "player": _TURN},
        view=ref("View"),
        text=text(),
        scores=_SCORES,
    ),
    "Card": obj(
        {
            "name": text(),
            "id": text(),
            "title": text(),
            "summary": text(),
            "sides": _SIDES,
            "options": array({"type": "object"}),
            "start": ref("View"),
        }
    ),
    "Summary": obj(
        {
            "id": text(),
            "game": text(),
            "title": text(),
            "sides": _SIDES,
            "seats": array(_SEAT),
            "status": text(),
            "plies": INTEGER,
            "position": maybe(text()),
            "turn": _TURN,
            "outcome": maybe(_OUTCOME),
            "clock": text(),
            "created": MOMENT,
            "updated": MOMENT,
        }
    ),
    "Snapshot": obj(
        {
            "version": INTEGER,
            "room": obj({"id": text(), "game": text(), "status": text(), "seats": array(_SEAT)}),
            "view": maybe(ref("View")),
            "moves": array(obj({"ply": INTEGER, "player": _TURN, "move": MOVE, "word": text()})),
        }
    ),
    "Analysis": obj(
        {
            "turn": _TURN,
            "depth": INTEGER,
            "nodes": INTEGER,
            "seconds": NUMBER,
            "lines": array(obj({"moves": array(MOVE), "words": array(text())})),
            "final": BOOL,
        }
    ),
    **people.SCHEMAS,
    **ladder.SCHEMAS,
}
_WHICH = [
    Query("game", _GAME, "a game, with options", required=True),
    Query("position", text(1000), "a position; the start unless told"),
]
_ROOM_QUERY = [
    Query("limit", {"type": "integer", "minimum": 1, "maximum": 100}),
    Query("before", text(200), "the `next` of the page before"),
    Query("status", {"enum": ["open", "setup", "playing", "over"]}),
]
OPERATIONS = [
    Operation(
        "GET",
        "/games",
        games,
        "Games",
        "Every game with its card",
        obj({"games": array(ref("Card")), "version": text(), "protocol": INTEGER}),
        errors=(401,),
    ),
    Operation(
        "GET",
        "/view",
        see,
        "Games",
        "A position and all about it",
        ref("View"),
        query=_WHICH,
        errors=(400, 401),
    ),
    Operation(
        "POST",
        "/try",
        attempt,
        "Games",
        "What a move would do, or several; nothing is kept",
        {"anyOf": [ref("Step"), obj({"steps": array(ref("Step"))})]},
        takes=obj(
            {"game": _GAME},
            position=maybe(text(1000)),
            move=MOVE,
            moves=array(MOVE, maxItems=MOST_MOVES),
            views=BOOL,
        ),
        errors=(400, 401, 422),
    ),
    Operation(
        "GET",
        "/picture.svg",
        draw,
        "Games",
        "A position as a picture",
        text(),
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
        obj({"game": text(), "title": text(), "steps": array({"type": "object"})}),
        errors=(400, 401),
    ),
    Operation(
        "POST",
        "/analysis",
        analyse,
        "Analysis",
        "What the engine thinks of a position; not of one that stands in a rated game",
        ref("Analysis"),
        takes=obj(
            {"game": _GAME, "position": text(1000)},
            lines={"type": "integer", "minimum": 1, "maximum": 5},
            seconds={"type": "number", "minimum": 0.1, "maximum": MOST_SECONDS},
            history=array(text(1000), maxItems=1000),
        ),
        errors=(400, 401),
    ),
    Operation(
        "GET",
        "/rooms",
        my_rooms,
        "Rooms",
        "My games, last touched first",
        obj({"rooms": array(ref("Summary")), "next": maybe(text())}),
        query=_ROOM_QUERY,
        errors=(400, 401),
    ),
    Operation(
        "POST",
        "/rooms",
        make_room,
        "Rooms",
        "A new game",
        obj({"room": text()}),
        201,
        obj(
            {"game": _GAME, "seats": array({"type": "object"}, minItems=2, maxItems=2)},
            clock=text(100, examples=["60+1"]),
            position=maybe(text(1000)),
            setups={"type": ["null", "string", "array"]},
            pace=NUMBER,
            rated=BOOL,
            lot=BOOL,
        ),
        errors=(400, 401),
    ),
    Operation(
        "GET",
        "/rooms/{room}",
        look,
        "Rooms",
        "A game as it stands",
        ref("Snapshot"),
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
        "GET",
        "/rooms/{room}/record",
        record,
        "Records",
        "The record of a game",
        ANY,
        query=[Query("format", {"enum": ["text", "ogn", "json"]})],
        errors=(400, 401, 404),
        media=("text/plain", "application/json"),
    ),
    Operation(
        "POST",
        "/records",
        import_records,
        "Records",
        "Make rooms of records, ours or OGN",
        obj({"rooms": array(text())}),
        201,
        obj({"text": text()}),
        errors=(400, 401),
    ),
    Operation(
        "GET",
        "/invites/{token}",
        invites.invitation,
        "Rooms",
        "The game to which a link invites",
        obj({"state": text(), "room": text(), "seat": INTEGER, "game": text(), "rated": BOOL}),
        errors=(401, 404),
    ),
    Operation(
        "GET",
        "/invites/{token}/qr.svg",
        invites.code,
        "Rooms",
        "The link as a QR code",
        text(),
        errors=(401, 404, 410),
        media=("image/svg+xml",),
    ),
    *people.OPERATIONS,
    *ladder.OPERATIONS,
]


@polite
async def openapi(request: Request) -> Response:
    """This table for machines."""
    return reply(document(OPERATIONS, SCHEMAS))


@polite
async def docs(request: Request) -> Response:
    """This table for people."""
    return HTMLResponse(docs_page(OPERATIONS))


def routes() -> list[Route]:
    """The addresses."""
    return [
        *routes_of(OPERATIONS),
        Route("/openapi.json", openapi),
        Route("/docs", docs),
        Route("/{rest:path}", unknown, methods=["GET", "POST", "PUT", "PATCH", "DELETE"]),
    ]

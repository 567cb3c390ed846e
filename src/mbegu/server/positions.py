"""The HTTP addresses of games and positions: cards, views, moves that are only tried, lessons."""

import asyncio
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from mbegu import __version__
from mbegu.core.errors import InvalidMove, shorten
from mbegu.core.game import Game, Move, Position
from mbegu.core.i18n import LANGUAGES, _, current_language
from mbegu.core.registry import game as find_game
from mbegu.core.registry import game_class, game_names
from mbegu.core.story import tell
from mbegu.games.lessons import lesson
from mbegu.games.pictures import picture
from mbegu.server.answers import polite, read_json, reply
from mbegu.server.forms import InvalidForm
from mbegu.server.openapi import (
    BOOL,
    GAME,
    INTEGER,
    MOVE,
    OUTCOME,
    SCORES,
    SIDES,
    TURN,
    Operation,
    Query,
    array,
    maybe,
    obj,
    ref,
    text,
)
from mbegu.server.thinking import has_engine
from mbegu.server.views import card, told_events, view
from mbegu.server.wire import PROTOCOL

__all__ = ["MOST_TRIED", "OPERATIONS", "SCHEMAS", "prepare"]

MOST_MOVES = 2000
MOST_TRIED = 256 * 1024  # a body with so many moves


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


# ---- positions


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


# ---- lessons


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


# ---- the table

_EVENTS = array(obj({"event": text()}))
_WHICH = [
    Query("game", GAME, "a game, with options", required=True),
    Query("position", text(1000), "a position; the start unless told"),
]
SCHEMAS = {
    "View": obj(
        {
            "game": text(),
            "rules": text(),
            "text": text(),
            "state": {"type": "object"},
            "turn": TURN,
            "scores": SCORES,
            "sides": SIDES,
            "legal": array(obj({"move": MOVE, "word": text(), "story": text()})),
            "board": obj({"family": text(), "places": array({"type": "object"})}),
            "places": {"type": "object", "additionalProperties": array(INTEGER)},
            "barred": {"type": "object", "additionalProperties": text()},
            "marks": {"type": "object"},
            "outcome": maybe(OUTCOME),
        }
    ),
    "Step": obj(
        {"events": _EVENTS, "word": text(), "move": MOVE, "story": text(), "player": TURN},
        view=ref("View"),
        text=text(),
        scores=SCORES,
    ),
    "Card": obj(
        {
            "name": text(),
            "id": text(),
            "title": text(),
            "summary": text(),
            "sides": SIDES,
            "options": array({"type": "object"}),
            "start": ref("View"),
        }
    ),
}
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
            {"game": GAME},
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
]

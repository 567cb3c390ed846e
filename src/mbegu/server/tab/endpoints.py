"""The questions of the API that a tab can answer by itself; docs/api.md tells what is asked and answered.

What needs people elsewhere (accounts, the lobby, invitations) is not here: the menus leave it out.
"""

import json
import re
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import parse_qsl, unquote

from mbegu.core.errors import InvalidRecord, MbeguError
from mbegu.core.game import Position
from mbegu.core.i18n import _, current_language
from mbegu.core.match import Match
from mbegu.core.notation import find_notation
from mbegu.core.registry import game as find_game
from mbegu.core.registry import game_class
from mbegu.games.pictures import picture
from mbegu.server.net.messages import dumps
from mbegu.server.play.catalogue import position_of, told_cards, told_lesson
from mbegu.server.play.forms import LEVELS, InvalidForm, imported_rooms, new_room
from mbegu.server.play.hall import Hall
from mbegu.server.play.link_forms import link_of, opened_link
from mbegu.server.play.room import Room
from mbegu.server.play.trials import tried
from mbegu.server.play.views import view
from mbegu.server.tab.adopting import adopted, continuation_of
from mbegu.server.tab.backup import is_backup, restore, write_backup
from mbegu.server.tab.store import HERE, TabStore

__all__ = ["Answer", "Question", "answer"]

MOST_LISTED = 100
ROOM_ID = re.compile(r"[A-Za-z0-9_-]{22}")
JSON, SVG, TEXT = "application/json", "image/svg+xml", "text/plain; charset=utf-8"


class Missing(MbeguError):
    """There is nothing at this address."""

    status = 404


@dataclass(frozen=True)
class Question:
    """What is asked."""

    hall: Hall
    method: str
    path: str
    query: dict[str, str]
    body: str
    names: dict[str, str]  # the parts of the path that vary

    @property
    def form(self) -> dict[str, Any]:
        """The body, which is a JSON object."""
        try:
            form = json.loads(self.body)
        except ValueError:
            raise InvalidForm(_("this is not JSON")) from None
        if not isinstance(form, dict):
            raise InvalidForm(_("the body must be an object"))
        return form

    def position(self) -> Position:
        """The position that the query names."""
        return position_of(self.query.get("game", ""), self.query.get("position"))

    @property
    def store(self) -> TabStore:
        """Where this device keeps its games."""
        assert isinstance(self.hall.store, TabStore)
        return self.hall.store

    async def room(self) -> Room:
        """The room that the path names."""
        room = await self.hall.room(self.names["room"])
        if room is None:
            raise Missing(_("there is no such game: it may have been deleted"))
        return room


@dataclass(frozen=True)
class Answer:
    """What is answered."""

    body: str
    type: str = JSON
    status: int = 200


Answering = Callable[[Question], Awaitable[Answer]]
_TABLE: list[tuple[str, re.Pattern[str], Answering]] = []


def _at(method: str, path: str) -> Callable[[Answering], Answering]:
    """Puts a function into the table of addresses."""
    # The paths below hold nothing that a pattern would take for a sign, but for their names in braces.
    pattern = re.compile(re.sub(r"\{(\w+)\}", r"(?P<\1>[^/]+)", path.replace(".", r"\.")))

    def put(function: Answering) -> Answering:
        _TABLE.append((method, pattern, function))
        return function

    return put


async def answer(hall: Hall, method: str, target: str, body: str) -> Answer:
    """The answer to one question, also if it is no."""
    path, _mark, query = target.partition("?")
    try:
        for wanted, pattern, function in _TABLE:
            found = pattern.fullmatch(path)
            if found and wanted == method:
                names = {name: unquote(value) for name, value in found.groupdict().items()}
                asked = dict(parse_qsl(query, keep_blank_values=True))
                return await function(Question(hall, method, path, asked, body, names))
        raise Missing(_("this needs a server: here you play by yourself"))
    except MbeguError as error:
        told: dict[str, object] = {"error": str(error)}
        if isinstance(error, InvalidRecord):
            told = {"error": error.message, "line": error.line, "column": error.column}
        return Answer(dumps(told), status=getattr(error, "status", 400))


# ---- games and positions


@_at("GET", "/games")
async def _games(_question: Question) -> Answer:
    return Answer(told_cards(current_language(), True))


@_at("GET", "/lessons/{game}")
async def _lesson(question: Question) -> Answer:
    return Answer(told_lesson(game_class(question.names["game"]).name, current_language()))


@_at("GET", "/view")
async def _view(question: Question) -> Answer:
    return Answer(dumps(view(question.position())))


@_at("GET", "/picture.svg")
async def _picture(question: Question) -> Answer:
    return Answer(picture(question.position()), SVG)


@_at("POST", "/try")
async def _try(question: Question) -> Answer:
    return Answer(tried(question.form))


# ---- rooms


@_at("GET", "/account")
async def _account(_question: Question) -> Answer:
    return Answer(dumps({"account": None, "ratings": {}}))


@_at("GET", "/rooms")
async def _rooms(question: Question) -> Answer:
    query = question.query
    limit = query.get("limit", "20")
    if not limit.isdecimal() or not 1 <= int(limit) <= MOST_LISTED:
        raise InvalidForm(_("limit must be from 1 to {most}").format(most=MOST_LISTED))
    found = await question.hall.mine(HERE, int(limit), query.get("before"), query.get("status"))
    return Answer(dumps(found))


@_at("POST", "/rooms")
async def _new_room(question: Question) -> Answer:
    row = new_room(question.form, HERE)
    name = question.query.get("id")  # that the page has given it, while it waited for us
    if name is not None:
        row = replace(row, id=name)
        known = await question.store.load(name)
        same = known is None or (known.game, known.seats) == (row.game, row.seats)
        if not same or not ROOM_ID.fullmatch(name):
            raise InvalidForm(_("this is not a name for a new game"))
        if known is not None:  # another tab was quicker
            return Answer(dumps({"room": name}), status=201)
    await question.hall.add([row])
    return Answer(dumps({"room": row.id}), status=201)


@_at("GET", "/rooms/{room}")
async def _snapshot(question: Question) -> Answer:
    return Answer(dumps(await question.hall.snapshot(await question.room(), HERE)))


@_at("DELETE", "/rooms/{room}")
async def _delete(question: Question) -> Answer:
    await question.hall.delete(await question.room(), HERE)
    return Answer("", status=204)


# ---- links


@_at("POST", "/links")
async def _make_link(question: Question) -> Answer:
    return Answer(dumps(link_of(question.form)))


@_at("POST", "/links/open")
async def _open_link(question: Question) -> Answer:
    return Answer(dumps(opened_link(question.form)))


# ---- games of a server that is away


@_at("POST", "/rooms/{room}/adopt")
async def _adopt(question: Question) -> Answer:
    """Takes a server's game up where it stood; one that is here already stays as it is."""
    if await question.hall.room(question.names["room"]) is None:
        form = question.form
        row = adopted(form.get("snapshot", {}), form.get("commands", []), HERE)
        if row.id != question.names["room"]:
            raise InvalidForm(_("this is another game than the one that is asked for"))
        await question.hall.add([row])
    return Answer(dumps({"room": question.names["room"]}), status=201)


@_at("GET", "/rooms/{room}/continuation")
async def _continuation(question: Question) -> Answer:
    """What is to be handed in."""
    return Answer(dumps(continuation_of((await question.room()).course)))


@_at("POST", "/rooms/{room}/handed")
async def _handed(question: Question) -> Answer:
    """The server has it: it is forgotten here, unless it has gone on meanwhile."""
    room = await question.room()
    if question.form.get("count") != room.version:
        return Answer(dumps({"error": _("the game has gone on meanwhile")}), status=409)
    await question.hall.delete(room, HERE)
    return Answer("", status=204)


@_at("POST", "/think")
async def _think(question: Question) -> Answer:
    """A computer's move in a game that a server keeps."""
    form = question.form
    game, level, moves = find_game(form.get("game", "")), form.get("level"), form.get("moves")
    if not isinstance(moves, list) or type(level) is not int or level not in LEVELS:
        raise InvalidForm(_("a thought needs a game, its start, its moves and a level"))
    match = Match(game, game.position(str(form.get("start"))))
    for move in moves:
        match.play(move)
    past = [str(position) for position in match.positions[:-1]]
    found = await question.hall.thinkers.choose(game, str(match.position), past, level, HERE)
    return Answer(dumps({"move": found}))


# ---- records


@_at("GET", "/rooms/{room}/record")
async def _record(question: Question) -> Answer:
    form = question.query.get("format", "text")
    other = find_notation(form)
    if form not in ("text", "json") and other is None:
        raise InvalidForm(_("format must be text, ogn or json"))
    found = (await question.room()).record()
    if form == "json":
        return Answer(dumps(found.to_json()))
    return Answer(str(found) if other is None else other.write(found), TEXT)


@_at("GET", "/records")
async def _export(question: Question) -> Answer:
    return Answer(await write_backup(question.store))


@_at("POST", "/records")
async def _import(question: Question) -> Answer:
    text = question.form.get("text")
    if isinstance(text, str) and is_backup(text):
        names, known = await restore(question.store, text)
        return Answer(dumps({"rooms": names, "known": known}), status=201)
    rows = list(imported_rooms(text, HERE))
    await question.hall.add(rows)
    return Answer(dumps({"rooms": [row.id for row in rows]}), status=201)

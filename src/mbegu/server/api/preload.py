"""Preloaded answers, which a page brings along: those to the questions that its screen asks first.

Each saves the visitor a way to the server and back, which on a slow line is most of the wait.
"""

import logging
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

from starlette.requests import Request
from starlette.types import Message

__all__ = ["NEEDS", "first_answers"]


@dataclass(frozen=True)
class Need:
    """What a client route needs at once: the file of its screen, and the questions that it asks."""

    screen: str
    asks: tuple[str, ...] = ()


# In the words of the browser (web/src/App.svelte, web/src/lib/api.ts); names in braces are filled in.
ALWAYS = ("/account",)
HOME = Need("Home", ("/games", "/rooms?limit=3&status=playing"))
NEEDS = {
    "/": HOME,
    "/new/:game": HOME,
    "/play/:room": Need("Play", ("/rooms/{room}",)),
    "/record/:room": Need("Study"),
    "/p": Need("Study", ("/view?game={game}&position={position}",)),
    "/learn": Need("Learn", ("/games",)),
    "/learn/:game": Need("Learn", ("/games", "/lessons/{game}")),
    "/games": Need("Games", ("/rooms?limit=20",)),
    "/settings": Need("Settings"),
    "/account": Need("Account", ("/account",)),
    "/people/:name": Need("Profile", ("/people/{name}",)),
    "/leaderboard": Need("Leaderboard", ("/games",)),
    "/leaderboard/:game": Need("Leaderboard", ("/leaderboards/{game}",)),
}
log = logging.getLogger(__name__)
UNRESERVED = "!'()*~"  # as encodeURIComponent leaves them


async def first_answers(request: Request, route: str, values: dict[str, str]) -> dict[str, str]:
    """JSON by question, as the API would answer this visitor; what it refuses is left out."""
    given = {**request.query_params, **values}
    found = {}
    for template in (*ALWAYS, *(NEEDS[route].asks if route in NEEDS else ())):
        question = _fill(template, given)
        answer = None if question is None else await _ask(request, question)
        if question is not None and answer is not None:
            found[question] = answer
    return found


def _fill(template: str, given: dict[str, str]) -> str | None:
    """`/view?game={game}` with its game; what was not given is left out, or there is no question."""
    if "{position}" in template and not given.get("position"):
        template = template.replace("&position={position}", "")
    quoted = {name: quote(value, safe=UNRESERVED) for name, value in given.items()}
    try:
        return template.format_map(quoted)
    except KeyError:
        return None


async def _ask(request: Request, question: str) -> str | None:
    """The API's answer to the one who asks for the page."""
    path, _mark, query = f"/api/v1{question}".partition("?")
    scope: dict[str, Any] = {
        **request.scope,
        "method": "GET",
        "path": path,
        "raw_path": path.encode(),
        "query_string": query.encode(),
        "path_params": {},
        "headers": [line for line in request.scope["headers"] if line[0] != b"accept-encoding"],
    }
    status, body = 0, bytearray()

    async def nothing() -> Message:
        return {"type": "http.request", "body": b"", "more_body": False}

    async def take(message: Message) -> None:
        nonlocal status
        if message["type"] == "http.response.start":
            status = message["status"]
        else:
            body.extend(message.get("body", b""))

    try:
        await request.app.router(scope, nothing, take)
    except Exception:  # the page comes all the same, and asks by itself
        log.exception("%s could not be answered beforehand", question)
        return None
    return body.decode() if status == 200 else None

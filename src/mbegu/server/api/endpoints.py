"""What all HTTP addresses have in common: who may ask, how often, and how they read what is sent."""

import math
from collections.abc import Awaitable, Callable
from functools import wraps
from typing import Any

from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response

from mbegu.core.errors import MbeguError
from mbegu.core.i18n import _
from mbegu.server.keep.store import Store
from mbegu.server.net.rate_limits import RateLimits
from mbegu.server.net.replies import Answer, refused, reply, too_often
from mbegu.server.people.accounts import People
from mbegu.server.people.sessions import Who, same_origin
from mbegu.server.play.forms import InvalidForm, read_object

__all__ = [
    "MOST_BODY",
    "Endpoint",
    "is_writable",
    "limit_of",
    "member",
    "people_of",
    "polite",
    "read_body",
    "read_json",
    "store_of",
]

MOST_BODY = 8192
Endpoint = Callable[[Request], Awaitable[Response]]


def polite(endpoint: Endpoint) -> Endpoint:
    """Turns whatever is wrong with a request into a status and a sentence."""

    @wraps(endpoint)
    async def answer(request: Request) -> Response:
        try:
            if request.method not in ("GET", "HEAD") and not same_origin(request):
                raise Answer(403, _("this request comes from another site"))
            limits: RateLimits = request.app.state.limits
            if not limits.questions.take(request.state.visitor, request.state.address):
                return too_often()
            _check_scope(request)
            if any("\0" in str(part) for part in request.path_params.values()):
                raise Answer(404, _("there is nothing at this address"))
            if "%00" in request.url.query:
                raise InvalidForm(_("the address holds something that is not a character"))
            return await endpoint(request)
        except Answer as error:
            response = reply({"error": str(error)}, error.status)
            if error.status in (429, 503):
                response.headers["retry-after"] = str(math.ceil(error.wait))
            return response
        except MbeguError as error:
            return refused(error)
        except ClientDisconnect:
            return Response(status_code=400)

    return answer


def _check_scope(request: Request) -> None:
    """A program may read, or do things, if its token says so."""
    who: Who = request.state.who
    wanted = "read" if request.method in ("GET", "HEAD") else "play"
    if not who.may(wanted):
        raise Answer(403, _("this token does not allow it: it lacks {scope}").format(scope=wanted))


def member(request: Request) -> Who:
    """Who asks, if he is signed in as a person: programs do not manage accounts."""
    who: Who = request.state.who
    if who.account is None:
        raise Answer(401, _("sign in first"))
    if who.scopes is not None:
        raise Answer(403, _("a token cannot do this: sign in with the password"))
    return who


def people_of(request: Request) -> People:
    """Who has an account here."""
    people: People = request.app.state.people
    return people


def store_of(request: Request) -> Store:
    """Where everything is kept."""
    return people_of(request).store


def limit_of(request: Request, usual: int, most: int) -> int:
    """How many of something are asked for."""
    text = request.query_params.get("limit", str(usual))
    digits = text.isascii() and text.isdigit() and len(text) <= 9
    if not digits or not 1 <= int(text) <= most:
        raise InvalidForm(_("limit must be from 1 to {most}").format(most=most))
    return int(text)


def is_writable(text: str) -> bool:
    """Whether a text is more than a JSON string may be: half characters cannot be kept."""
    return "\0" not in text and not any("\ud800" <= sign <= "\udfff" for sign in text)


async def read_json(request: Request, most: int = MOST_BODY) -> dict[str, Any]:
    """The body as an object, if it is one and not too large."""
    return read_object(await read_body(request, most))


async def read_body(request: Request, most: int) -> bytes:
    """The body, unread: for a large one see `Clerk`, who has the time."""
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != "application/json":
        raise Answer(400, _("the body must be application/json"))
    body = bytearray()
    async for chunk in request.stream():
        body += chunk
        if len(body) > most:
            raise Answer(413, _("this is too large: at most {most} bytes").format(most=most))
    return bytes(body)

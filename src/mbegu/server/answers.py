"""How the HTTP addresses read what they are asked and answer: JSON, a status, a sentence for people."""

import gzip
import json
import math
from collections.abc import Awaitable, Callable
from functools import lru_cache, wraps
from typing import Any

from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response

from mbegu.core.errors import IllegalMove, InvalidRecord, MbeguError, shorten
from mbegu.core.i18n import _
from mbegu.server.accounts import People
from mbegu.server.forms import InvalidForm
from mbegu.server.limits import Limits
from mbegu.server.sessions import Who, same_origin
from mbegu.server.store import Store, StoreError
from mbegu.server.wire import dumps

__all__ = [
    "MOST_BODY",
    "Answer",
    "Endpoint",
    "is_writable",
    "lasting",
    "limit_of",
    "member",
    "people_of",
    "polite",
    "read_json",
    "refused",
    "reply",
    "store_of",
    "text_of",
    "too_often",
]

MOST_BODY = 8192
MOST_PACKED, PACKING = 64, 9  # answers that are kept packed, as tightly as can be
Endpoint = Callable[[Request], Awaitable[Response]]


class Answer(Exception):
    """An answer other than the usual one."""

    def __init__(self, status: int, error: str, wait: float = 10.0) -> None:
        super().__init__(error)
        self.status, self.wait = status, wait


def reply(content: Any, status: int = 200) -> Response:
    """JSON that nobody caches."""
    return Response(
        dumps(content),
        status,
        media_type="application/json",
        headers={"cache-control": "no-store"},
    )


def lasting(text: str, request: Request) -> Response:
    """JSON that is the same for many: what it takes to pack it is spent once."""
    headers = {"cache-control": "no-store", "vary": "Accept-Encoding"}
    if "gzip" not in request.headers.get("accept-encoding", ""):
        return Response(text, media_type="application/json", headers=headers)
    headers["content-encoding"] = "gzip"
    return Response(_packed(text), media_type="application/json", headers=headers)


@lru_cache(MOST_PACKED)
def _packed(text: str) -> bytes:
    return gzip.compress(text.encode(), PACKING)


def too_often(wait: float = 10.0) -> Response:
    """Too many requests."""
    response = reply({"error": _("too many requests: wait a moment")}, 429)
    response.headers["retry-after"] = str(math.ceil(wait))
    return response


def refused(error: MbeguError) -> Response:
    """What is wrong, with its status."""
    if isinstance(error, InvalidRecord):
        place = {"line": error.line, "column": error.column}
        return reply({"error": str(error), **place}, 400)
    if isinstance(error, IllegalMove):
        return reply({"error": str(error), "rule": error.rule}, 422)
    if isinstance(error, StoreError):
        return reply({"error": str(error)}, 503)
    return reply({"error": str(error)}, getattr(error, "status", 400))


def polite(endpoint: Endpoint) -> Endpoint:
    """Turns whatever is wrong with a request into a status and a sentence."""

    @wraps(endpoint)
    async def answer(request: Request) -> Response:
        try:
            if request.method not in ("GET", "HEAD") and not same_origin(request):
                raise Answer(403, _("this request comes from another site"))
            limits: Limits = request.app.state.limits
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


def text_of(form: dict[str, Any], key: str, most: int = 1000) -> str:
    """A text of a form, which must be there."""
    value = form.get(key)
    if not isinstance(value, str) or len(value) > most or not is_writable(value):
        raise InvalidForm(
            _("{key} must be a text, not {value}").format(key=key, value=shorten(value))
        )
    return value


def is_writable(text: str) -> bool:
    """Whether a text is more than a JSON string may be: half characters cannot be kept."""
    return "\0" not in text and not any("\ud800" <= sign <= "\udfff" for sign in text)


async def read_json(request: Request, most: int = MOST_BODY) -> dict[str, Any]:
    """The body as an object, if it is one and not too large."""
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != "application/json":
        raise Answer(400, _("the body must be application/json"))
    body = bytearray()
    async for chunk in request.stream():
        body += chunk
        if len(body) > most:
            raise Answer(413, _("this is too large: at most {most} bytes").format(most=most))
    try:
        found = json.loads(bytes(body))
    except (ValueError, RecursionError):
        raise InvalidForm(_("this is not JSON")) from None
    if not isinstance(found, dict):
        raise InvalidForm(_("the body must be a JSON object"))
    return found

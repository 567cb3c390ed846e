"""The HTTP addresses of one's tokens, which programs show."""

from starlette.requests import Request
from starlette.responses import Response

from mbegu.core.i18n import _
from mbegu.server.api.endpoints import member, polite, read_json, text_of
from mbegu.server.api.openapi import (
    MOMENT,
    Operation,
    array,
    maybe,
    obj,
    ref,
    text,
)
from mbegu.server.net.replies import Answer, reply
from mbegu.server.people.tokens import SCOPES, Tokens
from mbegu.server.play.forms import InvalidForm

__all__ = ["OPERATIONS", "SCHEMAS"]


@polite
async def my_tokens(request: Request) -> Response:
    """My tokens, without their secrets."""
    tokens: Tokens = request.app.state.tokens
    return reply({"tokens": await tokens.list(member(request).account or "")})


@polite
async def make_token(request: Request) -> Response:
    """A new token, shown this once."""
    form = await read_json(request)
    who, scopes, days = member(request), form.get("scopes"), form.get("days", 90)
    if not isinstance(scopes, list) or not all(isinstance(scope, str) for scope in scopes):
        raise InvalidForm(_("scopes are read and play"))
    if type(days) is not int:
        raise InvalidForm(_("days must be a number"))
    tokens: Tokens = request.app.state.tokens
    return reply(await tokens.create(who, text_of(form, "name"), scopes, days), 201)


@polite
async def delete_token(request: Request) -> Response:
    """Ends a token."""
    tokens: Tokens = request.app.state.tokens
    account = member(request).account or ""
    if not await tokens.revoke(account, request.path_params["token"]):
        raise Answer(404, _("there is no such token"))
    return Response(status_code=204)


# ---- the table

_TOKEN = obj(
    {
        "id": text(),
        "name": text(),
        "scopes": array({"enum": list(SCOPES)}),
        "created": MOMENT,
        "expires": MOMENT,
        "used": maybe(MOMENT),
    }
)
SCHEMAS = {
    "Token": _TOKEN,
}
OPERATIONS = [
    Operation(
        "GET",
        "/account/tokens",
        my_tokens,
        "Tokens",
        "My tokens, without their secrets",
        obj({"tokens": array(ref("Token"))}),
        errors=(401,),
        member=True,
    ),
    Operation(
        "POST",
        "/account/tokens",
        make_token,
        "Tokens",
        "A new token: its text is shown this once. play is for bots",
        {"allOf": [ref("Token"), obj({"token": text()})]},
        201,
        obj(
            {"name": text(60), "scopes": array({"enum": list(SCOPES)}, minItems=1)},
            days={"type": "integer", "minimum": 1, "maximum": 366},
        ),
        errors=(400, 401),
        member=True,
    ),
    Operation(
        "DELETE",
        "/account/tokens/{token}",
        delete_token,
        "Tokens",
        "End a token",
        status=204,
        errors=(401, 404),
        member=True,
    ),
]

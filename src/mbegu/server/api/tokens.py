"""The HTTP addresses of one's tokens, which programs show."""

from starlette.requests import Request
from starlette.responses import Response

from mbegu.core.i18n import _
from mbegu.server.api.endpoints import member, polite
from mbegu.server.api.openapi import Operation
from mbegu.server.api.people_schemas import NewToken, TokenMade
from mbegu.server.api.people_schemas import Tokens as TokenList
from mbegu.server.api.validation import read_form
from mbegu.server.net.replies import Answer, reply
from mbegu.server.people.tokens import Tokens

__all__ = ["OPERATIONS"]


def tokens_of(request: Request) -> Tokens:
    """The tokens of this server."""
    tokens: Tokens = request.app.state.tokens
    return tokens


@polite
async def my_tokens(request: Request) -> Response:
    """My tokens, without their secrets."""
    tokens = tokens_of(request)
    return reply({"tokens": await tokens.list(member(request).account or "")})


@polite
async def make_token(request: Request) -> Response:
    """A new token, shown this once."""
    who, tokens = member(request), tokens_of(request)
    form = await read_form(request, NewToken)
    made = await tokens.create(who, form["name"], list(form["scopes"]), form.get("days", 90))
    return reply(made, 201)


@polite
async def delete_token(request: Request) -> Response:
    """Ends a token."""
    tokens = tokens_of(request)
    account = member(request).account or ""
    if not await tokens.revoke(account, request.path_params["token"]):
        raise Answer(404, _("there is no such token"))
    return Response(status_code=204)


# ---- the table

OPERATIONS = [
    Operation(
        "GET",
        "/account/tokens",
        my_tokens,
        "Tokens",
        "My tokens, without their secrets",
        TokenList,
        errors=(401,),
        member=True,
    ),
    Operation(
        "POST",
        "/account/tokens",
        make_token,
        "Tokens",
        "A new token: its text is shown this once. play is for bots",
        TokenMade,
        201,
        NewToken,
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

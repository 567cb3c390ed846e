"""The HTTP addresses of links that carry a record."""

from starlette.requests import Request
from starlette.responses import Response

from mbegu.server.api.endpoints import polite, read_json
from mbegu.server.api.openapi import Operation
from mbegu.server.api.record_schemas import LinkAsked, LinkMade, LinkOpened, LinkToOpen

__all__ = ["OPERATIONS"]

MOST_ASKED = 32 * 1024


@polite
async def make_link(request: Request) -> Response:
    """A link to a game from a position, by some moves."""
    form = await read_json(request, MOST_ASKED)
    who, clerk = request.state, request.app.state.clerk
    found: Response = await clerk.link("link", form, who.visitor, who.address)
    return found


@polite
async def open_link(request: Request) -> Response:
    """What a link carries; nothing is kept."""
    form = await read_json(request)
    who, clerk = request.state, request.app.state.clerk
    found: Response = await clerk.link("open", form, who.visitor, who.address)
    return found


OPERATIONS = [
    Operation(
        "POST",
        "/links",
        make_link,
        "Records",
        "A link that carries a game",
        LinkMade,
        takes=LinkAsked,
        errors=(400, 401, 413, 422),
    ),
    Operation(
        "POST",
        "/links/open",
        open_link,
        "Records",
        "What a link carries; nothing is kept",
        LinkOpened,
        takes=LinkToOpen,
        errors=(400, 401, 413, 422),
    ),
]

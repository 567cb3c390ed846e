"""The HTTP addresses under /api/v1, gathered. docs/protocol.md tells what each takes and gives."""

from functools import cache

from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route

from mbegu.core.i18n import _, current_language
from mbegu.server.api import (
    analysis,
    ladder,
    links,
    membership,
    people,
    positions,
    rooms,
    tokens,
)
from mbegu.server.api.endpoints import polite
from mbegu.server.api.openapi import (
    docs_page,
    document,
    routes_of,
)
from mbegu.server.net.messages import dumps
from mbegu.server.net.replies import Answer, lasting

__all__ = ["OPERATIONS", "routes"]

PARTS = (positions, analysis, rooms, links, membership, tokens, people, ladder)
OPERATIONS = [operation for part in PARTS for operation in part.OPERATIONS]


@polite
async def openapi(request: Request) -> Response:
    """This table for machines."""
    return lasting(_document(current_language()), request)


@cache
def _document(_language: str) -> str:
    return dumps(document(OPERATIONS))


@polite
async def docs(request: Request) -> Response:
    """This table for people."""
    return HTMLResponse(_page(current_language()))


@cache
def _page(_language: str) -> str:
    return docs_page(OPERATIONS)


@polite
async def unknown(request: Request) -> Response:
    """What is not there."""
    raise Answer(404, _("there is nothing at this address"))


def routes() -> list[Route]:
    """The addresses."""
    return [
        *routes_of(OPERATIONS),
        Route("/openapi.json", openapi),
        Route("/docs", docs),
        Route("/{rest:path}", unknown, methods=["GET", "POST", "PUT", "PATCH", "DELETE"]),
    ]

"""The HTTP address of the ladder of bots."""

import asyncio

from starlette.requests import Request
from starlette.responses import Response

from mbegu.core.registry import game as find_game
from mbegu.server.api.endpoints import polite
from mbegu.server.api.openapi import Operation
from mbegu.server.api.people_schemas import Ladder
from mbegu.server.net.replies import reply
from mbegu.server.think.ladder_bots import ladder_of

__all__ = ["OPERATIONS"]


@polite
async def ladder(request: Request) -> Response:
    """The bots of a game, the best first."""
    game = find_game(request.path_params["game"])
    return reply(await asyncio.to_thread(ladder_of, game))


OPERATIONS = [
    Operation(
        "GET",
        "/ladder/{game}",
        ladder,
        "Games",
        "The ladder of bots; play one as a computer of level 0, by its name",
        Ladder,
        errors=(400, 401),
    )
]

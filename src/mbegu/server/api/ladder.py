"""The HTTP address of the ladder of bots."""

import asyncio

from starlette.requests import Request
from starlette.responses import Response

from mbegu.core.registry import game as find_game
from mbegu.server.api.endpoints import polite
from mbegu.server.api.openapi import BOOL, INTEGER, NUMBER, Operation, array, obj, ref, text
from mbegu.server.net.replies import reply
from mbegu.server.think.ladder_bots import ladder_of

__all__ = ["OPERATIONS", "SCHEMAS"]


@polite
async def ladder(request: Request) -> Response:
    """The bots of a game, the best first."""
    game = find_game(request.path_params["game"])
    return reply(await asyncio.to_thread(ladder_of, game))


SCHEMAS = {
    "Rung": obj(
        {
            "rank": INTEGER,
            "name": text(),
            "place": NUMBER,
            "mu": NUMBER,
            "sigma": NUMBER,
            "played": INTEGER,
            "won": INTEGER,
            "drawn": INTEGER,
            "faults": INTEGER,
            "playable": BOOL,
        }
    )
}
OPERATIONS = [
    Operation(
        "GET",
        "/ladder/{game}",
        ladder,
        "Games",
        "The ladder of bots; play one as a computer of level 0, by its name",
        obj({"game": text(), "title": text(), "bots": array(ref("Rung"))}),
        errors=(400, 401),
    )
]

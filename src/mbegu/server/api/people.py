"""The HTTP addresses of everybody: profiles, ratings and leaderboards."""

from starlette.requests import Request
from starlette.responses import Response

from mbegu.core.i18n import _
from mbegu.core.registry import game_class, game_names
from mbegu.server.api.endpoints import limit_of, people_of, polite, store_of
from mbegu.server.api.openapi import Operation, Query, text
from mbegu.server.api.people_schemas import History, Leaderboard, Leaderboards, Profile, RoomRatings
from mbegu.server.api.profiles import profile
from mbegu.server.keep import ratings
from mbegu.server.net.replies import Answer, reply
from mbegu.server.people.accounts import Account
from mbegu.server.play.forms import InvalidForm

__all__ = ["OPERATIONS"]

MOST_PLACES = 200


async def _somebody(request: Request) -> Account:
    account = await people_of(request).by_name(request.path_params["name"])
    if account is None:
        raise Answer(404, _("nobody is called that here"))
    return account


@polite
async def see_profile(request: Request) -> Response:
    """Somebody's ratings and last rated games."""
    account = await _somebody(request)
    return reply(await store_of(request).read(lambda connection: profile(connection, account)))


@polite
async def see_history(request: Request) -> Response:
    """How somebody's rating in a game came about."""
    account = await _somebody(request)
    game = game_class(request.query_params.get("game", "")).name
    lines = await store_of(request).read(
        lambda connection: ratings.history(connection, account.id, game)
    )
    return reply({"name": account.name, "game": game, "history": lines})


@polite
async def room_ratings(request: Request) -> Response:
    """What a rated game has made of the ratings of both."""
    room = request.path_params["room"]
    found = await store_of(request).read(lambda connection: ratings.settled(connection, room))
    return reply({"counted": bool(found), "players": found})


@polite
async def leaderboard(request: Request) -> Response:
    """The best of a game."""
    game = game_class(request.path_params["game"])
    limit = limit_of(request, 50, MOST_PLACES)
    bots = request.query_params.get("bots", "true")
    if bots not in ("true", "false"):
        raise InvalidForm(_("bots must be true or false"))
    places = await store_of(request).read(
        lambda connection: ratings.board(connection, game.name, limit, bots == "true")
    )
    return reply({"game": game.name, "title": _(game.title), "places": places})


@polite
async def leaderboards(request: Request) -> Response:
    """The first ten of every game."""
    names = game_names()
    boards = await store_of(request).read(
        lambda connection: {name: ratings.board(connection, name, 10, True) for name in names}
    )
    return reply({"leaderboards": boards})


# ---- the table

OPERATIONS = [
    Operation(
        "GET",
        "/people/{name}",
        see_profile,
        "People",
        "Somebody's ratings and last rated games",
        Profile,
        errors=(401, 404),
    ),
    Operation(
        "GET",
        "/people/{name}/history",
        see_history,
        "People",
        "The rated games of somebody in a game, the oldest first",
        History,
        query=[Query("game", text(100), "a game, like oware", required=True)],
        errors=(400, 401, 404),
    ),
    Operation(
        "GET",
        "/leaderboards",
        leaderboards,
        "People",
        "The first ten of every game",
        Leaderboards,
        errors=(401,),
    ),
    Operation(
        "GET",
        "/rooms/{room}/ratings",
        room_ratings,
        "People",
        "What a rated game has made of both ratings, by seat; nothing if it did not count",
        RoomRatings,
        errors=(401,),
    ),
    Operation(
        "GET",
        "/leaderboards/{game}",
        leaderboard,
        "People",
        "The best of a game; provisional ratings (fewer than ten games, or than five different opponents) are not listed",
        Leaderboard,
        query=[
            Query("limit", {"type": "integer", "minimum": 1, "maximum": MOST_PLACES}),
            Query("bots", {"enum": ["true", "false"]}, "with bots or without"),
        ],
        errors=(400, 401),
    ),
]

"""What is kept of somebody: shown to all in part, given to him in full, and forgotten when he asks."""

import json
from collections.abc import AsyncIterator, Iterable
from functools import partial
from typing import Any

import sqlalchemy as sa

from mbegu.server.api.clerk import Clerk
from mbegu.server.keep import ratings, revocation
from mbegu.server.keep.store import Store
from mbegu.server.keep.tables import accounts, events, logins, rated_games, rooms, seats, tokens
from mbegu.server.keep.tables import ratings as rating_table
from mbegu.server.net.messages import dumps, moment
from mbegu.server.people.accounts import Account, release
from mbegu.server.play.events import EventKind
from mbegu.server.play.rows import SeatKind

__all__ = ["erase", "export", "profile"]

SHOWN_GAMES = 20
ERASED_AT_ONCE = 2  # games


def account_json(account: Account) -> dict[str, Any]:
    """An account as anybody may know it."""
    return {"name": account.name, "bot": account.bot, "created": moment(account.created)}


def profile(connection: sa.Connection, account: Account) -> dict[str, Any]:
    """What everybody may see of somebody: ratings and the last rated games."""
    games = ratings.latest(connection, account.id, SHOWN_GAMES)
    found = ratings.ratings_of(connection, account.id)
    return {
        **account_json(account),
        "ratings": {game: rating.to_json() for game, rating in found.items()},
        "games": games[::-1],
    }


# ---- everything of mine


async def export(store: Store, account: Account, clerk: Clerk) -> AsyncIterator[str]:
    """All that is kept of somebody, with the records of his games: JSON in pieces, a game in each.

    One game at a time for all who ask, and by the clerk if it is long: threads would take Python from the players.
    """

    def question(connection: sa.Connection) -> dict[str, Any]:
        found = ratings.ratings_of(connection, account.id)
        lines = connection.execute(
            sa.select(tokens).where(tokens.c.account == account.id).order_by(tokens.c.created)
        )
        return {
            "account": account_json(account),
            "ratings": {game: rating.to_json() for game, rating in found.items()},
            "rated_games": ratings.history(connection, account.id),
            "tokens": [
                {"name": line.name, "scopes": line.scopes, "created": moment(line.created)}
                for line in lines
            ],
            "rooms": list(
                connection.scalars(
                    sa.select(rooms.c.id).where(_is_mine(account)).order_by(rooms.c.created)
                )
            ),
        }

    told = await store.read(question)
    mine = told.pop("rooms")
    yield f'{dumps(told)[:-1]},"games":['
    for number, room in enumerate(mine):
        async with clerk.exports:
            row = await store.load(room)
            text = await clerk.kept_game(room, row, account.id)
        yield f",{text}" if number else text
    yield "]}"


def _is_mine(account: Account) -> Any:
    seated = sa.select(seats.c.room).where(seats.c.account == account.id)
    return sa.or_(rooms.c.owner == account.session, rooms.c.id.in_(seated))


# ---- nothing of mine


async def erase(store: Store, account: Account) -> list[str]:
    """Forgets somebody; the rooms that this has changed.

    Games against other people stay theirs, without his name; all other games go with him, a few at a time:
    whoever plays meanwhile does not wait until thousands are gone.
    """
    mine, shared = await store.read(partial(_games_of, account))
    alone = [room for room in mine if room not in shared]
    for at in range(0, len(alone), ERASED_AT_ONCE):
        await store.write(partial(_delete, alone[at : at + ERASED_AT_ONCE]))
    return alone + await store.write(partial(_erase, account))


def _games_of(account: Account, connection: sa.Connection) -> tuple[list[str], set[str]]:
    """Somebody's games, and those of them in which another person plays."""
    mine = list(connection.scalars(sa.select(rooms.c.id).where(_is_mine(account))))
    others = sa.select(seats.c.room).where(
        seats.c.room.in_(sa.select(rooms.c.id).where(_is_mine(account))),
        seats.c.kind == SeatKind.HUMAN.value,
        sa.or_(seats.c.session.is_(None), seats.c.session != account.session),
    )
    return mine, set(connection.scalars(others))


def _delete(games: list[str], connection: sa.Connection) -> None:
    for table in (events, seats):
        connection.execute(sa.delete(table).where(table.c.room.in_(games)))
    connection.execute(sa.delete(rooms).where(rooms.c.id.in_(games)))


def _erase(account: Account, connection: sa.Connection) -> list[str]:
    mine, shared = _games_of(account, connection)
    _delete([room for room in mine if room not in shared], connection)
    connection.execute(
        sa.update(seats)
        .where(seats.c.account == account.id)
        .values(name="", session=None, account=None)
    )
    connection.execute(
        sa.update(rooms).where(rooms.c.owner == account.session).values(owner="", source=None)
    )
    _forget_coming(connection, account, shared)
    release(connection, mine)
    connection.execute(
        sa.update(rated_games).where(rated_games.c.account == account.id).values(account=None)
    )
    for table in (logins, tokens, rating_table):
        connection.execute(sa.delete(table).where(table.c.account == account.id))
    revocation.note(connection)
    connection.execute(sa.delete(accounts).where(accounts.c.id == account.id))
    return mine


def _forget_coming(connection: sa.Connection, account: Account, shared: Iterable[str]) -> None:
    """Takes his name out of the events that say who took a seat."""
    joined = sa.select(events).where(
        events.c.room.in_(list(shared)), events.c.kind == EventKind.JOINED.value
    )
    for line in connection.execute(joined).all():
        data = json.loads(line.data)
        if data.get("account") == account.id or data.get("session") == account.session:
            nobody = json.dumps({**data, "name": "", "session": None, "account": None})
            connection.execute(
                sa.update(events)
                .where(events.c.room == line.room, events.c.version == line.version)
                .values(data=nobody)
            )

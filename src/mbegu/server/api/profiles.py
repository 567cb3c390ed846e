"""What is kept of somebody: shown to all in part, given to him in full, and forgotten when he asks."""

import json
from collections.abc import Iterable
from typing import Any

import sqlalchemy as sa

from mbegu.core.errors import MbeguError
from mbegu.server.keep import ratings, revocation
from mbegu.server.keep.store import Store
from mbegu.server.keep.tables import accounts, events, logins, rated_games, rooms, seats, tokens
from mbegu.server.keep.tables import ratings as rating_table
from mbegu.server.net.messages import moment
from mbegu.server.people.accounts import Account, release
from mbegu.server.play.events import EventKind
from mbegu.server.play.game_state import Course
from mbegu.server.play.rows import SeatKind

__all__ = ["erase", "export", "profile"]

SHOWN_GAMES = 20


def account_json(account: Account) -> dict[str, Any]:
    """An account as anybody may know it."""
    return {"name": account.name, "bot": account.bot, "created": moment(account.created)}


def profile(connection: sa.Connection, account: Account) -> dict[str, Any]:
    """What everybody may see of somebody: ratings and the last rated games."""
    games = ratings.history(connection, account.id)
    found = ratings.ratings_of(connection, account.id)
    return {
        **account_json(account),
        "ratings": {game: rating.to_json() for game, rating in found.items()},
        "games": games[-SHOWN_GAMES:][::-1],
    }


# ---- everything of mine


async def export(store: Store, account: Account) -> dict[str, Any]:
    """All that is kept of somebody, with the records of his games."""

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
    told["games"] = [await _game(store, room) for room in told.pop("rooms")]
    return told


def _is_mine(account: Account) -> Any:
    seated = sa.select(seats.c.room).where(seats.c.account == account.id)
    return sa.or_(rooms.c.owner == account.session, rooms.c.id.in_(seated))


async def _game(store: Store, room: str) -> dict[str, Any]:
    row = await store.load(room)
    if row is None:  # deleted since
        return {"id": room, "record": None}
    try:
        record = Course(row).record().to_json()
    except MbeguError:  # it has not begun
        record = None
    return {"id": room, "created": moment(row.created), "rated": row.rated, "record": record}


# ---- nothing of mine


def erase(connection: sa.Connection, account: Account) -> list[str]:
    """Forgets somebody; the rooms that this has changed.

    Games against other people stay theirs, without his name; all other games go with him.
    """
    mine = list(connection.scalars(sa.select(rooms.c.id).where(_is_mine(account))))
    others = sa.select(seats.c.room).where(
        seats.c.room.in_(mine),
        seats.c.kind == SeatKind.HUMAN.value,
        sa.or_(seats.c.session.is_(None), seats.c.session != account.session),
    )
    shared = set(connection.scalars(others))
    alone = [room for room in mine if room not in shared]
    for table in (events, seats):
        connection.execute(sa.delete(table).where(table.c.room.in_(alone)))
    connection.execute(sa.delete(rooms).where(rooms.c.id.in_(alone)))
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

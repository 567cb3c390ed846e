"""What rooms ask about members: their ratings, their names, and whether help would be unfair."""

from mbegu.core.game import Game, Position
from mbegu.server.keep.ratings import rating_of
from mbegu.server.keep.store import Store
from mbegu.server.people.fairness import check_fair
from mbegu.server.people.namesakes import check_guest_name

__all__ = ["Members"]


class Members:
    """Everybody with an account on this server."""

    def __init__(self, store: Store) -> None:
        self._store = store

    async def rating_of(self, account: str, game: str) -> float | None:
        """The rating with which somebody looks for a game."""
        return await self._store.read(lambda line: rating_of(line, account, game).shown)

    async def check_name(self, session: str, name: str) -> None:
        """Refuses a guest's name that is a member's."""
        await check_guest_name(self._store, session, name)

    async def check_fair(self, session: str, game: Game, position: Position | str) -> None:
        """Refuses help in a rated game that is being played."""
        await check_fair(self._store, session, game, position)

"""No help in a rated game: who plays one, and what stands on its board, is not analysed."""

from collections.abc import Hashable
from functools import lru_cache

import sqlalchemy as sa

from mbegu.core.errors import MbeguError
from mbegu.core.game import Game, Position
from mbegu.core.i18n import _
from mbegu.core.registry import game as find_game
from mbegu.server.store import Store
from mbegu.server.tables import rooms, seats

__all__ = ["NotNow", "check_fair"]


class NotNow(MbeguError):
    """Somebody plays for a rating with this."""

    status = 403


async def check_fair(store: Store, session: str, game: Game, position: Position | str) -> None:
    """Refuses an analysis that could help in a rated game that is being played.

    One who plays such a game gets no analysis of that sort of game, whatever the position: a move
    further on would tell him as much. And nobody gets one of a position that stands on such a board.
    """
    wanted = _board(game.position(position) if isinstance(position, str) else position)

    def question(connection: sa.Connection) -> str | None:
        live = sa.select(rooms.c.id).where(rooms.c.status == "playing", rooms.c.rated)
        same = rooms.c.game.like(f"{game.name}%")
        mine = sa.select(seats.c.room).where(seats.c.session == session)
        if connection.scalar(live.where(same, rooms.c.id.in_(mine)).limit(1)):
            return _("you are playing a rated game of this kind: analyse when it is over")
        boards = sa.select(rooms.c.game, rooms.c.position).where(
            rooms.c.status == "playing", rooms.c.rated, same, rooms.c.plies > 0
        )
        if any(_live(name, text) == wanted for name, text in connection.execute(boards)):
            return _("this position stands in a rated game that is being played: wait for its end")
        return None

    refusal = await store.read(question)
    if refusal is not None:
        raise NotNow(refusal)


@lru_cache(maxsize=4096)  # of many games, few have moved on since somebody asked last
def _live(game: str, position: str) -> tuple[Hashable, int | None]:
    return _board(find_game(game).position(position))


def _board(position: Position) -> tuple[Hashable, int | None]:
    """What lies on the board, and who is to move: scores and counters change little, and are easily changed.

    >>> one, other = "4-0-0-5-6-0-0-1-1-2-3-6-10-10-S", "4-0-0-5-6-0-0-1-1-2-3-6-9-11-S"
    >>> _board(find_game("oware").position(one)) == _board(find_game("oware").position(other))
    True
    """
    return position.layout(), position.turn

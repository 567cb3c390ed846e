"""No help in a rated game: who plays one, and what stands on its board, is not analysed."""

import sqlalchemy as sa

from mbegu.core.errors import MbeguError
from mbegu.core.game import Game, Position
from mbegu.core.i18n import _
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
    text = str(position)

    def question(connection: sa.Connection) -> str | None:
        live = sa.select(rooms.c.id).where(rooms.c.status == "playing", rooms.c.rated)
        same = rooms.c.game.like(f"{game.name}%")
        mine = sa.select(seats.c.room).where(seats.c.session == session)
        if connection.scalar(live.where(same, rooms.c.id.in_(mine)).limit(1)):
            return _("you are playing a rated game of this kind: analyse when it is over")
        stands = live.where(same, rooms.c.position == text, rooms.c.plies > 0)
        if connection.scalar(stands.limit(1)):
            return _("this position stands in a rated game that is being played: wait for its end")
        return None

    refusal = await store.read(question)
    if refusal is not None:
        raise NotNow(refusal)

"""No help in a rated game: who plays one, and what stands on its board, is not analysed.

A position is known again under every symmetry that its game tells, whatever the scores, and so are
those a few plies before and after it: the engine's line there would tell as much. What remains is said
in `docs/api.md`.
"""

import asyncio
from array import array
from bisect import bisect_left
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache

import sqlalchemy as sa

from mbegu.core.game import Game, Position
from mbegu.core.i18n import _
from mbegu.core.registry import game as find_game
from mbegu.core.symmetry import likeness
from mbegu.server.keep.store import Store
from mbegu.server.keep.tables import rooms, seats
from mbegu.server.play.ports import NotNow
from mbegu.server.play.rows import Status

__all__ = ["NotNow", "check_fair"]

AROUND = 2  # plies before and after
MOST_TRIED = 600  # moves that are tried around one position: where there are more, not all are
BOOK = 2  # plies from the start that are everybody's, unless they stand on a board
# Boards of which it is known what is near: games without a clock may be on for ever, and looking around each of
# them takes milliseconds. A board takes some kilobytes at most.
MOST_KNOWN = 20_000
# One question at a time: the next finds what this one has looked up.
_looking = ThreadPoolExecutor(1, "fairness")


async def check_fair(store: Store, session: str, game: Game, position: Position | str) -> None:
    """Refuses an analysis that could help in a rated game that is being played.

    One who plays such a game gets no analysis of that sort of game, whatever the position. And nobody
    gets one of a position that stands on such a board, or close to it.
    """

    def question(connection: sa.Connection) -> list[tuple[str, str]] | None:
        live = sa.select(rooms.c.id).where(rooms.c.status == Status.PLAYING.value, rooms.c.rated)
        same = rooms.c.game.like(f"{game.name}%")
        mine = sa.select(seats.c.room).where(seats.c.session == session)
        if connection.scalar(live.where(same, rooms.c.id.in_(mine)).limit(1)):
            return None
        boards = sa.select(rooms.c.game, rooms.c.position).where(
            rooms.c.status == Status.PLAYING.value, rooms.c.rated, same, rooms.c.plies > 0
        )
        return [(line.game, line.position) for line in connection.execute(boards)]

    boards = await store.read(question)
    if boards is None:
        raise NotNow(_("you are playing a rated game of this kind: analyse when it is over"))
    if not boards:
        return
    asked = str(game), str(position)
    near = asyncio.get_running_loop().run_in_executor(_looking, _stands_near, asked, boards)
    if await near:
        raise NotNow(
            _("this position stands in a rated game that is being played: wait for its end")
        )


def _stands_near(asked: tuple[str, str], boards: list[tuple[str, str]]) -> bool:
    """Whether a position stands on one of the boards, or leads to one, or one to it."""
    wanted, book = _key(*asked), _near(str(find_game(asked[0])), None)
    if any(_key(*board) == wanted for board in boards):
        return True
    if _is_in(wanted, book):
        return False
    ahead = _near(*asked)
    return any(_is_in(_key(*board), ahead) or _is_in(wanted, _near(*board)) for board in boards)


def _is_in(key: int, keys: "array[int]") -> bool:
    at = bisect_left(keys, key)
    return at < len(keys) and keys[at] == key


@lru_cache(MOST_KNOWN)  # of many games, few have moved on since somebody asked last
def _key(game: str, position: str) -> int:
    return hash(likeness(find_game(game).position(position)))


@lru_cache(MOST_KNOWN)
def _near(game: str, position: str | None) -> "array[int]":
    """What a position can become within a few plies, itself included, in order; None: the start."""
    rules = find_game(game)
    layer = [rules.start() if position is None else rules.position(position)]
    found, tried = {hash(likeness(one)) for one in layer}, 0
    for _ply in range(BOOK if position is None else AROUND):
        after: list[Position] = []
        for one in layer:
            moves = one.legal_moves() if one.turn is not None else []
            tried += len(moves)
            if tried > MOST_TRIED and one is not layer[0]:
                return array("q", sorted(found))
            after += [one.play(move) for move in moves]
        found |= {hash(likeness(one)) for one in after}
        layer = after
    return array("q", sorted(found))

"""News from other processes: how the games of those who are in the lobby go on elsewhere.

The stored rooms are the news. Nothing is sent that could be lost: whoever has missed a look finds the
same at the next one.
"""

import asyncio
import logging
import time
from functools import partial

import sqlalchemy as sa

from mbegu.server.keep.rows import load_rooms
from mbegu.server.keep.store import Store, StoreError
from mbegu.server.keep.tables import rooms, seats
from mbegu.server.peers.leases import PeerGroup
from mbegu.server.play.lobby import Lobby
from mbegu.server.play.replay import replayed

__all__ = ["follow"]

EVERY = 1.0  # seconds between two looks
WINDOW = 30.0  # seconds by which the clocks of two machines may differ
PAGE = 500  # sessions asked for at once
log = logging.getLogger(__name__)


async def follow(store: Store, cluster: PeerGroup, lobby: Lobby, every: float = EVERY) -> None:
    """Tells the people in the lobby about their games in other processes, as long as it runs."""
    told: dict[str, int] = {}
    alone = 0.0
    while True:
        await asyncio.sleep(every)
        try:
            if not lobby.sessions() or time.monotonic() < alone:
                continue
            if not await cluster.others():
                alone = time.monotonic() + 5 * every
                continue
            told = await _look(store, cluster.id, lobby, told)
        except StoreError as error:
            log.warning("no news from other processes: %s", error)


async def _look(store: Store, here: str, lobby: Lobby, told: dict[str, int]) -> dict[str, int]:
    """Tells what is new; the versions that have been told of by now."""
    found: dict[str, int] = {}
    sessions = lobby.sessions()
    for start in range(0, len(sessions), PAGE):
        found |= await store.read(partial(_changed, here, sessions[start : start + PAGE]))
    new = [room for room, version in found.items() if told.get(room) != version]
    for row in await store.read(lambda connection: load_rooms(connection, new[:PAGE])):
        lobby.notice(row.id, await replayed(row))
    return found


def _changed(here: str, sessions: list[str], connection: sa.Connection) -> dict[str, int]:
    chosen = (
        sa.select(rooms.c.id, rooms.c.version)
        .join(seats, seats.c.room == rooms.c.id)
        .where(
            rooms.c.updated > time.time() - WINDOW,
            rooms.c.host != here,
            seats.c.session.in_(sessions),
        )
    )
    return {found.id: found.version for found in connection.execute(chosen)}

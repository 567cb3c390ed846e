"""Leases and fencing tokens: several server processes on one database, and which of them has a room open.

A room is open in one process at a time, its host. Each process has a line in the database that it
must renew in time (a lease), by the database's clock; when it does not, its rooms are free for others.
Whoever takes a room raises its fence (a fencing token), and events are written only with the fence of the moment: a process
that has slept through its time cannot write into a game that has gone on elsewhere.
"""

import asyncio
import logging
import secrets
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass

import sqlalchemy as sa

from mbegu.server.keep.database import clock
from mbegu.server.keep.store import Store, StoreError
from mbegu.server.keep.tables import processes, rooms

__all__ = ["LEASE", "Peer", "PeerGroup"]

LEASE = 10.0  # seconds that a process may be silent
FORGOTTEN = 3600.0  # seconds until the line of a process that is gone is removed
log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Peer:
    """Another process, and where it listens for us."""

    id: str
    address: str  # host:port


class PeerGroup:
    """This process among those that share the database."""

    def __init__(self, store: Store, lease: float = LEASE) -> None:
        self.id = secrets.token_hex(16)
        self.address = ""  # until we listen
        self._store, self._lease = store, lease
        self._beating: asyncio.Task[None] | None = None

    async def start(self) -> None:
        """Takes a line in the database; from now on rooms can be opened here."""
        await self._beat()
        self._store.host = self.id
        self._beating = asyncio.create_task(self._beat_on(), name="heartbeat")

    async def close(self) -> None:
        """Gives all rooms free, at once."""
        if self._beating is not None:
            self._beating.cancel()
        with suppress(StoreError, TimeoutError):
            async with asyncio.timeout(1.0):
                await self.bury(self.id)

    # ---- others

    async def peer_with(self, room: str) -> Peer | None:
        """The other process that has a room open; None if it is, or can be, opened here."""
        if room in self._store.fences:
            return None

        def question(connection: sa.Connection) -> Peer | None:
            found = connection.execute(
                sa.select(processes.c.id, processes.c.address)
                .join(rooms, rooms.c.host == processes.c.id)
                .where(rooms.c.id == room, processes.c.until > clock(connection))
            ).first()
            return None if found is None or found.id == self.id else Peer(found.id, found.address)

        return await self._store.read(question)

    async def peer_with_lobby(self) -> Peer | None:
        """The other process in which people meet: the one that has lived longest; None if here."""

        def question(connection: sa.Connection) -> Peer | None:
            oldest = connection.execute(
                sa.select(processes)
                .where(processes.c.until > clock(connection))
                .order_by(processes.c.started, processes.c.id)
            ).first()
            alone = oldest is None or oldest.id == self.id
            return None if alone or oldest is None else Peer(oldest.id, oldest.address)

        return await self._store.read(question)

    async def others(self) -> list[Peer]:
        """The other processes that live."""

        def question(connection: sa.Connection) -> list[Peer]:
            living = sa.select(processes).where(processes.c.until > clock(connection))
            return [
                Peer(found.id, found.address)
                for found in connection.execute(living)
                if found.id != self.id
            ]

        return await self._store.read(question)

    async def bury(self, process: str) -> None:
        """Gives the rooms of a process free, because nobody listens at its address any more."""

        def change(connection: sa.Connection) -> None:
            connection.execute(
                sa.update(processes).where(processes.c.id == process).values(until=0.0)
            )

        await self._store.write(change)

    # ---- the heartbeat

    async def _beat_on(self) -> None:
        while True:
            await asyncio.sleep(self._lease / 4)
            try:
                lapsed = await self._beat()
                if lapsed:
                    await self._look_after_rooms()
            except StoreError as error:
                log.warning("no heartbeat: %s", error)

    async def _beat(self) -> bool:
        """Renews our line; whether it had run out meanwhile."""

        def change(connection: sa.Connection) -> bool:
            now = clock(connection)
            mine = processes.c.id == self.id
            until = connection.scalar(sa.select(processes.c.until).where(mine))
            if until is None:
                connection.execute(sa.delete(processes).where(processes.c.until < now - FORGOTTEN))
                connection.execute(
                    sa.insert(processes).values(
                        id=self.id, address=self.address, started=now, until=now + self._lease
                    )
                )
                return False
            lapsed = bool(until < now)
            life = {"started": now} if lapsed else {}  # whoever was taken for dead begins again
            connection.execute(
                sa.update(processes).where(mine).values(until=now + self._lease, **life)
            )
            return lapsed

        return await self._store.write(change)

    async def _look_after_rooms(self) -> None:
        """After a silence: leaves the rooms that others have taken."""

        def question(connection: sa.Connection) -> dict[str, int]:
            ours = sa.select(rooms.c.id, rooms.c.fence).where(rooms.c.host == self.id)
            return {found.id: found.fence for found in connection.execute(ours)}

        kept = await self._store.read(question)
        lost: Iterable[str] = [
            room for room, fence in self._store.fences.items() if kept.get(room) != fence
        ]
        for room in lost:
            self._store.fences.pop(room, None)
            self._store.displaced(room)

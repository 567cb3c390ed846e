"""The open sockets of each visitor, so that one who is somebody else now, or shut out, is cut off."""

import asyncio
from collections import defaultdict
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress

import sqlalchemy as sa
from starlette.websockets import WebSocket

from mbegu.server.keep import revocation
from mbegu.server.keep.store import StoreError
from mbegu.server.net.clients import ABORT
from mbegu.server.people.accounts import People

__all__ = ["CHANGED", "OpenSockets", "shut_out"]

EVERY = 0.5  # seconds between two looks for what has been revoked
LOOKS = 20  # after so many all are looked at, revoked or not: a ban ends, a sign-in grows old
PATIENCE = 1.0  # seconds for a good-bye
CHANGED = 4001  # the visitor has signed in or out, or may not play any more: connect again


class OpenSockets:
    """Sockets by session, and by the sign-in or token with which they came."""

    def __init__(self) -> None:
        self._open: dict[str, set[WebSocket]] = defaultdict(set)
        self._errands: set[asyncio.Task[None]] = set()

    def __len__(self) -> int:
        """How many are open."""
        return sum(len(sockets) for sockets in self._open.values())

    def __contains__(self, session: str) -> bool:
        """Whether somebody is connected."""
        return session in self._open

    def sessions(self) -> list[str]:
        """Everybody who is connected."""
        return list(self._open)

    def credentials(self) -> set[str]:
        """The sign-ins and tokens of all who are connected as members."""
        found = {_credential(socket) for sockets in self._open.values() for socket in sockets}
        return {credential for credential in found if credential is not None}

    @contextmanager
    def held(self, session: str, socket: WebSocket) -> Iterator[None]:
        """While a socket is open."""
        self._open[session].add(socket)
        try:
            yield
        finally:
            self._open[session].discard(socket)
            if not self._open[session]:
                del self._open[session]

    def cut(self, session: str) -> None:
        """Ends all sockets of somebody."""
        self._cut(list(self._open.get(session, ())))

    def revoke(self, credentials: Iterable[str]) -> None:
        """Ends all sockets that came by these sign-ins and tokens."""
        gone = set(credentials)
        everybody = [socket for sockets in self._open.values() for socket in sockets]
        self._cut([socket for socket in everybody if _credential(socket) in gone])

    def _cut(self, sockets: list[WebSocket]) -> None:
        """Nothing is heard from them from this moment on, whether they take the good-bye or not."""
        for socket in sockets:
            socket.state.revoked = True
            task = asyncio.create_task(_hang_up(socket))
            self._errands.add(task)
            task.add_done_callback(self._errands.discard)


def _credential(socket: WebSocket) -> str | None:
    credential: str | None = socket.state.who.credential
    return credential


async def _hang_up(socket: WebSocket) -> None:
    try:
        with suppress(RuntimeError, OSError):
            async with asyncio.timeout(PATIENCE):
                await socket.close(CHANGED)
    except TimeoutError:  # whoever reads nothing is not waited for
        abort = socket.scope.get("extensions", {}).get(ABORT)
        if abort is not None:
            abort()


async def shut_out(people: People, lines: OpenSockets, every: float = EVERY) -> None:
    """Cuts off whoever has signed out or been banned, from another process or the command line."""
    known, looks = None, 0
    while True:
        await asyncio.sleep(every)
        with suppress(StoreError):
            word = await people.store.read(revocation.word)
            looks = (looks + 1) % LOOKS
            if word == known and looks:
                continue
            people.forget()  # or they would be back in a moment
            lines.revoke(await _dead(people, lines.credentials()))
            known = word


async def _dead(people: People, connected: set[str]) -> set[str]:
    def question(connection: sa.Connection) -> set[str]:
        return connected - revocation.alive(connection, connected)

    return await people.store.read(question) if connected else set()

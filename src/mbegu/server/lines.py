"""The open sockets of each visitor, so that one who is somebody else now, or shut out, is cut off."""

import asyncio
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from starlette.websockets import WebSocket

from mbegu.server.accounts import People
from mbegu.server.sessions import account_of, session_of
from mbegu.server.store import StoreError

__all__ = ["CHANGED", "Lines", "shut_out"]

EVERY = 5.0  # seconds between two looks for those who have been shut out
CHANGED = 4001  # the visitor has signed in or out, or may not play any more: connect again


class Lines:
    """Sockets by session."""

    def __init__(self) -> None:
        self._open: dict[str, set[WebSocket]] = defaultdict(set)

    def __len__(self) -> int:
        """How many are open."""
        return sum(len(sockets) for sockets in self._open.values())

    def __contains__(self, session: str) -> bool:
        """Whether somebody is connected."""
        return session in self._open

    def sessions(self) -> list[str]:
        """Everybody who is connected."""
        return list(self._open)

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

    async def cut(self, session: str) -> None:
        """Ends all sockets of somebody."""
        for socket in list(self._open.get(session, ())):
            with suppress(RuntimeError, OSError):
                await socket.close(CHANGED)


async def shut_out(people: People, lines: Lines, every: float = EVERY) -> None:
    """Cuts off whoever has been banned, or has left, from another process or the command line."""
    while True:
        await asyncio.sleep(every)
        connected = [account for session in lines.sessions() if (account := account_of(session))]
        with suppress(StoreError):
            absent = await people.absent(connected)
            if absent:
                people.forget()  # or they would be back in a moment
            for account in absent:
                await lines.cut(session_of(account))

"""The open sockets of each visitor, so that one who is somebody else now, or shut out, is cut off."""

from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from starlette.websockets import WebSocket

__all__ = ["CHANGED", "Lines"]

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

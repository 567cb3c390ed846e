"""Moves that have come, and wait for their turn in the room's inbox: no flag falls before them."""

import time
from collections import deque

from mbegu.server.play.ports import Listener

__all__ = ["Coming"]


class Coming:
    """When each client's moves have come that are not done yet."""

    def __init__(self) -> None:
        self._moments: dict[Listener, deque[float]] = {}

    def expect(self, client: Listener, arrived: float) -> None:
        """A move has come."""
        self._moments.setdefault(client, deque()).append(arrived)

    def has_come(self, client: Listener) -> None:
        """Its turn has come too."""
        waiting = self._moments.get(client)
        if waiting:
            waiting.popleft()
        if not waiting:
            self._moments.pop(client, None)

    def forget(self, client: Listener) -> None:
        """A client is gone."""
        self._moments.pop(client, None)

    def in_time(self, session: str | None, left: float) -> bool:
        """Whether a move of somebody has come in time, though its turn has not."""
        flag = time.monotonic() + left
        return any(
            client.session == session and any(moment <= flag for moment in moments)
            for client, moments in self._moments.items()
        )

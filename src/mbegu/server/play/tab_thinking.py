"""Who thinks: the tab of the one who plays against the computer may do it, so that the server only keeps the game.

The server asks a tab that has said that it can, and thinks itself when no legal move comes in time. Rated
games, games between people and games with a clock stay the server's.
"""

import asyncio
from collections.abc import Callable

from mbegu.core.errors import MbeguError
from mbegu.core.game import Move
from mbegu.core.match import Match
from mbegu.server.play.ports import Listener

__all__ = ["TabThinking"]

PATIENCE = 15.0  # seconds: a tab thinks for one or two, on a slow phone for some more


class TabThinking:
    """The clients of a room that can think, and the one that is asked now."""

    def __init__(self) -> None:
        self._able: list[Listener] = []
        self._asked: tuple[Listener, int, asyncio.Future[Move | None]] | None = None

    def offer(self, client: Listener, on: bool) -> None:
        """A client can think from now on, or cannot any more."""
        self.forget(client)
        if on:
            self._able.append(client)

    def forget(self, client: Listener) -> None:
        """A client is gone, or has nothing to say."""
        if client in self._able:
            self._able.remove(client)
        if self._asked is not None and self._asked[0] is client:
            self._answer(None)

    def hear(self, client: Listener, ply: int, move: Move) -> None:
        """What a client has thought of; what comes too late, or unasked, is forgotten."""
        if self._asked is not None and self._asked[:2] == (client, ply):
            self._answer(move)

    def _answer(self, move: Move | None) -> None:
        assert self._asked is not None
        answer = self._asked[2]
        if not answer.done():
            answer.set_result(move)

    async def choose(self, match: Match, ask: Callable[[Listener], None]) -> Move | None:
        """The move of the newest client that can think; None if it has none that is legal."""
        if not self._able:
            return None
        client = self._able[-1]
        answer: asyncio.Future[Move | None] = asyncio.get_running_loop().create_future()
        self._asked = client, len(match.moves) + 1, answer
        ask(client)
        try:
            move = await asyncio.wait_for(answer, PATIENCE)
            if move is not None:
                match.position.check(move)
                return move
        except (TimeoutError, MbeguError):
            pass
        finally:
            self._asked = None
        self.forget(client)  # once is enough: from now on the server thinks
        return None

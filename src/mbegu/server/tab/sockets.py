"""Lines from the page: one to a room, one for analyses. They speak the protocol of the server's WebSockets."""

import asyncio
import json
from collections.abc import Callable
from functools import partial
from typing import Any

from mbegu.core.errors import MbeguError, shorten
from mbegu.core.i18n import _, speaking
from mbegu.server.net.messages import dumps
from mbegu.server.play.hall import Hall
from mbegu.server.play.questions import check_history, question_of
from mbegu.server.play.room import Room
from mbegu.server.tab.store import HERE

__all__ = ["AnalysisSocket", "RoomSocket", "TabSocket"]

NO_ROOM = 4004


class TabSocket:
    """A `Listener`: what it is told goes to the page."""

    session = HERE
    name = ""
    address = "127.0.0.1"
    credential: str | None = None
    rtt = 0.0
    revoked = False

    def __init__(
        self, send: Callable[[str], None], hang_up: Callable[[int], None], language: str
    ) -> None:
        self._send, self._hang_up = send, hang_up
        self.language, self.lean = language, False

    def send(self, text: str) -> None:
        """Tells the page something."""
        self._send(text)

    def close(self, code: int = 1000) -> None:
        """Hangs up."""
        self._hang_up(code)

    async def hear(self, text: str) -> None:
        """One message of the page."""
        with speaking(self.language):
            message = json.loads(text)
            await self.understand(message)

    async def understand(self, message: dict[str, Any]) -> None:
        """One message of the page."""
        raise NotImplementedError

    async def gone(self) -> None:
        """The page has hung up."""
        raise NotImplementedError

    def refuse(self, error: object, message: dict[str, Any]) -> None:
        """Says why something is not done."""
        self.send(dumps({"t": "refused", "id": message.get("id"), "error": str(error)}))


class RoomSocket(TabSocket):
    """A page that looks at a room."""

    def __init__(self, hall: Hall, room: Room, *ends: Any) -> None:
        super().__init__(*ends)
        self.hall, self.room = hall, room

    async def understand(self, message: dict[str, Any]) -> None:
        """Hello, or what somebody wants to do."""
        kind = message.get("t")
        if kind == "pong":
            return
        if self.room.closed:  # put away, or displaced by another tab
            found = await self.hall.room(self.room.id)
            if found is None:
                self.close(NO_ROOM)
                return
            self.room = found
        if kind == "hello":
            after = message.get("after")
            after = after if isinstance(after, int) and not isinstance(after, bool) else None
            await self.room.post(partial(self.room.join, self, after))
        else:
            await self.room.post(partial(self.room.obey, self, message))

    async def gone(self) -> None:
        """Nobody looks any more."""
        await self.room.post(partial(self.room.leave, self))


class AnalysisSocket(TabSocket):
    """A page that wants to know what the engine thinks; one analysis at a time."""

    def __init__(self, hall: Hall, *ends: Any) -> None:
        super().__init__(*ends)
        self.hall = hall
        self._task: asyncio.Task[None] | None = None

    async def understand(self, message: dict[str, Any]) -> None:
        """A question, or enough of one."""
        kind = message.get("t")
        if kind == "ping":
            self.send(dumps({"t": "ack", "id": message.get("id"), "version": 0}))
            return
        await self.gone()
        if kind == "stop":
            return
        try:
            if kind != "analyse":
                raise MbeguError(_("{word} is not a command here").format(word=shorten(kind)))
            question = question_of(message)
            await check_history(question[0], question[2])
        except MbeguError as error:
            self.refuse(error, message)
            return
        self._task = asyncio.create_task(self._analyse(message, *question))

    async def _analyse(self, message: dict[str, Any], *question: Any) -> None:
        def heard(info: dict[str, Any]) -> None:
            self.send(dumps({"t": "info", "id": message["id"], **info}))

        try:
            await self.hall.thinkers.analyse(*question, HERE, heard, lambda: None)  # type: ignore[attr-defined]
        except MbeguError as error:
            self.refuse(error, message)

    async def gone(self) -> None:
        """Enough of it."""
        if self._task is not None:
            self._task.cancel()
            self._task = None

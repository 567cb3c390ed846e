"""The office of a tab: takes what the page says, and sees to it that it is answered."""

import asyncio
import logging
from collections.abc import Coroutine
from typing import Any

from mbegu.core.errors import MbeguError
from mbegu.core.i18n import speaking
from mbegu.server.play.hall import Hall
from mbegu.server.tab.endpoints import Answer, answer
from mbegu.server.tab.engines import TabEngines
from mbegu.server.tab.sockets import NO_ROOM, AnalysisSocket, RoomSocket, TabSocket
from mbegu.server.tab.store import Keeper, TabStore

__all__ = ["Office"]

ROOM = "/ws/rooms/"
ANALYSIS = "/ws/analysis"
log = logging.getLogger(__name__)


class Office:
    """Everything that the page may ask for; answers go to `page`, a little later."""

    def __init__(self, keeper: Keeper, page: Any) -> None:
        self._page = page
        self._hall = Hall(TabStore(keeper), TabEngines(page))
        self._lines: dict[int, TabSocket] = {}
        self._heard: dict[int, asyncio.Queue[str | None]] = {}
        self._tasks: set[asyncio.Task[None]] = set()

    def ask(self, number: int, method: str, path: str, body: str, language: str) -> None:
        """A question of the API."""
        self._do(self._answer(number, method, path, body, language))

    def open(self, line: int, path: str, language: str) -> None:
        """Somebody opens a line."""
        self._heard[line] = asyncio.Queue()
        self._do(self._serve(line, path, language))

    def say(self, line: int, text: str) -> None:
        """Something is said on it."""
        if line in self._heard:
            self._heard[line].put_nowait(text)

    def close(self, line: int) -> None:
        """Somebody hangs up."""
        if line in self._heard:
            self._heard[line].put_nowait(None)

    def elsewhere(self, room: str) -> None:
        """Another tab has changed a game: whoever looks at it here gets it afresh."""
        self._hall.store.displaced(room)

    # ---- later

    def _do(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._done)

    def _done(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            log.error("the tab could not answer", exc_info=error)

    async def _answer(self, number: int, method: str, path: str, body: str, language: str) -> None:
        with speaking(language):
            try:
                told = await answer(self._hall, method, path, body)
            except Exception:  # a fault of ours: whoever has asked does not wait for ever
                log.exception("the tab could not answer %s %s", method, path)
                told = Answer("{}", status=500)
        self._page.answer(number, told.status, told.type, told.body)

    async def _serve(self, number: int, path: str, language: str) -> None:
        """From the first word on a line to the last; one after the other."""
        try:
            line = await self._line(number, path, language)
            if line is None:
                self._page.closed(number, NO_ROOM)
                return
            self._page.opened(number)
            while (text := await self._heard[number].get()) is not None:
                await line.hear(text)
            await line.gone()
        finally:
            del self._heard[number]

    def _hang_up(self, number: int, code: int) -> None:
        """Our side ends a line: nothing more will be heard on it."""
        self._page.closed(number, code)
        self.close(number)

    async def _line(self, number: int, path: str, language: str) -> TabSocket | None:
        ends = (
            lambda text: self._page.said(number, text),
            lambda code: self._hang_up(number, code),
            language,
        )
        if path == ANALYSIS:
            return AnalysisSocket(self._hall, *ends)
        if not path.startswith(ROOM):
            return None
        try:
            room = await self._hall.room(path.removeprefix(ROOM))
        except MbeguError:  # damaged
            return None
        return None if room is None else RoomSocket(self._hall, room, *ends)

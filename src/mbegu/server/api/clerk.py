"""Heavy questions, answered one after the other by a process of its own: nobody else waits for them.

The queue is short, and nobody fills it alone: who comes too late is told to come again.
"""

import asyncio
from collections.abc import AsyncIterator, Sequence
from typing import Any

from starlette.responses import Response, StreamingResponse

from mbegu.core.game import Move
from mbegu.core.i18n import _, current_language
from mbegu.server.api.clerk_worker import clerk
from mbegu.server.net.rate_limits import is_this_computer
from mbegu.server.net.replies import Answer
from mbegu.server.play.records import is_short, kept_game
from mbegu.server.play.rows import RoomRow
from mbegu.server.think.process_pool import Job, PooledProcess, ProcessPool, ThoughtFailed

__all__ = ["Clerk"]

MOST_WAITING = 16  # of all
MOST_EACH = 2  # of one visitor, with the one that is being done
MOST_AT_ONE_ADDRESS = 8
MOST_SECONDS = 30.0  # for one of them
HURRIED = 6.0  # the same while others wait
LOOK_AGAIN = 0.5  # seconds until it is asked again whether somebody waits
SHORT = 20  # events of a game that is written at once where all of somebody's games are asked for
SOON = 5.0  # seconds until one may ask again


class Clerk(ProcessPool):
    """The process; it begins with the server or with the first chore."""

    def __init__(self) -> None:
        super().__init__(1, "clerk", clerk)
        self._addresses: list[str] = []
        self.exports = asyncio.Semaphore(1)  # who asks for all of his games is given one at a time

    def start(self) -> None:
        """Begins now, in the loop that runs."""
        self._loop = asyncio.get_running_loop()
        self._hire()

    async def attempt(self, body: bytes, packed: bool, visitor: str, address: str) -> Response:
        """What some moves would do, packed by the one who has the time for it."""
        answers = await self._do("try", (body, packed), visitor, address)
        return _response(answers)

    async def record(
        self, row: RoomRow, form: str, visitor: str, address: str
    ) -> tuple[str, bytes]:
        """The record of a long game as a file, with its name."""
        answers = await self._do("record", (row, form), visitor, address)
        if any("status" in answer for answer in answers):
            raise Answer(400, _("the record of this game cannot be written"))
        return answers[0]["name"], b"".join(answer["piece"] for answer in answers[1:])

    async def kept_game(self, room: str, row: RoomRow | None, owner: str) -> str:
        """One game of somebody who asks for all of them: nobody is sent away halfway."""
        if row is None or is_short(row, len(row.log), SHORT):
            return kept_game(room, row)
        answers = await self._hear("keep", (room, row), owner)
        return b"".join(answer["piece"] for answer in answers).decode()

    async def rooms(
        self, body: bytes, session: str, visitor: str, address: str
    ) -> list[RoomRow] | Response:
        """The games of a text; or why it cannot be read."""
        answers = await self._do("import", (body, session), visitor, address)
        if any("status" in answer for answer in answers):
            return _response(answers)
        return [answer["row"] for answer in answers]

    async def link(self, kind: str, form: dict[str, Any], visitor: str, address: str) -> Response:
        """A link that carries a game (`link`), or what it carries (`open`)."""
        return _response(await self._do(kind, (form,), visitor, address))

    async def check_game(
        self, game: tuple[str, str], moves: Sequence[Move], end: bool, visitor: str, address: str
    ) -> Response | None:
        """Plays a whole game from its start by the rules; why it cannot be, if it cannot."""
        answers = await self._do("check", (*game, moves, end), visitor, address)
        return _response(answers) if answers else None

    async def _do(
        self, kind: str, arguments: tuple[Any, ...], visitor: str, address: str
    ) -> list[dict[str, Any]]:
        self._check(visitor, address)
        self._addresses.append(address)
        try:
            return await self._hear(kind, arguments, visitor)
        except ThoughtFailed:
            raise Answer(503, _("this could not be done; try again in a moment"), SOON) from None
        finally:
            self._addresses.remove(address)

    async def _hear(
        self, kind: str, arguments: tuple[Any, ...], owner: str
    ) -> list[dict[str, Any]]:
        self._loop = asyncio.get_running_loop()
        answers: list[dict[str, Any]] = []
        await self._ask(kind, (current_language(), *arguments), owner, 0, answers.append)
        return answers

    def _check(self, visitor: str, address: str) -> None:
        """Whether there is room for one more, of this visitor and of all."""
        theirs = 0 if is_this_computer(address) else self._addresses.count(address)
        if self.waiting_of(visitor) >= MOST_EACH or theirs >= MOST_AT_ONE_ADDRESS:
            raise Answer(
                429, _("your last questions are still being answered: wait a moment"), SOON
            )
        if self.waiting >= MOST_WAITING:
            raise Answer(503, _("many ask for this now: try again in a moment"), SOON)

    def _give(self, job: Job, worker: PooledProcess) -> None:
        super()._give(job, worker)
        assert self._loop is not None
        self._watch(worker, job, self._loop.time())

    def _watch(self, worker: PooledProcess, job: Job, begun: float) -> None:
        """Lets a chore take its time while nobody else waits for the clerk."""
        assert self._loop is not None
        took = self._loop.time() - begun
        if took >= MOST_SECONDS or (took >= HURRIED and self.waiting):
            self._too_long(worker, job)
            return
        soon = LOOK_AGAIN if took >= HURRIED else min(HURRIED, MOST_SECONDS)
        alarm = self._loop.call_later(soon, self._watch, worker, job, begun)
        # An alarm that is still set would keep the megabytes of an answer long after it was given.
        job.done.add_done_callback(lambda _done: alarm.cancel())

    def _too_long(self, worker: PooledProcess, job: Job) -> None:
        if worker.job is not job or self._closed:
            return
        if not job.done.done():
            error = _("this is too much at once: cut it into smaller pieces")
            job.done.set_exception(Answer(413, error))
        self._replace_if_stuck(worker, job)

    def _tell_to_stop(self, job: Job) -> None:
        """Whoever has asked is gone: the process ends, and the next chore begins another."""
        job.stopped = True
        if job.worker is not None:
            self._replace_if_stuck(job.worker, job)


def _response(answers: list[dict[str, Any]]) -> Response:
    status = next((answer["status"] for answer in answers if "status" in answer), 200)
    pieces = [answer["piece"] for answer in answers if "piece" in answer]
    headers = {"cache-control": "no-store", "content-length": str(sum(map(len, pieces)))}
    if any(answer.get("packed") for answer in answers):
        headers |= {"content-encoding": "gzip", "vary": "Accept-Encoding"}
    return StreamingResponse(
        _in_turn(pieces), status, media_type="application/json", headers=headers
    )


async def _in_turn(pieces: list[bytes]) -> AsyncIterator[bytes]:
    """Megabytes joined and written at once would hold up everybody's moves."""
    for piece in pieces:
        yield piece
        await asyncio.sleep(0)  # a send waits only for a line that is full

"""Thinking for rooms and analyses: a few worker processes, shared fairly.

Opponents go before hints, hints before analyses, and what is only got ready comes last; among equals
whoever has the least running comes first. A thought that nobody waits for is stopped, and a worker that does not stop is replaced.
"""

import asyncio
import itertools
import multiprocessing
import os
import secrets
import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from importlib.util import find_spec
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from typing import Any

from mbegu.core.errors import MbeguError
from mbegu.core.game import Game, Move
from mbegu.core.i18n import _, current_language
from mbegu.core.signals import no_interrupt
from mbegu.server.worker import work

__all__ = ["Thinkers", "ThoughtFailed", "default_workers", "has_engine"]

OPPONENT, HINT, ANALYSIS, READY = range(4)  # who goes first
PATIENCE = 10.0  # seconds for a stopped thought to end
COMPILERS_PATIENCE = 300.0  # the same if it is being compiled: begun again it would take as long
Hearer = Callable[[dict[str, Any]], None]
Compiling = Callable[[], None]


class ThoughtFailed(MbeguError):
    """The computer could not think of anything."""


def default_workers() -> int:
    """One for each core, and not so many that their memories become a burden."""
    return max(1, min(os.cpu_count() or 1, 4))


def has_engine() -> bool:
    """Whether this installation can analyse."""
    return find_spec("mbegu.engine.engine") is not None


@dataclass(eq=False)
class _Job:
    number: int
    kind: str
    arguments: tuple[Any, ...]
    owner: str
    rank: int
    heard: Hearer
    compiling: Compiling
    done: asyncio.Future[None]
    worker: "_Worker | None" = None
    tries: int = 0
    stopped: bool = False
    compiled: bool = False


@dataclass(eq=False)
class _Worker:
    process: BaseProcess
    pipe: Connection
    job: _Job | None = None
    warm: set[tuple[Any, ...]] = field(default_factory=set)  # what it has done before


class Thinkers:
    """The worker processes. Belongs to one event loop."""

    def __init__(self, workers: int, engine: bool = True) -> None:
        self._most, self._engine = workers, engine
        self._workers: list[_Worker] = []
        self._waiting: list[_Job] = []
        self._numbers = itertools.count()
        self._context = multiprocessing.get_context("spawn")
        self._loop: asyncio.AbstractEventLoop | None = None
        self._closed = False

    def start(self) -> None:
        """Begins the first worker, in the loop that runs now; others follow when they are needed."""
        self._loop = asyncio.get_running_loop()
        self._hire()

    def close(self) -> None:
        """Ends every thought and every worker."""
        self._closed = True
        for job in [*self._waiting, *(worker.job for worker in self._workers if worker.job)]:
            job.done.cancel()
        self._waiting.clear()
        for worker in self._workers:
            worker.process.terminate()
            worker.pipe.close()
        for worker in self._workers:
            worker.process.join(timeout=0.5)
            if worker.process.is_alive():
                worker.process.kill()
        self._workers.clear()

    # ---- what one may ask for

    async def warm(self, game: Game, level: int, owner: str, compiling: Compiling) -> None:
        """Compiles what a level needs in a game, or loads it; `compiling` is called if it must."""
        if not any(_key("warm", (str(game), level)) in worker.warm for worker in self._workers):
            await self._ask("warm", (str(game), level), owner, OPPONENT, _nothing, compiling)

    async def get_ready(self, game: Game, owner: str) -> None:
        """Compiles what hints and analyses of a game need, or loads it, before anybody asks.

        A compiler cannot be interrupted, so one worker stays free for those who wait.
        """
        if self._most == 1:
            return
        key, job = _key("ready", (str(game),)), ("ready", (str(game),))
        under_way = [*self._waiting, *(worker.job for worker in self._workers if worker.job)]
        known = any(key in worker.warm for worker in self._workers)
        if not known and not any((each.kind, each.arguments) == job for each in under_way):
            await self._ask(*job, owner, READY, _nothing)

    async def choose(
        self,
        game: Game,
        position: str,
        history: Sequence[str],
        level: int,
        owner: str,
        control: str = "-",
        left: float | None = None,
    ) -> Move:
        """The move of a computer of this level, which has so many seconds left."""
        found: list[Move] = []
        seed = secrets.randbits(31)
        await self._ask(
            "choose",
            (str(game), position, tuple(history), level, seed, control, left),
            owner,
            OPPONENT,
            lambda answer: found.append(answer["move"]),
        )
        return found[0]

    async def hint(
        self,
        game: Game,
        position: str,
        history: Sequence[str],
        owner: str,
        compiling: Compiling = lambda: None,
    ) -> tuple[Move, str]:
        """A good move, and why in the language of the moment."""
        found: list[tuple[Move, str]] = []
        await self._ask(
            "hint",
            (str(game), position, tuple(history), current_language()),
            owner,
            HINT,
            lambda answer: found.append((answer["move"], answer["why"])),
            compiling,
        )
        return found[0]

    async def analyse(
        self,
        game: Game,
        position: str,
        history: Sequence[str],
        lines: int,
        seconds: float,
        owner: str,
        heard: Hearer,
        compiling: Compiling,
    ) -> None:
        """Tells `heard` of every step of an analysis. Cancel it to stop."""
        await self._ask(
            "analyse",
            (str(game), position, tuple(history), lines, seconds),
            owner,
            ANALYSIS,
            heard,
            compiling,
        )

    @property
    def waiting(self) -> int:
        """How many thoughts wait for a worker."""
        return len(self._waiting)

    def waiting_of(self, owner: str) -> int:
        """How many thoughts somebody has running or waiting."""
        running = [worker.job for worker in self._workers if worker.job]
        return sum(job.owner == owner for job in [*self._waiting, *running])

    # ---- jobs

    async def _ask(
        self,
        kind: str,
        arguments: tuple[Any, ...],
        owner: str,
        rank: int,
        heard: Hearer,
        compiling: Compiling = lambda: None,
    ) -> None:
        if self._closed:
            raise ThoughtFailed(_("the server is stopping"))
        done = asyncio.get_running_loop().create_future()
        job = _Job(next(self._numbers), kind, arguments, owner, rank, heard, compiling, done)
        self._waiting.append(job)
        self._assign()
        if job in self._waiting and any(
            w.job is not None and w.job.compiled for w in self._workers
        ):
            compiling()
        try:
            await done
        finally:
            if not done.done() or done.cancelled():
                self._stop(job)

    def _assign(self) -> None:
        """Gives waiting jobs to free workers."""
        while self._waiting and not self._closed:
            job = min(self._waiting, key=self._order)
            worker = self._free_worker(job)
            if worker is None:
                self._make_room(job)
                return
            self._waiting.remove(job)
            job.worker, worker.job = worker, job
            try:
                worker.pipe.send((job.number, job.kind, job.arguments))
            except OSError:
                self._lost(worker)

    def _order(self, job: _Job) -> tuple[int, int, int]:
        running = sum(
            worker.job is not None and worker.job.owner == job.owner for worker in self._workers
        )
        return job.rank, running, job.number

    def _free_worker(self, job: _Job) -> _Worker | None:
        """A worker for the job, best one that knows the game; analyses leave one for the others."""
        if job.rank == ANALYSIS:
            analyses = sum(
                worker.job is not None and worker.job.rank == ANALYSIS for worker in self._workers
            )
            if analyses >= max(1, self._most - 1):
                return None
        free = [worker for worker in self._workers if worker.job is None]
        if job.rank == READY and len(free) + self._most - len(self._workers) < 2:
            return None
        knowing = [worker for worker in free if _key(job.kind, job.arguments) in worker.warm]
        if knowing:
            return knowing[0]
        if free:
            return free[0]
        return self._hire() if len(self._workers) < self._most else None

    def _make_room(self, job: _Job) -> None:
        """Ends an analysis that keeps an opponent waiting."""
        if job.rank >= ANALYSIS:
            return
        analyses = [
            worker.job
            for worker in self._workers
            if worker.job is not None and worker.job.rank == ANALYSIS
        ]
        if analyses and not any(each.stopped for each in analyses):
            self._tell_to_stop(analyses[0])

    def _stop(self, job: _Job) -> None:
        """Nobody waits for this job any more."""
        if job in self._waiting:
            self._waiting.remove(job)
        elif job.worker is not None and job.worker.job is job:
            job.heard = _nothing
            self._tell_to_stop(job)

    def _tell_to_stop(self, job: _Job) -> None:
        worker = job.worker
        assert worker is not None
        job.stopped = True
        with suppress(OSError):
            worker.pipe.send(("stop", job.number))
        assert self._loop is not None
        patience = COMPILERS_PATIENCE if job.compiled else PATIENCE
        self._loop.call_later(patience, self._replace_if_stuck, worker, job)

    def _replace_if_stuck(self, worker: _Worker, job: _Job) -> None:
        if worker.job is job and not self._closed:
            worker.process.terminate()  # its listener tells us that it is gone

    # ---- workers

    def _hire(self) -> _Worker:
        ours, theirs = self._context.Pipe()
        process = self._context.Process(
            target=work,
            args=(theirs, self._engine),
            name=f"thinker-{len(self._workers) + 1}",
            daemon=True,
        )
        with no_interrupt():
            process.start()
        theirs.close()
        worker = _Worker(process, ours)
        self._workers.append(worker)
        threading.Thread(
            target=self._listen, args=(worker,), name=f"{process.name}-ear", daemon=True
        ).start()
        return worker

    def _listen(self, worker: _Worker) -> None:
        """In a thread of its own: brings what a worker says into the event loop."""
        assert self._loop is not None
        with suppress(RuntimeError):  # the loop is closed
            while True:
                try:
                    message = worker.pipe.recv()
                except (EOFError, OSError, TypeError):  # TypeError: closed while reading
                    self._loop.call_soon_threadsafe(self._lost, worker)
                    return
                self._loop.call_soon_threadsafe(self._heard, worker, *message)

    def _heard(self, worker: _Worker, number: int, what: str, answer: Any) -> None:
        job = worker.job
        if job is None or job.number != number:
            return
        if what == "more":
            job.heard(answer)
            return
        if what == "compiling":
            job.compiled = True
            for each in [job, *self._waiting]:  # those who wait for a worker wait for the compiler
                if not each.stopped:
                    each.compiling()
            return
        worker.job = None
        worker.warm.add(_key(job.kind, job.arguments))
        if not job.done.done():
            if what == "done":
                job.done.set_result(None)
            else:
                job.done.set_exception(
                    ThoughtFailed(answer or _("the computer has lost its thread"))
                )
        self._assign()

    def _lost(self, worker: _Worker) -> None:
        """A worker has died: its job is tried once more by another."""
        if self._closed or worker not in self._workers:
            return
        self._workers.remove(worker)
        worker.pipe.close()
        job, worker.job = worker.job, None
        if job is not None and not job.done.done():
            job.worker, job.tries = None, job.tries + 1
            if job.tries < 2 and not job.stopped:
                self._waiting.append(job)
            else:
                job.done.set_exception(ThoughtFailed(_("the computer has lost its thread")))
        self._assign()


def _key(kind: str, arguments: tuple[Any, ...]) -> tuple[Any, ...]:
    """What a worker has learnt with a job: a game, and for opponents their level."""
    if kind == "warm":
        return arguments
    return (arguments[0], arguments[3]) if kind == "choose" else (arguments[0], "engine")


def _nothing(_answer: dict[str, Any]) -> None:
    """Hears nothing."""

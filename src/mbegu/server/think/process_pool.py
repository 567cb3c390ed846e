"""Processes that do one job after the other, for whoever asks: a queue that is fair to all who wait.

What takes long runs here and never in the event loop. A job that nobody waits for is stopped, and a worker that
does not stop is replaced. What kinds of jobs there are, and who goes first, is said by those who make use of it.
"""

import asyncio
import itertools
import multiprocessing
import queue
import threading
import time
from collections.abc import Callable, Hashable
from contextlib import suppress
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from typing import Any

from mbegu.core.i18n import _
from mbegu.server.net.rate_limits import CROWD, is_this_computer
from mbegu.server.play.ports import ThoughtFailed
from mbegu.work.processes import no_interrupt

__all__ = ["Job", "PooledProcess", "ProcessPool", "ThoughtFailed", "nothing"]

PATIENCE = 10.0  # seconds for a stopped job to end
MOST_OWNERS = 1000  # whose turns are remembered
COMPILERS_PATIENCE = 300.0  # the same if it is being compiled: begun again it would take as long
Hearer = Callable[[dict[str, Any]], None]
Compiling = Callable[[], None]


def nothing(_answer: dict[str, Any]) -> None:
    """Hears nothing."""


@dataclass(eq=False)
class Job:
    """Something to do, and who waits for it."""

    number: int
    kind: str
    arguments: tuple[Any, ...]
    owner: str
    rank: int
    heard: Hearer
    compiling: Compiling
    done: "asyncio.Future[None]"
    worker: "PooledProcess | None" = None
    tries: int = 0
    stopped: bool = False
    compiled: bool = False
    turn: int = 0
    place: str = ""  # from where it is asked for
    asked: float = field(default_factory=time.monotonic)


@dataclass(eq=False)
class PooledProcess:
    """A process, and what it does now."""

    process: BaseProcess
    pipe: Connection
    job: Job | None = None
    warm: set[tuple[Any, ...]] = field(default_factory=set)  # what it has done before
    orders: "queue.SimpleQueue[Any]" = field(default_factory=queue.SimpleQueue)


class ProcessPool:
    """The processes. Belongs to one event loop."""

    def __init__(self, most: int, name: str, target: Callable[..., None], *arguments: Any) -> None:
        self._most, self._name, self._target, self._arguments = most, name, target, arguments
        self._workers: list[PooledProcess] = []
        self._waiting: list[Job] = []
        self._numbers = itertools.count()
        self._context = multiprocessing.get_context("spawn")
        self._loop: asyncio.AbstractEventLoop | None = None
        self._closed = False
        self._turn = 0  # of the job that was given out last
        self._next_turn: dict[str, int] = {}  # by owner
        self._next_of: dict[str, float] = {}  # by place

    def close(self) -> None:
        """Ends every thought and every worker."""
        self._closed = True
        for job in [*self._waiting, *(worker.job for worker in self._workers if worker.job)]:
            job.done.cancel()
        self._waiting.clear()
        for worker in self._workers:
            worker.orders.put(None)
            worker.process.terminate()
            worker.pipe.close()
        for worker in self._workers:
            worker.process.join(timeout=0.5)
            if worker.process.is_alive():
                worker.process.kill()
        self._workers.clear()

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
        place: str = "",
    ) -> None:
        if self._closed:
            raise ThoughtFailed(_("the server is stopping"))
        done = asyncio.get_running_loop().create_future()
        job = Job(next(self._numbers), kind, arguments, owner, rank, heard, compiling, done)
        job.place = "" if is_this_computer(place) else place
        job.turn = self._turn_of(owner, job.place)
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
            order, must_wait = sorted(self._waiting, key=self._order), set[Hashable]()
            for job in order:
                sort = self._sort_of(job)
                worker = None if sort in must_wait else self._free_worker(job)
                if worker is not None:
                    self._give(job, worker)
                    break
                must_wait.add(sort)
            else:
                self._make_room(order[0])
                return

    def _give(self, job: Job, worker: PooledProcess) -> None:
        self._waiting.remove(job)
        self._turn = max(self._turn, job.turn)
        job.worker, worker.job = worker, job
        worker.orders.put((job.number, job.kind, self._told(job)))

    def _told(self, job: Job) -> tuple[Any, ...]:
        """What a worker is told of a job, now that its turn has come."""
        return job.arguments

    def _order(self, job: Job) -> tuple[float, ...]:
        """Who goes first: the lower rank, then whose turn it is, then who came first."""
        return job.rank, job.turn, job.number

    def _sort_of(self, _job: Job) -> Hashable:
        """Jobs of one sort find a free worker all or none: of thousands that wait one is asked for."""
        return None

    def _turn_of(self, owner: str, place: str = "") -> int:
        """The turn of somebody's next job: one for each turn of the others, however many he asks for.

        This is start-time fair queueing with jobs of equal length. Cookies cost nothing: all who ask from one
        place have as many turns together as a crowd, a class say.
        """
        turn = max(self._turn, self._next_turn.get(owner, 0))
        if place:
            at = max(float(turn), self._next_of.get(place, 0.0))
            turn = int(at)
            self._next_of[place] = at + 1 / CROWD
        if len(self._next_turn) > MOST_OWNERS:
            self._next_turn = {who: n for who, n in self._next_turn.items() if n > self._turn}
        if len(self._next_of) > MOST_OWNERS:
            self._next_of = {who: at for who, at in self._next_of.items() if at > self._turn}
        self._next_turn[owner] = turn + 1
        return turn

    def _free_worker(self, job: Job) -> PooledProcess | None:
        """A worker for a job, if it may have one now."""
        for worker in self._workers:
            if worker.job is None:
                return worker
        return self._hire() if len(self._workers) < self._most else None

    def _make_room(self, job: Job) -> None:
        """Does something for a job that must wait, if anything can be done."""

    def _stop(self, job: Job) -> None:
        """Nobody waits for this job any more."""
        if job in self._waiting:
            self._waiting.remove(job)
            self._next_turn[job.owner] = self._next_turn.get(job.owner, 1) - 1
            if job.place:
                self._next_of[job.place] = self._next_of.get(job.place, 1.0) - 1 / CROWD
        elif job.worker is not None and job.worker.job is job:
            job.heard = nothing
            self._tell_to_stop(job)

    def _tell_to_stop(self, job: Job) -> None:
        worker = job.worker
        assert worker is not None
        job.stopped = True
        worker.orders.put(("stop", job.number))
        assert self._loop is not None
        patience = COMPILERS_PATIENCE if job.compiled else PATIENCE
        self._loop.call_later(patience, self._replace_if_stuck, worker, job)

    def _replace_if_stuck(self, worker: PooledProcess, job: Job) -> None:
        if worker.job is job and not self._closed:
            worker.process.terminate()  # its listener tells us that it is gone

    # ---- workers

    def _hire(self) -> PooledProcess:
        ours, theirs = self._context.Pipe()
        process = self._context.Process(
            target=self._target,
            args=(theirs, *self._arguments),
            name=f"{self._name}-{len(self._workers) + 1}",
            daemon=True,
        )
        with no_interrupt():
            process.start()
        theirs.close()
        worker = PooledProcess(process, ours)
        self._workers.append(worker)
        for action in (self._listen, self._speak):
            threading.Thread(target=action, args=(worker,), name=process.name, daemon=True).start()
        return worker

    def _speak(self, worker: PooledProcess) -> None:
        """In a thread of its own: a pipe is narrow, and a process that begins does not read yet."""
        with suppress(OSError, ValueError):  # gone: its listener tells us
            while True:
                order = worker.orders.get()
                if order is None:
                    return
                worker.pipe.send(order)

    def _listen(self, worker: PooledProcess) -> None:
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

    def _heard(self, worker: PooledProcess, number: int, what: str, answer: Any) -> None:
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
        self._learnt(worker, job)
        if not job.done.done():
            if what == "done":
                job.done.set_result(None)
            else:
                job.done.set_exception(
                    ThoughtFailed(answer or _("the computer has lost its thread"))
                )
        self._assign()

    def _learnt(self, worker: PooledProcess, job: Job) -> None:
        """A worker has done a job: what it can do the quicker now."""

    def _lost(self, worker: PooledProcess) -> None:
        """A worker has died: its job is tried once more by another."""
        if self._closed or worker not in self._workers:
            return
        self._workers.remove(worker)
        worker.orders.put(None)
        worker.pipe.close()
        job, worker.job = worker.job, None
        if job is not None and not job.done.done():
            job.worker, job.tries = None, job.tries + 1
            if job.tries < 2 and not job.stopped and job.kind != "learn":
                self._waiting.append(job)
            else:
                job.done.set_exception(ThoughtFailed(_("the computer has lost its thread")))
        self._assign()

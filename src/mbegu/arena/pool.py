"""Plays many games, on one core or on several.

A job is plain data, and so is what comes back: processes of this computer play them, or the workers of
a cluster. Each worker of ours keeps to a core of its own, with its bots, and keeps the bots' processes
from game to game.
"""

import atexit
import contextlib
import multiprocessing
import multiprocessing.util
import os
import shutil
import signal
import tempfile
import threading
from collections.abc import Iterable, Iterator
from concurrent.futures import (
    FIRST_COMPLETED,
    BrokenExecutor,
    Executor,
    Future,
    ProcessPoolExecutor,
    wait,
)
from dataclasses import dataclass, field
from multiprocessing.process import BaseProcess
from typing import Any, Self

from mbegu.arena.referee import Conditions, Opening, Played, play_game
from mbegu.arena.roster import BotSpec
from mbegu.arena.runner import BotProcess
from mbegu.core.errors import MbeguError
from mbegu.core.i18n import _, current_language, set_language
from mbegu.core.registry import game as find_game
from mbegu.work.executor import Pool
from mbegu.work.processes import die_with_parent

__all__ = ["Arena", "Job", "play_job"]

KEPT_PROCESSES = 8  # of bots, in each worker


@dataclass(frozen=True)
class Job:
    """One game to be played. The same job gives the same game, if the bots let it."""

    key: str
    game: str
    bots: tuple[BotSpec, BotSpec]
    seed: int
    opening: Opening = field(default_factory=Opening)
    conditions: Conditions = field(default_factory=Conditions)


class Arena:
    """Where games are played: `with Arena(workers=2) as arena: for job, played in arena.play(jobs)`.

    `cluster` is what `mbegu.work.executor.executor` gives: its workers play instead of ours.
    """

    def __init__(self, workers: int = 1, cluster: Pool | None = None) -> None:
        self._workers, self._cluster = workers, cluster
        self._pool: Executor | None = None

    @property
    def workers(self) -> int:
        """How many games are played at once."""
        return self._workers if self._cluster is None else self._cluster.workers

    def __enter__(self) -> Self:
        """Makes a folder for the bots' scratch files, and the pool."""
        self._folder = tempfile.mkdtemp(prefix="mbegu-arena-")
        self._others = set(multiprocessing.active_children())
        self._cores = os.sched_getaffinity(0) if hasattr(os, "sched_getaffinity") else set()
        if self._cluster is not None:
            self._pool = self._cluster
        elif self.workers > 1:
            self._pool = _pool(self.workers, self._folder)
        else:
            _keeper.folder = self._folder
            if self._cores:
                _pin(max(self._cores))
        return self

    def __exit__(self, kind: object, *_error: object) -> None:
        """Leaves no process and no file behind."""
        if self._pool is None:
            _keeper.close()
            _keeper.folder = None
            if self._cores:
                with contextlib.suppress(OSError):
                    os.sched_setaffinity(0, self._cores)
        elif self._cluster is not None:
            self._cluster.everywhere(_close_bots)
        else:
            _end(self._pool, self._others, finished=kind is None and not self._unfinished)
        shutil.rmtree(self._folder, ignore_errors=True)

    _unfinished = False

    def play(self, jobs: Iterable[Job]) -> Iterator[tuple[Job, Played]]:
        """Plays the games and yields each as it ends, in any order."""
        if self._pool is None:
            for job in jobs:
                yield job, play_job(job)
            return
        self._unfinished = True
        try:
            yield from self._in_pool(self._pool, iter(jobs))
        except BrokenExecutor:
            raise MbeguError(
                _("a process that plays games was ended from outside, perhaps for want of memory")
            ) from None
        self._unfinished = False

    def _in_pool(self, pool: Executor, jobs: Iterator[Job]) -> Iterator[tuple[Job, Played]]:
        waiting: dict[Future[Played], Job] = {}
        while True:
            # Only a few ahead: who asks for the games may stop asking.
            workers = self.workers
            while len(waiting) < workers + 1:
                ahead = next(jobs, None)
                if ahead is None:
                    break
                waiting[pool.submit(play_job, ahead)] = ahead
            if not waiting:
                break
            done, _rest = wait(waiting, return_when=FIRST_COMPLETED)
            for future in done:
                yield waiting.pop(future), future.result()


# ---- a pool of processes --------------------------------------------------------------------------


def _pool(workers: int, folder: str) -> ProcessPoolExecutor:
    context = multiprocessing.get_context("spawn")
    cores = context.SimpleQueue()
    free = sorted(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else []
    for number in range(workers):
        cores.put(free[number % len(free)] if free and workers <= len(free) else None)
    return ProcessPoolExecutor(
        workers, context, initializer=_begin, initargs=(cores, folder, current_language())
    )


def _begin(cores: Any, folder: str, language: str) -> None:
    """In each worker, before its first game."""
    die_with_parent()
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the one who started us
    set_language(language)
    _keeper.folder = folder
    core = cores.get()
    if core is not None:
        _pin(core)


def _pin(core: int) -> None:
    """This process and its bots on one core: they take turns anyway, and disturb nobody."""
    with contextlib.suppress(OSError, AttributeError):
        os.sched_setaffinity(0, {core})


def _end(pool: Executor, others: set[BaseProcess], *, finished: bool) -> None:
    if finished:
        pool.shutdown()
        return
    # Games are going on that nobody wants any more. Their bots die with the workers.
    pool.shutdown(wait=False, cancel_futures=True)
    for process in set(multiprocessing.active_children()) - others:
        process.kill()
        process.join()


# ---- in a worker ----------------------------------------------------------------------------------


class Keeper:
    """The bots' processes of one worker, kept from game to game.

    A game takes the two it needs and gives them back: a worker of a cluster may play several games at
    once, in threads, and a bot that plays against itself has two processes.
    """

    def __init__(self) -> None:
        self.folder: str | None = None
        self._idle: list[tuple[Kept, BotProcess]] = []  # the one used last at the end
        self._lock = threading.Lock()

    def take(self, spec: BotSpec, conditions: Conditions) -> BotProcess:
        """A process of this bot that is not at play."""
        key = _kept_as(spec, conditions)
        with self._lock:
            for number in reversed(range(len(self._idle))):
                if self._idle[number][0] == key:
                    return self._idle.pop(number)[1]
        memory = {} if conditions.memory is None else {"memory": conditions.memory}
        return BotProcess(
            spec,
            trust=conditions.trust,
            scratch_in=self.folder,
            start_seconds=conditions.start,
            engine=conditions.engine,
            **memory,
        )

    def give_back(self, process: BotProcess, conditions: Conditions) -> None:
        """For the next game; what has not been used for longest is ended."""
        with self._lock:
            self._idle.append((_kept_as(process.spec, conditions), process))
            many = self._idle[:-KEPT_PROCESSES]
            del self._idle[:-KEPT_PROCESSES]
        for _key, old in many:
            old.close()

    def close(self) -> None:
        """Ends them all."""
        with self._lock:
            idle, self._idle = self._idle, []
        for _key, process in idle:
            process.close()


Kept = tuple[BotSpec, bool, int | None, float | None, bool]


def _kept_as(spec: BotSpec, conditions: Conditions) -> Kept:
    return (spec, conditions.trust, conditions.memory, conditions.start, conditions.engine)


_keeper = Keeper()
atexit.register(_keeper.close)
multiprocessing.util.Finalize(None, _keeper.close, exitpriority=1)  # atexit is for main processes


def _close_bots() -> None:
    _keeper.close()


def play_job(job: Job) -> Played:
    """Plays one game, with the processes that are there or new ones."""
    taken = list[BotProcess]()
    try:
        for spec in job.bots:
            taken.append(_keeper.take(spec, job.conditions))
        return _played(job, (taken[0], taken[1]))
    finally:
        for process in taken:
            _keeper.give_back(process, job.conditions)


def _played(job: Job, bots: tuple[BotProcess, BotProcess]) -> Played:
    try:
        game = find_game(job.game)
        return play_game(game, bots, job.conditions, seed=job.seed, opening=job.opening)
    except MbeguError as error:
        raise MbeguError(f"{job.key}: {error}") from None

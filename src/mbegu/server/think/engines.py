"""Thinking for rooms and analyses: a few worker processes, shared fairly.

Opponents go before hints, hints before analyses, and what is only got ready comes last; among equals
all take turns. Only the strongest level uses time: the more wait, the less each thought
takes, and the other levels, which need some milliseconds, do not wait behind it.
"""

import asyncio
import os
import secrets
import time
from collections import deque
from collections.abc import Callable, Hashable, Sequence
from functools import partial
from typing import Any

from mbegu.core.game import Game, Move
from mbegu.core.i18n import current_language
from mbegu.core.registry import game as find_game
from mbegu.core.registry import usable_games
from mbegu.engine.kernels.door import has_kernel
from mbegu.server.think.engine_worker import work
from mbegu.server.think.process_pool import (
    Compiling,
    Hearer,
    Job,
    PooledProcess,
    ProcessPool,
    ThoughtFailed,
    nothing,
)

__all__ = ["EnginePool", "ThoughtFailed", "default_workers"]

OPPONENT, HINT, ANALYSIS, READY = range(4)  # who goes first
STRONGEST = 10
A_THOUGHT = 1.0  # seconds of the strongest level when nobody waits
LEAST_THOUGHT = 0.05  # at which it is still strong
A_MOMENT = 0.8  # seconds: less than a thought, so that one who plays alone has it whole
ALL_WITHIN = 0.8  # seconds in which everybody who waits now should have had his turn
Told = Callable[[float], None]


def default_workers() -> int:
    """One for each core, and not so many that their memories become a burden."""
    return max(1, min(os.cpu_count() or 1, 4))


class EnginePool(ProcessPool):
    """The worker processes. Belongs to one event loop."""

    def __init__(self, workers: int, engine: bool = True) -> None:
        super().__init__(workers, "thinker", work, engine)
        self.has_engine = engine
        self._lately: deque[float] = deque()  # when long thoughts began
        self._warming: dict[tuple[str, int], asyncio.Task[None]] = {}
        self._listeners: dict[tuple[str, int], list[Compiling]] = {}

    def start(self) -> None:
        """Begins the first worker, in the loop that runs now; others follow when they are needed."""
        self._loop = asyncio.get_running_loop()
        self._hire()

    async def prepare(self) -> None:
        """Compiles what the strongest level needs in every game, one after the other, before anybody waits.

        What one process has compiled the others load from the disk.
        """
        if self.has_engine:
            for name in [found.name for found in usable_games() if has_kernel(found.name)]:
                for level in (STRONGEST, 1):
                    await self._warm(find_game(name), level, "the server", READY, lambda: None)

    # ---- what one may ask for

    async def warm(self, game: Game, level: int, owner: str, compiling: Compiling) -> None:
        """Compiles what a level needs in a game, or loads it; `compiling` is called if it must."""
        await self._warm(game, level, owner, OPPONENT, compiling)

    async def _warm(
        self, game: Game, level: int, owner: str, rank: int, compiling: Compiling
    ) -> None:
        """Thirty who begin the same game wait for one compiler, whoever of them goes meanwhile."""
        key = str(game), level
        if any(key in worker.warm for worker in self._workers):
            return
        if key not in self._warming:
            self._listeners[key] = []
            task = asyncio.create_task(
                self._ask("warm", key, owner, rank, nothing, partial(self._compiles, key))
            )
            self._warming[key] = task
            task.add_done_callback(lambda _task: self._warming.pop(key, None))
        self._listeners[key].append(compiling)
        for job in self._known_jobs():
            if job.kind == "warm" and job.arguments == key:
                job.rank = min(job.rank, rank)  # somebody waits for it now
                if job.compiled:
                    compiling()
        await asyncio.shield(self._warming[key])

    def _compiles(self, key: tuple[str, int]) -> None:
        for listener in self._listeners[key]:
            listener()

    async def get_ready(self, game: Game, owner: str) -> None:
        """Compiles what hints and analyses of a game need, or loads it, before anybody asks.

        A compiler cannot be interrupted, so one worker stays free for those who wait.
        """
        if self._most == 1:
            return
        key, job = _key("ready", (str(game),)), ("ready", (str(game),))
        under_way = self._known_jobs()
        known = any(key in worker.warm for worker in self._workers)
        if not known and not any((each.kind, each.arguments) == job for each in under_way):
            await self._ask(*job, owner, READY, nothing)

    async def choose(
        self,
        game: Game,
        position: str,
        history: Sequence[str],
        level: int,
        owner: str,
        control: str = "-",
        left: float | None = None,
        hurried: Told = lambda _seconds: None,
        stand_in: Callable[[], None] = lambda: None,
        place: str = "",
    ) -> Move:
        """The move of a computer of this level, which has so many seconds left; somebody at a `place` waits for it.

        `hurried` is told how long it thinks, if that is less than usual because many wait;
        `stand_in` is called when there is no engine for it, and a simple bot has played instead.
        """
        found: list[dict[str, Any]] = []
        seed = secrets.randbits(31)
        await self._ask(
            "choose",
            (str(game), position, tuple(history), level, seed, control, left, hurried),
            owner,
            OPPONENT,
            found.append,
            place=place,
        )
        if found[0]["simple"]:
            stand_in()
        move: Move = found[0]["move"]
        return move

    async def hint(
        self,
        game: Game,
        position: str,
        history: Sequence[str],
        owner: str,
        compiling: Compiling = lambda: None,
        place: str = "",
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
            place,
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
        place: str = "",
    ) -> None:
        """Tells `heard` of every step of an analysis. Cancel it to stop."""
        await self._ask(
            "analyse",
            (str(game), position, tuple(history), lines, seconds),
            owner,
            ANALYSIS,
            heard,
            compiling,
            place,
        )

    # ---- who goes first

    def _known_jobs(self) -> list[Job]:
        return [*self._waiting, *(worker.job for worker in self._workers if worker.job)]

    def _told(self, job: Job) -> tuple[Any, ...]:
        """A thought of the strongest level takes less time the more others wait for theirs."""
        if job.kind != "choose":
            return job.arguments
        *told, left, hurried = job.arguments
        if left is not None:
            left = max(0.0, left - (time.monotonic() - job.asked))  # it has waited on its own clock
        seconds = self.share() if _is_long(job) else A_THOUGHT
        if seconds < A_THOUGHT:
            hurried(seconds)
        return (*told, left, seconds if seconds < A_THOUGHT else None)

    def share(self) -> float:
        """How long a thought may take now, so that all who wait have their turn soon.

        Who was served a moment ago will be back soon: he counts as one who waits.
        """
        now = time.monotonic()
        while self._lately and self._lately[0] < now - A_MOMENT:
            self._lately.popleft()
        self._lately.append(now)
        many = len(self._lately) + sum(map(_is_long, self._waiting))
        if many <= self._most:
            return A_THOUGHT
        return max(LEAST_THOUGHT, ALL_WITHIN * self._most / many)

    def _order(self, job: Job) -> tuple[float, ...]:
        return job.rank, _is_long(job), job.turn, job.number

    def _sort_of(self, job: Job) -> Hashable:
        return job.rank, _is_quick(job)

    def _free_worker(self, job: Job) -> PooledProcess | None:
        """A worker for the job, best one that knows the game; long ones leave one for the others."""
        running = [worker.job for worker in self._workers if worker.job is not None]
        analyses = sum(each.rank == ANALYSIS for each in running)
        if job.rank == ANALYSIS and analyses >= max(1, self._most - 1):
            return None
        free = [worker for worker in self._workers if worker.job is None]
        if job.rank == READY and len(free) + self._places - len(self._workers) < 2:
            return None
        if not _is_quick(job) and sum(map(_is_in_the_way, running)) >= self._most:
            return None
        knowing = [worker for worker in free if _key(job.kind, job.arguments) in worker.warm]
        if knowing:
            return knowing[0]
        if free:
            return free[0]
        return self._hire() if len(self._workers) < self._places else None

    def _give(self, job: Job, worker: PooledProcess) -> None:
        super()._give(job, worker)
        everybody_works = all(each.job is not None for each in self._workers)
        if job.rank != READY and everybody_works and len(self._workers) < self._places:
            self._recruit()

    def _recruit(self) -> None:
        """Hires one more before anybody waits for him; he learns first what is being played."""
        known = {key for worker in self._workers for key in worker.warm}
        games = sorted({key for key in known if isinstance(key[1], int)})
        assert self._loop is not None
        done: asyncio.Future[None] = self._loop.create_future()
        job = Job(next(self._numbers), "learn", (games,), "", READY, nothing, lambda: None, done)
        worker = self._hire()
        self._waiting.append(job)
        ProcessPool._give(self, job, worker)

    @property
    def _places(self) -> int:
        """One more than may think for long: for those who need a moment."""
        return self._most + 1 if self.has_engine else self._most

    def _make_room(self, job: Job) -> None:
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

    def _learnt(self, worker: PooledProcess, job: Job) -> None:
        if job.kind == "learn":
            worker.warm.update(job.arguments[0])
        else:
            worker.warm.add(_key(job.kind, job.arguments))


def _is_quick(job: Job) -> bool:
    """Whether it takes some milliseconds: the move of any level but the strongest."""
    return job.kind == "choose" and job.arguments[3] != STRONGEST


def _is_in_the_way(job: Job) -> bool:
    """Whether it holds a worker for long, for somebody."""
    return not _is_quick(job) and job.rank != READY


def _is_long(job: Job) -> bool:
    """Whether it takes as much time as it is given."""
    return job.kind == "choose" and job.arguments[3] == STRONGEST


def _key(kind: str, arguments: tuple[Any, ...]) -> tuple[Any, ...]:
    """What a worker has learnt with a job: a game, and for opponents their level."""
    if kind == "warm":
        return arguments
    return (arguments[0], arguments[3]) if kind == "choose" else (arguments[0], "engine")

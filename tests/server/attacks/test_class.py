"""Thirty pupils and two processors: everybody has his turn soon, and nobody waits for a stronger opponent."""

import asyncio
from collections.abc import Callable
from typing import Any

import pytest

import mbegu
from mbegu.server.net.rate_limits import CROWD
from mbegu.server.think.engines import A_THOUGHT, LEAST_THOUGHT, EnginePool
from mbegu.server.think.process_pool import PooledProcess

OWARE = mbegu.game("oware")
START = str(OWARE.start())
PUPILS = 30
A_LESSON = 2.0  # seconds until everybody has an answer


class Pretended(EnginePool):
    """Processes that think when the test says so."""

    def _hire(self) -> PooledProcess:
        worker = PooledProcess(None, None)  # type: ignore[arg-type]
        self._workers.append(worker)
        return worker

    def ask(
        self, level: int, owner: str, hurried: Any = lambda _seconds: None, place: str = ""
    ) -> Any:
        """Somebody's opponent begins to think."""
        asked = (OWARE, START, [], level, owner, "-", None, hurried, lambda: None, place)
        return asyncio.create_task(self.choose(*asked))  # type: ignore[arg-type]

    def running(self, *kinds: str) -> list[PooledProcess]:
        """The workers that do something for somebody."""
        return [worker for worker in self._workers if worker.job and worker.job.kind in kinds]

    def finish(self, worker: PooledProcess) -> float:
        """Ends a thought; how many seconds it was given."""
        orders = []
        while not worker.orders.empty():
            orders.append(worker.orders.get())
        job = worker.job
        assert job is not None
        self._heard(worker, job.number, "more", {"move": 0, "simple": False})
        self._heard(worker, job.number, "done", None)
        return orders[-1][2][-1] or A_THOUGHT


def thinking(action: Callable[[Pretended], Any], workers: int = 2) -> Any:
    async def main() -> Any:
        thinkers = Pretended(workers)
        thinkers.start()
        return await action(thinkers)

    return asyncio.run(main())


def test_thoughts_are_shorter_the_more_wait() -> None:
    async def action(thinkers: Pretended) -> Any:
        told: list[float] = []
        tasks = [thinkers.ask(10, f"pupil {n}", told.append) for n in range(PUPILS)]
        await asyncio.sleep(0)
        given = []
        while running := thinkers.running("choose"):
            given += [thinkers.finish(worker) for worker in running]
        await asyncio.gather(*tasks)
        return given, told

    given, told = thinking(action)
    assert len(given) == PUPILS
    assert all(seconds >= LEAST_THOUGHT for seconds in given)
    assert sum(given) / 2 <= A_LESSON
    assert len(told) >= PUPILS - 4, "who gets a short thought is told so"


def test_alone_the_strongest_thinks_as_long_as_ever() -> None:
    async def action(thinkers: Pretended) -> Any:
        told: list[float] = []
        task = thinkers.ask(10, "alone", told.append)
        await asyncio.sleep(0)
        (worker,) = thinkers.running("choose")
        seconds = thinkers.finish(worker)
        await task
        return seconds, told

    assert thinking(action) == (A_THOUGHT, [])


@pytest.mark.parametrize("workers", [1, 2, 4])
def test_lower_levels_do_not_wait_behind_the_strongest(workers: int) -> None:
    async def action(thinkers: Pretended) -> Any:
        tasks = [thinkers.ask(10, f"pupil {n}") for n in range(PUPILS)]
        await asyncio.sleep(0)
        for worker in thinkers.running("learn"):  # the one who was hired meanwhile is ready
            thinkers._heard(worker, worker.job.number, "done", None)  # type: ignore[union-attr]
        busy = len(thinkers.running("choose"))
        quick = thinkers.ask(5, "small")
        await asyncio.sleep(0)
        levels = [worker.job.arguments[3] for worker in thinkers.running("choose") if worker.job]
        for task in (*tasks, quick):
            task.cancel()
        return busy, levels

    busy, levels = thinking(action, workers)
    assert busy == workers
    assert levels.count(5) == 1


def test_who_asks_for_much_waits_for_his_turn() -> None:
    async def action(thinkers: Pretended) -> Any:
        tasks = [thinkers.ask(10, "greedy") for _number in range(20)]
        await asyncio.sleep(0)
        tasks += [thinkers.ask(10, "modest")]
        await asyncio.sleep(0)
        owners = []
        while running := thinkers.running("choose"):
            owners += [worker.job.owner for worker in running if worker.job]
            for worker in running:
                thinkers.finish(worker)
        await asyncio.gather(*tasks)
        return owners.index("modest")

    assert thinking(action, 1) <= 2


def before_an_honest_one(guests: int, place: str, *, go: bool = False) -> tuple[int, int]:
    """How many are served before one who comes after so many guests of one place, and how many in all."""

    async def action(thinkers: Pretended) -> Any:
        tasks = [thinkers.ask(10, f"guest {n}", place=place) for n in range(guests)]
        await asyncio.sleep(0)
        if go:  # all but the one who has his turn go, and others come
            for task in tasks[1:]:
                task.cancel()
            await asyncio.sleep(0)
            tasks += [thinkers.ask(10, f"new {n}", place=place) for n in range(CROWD // 2)]
            await asyncio.sleep(0)
        tasks.append(thinkers.ask(10, "honest", place="198.51.100.7"))
        await asyncio.sleep(0)
        owners = []
        while running := thinkers.running("choose"):
            owners += [worker.job.owner for worker in running if worker.job]
            for worker in running:
                thinkers.finish(worker)
        await asyncio.gather(*tasks, return_exceptions=True)
        return owners.index("honest"), len(owners)

    found: tuple[int, int] = thinking(action, 1)
    return found


def test_guests_without_end_are_no_more_than_a_class() -> None:
    """A cookie costs nothing: whoever asks as a thousand guests from one place does not go before all others."""
    assert before_an_honest_one(300, "203.0.113.9") <= (CROWD + 2, 301)
    assert before_an_honest_one(CROWD, "203.0.113.9")[0] <= CROWD
    assert before_an_honest_one(CROWD, "127.0.0.1")[0] <= CROWD, "nobody knows who they are"


def test_who_has_gone_takes_no_turns_of_his_place() -> None:
    assert before_an_honest_one(300, "203.0.113.9", go=True)[0] <= CROWD // 2 + 2


def test_a_queue_is_looked_through_once() -> None:
    """However many wait for the same, one of them is asked whether there is a worker for it."""

    async def action(thinkers: Pretended) -> Any:
        tasks = [thinkers.ask(10, f"pupil {n}") for n in range(200)]
        await asyncio.sleep(0)
        asked: list[int] = []
        free = thinkers._free_worker
        thinkers._free_worker = lambda job: asked.append(job.number) or free(job)  # type: ignore
        tasks += [thinkers.ask(10, "one more")]
        await asyncio.sleep(0)
        for task in tasks:
            task.cancel()
        return len(asked)

    assert thinking(action) <= 2


def test_a_game_is_compiled_once_for_all() -> None:
    async def action(thinkers: Pretended) -> Any:
        told: list[int] = []
        tasks = [
            asyncio.create_task(
                thinkers.warm(OWARE, 10, f"pupil {n}", lambda n=n: told.append(n))  # type: ignore[misc]
            )
            for n in range(PUPILS)
        ]
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        jobs = [job for job in thinkers._known_jobs() if job.kind == "warm"]
        (worker,) = thinkers.running("warm")
        tasks[0].cancel()  # who came first goes: the others wait on
        await asyncio.sleep(0)
        thinkers._heard(worker, jobs[0].number, "compiling", None)
        thinkers._heard(worker, jobs[0].number, "done", None)
        await asyncio.gather(*tasks, return_exceptions=True)
        await thinkers.warm(OWARE, 10, "late", lambda: told.append(99))
        return len(jobs), set(told)

    jobs, told = thinking(action)
    assert jobs == 1
    assert set(range(1, PUPILS)) <= told
    assert 99 not in told


def test_all_games_are_got_ready_after_whoever_waits() -> None:
    async def action(thinkers: Pretended) -> Any:
        preparing = asyncio.create_task(thinkers.prepare())
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        order = []
        quick = thinkers.ask(5, "somebody")
        await asyncio.sleep(0)
        order.append({worker.job.kind for worker in thinkers._workers if worker.job})
        preparing.cancel()
        quick.cancel()
        return order

    assert thinking(action, 1)[0] >= {"warm", "choose"}

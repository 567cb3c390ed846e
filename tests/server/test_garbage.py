"""Garbage is looked for without holding up anybody, and is found all the same."""

import asyncio
import gc
import weakref
from collections.abc import Iterator

import pytest

from mbegu.server.net import garbage


class Loop:
    """Something that refers to itself."""

    def __init__(self) -> None:
        """Which nobody else needs to."""
        self.me = self


@pytest.fixture
def sweeper() -> Iterator[garbage.Sweeper]:
    """One that leaves Python as it was."""
    before = gc.get_threshold()
    sweeper = garbage.Sweeper()
    yield sweeper
    sweeper.stop()
    assert gc.get_threshold() == before
    assert gc.get_freeze_count() == 0


def test_what_is_old_is_swept_when_it_is_time(
    sweeper: garbage.Sweeper, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[int] = []

    def due(_busy: float, more: int, _seconds: float) -> bool:
        asked.append(more)
        return len(asked) == 3

    monkeypatch.setattr(garbage, "EVERY", 0.01)
    monkeypatch.setattr(garbage, "is_due", due)

    async def live() -> None:
        sweeper.start()
        loop = Loop()
        gone = weakref.ref(loop)
        gc.collect(0), gc.collect(1)  # it is old by now
        del loop
        while len(asked) < 2:
            await asyncio.sleep(0)
        assert gone() is not None
        while len(asked) < 4:
            await asyncio.sleep(0)
        assert gone() is None

    asyncio.run(live())


def test_python_does_not_look_through_everything_by_itself(sweeper: garbage.Sweeper) -> None:
    async def live() -> None:
        sweeper.start()
        swept = gc.get_stats()[2]["collections"]
        kept = [Loop() for _number in range(50_000)]
        assert gc.get_stats()[2]["collections"] == swept
        assert garbage.gathered() >= len(kept) // 2

    asyncio.run(live())


def test_a_calm_process_sweeps_early_and_a_busy_one_late() -> None:
    assert not garbage.is_due(0.0, 0, 1e6)
    assert garbage.is_due(0.05, garbage.ENOUGH, 5)
    assert not garbage.is_due(0.9, garbage.ENOUGH, 5)
    assert garbage.is_due(0.9, garbage.ENOUGH, garbage.HIGH_TIME)
    assert garbage.is_due(0.9, garbage.TOO_MANY, 5)

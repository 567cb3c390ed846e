"""Garbage is looked for without holding up anybody, and is found all the same."""

import asyncio
import gc
import time
import weakref
from asyncio.selector_events import _SelectorSocketTransport
from collections.abc import Iterator

import pytest
from serving import Running

from mbegu.server.net import garbage
from mbegu.server.net.timeouts import Requests
from mbegu.server.net.websocket_protocol import Protocol


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
        assert sweeper.gathered() >= len(kept)

    asyncio.run(live())


def test_a_calm_process_sweeps_early_and_a_busy_one_late() -> None:
    assert not garbage.is_due(0.0, 0, 1e6)
    assert garbage.is_due(0.05, garbage.ENOUGH, 5)
    assert not garbage.is_due(0.9, garbage.ENOUGH, 5)
    assert garbage.is_due(0.9, garbage.ENOUGH, garbage.HIGH_TIME)
    assert garbage.is_due(0.9, garbage.TOO_MANY, 5)


def test_what_comes_and_goes_is_no_garbage(sweeper: garbage.Sweeper) -> None:
    async def live() -> None:
        sweeper.start()
        for _crowd in range(20):
            crowd = [[number] for number in range(10_000)]
            del crowd
        assert sweeper.gathered() < garbage.ENOUGH

    asyncio.run(live())


def test_lines_that_come_and_go_leave_nothing_that_must_be_looked_for(served: Running) -> None:
    guest = served.guest()
    room = guest.new_room("oware", "human", "human")

    def come_and_go() -> None:
        with guest.enter(room):
            pass
        with guest.socket("/ws/lobby") as lobby:
            lobby.send('{"t":"hello","v":1,"after":null}')
            lobby.recv()
        guest.get("/api/v1/view?game=oware")

    def lines() -> int:
        kinds = (Protocol, Requests, _SelectorSocketTransport)
        return sum(type(one) in kinds for one in gc.get_objects())

    come_and_go()
    until = time.monotonic() + 10
    gc.collect()
    gc.disable()
    try:
        before = lines()
        for _time in range(10):
            come_and_go()
        while (after := lines()) > before and time.monotonic() < until:
            time.sleep(0.05)
    finally:
        gc.enable()
    assert after <= before

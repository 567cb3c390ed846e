"""Players go first: in the event loop, in a room, and while a move is written."""

import asyncio
import itertools
import os
import platform
import socket
import sys
import threading
from collections.abc import Coroutine
from functools import partial
from typing import Any

import pytest

from mbegu.server.net import priority
from mbegu.server.net.arrivals import new_loop
from mbegu.server.net.priority import Ready, for_others, for_players, ready_of, writing
from mbegu.server.net.slices import SHORT, take_slices
from mbegu.server.play.inbox import Inbox


class Time:
    """A clock that goes on when it is told to."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


def run(main: Coroutine[Any, Any, None], clock: Time | None = None) -> None:
    """In a loop where players go first, and whose slices are those of a clock."""
    loop = new_loop()
    if clock is not None:
        ready = ready_of(loop)
        assert ready is not None
        ready._now = clock
    try:
        loop.run_until_complete(main)
    finally:
        loop.close()


def test_a_move_waits_for_one_callback_of_a_crowd_at_most() -> None:
    done: list[str] = []

    async def main() -> None:
        loop = asyncio.get_running_loop()
        players, others = for_players(), for_others()

        def page(number: int) -> None:
            done.append(f"page {number}")
            if number == 3:
                loop.call_soon(move, "read", context=players)

        def move(step: str) -> None:
            done.append(step)
            following = {"read": "written", "written": "told"}.get(step)
            if following:
                loop.call_soon(move, following, context=players)

        for number in range(100):
            loop.call_soon(page, number, context=others)
        while len(done) < 103:
            await asyncio.sleep(0)

    run(main())
    assert done[3:8] == ["page 3", "read", "written", "told", "page 4"]
    pages = [f"page {number}" for number in range(100)]
    assert [one for one in done if one.startswith("page")] == pages


def test_of_a_crowd_only_a_slice_is_done_in_each_round(monkeypatch: pytest.MonkeyPatch) -> None:
    clock, rounds, done = Time(), list[int](), list[int]()
    count = Ready.__len__

    def begin(ready: Ready) -> int:
        rounds.append(len(done))
        return count(ready)

    async def main() -> None:
        def page(number: int) -> None:
            done.append(number)
            clock.now += priority.SLICE / 3

        for number in range(20):
            asyncio.get_running_loop().call_soon(page, number, context=for_others())
        while len(done) < 20:
            await asyncio.sleep(0)

    monkeypatch.setattr(Ready, "__len__", begin)
    run(main(), clock)
    steps = [after - before for before, after in itertools.pairwise(rounds)]
    assert done == list(range(20))
    assert max(steps) <= 4


def test_players_who_never_rest_do_not_stop_the_crowd() -> None:
    done: list[str] = []

    async def main() -> None:
        for number in range(5):
            asyncio.get_running_loop().call_soon(done.append, f"{number}", context=for_others())
        await asyncio.create_task(busy(), context=for_players())

    async def busy() -> None:
        for _again in range(100):
            await asyncio.sleep(0)

    run(main())
    assert len(done) == 5


def test_a_callback_that_takes_long_does_not_stop_the_crowd() -> None:
    clock = Time()
    done: list[int] = []

    async def main() -> None:
        def page(number: int) -> None:
            done.append(number)
            clock.now += 5.0

        for number in range(5):
            asyncio.get_running_loop().call_soon(page, number, context=for_others())
        while len(done) < 5:
            await asyncio.sleep(0)

    run(main(), clock)
    assert done == [0, 1, 2, 3, 4]


def test_while_a_move_is_written_the_crowd_is_held_and_then_free() -> None:
    clock = Time()
    ready = Ready(clock)
    loop = asyncio.new_event_loop()
    page = asyncio.Handle(lambda: None, (), loop, for_others())
    move = asyncio.Handle(lambda: None, (), loop, for_players())
    loop.close()
    ready.append(page)
    ready.writing()
    assert not ready
    assert len(ready) == 0
    assert ready.wait(None) == pytest.approx(priority.HOLD)
    assert ready.wait(0.001) == 0.001
    ready.append(move)
    assert ready
    assert (len(ready), ready.popleft()) == (1, move)
    clock.now += 0.002
    ready.written()
    assert (len(ready), ready.popleft()) == (1, page)
    ready.append(page)
    ready.writing()
    assert len(ready) == 1, "held again at once, nobody else would ever be served"
    ready.written()
    clock.now += 0.002
    ready.writing()
    assert not ready
    clock.now += priority.HOLD
    assert len(ready) == 1, "however long a disk takes"
    assert ready.wait(None) == 0, "a loop must not sleep over those it has just let go"


def test_a_loop_that_holds_wakes_when_the_move_is_written() -> None:
    order: list[str] = []

    async def main() -> None:
        loop = asyncio.get_running_loop()
        asyncio.get_running_loop().call_soon(order.append, "page", context=for_others())
        await asyncio.create_task(write(loop), context=for_players())
        while len(order) < 2:
            await asyncio.sleep(0.001)

    async def write(loop: asyncio.AbstractEventLoop) -> None:
        with writing():
            done = loop.create_future()
            context = for_players()

            def deliver() -> None:
                loop.call_soon_threadsafe(done.set_result, None, context=context)

            await asyncio.to_thread(lambda: None)
            loop.run_in_executor(None, deliver)
            await done
        order.append("move")
        found = ready_of(loop)
        assert found is not None
        assert found

    run(main())
    assert sorted(order) == ["move", "page"]


def test_in_a_room_those_who_play_go_before_those_who_look_on() -> None:
    done: list[str] = []

    async def job(name: str) -> None:
        done.append(name)

    async def main() -> None:
        inbox = Inbox(100)
        for number in range(50):
            inbox.put_now(partial(job, f"look {number}"), first=False)

        async def act() -> None:
            while len(done) < 52:
                await (await inbox.get())()
                if len(done) == 2:
                    inbox.put_now(partial(job, "move"), first=True)
                    await inbox.put(partial(job, "resign"), first=True)

        await asyncio.create_task(act(), context=for_players())
        assert len(inbox) == 0

    run(main())
    assert done[:5] == ["look 0", "look 1", "move", "resign", "look 2"]


def test_onlookers_do_not_fill_the_inbox_of_players() -> None:
    async def nothing() -> None:
        pass

    async def main() -> None:
        inbox = Inbox(3)
        for _number in range(3):
            inbox.put_now(nothing, first=False)
        assert inbox.full(first=False)
        assert not inbox.full(first=True)
        with pytest.raises(asyncio.QueueFull):
            inbox.put_now(nothing, first=False)
        inbox.put_now(nothing, first=True)
        assert len(inbox) == 4

    run(main())


def test_between_two_onlookers_the_loop_does_other_things() -> None:
    done: list[str] = []

    async def look() -> None:
        done.append("look")

    async def main() -> None:
        inbox, loop = Inbox(100), asyncio.get_running_loop()
        for _number in range(4):
            inbox.put_now(look, first=False)

        async def act() -> None:
            while done.count("look") < 4:
                await (await inbox.get())()

        def page(left: int) -> None:
            done.append("page")
            if left:
                loop.call_soon(page, left - 1, context=for_others())

        loop.call_soon(page, 5, context=for_others())
        await asyncio.create_task(act(), context=for_players())

    run(main())
    together = "".join(word[0] for word in done)
    assert "ll" not in together.strip("l")


@pytest.mark.skipif(sys.platform != "linux", reason="asks Linux")
def test_short_slices_are_for_the_server_alone() -> None:
    """Whoever has asked for short slices is as nice as before, and may have the usual ones again."""
    heard: list[object] = []

    def ask() -> None:
        before = os.getpriority(os.PRIO_PROCESS, 0)
        heard.extend([take_slices(SHORT), os.getpriority(os.PRIO_PROCESS, 0) == before])
        heard.append(take_slices(0))

    thread = threading.Thread(target=ask)
    thread.start()
    thread.join()
    assert heard == [True, True, True] or platform.machine() not in ("x86_64", "aarch64")


def test_a_crowd_that_waits_is_in_the_queue_once() -> None:
    """A line that is not read is told of in every round of the loop: the queue must not grow with that."""
    clock, longest, heard = Time(), 0, set[int]()
    pairs = [socket.socketpair() for _line in range(50)]

    async def main() -> None:
        loop = asyncio.get_running_loop()
        ready = ready_of(loop)
        assert ready is not None

        def read(number: int) -> None:
            nonlocal longest
            clock.now += 2 * priority.SLICE  # so that this is all that is done in its round
            heard.add(number)
            longest = max(longest, len(ready._rest))
            if longest > 2 * len(pairs):
                leave()

        def leave() -> None:
            for ours, _theirs in pairs:
                loop.remove_reader(ours)

        for number, (ours, theirs) in enumerate(pairs):
            theirs.send(b"!")
            loop.add_reader(ours, read, number)
        for _round in range(200):
            await asyncio.sleep(0)
        leave()

    run(main(), clock)
    for pair in pairs:
        for line in pair:
            line.close()
    assert longest <= 60
    assert heard == set(range(50)), "everybody has his turn"


def test_a_round_takes_no_longer_the_more_wait() -> None:
    """What is passed over costs time as well."""
    ready = Ready(Time())
    loop = asyncio.new_event_loop()
    for _callback in range(5000):
        ready.append(asyncio.Handle(lambda: None, (), loop, for_others()))
    loop.close()
    assert len(ready) == priority.MOST

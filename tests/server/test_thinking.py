"""The thinking processes: shared fairly, stopped, replaced, and with the real engine."""

import asyncio
import json
import os
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from guest import Guest
from serving import Running, plain_settings, running

import mbegu
from mbegu.server.app import Settings
from mbegu.server.think.engines import EnginePool, ThoughtFailed

START = str(mbegu.game("oware").start())
OWARE = mbegu.game("oware")


def think(action: Any, workers: int = 1, engine: bool = False) -> Any:
    """Does something with worker processes of its own."""

    async def main() -> Any:
        thinkers = EnginePool(workers, engine)
        thinkers.start()
        try:
            return await action(thinkers)
        finally:
            thinkers.close()

    return asyncio.run(main())


def test_simple_opponents_answer_without_the_engine() -> None:
    async def action(thinkers: EnginePool) -> Any:
        return await asyncio.gather(
            *(thinkers.choose(OWARE, START, [], level, "me") for level in range(1, 11))
        )

    moves = think(action, workers=2)
    assert set(moves) <= set(range(6))


def test_a_worker_that_dies_is_replaced() -> None:
    async def action(thinkers: EnginePool) -> Any:
        assert await thinkers.choose(OWARE, START, [], 3, "me") in range(6)
        task = asyncio.create_task(thinkers.choose(OWARE, START, [], 3, "me"))
        await asyncio.sleep(0)
        os.kill(thinkers._workers[0].process.pid or 0, 9)
        assert await task in range(6)
        with pytest.raises(ThoughtFailed, match="no engine"):
            await thinkers.analyse(OWARE, START, [], 1, 1, "me", lambda _info: None, lambda: None)

    think(action)


def test_a_fault_of_ours_is_no_sentence_for_players() -> None:
    async def action(thinkers: EnginePool) -> Any:
        with pytest.raises(ThoughtFailed, match="lost its thread"):
            await thinkers.choose(OWARE, START, [], "strong", "me")

    think(action)


def test_a_game_is_got_ready_once_and_never_in_the_way() -> None:
    async def action(thinkers: EnginePool) -> Any:
        await thinkers.choose(OWARE, START, [], 3, "me")
        choosing = [
            asyncio.create_task(thinkers.choose(OWARE, START, [], 3, "me")) for _number in range(2)
        ]
        await asyncio.sleep(0)
        getting = asyncio.create_task(thinkers.get_ready(OWARE, "me"))
        await asyncio.sleep(0)
        kinds = [job.kind for job in thinkers._known_jobs() if job.worker and job.kind != "learn"]
        await thinkers.get_ready(OWARE, "you")  # it is on its way already
        await asyncio.gather(*choosing, getting)
        assert thinkers.waiting_of("you") == 0
        return kinds

    for workers in (1, 2):  # a thought may end at once; a game is got ready after all of them
        assert set(think(action, workers=workers)) <= {"choose"}


def test_what_nobody_waits_for_is_not_thought() -> None:
    async def action(thinkers: EnginePool) -> Any:
        await thinkers.choose(OWARE, START, [], 3, "me")
        tasks = [
            asyncio.create_task(thinkers.choose(OWARE, START, [], 3, "me")) for _number in range(50)
        ]
        await asyncio.sleep(0)
        assert thinkers.waiting_of("me") == 50
        for task in tasks[1:]:
            task.cancel()
        await tasks[0]
        await asyncio.gather(*tasks, return_exceptions=True)
        assert thinkers.waiting_of("me") <= 1, "the next one may have been begun"

    think(action)


def test_nobody_takes_all_the_turns() -> None:
    """Whoever asks once is not behind all of somebody's fifty.

    One process thinks, so that the order in which they end is that in which they had their turns.
    """

    async def action(thinkers: EnginePool) -> Any:
        await thinkers.choose(OWARE, START, [], 3, "warm")
        done: list[str] = []

        async def ask(owner: str) -> None:
            await thinkers.choose(OWARE, START, [], 3, owner)
            done.append(owner)

        await asyncio.gather(*(ask("greedy") for _number in range(50)), ask("modest"))
        return done.index("modest")

    assert think(action, workers=1) < 5


# ---- with the real engine: one server for these tests


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """A server whose computers think."""
    plain = plain_settings(tmp_path_factory.mktemp("engine"))
    with running(Settings(plain.database, workers=1, static=plain.static)) as server:
        yield server


def infos(guest: Guest, **question: Any) -> list[dict[str, Any]]:
    """All that an analysis says, to its end."""
    with guest.socket("/ws/analysis") as line:
        line.send(json.dumps({"t": "analyse", "id": "a", **question}))
        said = []
        while not said or not (said[-1].get("final") or said[-1]["t"] == "refused"):
            said.append(json.loads(line.recv(180)))
    return said


def test_analysis_hints_and_opponents_of_the_engine(engine: Running) -> None:
    guest = engine.guest()
    text = "0-3-0-6-1-2-0-0-2-1-0-3-14-16-S"
    said = infos(guest, game="oware", position=text, lines=2, seconds=0.3)
    last = said[-1]
    assert last["t"] == "info"
    assert last["turn"] == 0
    assert last["lines"][0]["words"][0] == "D"
    assert len(last["lines"]) == 2
    assert 0 <= last["lines"][0]["chance"] <= 1
    assert [info["final"] for info in said if info["t"] == "info"].count(True) == 1

    # Everybody is answered while the engine thinks, and opponents go first.
    with guest.socket("/ws/analysis") as line:
        question = {"t": "analyse", "id": "long", "game": "oware", "position": START}
        line.send(json.dumps({**question, "seconds": 60}))
        assert json.loads(line.recv(60))["t"] == "info"
        for _number in range(10):
            guest.get(f"/api/v1/view?game=oware&position={text}")
        assert any(worker.job for worker in engine.app.state.hall.thinkers._workers)
        room = guest.new_room("oware", "human", 7, position=text)
        with guest.enter(room) as visit:
            hint = visit.command("hint", timeout=180)
            assert hint["word"] == "D"
            assert "captures 5" in hint["why"]
            assert visit.move(3)["t"] == "ack"
            visit.until(lambda message: message.get("kind") == "moved", timeout=180)
            while visit.ply < 2:
                visit.until(lambda message: message.get("kind") == "moved", timeout=180)
        final = json.loads(line.recv(10))
        while not final["final"]:
            final = json.loads(line.recv(10))
        assert final["id"] == "long"

    # Stop, and a second question instead of the first.
    with guest.socket("/ws/analysis") as line:
        line.send(json.dumps({**question, "id": "one", "seconds": 60}))
        line.recv(60)
        line.send(json.dumps({**question, "id": "two", "seconds": 60}))
        seen = [json.loads(line.recv(60))]
        while seen[-1]["id"] == "one":
            seen.append(json.loads(line.recv(60)))
        assert seen[-2]["final"]
        line.send(json.dumps({"t": "stop", "id": "two"}))
        while not seen[-1].get("final"):
            seen.append(json.loads(line.recv(10)))
    thinkers = engine.app.state.hall.thinkers
    until = time.monotonic() + 5
    while any(worker.job for worker in thinkers._workers) and time.monotonic() < until:
        time.sleep(0.02)
    assert not any(worker.job for worker in thinkers._workers)


@pytest.mark.parametrize(
    ("change", "error"),
    [
        ({"game": "chess"}, "no game is called"),
        ({"position": "4-4"}, "is not an Oware position"),
        ({"position": None}, "needs a position"),
        ({"position": "0-0-0-0-0-0-0-0-0-0-0-0-24-24-S"}, "the game is over"),
        ({"lines": 0}, "lines must be from 1 to 64"),
        ({"lines": True}, "lines must be from 1 to 64"),
        ({"seconds": 1000}, "seconds must be from 0.1 to 60"),
        ({"seconds": "5"}, "seconds must be a number"),
        ({"history": ["x"]}, "is not an Oware position"),
        ({"history": [7]}, "history must be"),
        ({"history": 7}, "needs a position"),
    ],
)
def test_questions_that_make_no_sense(guest: Guest, change: dict[str, Any], error: str) -> None:
    (answer,) = infos(guest, **{"game": "oware", "position": START, **change})
    assert answer["t"] == "refused"
    assert error in answer["error"]


def test_no_engine_no_analysis(guest: Guest, tmp_path: Path) -> None:
    (answer,) = infos(guest, game="oware", position=START)
    assert answer == {"t": "refused", "id": "a", "error": "this server has no engine"}

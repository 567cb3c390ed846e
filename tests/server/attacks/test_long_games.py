"""Long games, large bodies and many games of one person: none of them is dealt with in one go where others wait."""

import asyncio
import os
import random
import sys
import threading
import time
from collections.abc import Coroutine
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from guest import Guest
from members import PASSWORD, member
from serving import Running

import mbegu
from mbegu.core.match import Match
from mbegu.server.api import clerk as clerk_module
from mbegu.server.api import profiles, routes
from mbegu.server.api.clerk import Clerk
from mbegu.server.keep import group_commit, store
from mbegu.server.keep.group_commit import MovesUnderWay
from mbegu.server.keep.store import Store
from mbegu.server.net.rate_limits import VisitorLimit
from mbegu.server.people.passwords import MODEST, Hasher
from mbegu.server.play import records
from mbegu.server.play.announcements import Announcer
from mbegu.server.play.forms import new_id, record_row
from mbegu.server.play.game_state import MOST_PLIES, Course
from mbegu.server.play.questions import check_history
from mbegu.server.play.replay import replayed
from mbegu.server.play.rows import RoomRow

OWARE = mbegu.game("oware")


def long_match(plies: int) -> Match:
    """A game in which hardly anything is taken."""
    lot = random.Random(1)
    while True:
        match = Match(OWARE)
        while match.outcome is None and len(match.moves) < plies:
            moves = match.position.legal_moves()
            lot.shuffle(moves)
            match.play(min(moves, key=lambda move: sum(match.position.play(move).scores())))
        if match.outcome is None:
            return match


LONG = long_match(300)


def kept() -> RoomRow:
    """A long game as it is kept."""
    return record_row(LONG.record(), "me")


def turns_of_others(work: Coroutine[Any, Any, Any]) -> int:
    """How often others have their turn while something is done that waits for nothing."""

    async def main() -> int:
        turns, done = 0, asyncio.create_task(work)
        while not done.done():
            await asyncio.sleep(0)
            turns += 1
        await done
        return turns

    return asyncio.run(main())


# ---- long games


def test_a_long_game_is_opened_in_pieces() -> None:
    assert turns_of_others(replayed(kept())) > 8


def test_a_long_game_is_told_in_pieces() -> None:
    announcer = Announcer(Course(kept()))
    assert turns_of_others(announcer.get_ready()) > 8
    assert turns_of_others(announcer.get_ready()) < 4, "it has been told"


def test_whoever_opens_a_long_game_keeps_nobody_waiting(
    guest: Guest, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All of it, from the log to the snapshot: no game is played through at once."""

    def never(*_arguments: Any) -> Any:
        raise AssertionError("this takes as long as the game")

    answer = guest.post("/api/v1/records", {"text": str(LONG.record())})
    room = answer.json()["rooms"][0]
    monkeypatch.setattr(Course, "replay", never)
    with guest.enter(room) as visit:
        assert len(visit.first["moves"]) == 300


def test_records_of_long_games_are_written_elsewhere(
    guest: Guest, monkeypatch: pytest.MonkeyPatch
) -> None:
    room = guest.post("/api/v1/records", {"text": str(LONG.record())}).json()["rooms"][0]
    monkeypatch.setattr("mbegu.server.api.rooms.record_file", None)
    for form in ("text", "json"):
        answer = guest.ask("GET", f"/api/v1/rooms/{room}/record?format={form}")
        assert answer.status == 200
        assert len(answer.body) > 600


def test_there_is_an_end_to_every_game(guest: Guest, monkeypatch: pytest.MonkeyPatch) -> None:
    endless = long_match(MOST_PLIES + 1).record()
    answer = guest.post("/api/v1/records", {"text": str(endless)})
    assert answer.status == 400
    assert str(MOST_PLIES) in answer.json()["error"]
    monkeypatch.setattr("mbegu.server.play.commands.MOST_PLIES", 2)
    with guest.enter(guest.new_room("oware", "human", "human")) as visit:
        assert [visit.move(0)["t"], visit.move(6)["t"]] == ["ack", "ack"]
        assert "long" in visit.move(1)["error"]


# ---- large bodies


def test_large_bodies_are_read_elsewhere(guest: Guest, monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[int] = []

    def small(body: bytes) -> dict[str, Any]:
        read.append(len(body))
        return {}

    for module in ("endpoints", "positions"):
        monkeypatch.setattr(f"mbegu.server.api.{module}.read_object", small)
    heap = [{} for _number in range(20_000)]
    assert guest.post("/api/v1/records", {"text": "", "heap": heap}).status == 400
    assert guest.post("/api/v1/try", {"game": "oware", "moves": [9], "heap": heap}).status == 422
    assert read == []


# ---- analyses


def test_histories_are_read_in_pieces() -> None:
    positions = [str(position) for position in LONG.positions]
    assert turns_of_others(check_history(OWARE, positions)) > 8


def test_positions_that_are_to_be_analysed_are_counted(served: Running, guest: Guest) -> None:
    limits = served.app.state.limits
    before, limits.positions = limits.positions, VisitorLimit(rate=0, burst=500)
    try:
        with guest.socket("/ws/analysis") as line:
            for number in range(3):
                history = ",".join(f'"{position}"' for position in LONG.positions[:200])
                line.send(
                    f'{{"t":"analyse","id":"a{number}","game":"oware","position":"{LONG.positions[0]}",'
                    f'"history":[{history}]}}'
                )
            said = [line.recv(15) for _answer in range(3)]
    finally:
        limits.positions = before
    assert any("too many analyses" in str(text) for text in said)


# ---- many games of one person


def test_who_goes_takes_his_games_along_a_few_at_a_time(
    served: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    guest, _name = member(served)
    for _room in range(7):
        guest.new_room("oware", "human", "human")
    deleted: list[int] = []

    def delete(games: list[str], connection: Any, real: Any = profiles._delete) -> None:
        deleted.append(len(games))
        real(games, connection)

    monkeypatch.setattr(profiles, "_delete", delete)
    answer = guest.post("/api/v1/account/delete", {"password": PASSWORD})
    assert answer.status == 204
    assert sum(deleted) == 7
    assert max(deleted) <= profiles.ERASED_AT_ONCE


def test_an_export_is_written_one_game_at_a_time_by_the_clerk(
    served: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However many ask at once: threads that replay games would take Python from those who play."""
    people = [member(served)[0] for _person in range(3)]
    for guest in people:
        guest.new_room("oware", "human", "human")
        text = "\n\n".join([str(long_match(60).record())] * 2)
        assert guest.post("/api/v1/records", {"text": text}).status == 201
    at_once, most, here = 0, 0, list[str]()

    async def hear(clerk: Clerk, kind: str, *more: Any, real: Any = Clerk._hear) -> Any:
        nonlocal at_once, most
        at_once += kind == "keep"
        most = max(most, at_once)
        try:
            return await real(clerk, kind, *more)
        finally:
            at_once -= kind == "keep"

    def written(room: str, row: Any, real: Any = records.kept_game) -> str:
        here.append(room)
        return str(real(room, row))

    monkeypatch.setattr(Clerk, "_hear", hear)
    monkeypatch.setattr(clerk_module, "kept_game", written)
    with ThreadPoolExecutor(3) as pool:
        answers = list(pool.map(lambda one: one.ask("GET", "/api/v1/account/export"), people))
    assert [len(answer.json()["games"]) for answer in answers] == [3, 3, 3]
    moves = [len(game["record"]["steps"]) for game in answers[0].json()["games"]]
    assert sorted(moves) == [0, 60, 60]
    assert most == 1
    assert len(here) == 3, "only the games that have not begun are written by the server itself"


# ---- the disk, Python itself, the processors


def test_who_reads_lets_moves_go_first(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(group_commit, "HOLD", 60.0)
    moves, read = MovesUnderWay(), threading.Event()

    def reader() -> None:
        moves.give_way()
        read.set()

    with moves:
        thread = threading.Thread(target=reader, daemon=True)
        thread.start()
        assert not read.wait(0.05)
        with moves:
            pass
        assert not read.wait(0.05), "one is still under way"
    assert read.wait(15)
    thread.join()


def test_moves_do_not_wait_for_more_strangers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A commit gathers moves of many games, and waits for nothing else."""
    slept: list[float] = []

    def sleep(seconds: float, real: Any = time.sleep) -> None:
        if threading.current_thread().name == "writer":
            slept.append(seconds)
        real(min(seconds, 0.01))

    monkeypatch.setattr(store.time, "sleep", sleep)
    monkeypatch.setattr(store, "GATHER", 60.0)
    kept_here = Store(f"sqlite:///{tmp_path}/games.sqlite3")

    async def strangers() -> None:
        await asyncio.gather(
            *(kept_here.write(lambda _line: new_id()) for _number in range(40)),
        )

    asyncio.run(strangers())
    kept_here.close()
    assert not [seconds for seconds in slept if seconds > 0]


@pytest.mark.skipif(sys.platform != "linux", reason="a thread has a priority of its own on Linux")
def test_passwords_are_hashed_when_nobody_wants_the_processor() -> None:
    hasher = Hasher(passes=1, kib=8, lanes=1)

    async def priority() -> int:
        return await hasher._run(lambda: os.getpriority(os.PRIO_PROCESS, threading.get_native_id()))

    try:
        assert asyncio.run(priority()) == MODEST
        assert os.getpriority(os.PRIO_PROCESS, 0) < MODEST
    finally:
        hasher.close()


def test_the_page_about_the_api_is_written_once(
    guest: Guest, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = guest.ask("GET", "/api/v1/docs").body
    monkeypatch.setattr(routes, "docs_page", None)
    assert guest.ask("GET", "/api/v1/docs").body == first

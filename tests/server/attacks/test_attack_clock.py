"""Nobody stops a clock, and nobody burns another's: attacks on the time of a game."""

import asyncio
import secrets
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from guest import Guest, Visit
from online_table import Table, error, event_of
from serving import Running

from mbegu.server.keep.store import Revoked, StoreError
from mbegu.server.net.clients import Client
from mbegu.server.people.accounts import release
from mbegu.server.play import commands, offers, unkept
from mbegu.server.play.game_state import MOST_LAG
from mbegu.server.play.room import Room

DISK = 0.3  # seconds that a slow disk takes
People = Callable[..., Table]


@contextmanager
def slow_disk(served: Running, seconds: float = DISK) -> Iterator[None]:
    """A store that takes its time for every event."""
    store = served.app.state.hall.store
    quick = store.append

    async def append(*arguments: Any) -> None:
        await asyncio.sleep(seconds)
        await quick(*arguments)

    store.append = append
    try:
        yield
    finally:
        del store.append


def clock_of(visit: Visit) -> Any:
    """What both have left, as the server says now."""
    visit.say({"t": "hello", "v": 1, "after": None})
    return visit.until(lambda message: message["t"] == "snapshot")["clock"]


# ---- stopping one's own


@pytest.mark.parametrize("trick", [("offer_draw", "decline_draw"), ("undo", "decline_undo")])
def test_the_clock_runs_while_an_event_is_written(
    served: Running, people: People, trick: tuple[str, ...]
) -> None:
    table = people("oware", clock="60+0")
    table.play(0, 6)
    before = clock_of(table.south)["left"][0]
    with slow_disk(served):
        for kind in trick:
            assert table.south.command(kind)["t"] == "ack"
    assert clock_of(table.south)["left"][0] <= before - len(trick) * DISK


def test_a_move_pays_for_no_disk(served: Running, people: People) -> None:
    table = people("oware", clock="60+0")
    table.play(0, 6)
    with slow_disk(served, 1.0):
        table.play(1)
    assert min(clock_of(table.south)["left"]) > 60 - 1.0


def test_who_withdraws_an_offer_has_offered(people: People) -> None:
    table = people("oware")
    assert table.south.command("offer_draw")["t"] == "ack"
    assert table.south.command("decline_draw")["t"] == "ack"
    assert "after the next move" in error(table.south.command("offer_draw"))


def test_who_withdraws_a_wish_to_take_back_has_asked(people: People) -> None:
    table = people("oware")
    table.play(0, 6)
    assert table.south.command("undo")["t"] == "ack"
    assert table.south.command("decline_undo")["t"] == "ack"
    assert "after the next move" in error(table.south.command("undo"))


def test_the_computer_is_not_asked_without_end(served: Running) -> None:
    guest = served.guest()
    with guest.enter(guest.new_room("oware", second=1)) as visit:
        answers = [visit.command("offer_draw")["t"] for _time in range(3)]
    assert answers == ["ack", "refused", "refused"]


def test_offers_are_limited_in_a_game(people: People, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(offers.MOST_WISHES, "draw", 2)
    table = people("oware")
    for move in (0, 6, 1):
        answer = table.south.command("offer_draw")
        table.north.command("decline_draw") if answer["t"] == "ack" else None
        table.play(move)
    assert "often enough" in error(answer)


def test_rematches_are_not_offered_without_end(people: People) -> None:
    table = people("oware")
    table.south.command("resign")
    kinds = ("offer_rematch", "decline_rematch") * 8
    answers = [table.south.command(kind)["t"] for kind in kinds]
    assert answers.count("ack") == 2 * offers.MOST_WISHES["rematch"]


def test_the_events_of_a_game_are_bounded(served: Running, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(commands, "MOST_EVENTS", 5)
    guest = served.guest()
    with guest.enter(guest.new_room("oware", second="human")) as visit:
        for _time in range(3):
            visit.move(0)
            last = visit.command("undo")
        assert visit.move(6)["t"] == "ack"  # the game goes on
    assert "to its end" in error(last)


# ---- burning the other's


@pytest.fixture
def late(monkeypatch: pytest.MonkeyPatch) -> None:
    """A room that is so busy that each move waits for its turn."""
    at_once = Room.obey

    async def obey(room: Room, client: Client, message: Any, *more: Any) -> None:
        if message.get("t") == "move":
            await asyncio.sleep(2 * DISK)
        await at_once(room, client, message, *more)

    monkeypatch.setattr(Room, "obey", obey)


@pytest.mark.usefixtures("late")
def test_a_move_is_stamped_when_it_arrives(people: People) -> None:
    table = people("oware", clock="60+0")
    table.play(0, 6, 1, 7)
    assert min(clock_of(table.south)["left"]) > 60 - 2 * DISK


@pytest.mark.usefixtures("late")
def test_no_flag_falls_on_a_move_that_has_come(people: People) -> None:
    table = people("oware", clock="0.5/move")
    table.play(0, 6, 1)
    assert table.watcher.ply == 3


def test_a_busy_loop_is_nobodys_thinking_time(served: Running, people: People) -> None:
    """The event loop does not read for a while: what came meanwhile came in time."""
    table = people("oware", clock="60+0")
    table.play(0, 6)
    actor = served.app.state.hall._rooms[table.room]._actor
    loop = actor.get_loop()
    loop.call_soon_threadsafe(time.sleep, 4 * DISK)
    table.play(1)
    assert clock_of(table.south)["left"][0] > 60 - 3 * DISK


@pytest.mark.skipif(sys.platform != "linux", reason="Linux knows when bytes came")
def test_nobody_thinks_for_nothing_while_the_loop_is_busy(served: Running, people: People) -> None:
    table = people("oware", clock="60+0")
    table.play(0, 6)
    actor = served.app.state.hall._rooms[table.room]._actor
    actor.get_loop().call_soon_threadsafe(time.sleep, 6 * DISK)
    time.sleep(4 * DISK)
    table.play(1)
    assert clock_of(table.south)["left"][0] < 60 - 3 * DISK


# ---- two windows


def test_a_person_plays_in_one_window(people: People) -> None:
    table = people("oware")
    second = table.host.enter(table.room)
    assert event_of(table.south, "playing") == {"here": False}
    assert "another window" in error(table.south.move(0))
    assert second.move(0)["t"] == "ack"
    assert table.south.until(lambda message: message.get("kind") == "moved")
    second.socket.close()
    assert table.south.event("playing") == {"here": True}
    assert table.north.event("moved")
    assert table.north.move(6)["t"] == "ack"
    assert table.south.event("moved")
    assert table.south.move(1)["t"] == "ack"


def test_a_window_that_only_watches_takes_nothing_over(people: People) -> None:
    table = people("oware")
    second = table.host.enter(table.room, watch=True)
    assert second.event("playing") == {"here": False}
    assert table.south.move(0)["t"] == "ack"
    second.say({"t": "hello", "v": 1, "after": None})  # its visitor comes back to it
    assert second.event("playing") == {"here": True}
    assert table.south.event("playing") == {"here": False}
    second.socket.close()


# ---- a line that pretends to be slow


@pytest.mark.parametrize(
    ("control", "a_move", "in_all"),
    [
        ("10+0", MOST_LAG, 1.0),
        ("3+0", 0.3, 0.3),
        ("3+2", 0.3, 0.3),
        ("1/move", 0.1, 10.0),
        ("600+0", MOST_LAG, 10.0),
    ],
)
def test_late_pongs_are_worth_a_tenth_of_a_clock(
    served: Running, people: People, control: str, a_move: float, in_all: float
) -> None:
    table = people("oware", clock=control)
    course = served.app.state.hall._rooms[table.room].course
    assert course.lag_left(0) == pytest.approx(a_move)
    course.lag[0] = in_all
    assert course.lag_left(0) == pytest.approx(0.0)


def test_the_share_grows_with_what_a_clock_adds(served: Running, people: People) -> None:
    table = people("oware", clock="3+2")
    course = served.app.state.hall._rooms[table.room].course
    course.lag[0] = 0.3
    table.play(0, 6)
    assert course.lag_left(0) == pytest.approx(0.2)


# ---- seats that change while a clock runs


def sign_up(guest: Guest) -> None:
    """A guest becomes a member, and brings his games along."""
    body = {"name": f"m{secrets.token_hex(6)}", "password": "kibo-na-mawenzi"}
    assert guest.post("/api/v1/account", body).status == 201


@pytest.mark.parametrize("who", ["host", "friend"])
@pytest.mark.parametrize("clock", ["60+0", "60/move"])
def test_nobody_wins_time_by_signing_up(people: People, clock: str, who: str) -> None:
    table = people("oware", clock=clock)
    table.play(0, 6)
    time.sleep(0.5)
    sign_up(getattr(table, who))
    with table.host.enter(table.room) as south:
        told = south.first["clock"]
        assert told["running"] == 0
        assert told["left"][0] < 60 - 0.5
        assert south.move(1)["t"] == "ack"


def test_whoever_signs_up_and_stays_away_is_flagged(people: People) -> None:
    table = people("oware", clock="1+0")
    table.play(0, 6)
    sign_up(table.host)
    until = time.monotonic() + 10
    told = table.friend.get("/api/v1/rooms")["rooms"][0]
    while told["outcome"] is None and time.monotonic() < until:
        time.sleep(0.1)
        told = table.friend.get("/api/v1/rooms")["rooms"][0]
    assert told["outcome"]["reason"] == "timeout"


def test_a_move_that_comes_after_the_seats_have_changed_wins_no_time(
    served: Running, people: People
) -> None:
    table = people("oware", clock="60+0")
    table.play(0, 6)
    time.sleep(0.5)
    with served.app.state.hall.store.engine.begin() as connection:  # as by another process
        release(connection, [table.room])
    assert table.south.move(1)["t"] == "refused"
    with table.host.enter(table.room) as south:
        assert south.first["clock"]["left"][0] < 60 - 0.5
        assert south.move(1)["t"] == "ack"


def test_who_signs_up_begins_nobodys_wait_anew(people: People) -> None:
    table = people("oware", clock="60+0")
    table.play(0, 6)
    table.north.socket.close()
    gone = table.south.event("presence")["claim_in"][1]
    time.sleep(1.0)
    sign_up(table.host)
    with table.host.enter(table.room) as south:
        assert south.first["presence"]["claim_in"][1] <= gone - 1.0


def test_a_fault_of_ours_stops_no_clock(people: People, monkeypatch: pytest.MonkeyPatch) -> None:
    table = people("oware", clock="60+0")
    table.play(0, 6)
    time.sleep(0.5)

    def fail(*_arguments: object) -> None:
        raise RuntimeError("for a test")

    with monkeypatch.context() as broken:
        broken.setattr(commands, "decide", fail)
        table.south.say({"t": "offer_draw", "id": "command-1"})
        table.north.say({"t": "ping", "id": "command-2"})
        time.sleep(0.3)
    told = clock_of(table.south)
    assert told["running"] == 0
    assert told["left"][0] < 60 - 0.5


# ---- a database that is away


@contextmanager
def no_disk(served: Running, error: StoreError) -> Iterator[None]:
    """A store that keeps nothing."""
    store = served.app.state.hall.store

    async def append(*_arguments: Any) -> None:
        raise error

    store.append = append
    try:
        yield
    finally:
        del store.append


def test_who_has_moved_in_time_pays_for_no_database_that_is_away(
    served: Running, people: People
) -> None:
    table = people("oware", clock="1+0")
    table.play(0, 6)
    with no_disk(served, StoreError("away")):
        for _time in range(4):
            assert table.south.move(1)["t"] == "refused"
            time.sleep(0.4)
    assert table.south.move(1)["t"] == "ack"
    assert clock_of(table.south)["left"][0] > 0.3


def test_who_does_not_try_again_is_flagged(
    served: Running, people: People, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(unkept, "SOON", 0.5)
    table = people("oware", clock="1+0")
    table.play(0, 6)
    with no_disk(served, StoreError("away")):
        assert table.south.move(1)["t"] == "refused"
    assert event_of(table.north, "flagged") == {"player": 0}


def test_who_signs_out_is_given_no_time_for_it(served: Running, people: People) -> None:
    table = people("oware", clock="60+0")
    table.play(0, 6)
    with no_disk(served, Revoked("signed out")):
        assert table.south.move(1)["t"] == "refused"
    time.sleep(0.5)
    table.play(1)
    assert clock_of(table.south)["left"][0] < 60 - 0.4

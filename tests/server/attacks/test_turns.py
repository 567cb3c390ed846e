"""Requests take turns: however many come at once, a round of the event loop stays short."""

import asyncio
from functools import partial

import pytest
from guest import Guest
from hypothesis import given
from hypothesis import strategies as st
from raw import ELSEWHERE, Line, status
from serving import Running

from mbegu.server.api import positions
from mbegu.server.net.scheduling import ROUND, Turns
from mbegu.server.play import catalogue

DROPS = b"POST /api/v1/rooms HTTP/1.1\r\nHost: here\r\nContent-Type: application/json\r\n"


class Clock:
    """Stands still until something is done."""

    now = 0.0

    def __call__(self) -> float:
        """The time."""
        return self.now


@given(st.lists(st.floats(0, 0.05), min_size=1, max_size=300))
def test_everybody_has_a_turn_and_no_round_is_long_for_long(costs: list[float]) -> None:
    clock, served, rounds = Clock(), list[int](), list[tuple[int, float]]()

    def work(number: int, seconds: float) -> None:
        clock.now += seconds
        served.append(number)

    async def main() -> None:
        turns = Turns(clock)
        for number, seconds in enumerate(costs):
            turns.take(partial(work, number, seconds))
        while turns.waiting:
            before = len(served), clock.now
            await asyncio.sleep(0)
            rounds.append((len(served) - before[0], clock.now - before[1]))

    asyncio.run(main())
    assert served == list(range(len(costs))), "first come, first served"
    slow = 0
    for many, seconds in rounds:
        slow = slow + 1 if seconds > 2 * ROUND else 0
        assert slow < 5 or many <= 1, "several go on in a round, though the last ones were long"


def test_who_has_gone_is_not_served() -> None:
    async def main() -> list[str]:
        turns, served = Turns(), list[str]()
        for number in range(20):
            turns.take(partial(served.append, "early"), number)
        turns.take(partial(served.append, "gone"), "gone")
        waiting = asyncio.create_task(turns.turn())
        await asyncio.sleep(0)
        turns.forget("gone")
        waiting.cancel()
        while turns.waiting:
            await asyncio.sleep(0)
        return served

    assert asyncio.run(main()) == ["early"] * 20


@pytest.mark.parametrize(
    "head", [DROPS + b"Content-Length: 8000\r\n\r\n", b"GET /api/v1/rooms HTTP/1.1\r\nX: "]
)
def test_a_request_in_drops_is_not_read_to_its_end(served: Running, head: bytes) -> None:
    with Line(served.port) as line:
        line.say(head)
        taken = sum(_dropped(line) for _drop in range(300))
        assert taken < 200, "it is still read"


def _dropped(line: Line) -> bool:
    """Sends a byte, as a piece of its own."""
    if not line.say(b" "):
        return False
    line.socket.settimeout(0.02)
    try:
        return line.socket.recv(100) != b""
    except TimeoutError:
        return True
    except ConnectionError:
        return False


def test_a_request_in_the_pieces_of_a_network_is_read(guest: Guest) -> None:
    body = b'{"game": "oware", "seats": [{"kind": "human"}, {"kind": "open"}]}' + b" " * 6000
    with Line(guest.port) as line:
        for at in range(0, len(DROPS), 40):
            line.say(DROPS[at : at + 40])
        line.say(b"Content-Length: %d\r\n\r\n" % len(body))
        for at in range(0, len(body), 536):
            line.say(body[at : at + 536])
        assert status(line.head()) == 201


def test_requests_that_come_together_are_all_answered(guest: Guest) -> None:
    with Line(guest.port) as line:
        one = f"GET /api/v1/view?game=oware HTTP/1.1\r\nHost: here\r\nX-Forwarded-For: {ELSEWHERE}\r\n\r\n"
        last = one.replace("\r\n\r\n", "\r\nConnection: close\r\n\r\n")
        line.say((one * 30 + last).encode())
        assert line.rest().count(b"HTTP/1.1 200 OK") == 31


@pytest.mark.parametrize("path", ["lessons/oware", "games", "openapi.json"])
def test_what_is_the_same_for_all_is_made_once(
    guest: Guest, path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    plain = guest.ask("GET", f"/api/v1/{path}")

    def fail(*_position: object) -> None:
        raise AssertionError("made again")

    monkeypatch.setattr(positions, "view", fail)
    monkeypatch.setattr(catalogue, "card", fail)
    monkeypatch.setattr("mbegu.server.api.routes.document", fail)
    again = guest.ask("GET", f"/api/v1/{path}")
    assert (plain.status, again.status, again.body) == (200, 200, plain.body)

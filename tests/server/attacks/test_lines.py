"""Lines that are flooded, stuffed or only held: each is cut, and those who play do not notice."""

import logging
import time
from pathlib import Path

import pytest
from guest import Guest
from raw import (
    CONTINUED,
    ELSEWHERE,
    PING,
    PONG,
    TEXT,
    Line,
    frame,
    handshake,
    noise,
    status,
    upgraded,
)
from serving import Running, plain_settings, running

from mbegu.server.net.connection_limit import ConnectionLimit, raise_limit
from mbegu.server.net.frames import Meter
from mbegu.server.net.logs import Sparing
from mbegu.server.net.rate_limits import Limit
from mbegu.server.net.websocket_protocol import FRAMES_AT_ONCE, Protocol

HELLO = frame(TEXT, b'{"t": "hello", "v": 1, "after": null, "lean": true}')
FLOODS = {
    "pings": frame(PING, b"!"),
    "pongs": frame(PONG),
    "empty texts": frame(TEXT),
    "empty continuations": frame(CONTINUED, b"", last=False),
    "hello": HELLO,
    "long frames": frame(TEXT, b" " * 4000),
}
MANY = 20_000


@pytest.fixture
def read(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many bytes were given to the reader of frames, piece by piece."""
    pieces: list[int] = []
    original = Protocol.handle_events

    def counted(self: Protocol) -> None:
        pieces.append(len(self.conn.reader.buffer))
        original(self)

    monkeypatch.setattr(Protocol, "handle_events", counted)
    return pieces


@pytest.mark.parametrize("kind", FLOODS)
def test_who_floods_is_hung_up_on(guest: Guest, kind: str, read: list[int]) -> None:
    room = guest.new_room("oware", "human", "human")
    with upgraded(guest, f"/ws/rooms/{room}") as line:
        first = frame(TEXT, b"", last=False) if kind == "empty continuations" else b""
        line.say(HELLO + first + FLOODS[kind] * MANY)
        line.rest()  # ends: the line is closed
    assert len(read) < 2 * FRAMES_AT_ONCE, "what came was read and not only counted"
    with guest.enter(room) as visit:
        assert visit.move(2)["t"] == "ack"


def test_all_sockets_of_an_address_share_a_budget(
    served: Running, guest: Guest, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(served.app.state.limits, "frames", Limit(rate=0, burst=50))
    room = guest.new_room("oware", "human", "human")
    cut = []
    for _number in range(3):
        with upgraded(guest, f"/ws/rooms/{room}", ELSEWHERE) as line:
            line.say(HELLO + frame(PING) * 20 + frame(8, b"\x03\xe8"))
            cut.append(b"\x0f\xa8" in line.rest()[-10:])  # 4008
    assert cut == [False, False, True]
    with guest.enter(room) as visit:  # others go on
        assert visit.move(2)["t"] == "ack"


@pytest.mark.parametrize(
    "odd",
    [
        f"X: {'a' * 9000}\r\n",
        "".join(f"X-{number}: y\r\n" for number in range(140)),
        "Content-Length: 5\r\n",
        "Transfer-Encoding: chunked\r\n",
    ],
    ids=["a long line", "many lines", "a body", "a body in pieces"],
)
def test_a_handshake_that_cannot_be_read_does_not_hold_a_line(
    served: Running, guest: Guest, odd: str
) -> None:
    """Such a line was neither answered nor idle: it stood there for ever, and was never made room of."""
    before = len(served.app.state.doors)
    with Line(guest.port, timeout=3) as line:
        head = handshake(guest, "/ws/lobby")[:-2] + odd.encode() + b"\r\n"
        line.say(head)
        assert status(line.rest()) == 400
    assert len(served.app.state.doors) <= before


def test_who_speaks_as_people_do_is_never_cut(guest: Guest) -> None:
    room = guest.new_room("oware", "human", "human")
    with upgraded(guest, f"/ws/rooms/{room}") as line:
        line.say(HELLO + (frame(PING) + frame(TEXT, b'{"t": "ping", "id": "00000000"}')) * 40)
        told = b""
        while told.count(b'"ack"') < 40:
            told += line.socket.recv(65_536)
        line.say(frame(8, b"\x03\xe8"))
        assert line.rest().endswith(b"\x88\x02\x03\xe8")


def test_frames_are_counted_over_any_pieces() -> None:
    sent = frame(PING, b"!") + frame(TEXT, b" " * 300) + frame(CONTINUED) + frame(TEXT, b"a" * 70)
    for size in range(1, len(sent)):
        meter = Meter()
        pieces = [sent[at : at + size] for at in range(0, len(sent), size)]
        assert sum(meter.count(piece, 100) for piece in pieces) == 4
    assert Meter().count(frame(PING) * MANY, 10) == 11


def test_what_is_no_text_closes_the_line_without_an_error(
    guest: Guest, caplog: pytest.LogCaptureFixture
) -> None:
    room = guest.new_room("oware", "human", "human")
    with upgraded(guest, f"/ws/rooms/{room}") as line:
        line.say(HELLO + frame(TEXT, noise(200)) * 3)  # the second comes when it is closing
        assert b"\x03\xef" in line.rest()[-80:]  # 1007
    assert not [entry for entry in caplog.records if entry.exc_info]


# ---- heads


def test_a_long_address_is_refused(guest: Guest) -> None:
    with Line(guest.port) as line:
        assert line.get("/" + "://a:" * 1000) == 414
    with Line(guest.port) as line:
        assert line.get("/api/v1/view?game=" + "a" * 5000) == 414
    with Line(guest.port) as line:
        assert line.get("/" + "://a:" * 100) == 404


def test_a_head_that_comes_at_once_has_the_same_end(guest: Guest) -> None:
    with Line(guest.port) as line:
        assert line.get("/api/v1/games", f"X: {'y' * 15_000}\r\n") == 200
    with Line(guest.port) as line:
        assert line.get("/api/v1/games", f"X: {'y' * 17_000}\r\n") in (400, 431)


def test_a_request_with_two_lengths_is_the_last_of_its_line(guest: Guest) -> None:
    head = f"Host: 127.0.0.1:{guest.port}\r\n"
    two = f"POST /api/v1/rooms HTTP/1.1\r\n{head}Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"
    with Line(guest.port) as line:
        line.say(f"{two}GET /health HTTP/1.1\r\n{head}\r\n".encode())
        said = line.rest()
    assert said.count(b"HTTP/1.1 ") == 1, "what follows may be half of a stranger's request"
    assert said.startswith(b"HTTP/1.1 400")


@pytest.mark.parametrize("path", ["/assets/", "/", "/api/v1/games/", "/play/"])
def test_a_name_that_no_file_can_have_is_not_there(guest: Guest, path: str) -> None:
    with Line(guest.port) as line:
        assert line.get(path + "a" * 3000) in (200, 400, 404)


def test_what_goes_wrong_here_is_told_as_all_else_is(
    guest: Guest, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("mbegu.server.api.pages.Pages._built", lambda _pages: 1 / 0)
    answer = guest.ask("GET", "/", headers={"X-Forwarded-Proto": "https"})
    assert answer.status == 500
    assert "log" in answer.json()["error"]
    told = {name.lower(): value for name, value in answer.headers.items()}
    assert told["x-content-type-options"] == "nosniff"
    assert "content-security-policy" in told
    assert "strict-transport-security" in told


def test_no_answer_repeats_what_somebody_made_up_at_length(guest: Guest) -> None:
    with Line(guest.port) as line:
        line.say(b"A" * 5000 + b" / HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n")
        assert len(line.rest()) < 2000


@pytest.mark.parametrize("size", [70_000, 1_000_000])
def test_a_long_head_is_refused_however_it_comes(guest: Guest, size: int) -> None:
    with Line(guest.port) as line:
        assert line.get("/", f"X: {'y' * size}\r\n") in (400, 0)
    with Line(guest.port) as line:
        assert line.get("/", "X: y\r\n" * (size // 6)) in (400, 0)


@pytest.mark.parametrize("motif", ["\\", '\\"', "\\1", "a=b;"])
def test_cookies_of_others_are_not_read(
    guest: Guest, motif: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[int] = []

    def parse(text: str) -> dict[str, str]:
        seen.append(len(text))
        return {}

    monkeypatch.setattr("starlette.requests.cookie_parser", parse)
    with Line(guest.port) as line:
        odd = f'other="{motif * (12_000 // len(motif))}"'
        assert line.get("/api/v1/rooms", f"Cookie: {odd}; {guest.cookie}\r\n") == 200
    assert max(seen) <= 4096


def test_a_body_in_crumbs_is_not_read(guest: Guest) -> None:
    with Line(guest.port) as line:
        line.say(
            b"POST /api/v1/try HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
            b"Transfer-Encoding: chunked\r\n\r\n"
        )
        for _number in range(5):
            line.say(b"1\r\n \r\n" * 1000)
        assert line.rest() == b"", "it is still read"
    with Line(guest.port) as line:  # in good pieces it is
        line.say(
            b"POST /api/v1/try HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
            b'Transfer-Encoding: chunked\r\n\r\n11\r\n{"game": "oware",\r\n9\r\n"move":2}\r\n0\r\n\r\n'
        )
        assert status(line.head()) == 200


# ---- pages


def test_pages_have_a_budget(
    guest: Guest, served: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    limits = served.app.state.limits
    monkeypatch.setattr(limits, "pages", type(limits.pages)(rate=0, burst=3))
    answers = [guest.ask("GET", "/") for _number in range(5)]
    assert [answer.status for answer in answers] == [200, 200, 200, 429, 429]
    assert int(answers[-1].headers["retry-after"]) > 0


def test_sockets_are_not_opened_without_end(
    guest: Guest, served: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    limits = served.app.state.limits
    monkeypatch.setattr(limits, "sockets", type(limits.sockets)(rate=0, burst=2))
    room = guest.new_room("oware", "human", "human")
    for _number in range(2):
        with upgraded(guest, f"/ws/rooms/{room}") as line:
            line.say(HELLO)
    with Line(guest.port) as line:
        line.say(handshake(guest, f"/ws/rooms/{room}"))
        assert status(line.head()) == 429


# ---- file handles


class Transport:
    """Remembers what was done with it."""

    def __init__(self) -> None:
        self.said, self.open = b"", True

    def write(self, data: bytes) -> None:
        self.said += data

    def close(self) -> None:
        self.open = False

    abort = close


def test_an_address_has_a_share_of_the_lines() -> None:
    doors = ConnectionLimit(200)
    lines = [Transport() for _number in range(doors.each + 1)]
    assert [doors.enter(line, ELSEWHERE) for line in lines] == [True] * doors.each + [False]
    assert status(lines[-1].said) == 429
    assert doors.enter(Transport(), "203.0.113.10")
    doors.leave(lines[0])
    assert doors.enter(Transport(), ELSEWHERE)


def test_a_household_has_one_share_however_many_addresses_it_has() -> None:
    doors = ConnectionLimit(200)
    found = [doors.enter(Transport(), f"2001:db8:9:9::{n:x}") for n in range(doors.each + 1)]
    assert found == [True] * doors.each + [False]
    assert doors.enter(Transport(), "2001:db8:9:8::1")


@pytest.mark.parametrize(
    ("proxy", "address"),
    [
        (ELSEWHERE, ELSEWHERE),
        ("203.0.113.0/24", ELSEWHERE),
        ("*", ELSEWHERE),
        ("2001:db8:9:9::7", "2001:db8:9:9::7"),
    ],
)
def test_a_proxy_is_everybody(proxy: str, address: str) -> None:
    doors = ConnectionLimit(200, proxy)
    assert all(doors.enter(Transport(), address) for _number in range(doors.each + 1))


def test_who_asks_for_nothing_makes_room() -> None:
    doors = ConnectionLimit(200)
    lines = [Transport() for _number in range(doors.most)]
    assert all(doors.enter(line, "127.0.0.1") for line in lines)
    doors.works(lines[0])
    doors.rests(lines[1])  # has just been served
    assert doors.enter(Transport(), "127.0.0.1")
    assert [line.open for line in lines[:4]] == [True, True, False, True]
    assert len(doors) == doors.most
    assert doors.crowded


def test_when_all_work_the_next_is_told_to_come_later() -> None:
    doors, late = ConnectionLimit(200), Transport()
    for _number in range(doors.most):
        line = Transport()
        doors.enter(line, "127.0.0.1")
        doors.works(line)
    assert not doors.enter(late, "127.0.0.1")
    assert status(late.said) == 503
    assert not late.open


def test_idle_lines_do_not_keep_players_out(served: Running, guest: Guest) -> None:
    room, doors = guest.new_room("oware", "human", "human"), served.app.state.doors
    before, doors.most = doors.most, 24
    idle: list[Line] = []
    try:
        with guest.enter(room) as visit:
            idle = [Line(guest.port) for _number in range(80)]
            assert visit.move(2)["t"] == "ack"
            with guest.enter(room) as second:  # has a seat
                assert second.move(8)["t"] == "ack"
            assert len(doors) <= doors.most
    finally:
        doors.most = before
        for line in idle:
            line.socket.close()


@pytest.mark.parametrize("reads", [True, False])
def test_who_does_not_read_an_answer_does_not_hold_a_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, reads: bool
) -> None:
    """What is sent to him was waited with for ever, and a line that is worked for makes no room."""
    monkeypatch.setattr("mbegu.server.net.timeouts.READS_WITHIN", 0.3, raising=False)
    options = plain_settings(tmp_path)
    (options.static / "assets").mkdir(parents=True)
    with (options.static / "assets" / "large-1a2b3c.js").open("wb") as file:
        file.truncate(64 << 20)  # more than the system keeps on the way
    with running(options) as server, Line(server.port) as line:
        line.say(b"GET /assets/large-1a2b3c.js HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
        doors = server.app.state.doors
        assert status(line.head()) == 200
        until = time.monotonic() + (1.5 if reads else 10)
        while len(doors) and time.monotonic() < until:
            if reads:
                assert line.socket.recv(1 << 18)
            time.sleep(0.01)
        assert len(doors) == (1 if reads else 0)


def test_who_does_not_take_a_good_bye_does_not_hold_a_line(
    served: Running, guest: Guest, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A line that is closed waits for its last bytes to be taken: for ever, if nobody takes them."""
    monkeypatch.setattr("mbegu.server.net.websocket_protocol.GOODBYE", 0.2)
    monkeypatch.setattr("mbegu.server.api.sockets.HELLOS_AT_ONCE", 60)
    room = guest.new_room("morabaraba", "human", "human")
    lines = served.server.server_state.connections
    others = set(lines)
    with upgraded(guest, f"/ws/rooms/{room}") as line:
        (ours,) = (one for one in lines - others if isinstance(one, Protocol))
        for _number in range(40):
            line.say(HELLO)
            time.sleep(0.01)
            if ours.transport.get_write_buffer_size():
                break
        assert ours.transport.get_write_buffer_size()
        line.say(frame(TEXT, b'{"t": "hello", "v": 99}'))
        until = time.monotonic() + 5
        while ours in lines and time.monotonic() < until:
            time.sleep(0.01)
        assert ours not in lines


def test_when_it_is_crowded_only_players_come_in(
    served: Running, guest: Guest, monkeypatch: pytest.MonkeyPatch
) -> None:
    room, watcher = guest.new_room("oware", "human", "human"), served.guest()
    monkeypatch.setattr("mbegu.server.net.connection_limit.CROWDED", 0)
    for path in (f"/ws/rooms/{room}", "/ws/lobby", "/ws/analysis"):
        with upgraded(watcher, path) as line:
            line.socket.settimeout(2)
            assert line.socket.recv(100) == b"\x88\x02\x03\xf5", path  # 1013
    with guest.enter(room) as visit:
        assert visit.move(2)["t"] == "ack"


def test_the_limit_of_handles_is_raised() -> None:
    resource = pytest.importorskip("resource")
    before = resource.getrlimit(resource.RLIMIT_NOFILE)
    try:
        resource.setrlimit(resource.RLIMIT_NOFILE, (min(512, before[0]), before[1]))
        assert raise_limit(600) == min(600, before[1])
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, before)


# ---- the log


def test_the_same_trouble_is_told_a_few_times() -> None:
    now = 0.0
    sparing = Sparing(most=2, now=lambda: now)

    def tell(text: str, level: int = logging.ERROR) -> tuple[bool, str]:
        entry = logging.LogRecord("here", level, "", 0, text, (), None)
        return sparing.filter(entry), entry.getMessage()

    assert [tell("no handles")[0] for _number in range(9)] == [True] * 2 + [False] * 7
    assert tell("something else")[0]
    assert all(tell("a request", logging.INFO)[0] for _number in range(9))
    now = 61.0
    assert tell("no handles") == (True, "no handles (and 7 more before)")

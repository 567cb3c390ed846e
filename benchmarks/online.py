"""The server under load: many games, twice as many, many who watch, one who never reads, start and stop.

python -m benchmarks.online                         about five minutes
python -m benchmarks.online --seconds 180           for minutes, as bots play
python -m benchmarks.online --seconds 180 --full    with everything that browsers are told, compressed

Server and generator run on the same machine. The generator speaks WebSocket by hand, plays games that
it has prepared, and measures from the moment a move is sent to the moment its event has come to both
players. The moves of all games are spread evenly over each second. A figure beyond its limit is marked.

On a machine that does something else at the same time, everybody waits for a processor. So it is told how
much that was, how much of the machine its host has taken away, and how late the generator itself was: a
figure is one of the server only as far as these are small.
"""

import argparse
import asyncio
import json
import os
import random
import secrets
import signal
import socket
import statistics
import struct
import sys
import tempfile
import time
import zlib
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent.parent / "tests" / "server"))

from guest import Guest
from processes import process

from mbegu.core.match import Match
from mbegu.core.registry import game as find_game
from mbegu.server.sessions import COOKIE, Sessions
from mbegu.server.store import Happening, RoomRow, SeatRow, Store

GAME = find_game("oware")
SPREAD = 50.0  # milliseconds from a move to its echo, the 99th of a hundred
FAN_OUT = 100.0  # the same with many who watch
MEGABYTES = 350.0
RECOVERY = 5.0  # seconds after twice the load
DEAF = 5.0  # seconds until one who never reads is dropped
DEAF_GAMES = 50
START, STOP = 2.0, 3.0  # seconds
STOLEN = (0.0, 0.02, 0.1, 2.0)  # of a core, by the host: hardly anything, a little, much


# ---- games to play


def long_game(seed: int, plies: int) -> list[int]:
    """The moves of a game that is not over before so many plies."""
    lot = random.Random(seed)
    while True:
        match = Match(GAME)
        while match.outcome is None and len(match.moves) < plies:
            moves = match.position.legal_moves()
            lot.shuffle(moves)
            match.play(min(moves, key=lambda move: sum(match.position.play(move).scores())))
        if len(match.moves) == plies and match.outcome is None:
            return [int(move) for move in match.moves]


def room_row(players: tuple[str, str], log: tuple[Happening, ...] = (), **more: Any) -> RoomRow:
    """A game between two people."""
    start = str(GAME.start())
    seats = (SeatRow("human", 0, "A", players[0]), SeatRow("human", 0, "B", players[1]))
    now = time.time()
    rest = {"position": start, **more}
    return RoomRow(
        secrets.token_urlsafe(16), players[0], str(GAME), GAME.id, start, "-", 0.0, None, now, seats,
        now, log=log, **rest,
    )  # fmt: skip


# ---- a line: WebSocket by hand


def frame(text: str) -> bytes:
    """A masked text frame; the mask is zero, which costs nothing."""
    data = text.encode()
    size = len(data)
    head = bytes([0x81, 0x80 | size]) if size < 126 else struct.pack(">BBH", 0x81, 0xFE, size)
    return head + b"\0\0\0\0" + data


COMPRESSED = "Sec-WebSocket-Extensions: permessage-deflate; client_max_window_bits\r\n"


def handshake(room: str, cookie: str, more: str = "") -> bytes:
    """How a line to a room begins."""
    return (
        f"GET /ws/rooms/{room} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: Upgrade\r\n"
        f"Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\n{more}"
        f"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nCookie: {cookie}\r\n\r\n"
    ).encode()


def hello(lean: bool) -> bytes:
    """The first message."""
    return frame(json.dumps({"t": "hello", "v": 1, "after": None, "lean": lean}))


class Line(asyncio.Protocol):
    """One socket of one person in one room."""

    def __init__(self, room: str, cookie: str, lean: bool, heard: Callable[["Line", bytes], None]):
        self.room, self.cookie, self.lean, self.heard = room, cookie, lean, heard
        self.version = -1
        self.lost = False
        self._buffer = bytearray()
        self._open = False
        self.ready: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    def connection_made(self, transport: Any) -> None:
        """Shakes hands."""
        self.transport = transport
        transport.write(handshake(self.room, self.cookie, "" if self.lean else COMPRESSED))

    def connection_lost(self, exc: Exception | None) -> None:
        """The server has hung up."""
        self.lost = True
        if not self.ready.done():
            self.ready.set_exception(ConnectionError("no hello"))

    def data_received(self, data: bytes) -> None:
        """Frames from the server are not masked."""
        buffer = self._buffer
        buffer += data
        if not self._open:
            end = buffer.find(b"\r\n\r\n")
            if end < 0:
                return
            assert b" 101 " in buffer[:20], bytes(buffer[:200])
            del buffer[: end + 4]
            self._open = True
            self.transport.write(hello(self.lean))
        while len(buffer) >= 2:
            size, start = buffer[1] & 127, 2
            if size == 126:
                size, start = int.from_bytes(buffer[2:4]), 4
            elif size == 127:
                size, start = int.from_bytes(buffer[2:10]), 10
            if len(buffer) < start + size:
                return
            opcode, payload = buffer[0] & 15, bytes(buffer[start : start + size])
            if buffer[0] & 64:
                payload = zlib.decompressobj(-15).decompress(payload + b"\0\0\xff\xff")
            del buffer[: start + size]
            if opcode == 9:
                self.transport.write(bytes([0x8A, 0x80 | size]) + b"\0\0\0\0" + payload)
            elif opcode == 1:
                self._hear(payload)

    def _hear(self, payload: bytes) -> None:
        if payload.startswith(b'{"t":"event"') and b'"transient":true' not in payload[-40:]:
            version = int(payload[23 : payload.index(b",", 23)])
            assert version == self.version + 1, f"{version} after {self.version}"
            self.version = version
            self.heard(self, payload)
        elif payload.startswith(b'{"t":"snapshot"'):
            self.version = int(json.loads(payload)["version"])
            self.ready.set_result(None)
        elif payload.startswith(b'{"t":"ack"'):
            self.heard(self, payload)
        elif payload.startswith(b'{"t":"refused"'):
            raise AssertionError(payload)


async def open_line(port: int, *arguments: Any) -> Line:
    """A line on which hello has been answered."""
    _transport, line = await asyncio.get_running_loop().create_connection(
        lambda: Line(*arguments), "127.0.0.1", port
    )
    await line.ready
    return line


# ---- a game


class Table:
    """Two people who play a prepared game, one move after the other at a given pace."""

    def __init__(self, room: str, moves: list[int]) -> None:
        self.room, self.moves = room, moves
        self.lines: list[Line] = []
        self.acknowledged = 0
        self.sent_at: float | None = None
        self._waiting: set[int] = set()
        self.times: list[tuple[float, float]] = []  # when, how long until both had it
        self.late = 0

    def heard(self, line: Line, payload: bytes) -> None:
        """An event or an ack has come."""
        if payload.startswith(b'{"t":"ack"'):
            self.acknowledged += 1
            return
        self._waiting.discard(id(line))
        if not self._waiting and self.sent_at is not None:
            now = time.perf_counter()
            self.times.append((now, now - self.sent_at))
            self.sent_at = None

    def tick(self) -> None:
        """Time for the next move, if the last one has been heard of."""
        if self.sent_at is not None:
            self.late += 1
            return
        ply = min(line.version for line in self.lines) + 1
        if ply > len(self.moves):
            return
        line = self.lines[(ply - 1) % 2]
        self._waiting = {id(other) for other in self.lines}
        self.sent_at = time.perf_counter()
        name = secrets.token_hex(8)
        line.transport.write(
            frame(f'{{"t":"move","id":"{name}","ply":{ply},"move":{self.moves[ply - 1]}}}')
        )


async def keep_pace(tables: list[Table], rate: float, seconds: float) -> list[float]:
    """Each table makes so many moves a second, spread evenly over the second; how late each was."""
    begun = time.perf_counter()
    step = 1 / (rate * len(tables))
    queue = deque(tables)
    number, late = 0, list[float]()
    while (now := time.perf_counter()) < begun + seconds:
        while begun + number * step <= now:
            late.append(now - begun - number * step)
            queue[0].tick()
            queue.rotate(-1)
            number += 1
        await asyncio.sleep(max(0.0, begun + number * step - time.perf_counter()))
    return late


def percentile(values: list[float], share: float) -> float:
    """In milliseconds."""
    if not values:
        return float("nan")
    return 1000 * sorted(values)[min(len(values) - 1, int(share * len(values)))]


def told(times: list[float], limit: float) -> str:
    """The usual figures."""
    return (
        f"p50 {percentile(times, 0.5):.1f} ms, "
        f"p99 {within(percentile(times, 0.99), limit, 'ms')}, most {percentile(times, 1.0):.0f} ms"
    )


def within(figure: float, limit: float, unit: str) -> str:
    """A figure beside its limit."""
    return f"{figure:.4g} {unit} ({'limit' if figure < limit else 'OVER THE LIMIT,'} {limit:g})"


def memory(process_id: int) -> float:
    """Resident megabytes."""
    for line in Path(f"/proc/{process_id}/status").read_text().splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1]) / 1024
    return 0.0


class Processors:
    """What the processors have done since: for the server, for the generator, for others, for the host."""

    def __init__(self, server: int) -> None:
        self._server, self._before = server, self._now(server)

    @staticmethod
    def _now(server: int) -> list[float]:
        user, nice, system, _idle, _wait, hard, soft, taken = both_cores()
        used = user + nice + system + hard + soft
        return [time.perf_counter(), cpu(server), cpu(os.getpid()), used, taken]

    def told(self, moves: int) -> str:
        """In hundredths of a core."""
        now = self._now(self._server)
        passed, server, mine, used, stolen = (
            after - before for after, before in zip(now, self._before, strict=True)
        )
        return (
            f"server {server / passed:.0%} of a core, {1000 * server / max(1, moves):.2f} ms a move; "
            f"generator {mine / passed:.0%}; others {(used - server - mine) / passed:.0%}, "
            f"stolen by the host {stolen / passed:.0%}"
        )


def both_cores() -> list[float]:
    """Seconds that all processors have spent in each way, as in the manual of /proc/stat."""
    ticks = os.sysconf("SC_CLK_TCK")
    return [int(word) / ticks for word in Path("/proc/stat").read_text().split(maxsplit=9)[1:9]]


def stolen() -> float:
    """Seconds of processor time that the host has taken away so far."""
    return both_cores()[7]


def cpu(process_id: int) -> float:
    """Seconds of processor time so far."""
    fields = Path(f"/proc/{process_id}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


# ---- what is measured


@contextmanager
def database(given: str | None) -> Iterator[str]:
    """Where the games are: a new SQLite file, unless told."""
    with tempfile.TemporaryDirectory() as folder:
        yield given or f"sqlite:///{folder}/games.sqlite3"


def prepare(url: str, games: int, plies: int) -> tuple[list[tuple[RoomRow, list[int]]], Sessions]:
    """Rooms in the store, with the moves that will be played in them."""
    kinds = [long_game(seed, plies) for seed in range(8)]
    rows = [(room_row((_session(), _session())), kinds[n % len(kinds)]) for n in range(games)]
    store = Store(url)
    asyncio.run(store.add_rooms([row for row, _moves in rows]))
    sessions = Sessions(store.secret)
    store.close()
    return rows, sessions


def _session() -> str:
    return secrets.token_urlsafe(24)


async def seat(
    port: int, rows: list[tuple[RoomRow, list[int]]], sessions: Sessions, lean: bool
) -> list[Table]:
    """Everybody comes, a few at a time."""
    door = asyncio.Semaphore(16)

    async def sit(row: RoomRow, moves: list[int]) -> Table:
        table = Table(row.id, moves)
        async with door:
            for place in row.seats:
                cookie = f"{COOKIE}={sessions.write(str(place.session))}"
                table.lines.append(await open_line(port, row.id, cookie, lean, table.heard))
        return table

    return await asyncio.gather(*(sit(row, moves) for row, moves in rows))


def check(url: str, tables: list[Table]) -> None:
    """Everything that was heard is stored, once, and nothing else."""
    store = Store(url)
    for table in tables:
        row = asyncio.run(store.load(table.room))
        assert row is not None
        moves = [line.data["move"] for line in row.log]
        assert moves == table.moves[: len(moves)]
        assert len(moves) == table.lines[0].version == table.lines[1].version == table.acknowledged
        assert not any(line.lost for line in table.lines)
    store.close()


def load(options: argparse.Namespace) -> None:
    """Many games at once, then twice as much, then as before."""
    surge = 20 if options.surge else 0
    plies = int(options.seconds * options.rate + 2 * surge * options.rate + 40 * options.rate)
    print(f"{options.games} games, {2 * options.games} sockets, {options.rate:g} moves a second each,"
          f" {'full views' if options.full else 'lean'}; load of the machine {os.getloadavg()[0]:.1f}")  # fmt: skip
    with database(options.database) as url:
        rows, sessions = prepare(url, options.games, plies)
        with process(url, "--lease", "30") as (server, guest):
            asyncio.run(_load(options, rows, sessions, server.pid, guest.port, url, surge))


async def _load(
    options: argparse.Namespace,
    rows: list[tuple[RoomRow, list[int]]],
    sessions: Sessions,
    server: int,
    port: int,
    url: str,
    surge: float,
) -> None:
    begun = time.perf_counter()
    tables = await seat(port, rows, sessions, not options.full)
    print(
        f"  everybody has come after {time.perf_counter() - begun:.1f} s, {memory(server):.0f} MB"
    )
    await keep_pace(tables, options.rate, 5)  # to warm up
    for table in tables:
        table.times.clear()
        table.late = 0
    processors, begun = Processors(server), time.perf_counter()
    host = asyncio.create_task(watch_host(options.seconds))
    late = await keep_pace(tables, options.rate, options.seconds)
    passed = time.perf_counter() - begun
    entries = [entry for table in tables for entry in table.times]
    times = [took for _when, took in entries]
    print(f"  {len(times) / passed:.0f} moves a second for {passed:.0f} s: {told(times, SPREAD)}; "
          f"left out {sum(table.late for table in tables)}")  # fmt: skip
    print(f"  {processors.told(len(times))}; the generator's own delay p99 {percentile(late, 0.99):.1f} ms, "
          f"most {percentile(late, 1.0):.0f} ms; {within(memory(server), MEGABYTES, 'MB')}")  # fmt: skip
    _by_second(entries, begun, await host)
    if surge:
        await _surge(tables, options.rate, surge)
    until = time.perf_counter() + 60
    while any(table.sent_at is not None for table in tables) and time.perf_counter() < until:
        await asyncio.sleep(0.1)
    await asyncio.sleep(1)
    await asyncio.to_thread(check, url, tables)
    print("  nothing lost, nothing doubled: every line, every ack and the store agree")
    for table in tables:
        for line in table.lines:
            line.transport.abort()


async def watch_host(seconds: float) -> list[float]:
    """The share of a processor that the host took away in each second."""
    before, shares = stolen(), list[float]()
    for _second in range(int(seconds)):
        await asyncio.sleep(1)
        now = stolen()
        shares.append(now - before)
        before = now
    return shares


def _by_second(entries: list[tuple[float, float]], begun: float, shares: list[float]) -> None:
    """In how many seconds the limit was kept: one that was disturbed is told from many that are slow."""
    seconds: dict[int, list[float]] = {}
    for when, took in entries:
        seconds.setdefault(int(when - begun), []).append(took)
    worst = sorted(percentile(times, 0.99) for times in seconds.values())
    kept = sum(figure < SPREAD for figure in worst)
    print(f"  of {len(worst)} seconds {kept} have a p99 within the limit; the median second "
          f"{statistics.median(worst):.1f} ms, the worst {worst[-1]:.0f} ms")  # fmt: skip
    for low, high in pairwise(STOLEN):
        spans = [seconds.get(i, []) for i, share in enumerate(shares) if low <= share < high]
        times = [took for span in spans for took in span]
        print(f"  the host took {low:.0%} to {high:.0%} of a core in {len(spans)} seconds: "
              f"p99 {percentile(times, 0.99):.1f} ms there")  # fmt: skip


async def _surge(tables: list[Table], rate: float, seconds: float) -> None:
    for table in tables:
        table.times.clear()
    await keep_pace(tables, 2 * rate, seconds)
    end = time.perf_counter()
    times = [took for table in tables for _when, took in table.times]
    print(
        f"  twice the load: {len(times) / seconds:.0f} moves a second, {told(times, float('inf'))}"
    )
    await keep_pace(tables, rate, 10)
    after = [entry for table in tables for entry in table.times if entry[0] > end]
    for second in range(10):
        window = [took for when, took in after if second <= when - end < second + 1]
        if percentile(window, 0.99) < SPREAD:
            print(f"  as before within {within(second + 1, RECOVERY + 1, 's')}")
            return
    print("  NOT as before within 10 s: "
          + ", ".join(f"{percentile([t for w, t in after if s <= w - end < s + 1], 0.99):.0f}" for s in range(10)))  # fmt: skip


def spectators(options: argparse.Namespace) -> None:
    """Many who watch one game."""
    print(
        f"{options.spectators} spectators in one room, two moves a second; load {os.getloadavg()[0]:.1f}"
    )
    with database(options.database) as url:
        rows, sessions = prepare(url, 1, 60)
        with process(url, "--lease", "30") as (_server, guest):
            asyncio.run(_watch(options, rows, sessions, guest.port))


async def _watch(
    options: argparse.Namespace,
    rows: list[tuple[RoomRow, list[int]]],
    sessions: Sessions,
    port: int,
) -> None:
    (table,) = await seat(port, rows, sessions, False)
    times: list[float] = []

    def heard(_line: Line, _payload: bytes) -> None:
        times.append(time.perf_counter() - sent)

    for _number in range(options.spectators):
        cookie = f"{COOKIE}={sessions.write(_session())}"
        await open_line(port, table.room, cookie, False, heard)
    for _move in range(40):
        sent = time.perf_counter()
        table.tick()
        await asyncio.sleep(0.5)
    assert len(times) == 40 * options.spectators
    print(f"  {len(times)} events: {told(times, FAN_OUT)}")


def deaf(options: argparse.Namespace) -> None:
    """One who asks for much and never reads, in a game that goes on."""
    print(f"one who never reads, beside {DEAF_GAMES} games of two moves a second each; "
          f"load {os.getloadavg()[0]:.1f}")  # fmt: skip
    with database(options.database) as url:
        rows, sessions = prepare(url, DEAF_GAMES, 100)
        with process(url, "--lease", "30") as (_server, guest):
            asyncio.run(_ignore(rows, sessions, guest))


async def _ignore(rows: list[tuple[RoomRow, list[int]]], sessions: Sessions, guest: Guest) -> None:
    tables = await seat(guest.port, rows, sessions, False)
    await keep_pace(tables, 2, 10)
    before = [took for table in tables for _when, took in table.times]
    for table in tables:
        table.times.clear()
    cookie = f"{COOKIE}={sessions.write(_session())}"
    everybody = 2 * len(tables)
    dropped = asyncio.create_task(
        asyncio.to_thread(stay_deaf, guest, tables[0].room, cookie, everybody)
    )
    while not dropped.done():
        await keep_pace(tables, 2, 0.5)
    same = [took for _when, took in tables[0].times]
    others = [took for table in tables[1:] for _when, took in table.times]
    print(f"  dropped after {within(await dropped, DEAF, 's')}; moves before: {told(before, SPREAD)}; "
          f"meanwhile: {told(others, SPREAD)}; in the same room most {percentile(same, 1.0):.0f} ms")  # fmt: skip
    assert not any(line.lost for table in tables for line in table.lines)


def stay_deaf(guest: Guest, room: str, cookie: str, everybody: int) -> float:
    """Asks for everything, again and again, and reads nothing; seconds until the server drops the line."""
    with socket.socket() as line:
        line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        line.connect(("127.0.0.1", guest.port))
        line.sendall(handshake(room, cookie))
        answer = b""
        while b"\r\n\r\n" not in answer:
            answer += line.recv(1)
        begun = time.perf_counter()
        line.sendall(hello(False) * 50)  # nearly as many as are allowed at once
        while open_sockets(guest) > everybody and time.perf_counter() < begun + 60:
            time.sleep(0.1)
        return time.perf_counter() - begun


def open_sockets(guest: Guest) -> int:
    """How many there are, as the server tells those who watch over it."""
    told = guest.ask("GET", "/metrics").body.decode()
    return int(float(told.split("\nmbegu_sockets ")[1].split()[0]))


def start(options: argparse.Namespace) -> None:
    """A start with many stored games, and a stop."""
    with database(options.database) as url:
        store = Store(url)
        moves = long_game(1, 60)
        log = tuple(
            Happening(
                n, 1.0, "moved", {"ply": n, "player": (n - 1) % 2, "move": move}, f"command-{n}"
            )
            for n, move in enumerate(moves, 1)
        )
        match = Match(GAME)
        for move in moves:
            match.play(move)
        rest = {"version": 60, "plies": 60, "position": str(match.position)}
        for first in range(0, options.stored, 500):
            count = min(500, options.stored - first)
            asyncio.run(
                store.add_rooms(
                    [room_row((_session(), _session()), log, **rest) for _n in range(count)]
                )
            )
        store.close()
        starts, stops = [], []
        for _number in range(4):
            begun = time.perf_counter()
            with process(url) as (server, guest):
                guest.get("/api/v1/rooms")
                starts.append(time.perf_counter() - begun)
                begun = time.perf_counter()
                server.send_signal(signal.SIGTERM)
                server.wait()
                stops.append(time.perf_counter() - begun)
        print(f"a start with {options.stored} stored games, to the first answer: the quickest "
              f"{within(min(starts), START, 's')}, the median {statistics.median(starts):.2f} s; "
              f"a stop: {within(max(stops), STOP, 's')}; load {os.getloadavg()[0]:.1f}")  # fmt: skip


def main() -> None:
    """Measures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", choices=["load", "spectators", "deaf", "start"])
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--rate", type=float, default=1.0)
    parser.add_argument(
        "--full", action="store_true", help="with views and events, as for browsers"
    )
    parser.add_argument("--surge", action=argparse.BooleanOptionalAction, default=True)
    parser.add_argument("--spectators", type=int, default=500)
    parser.add_argument("--stored", type=int, default=10_000)
    parser.add_argument("--database", help="a PostgreSQL URL instead of a new SQLite file")
    options = parser.parse_args()
    parts = {"load": load, "spectators": spectators, "deaf": deaf, "start": start}
    for name in [options.only] if options.only else parts:
        parts[name](options)


if __name__ == "__main__":
    main()

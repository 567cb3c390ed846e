"""Lines to a server by hand, tables at which prepared games are played, and what the processors do meanwhile."""

import asyncio
import json
import os
import random
import secrets
import struct
import tempfile
import time
import zlib
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from mbegu.core.match import Match
from mbegu.core.registry import game as find_game
from mbegu.server.keep.store import Happening, RoomRow, SeatRow, Store
from mbegu.server.people.sessions import COOKIE, Sessions

GAME = find_game("oware")
CONTROL = "3600+5"  # clocks run, as between people


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
        secrets.token_urlsafe(16), players[0], str(GAME), GAME.id, start, CONTROL, 0.0, None, now, seats,
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
        elif payload.startswith(b'{"t":"ping"'):
            self.transport.write(frame(json.dumps({"t": "pong", "n": json.loads(payload)["n"]})))
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
    """Two people who play a prepared game, one move after the other at a given pace.

    A move's time begins when it should have been made: one that must wait for the last one to be heard of
    waits on its own account, and one that was never made counts with all of its waiting.
    """

    def __init__(self, room: str, moves: list[int]) -> None:
        self.room, self.moves = room, moves
        self.lines: list[Line] = []
        self.acknowledged = 0
        self.times: list[tuple[float, float]] = []  # when, how long until both had it
        self._due: deque[float] = (
            deque()
        )  # when moves should have been made; the first may be on its way
        self._waiting: set[int] = set()

    def heard(self, line: Line, payload: bytes) -> None:
        """An event or an ack has come."""
        if payload.startswith(b'{"t":"ack"'):
            self.acknowledged += 1
            return
        if id(line) not in self._waiting:
            return
        self._waiting.discard(id(line))
        if not self._waiting:
            now = time.perf_counter()
            self.times.append((now, now - self._due.popleft()))
            if self._due:
                self._send()

    @property
    def busy(self) -> bool:
        """Whether a move is still to be heard of."""
        return bool(self._due)

    def tick(self, due: float | None = None) -> None:
        """Time for the next move, which is made as soon as the last one has been heard of."""
        self._due.append(time.perf_counter() if due is None else due)
        if len(self._due) == 1:
            self._send()

    def _send(self) -> None:
        ply = min(line.version for line in self.lines) + 1
        if ply > len(self.moves):
            self._due.clear()
            return
        line = self.lines[(ply - 1) % 2]
        self._waiting = {id(other) for other in self.lines}
        name = secrets.token_hex(8)
        line.transport.write(
            frame(f'{{"t":"move","id":"{name}","ply":{ply},"move":{self.moves[ply - 1]}}}')
        )

    def clear(self) -> None:
        """Measures anew from here."""
        self.times.clear()

    def all_times(self) -> list[tuple[float, float]]:
        """The same with what has been waiting until now."""
        now = time.perf_counter()
        return self.times + [(now, now - due) for due in self._due]


async def keep_pace(tables: list[Table], rate: float, seconds: float) -> list[float]:
    """Each table makes so many moves a second, spread evenly over the second; how late each was."""
    begun = time.perf_counter()
    step = 1 / (rate * len(tables))
    queue = deque(tables)
    number, late = 0, list[float]()
    while (now := time.perf_counter()) < begun + seconds:
        while begun + number * step <= now:
            late.append(now - begun - number * step)
            queue[0].tick(begun + number * step)
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
    rows = [(room_row((new_session(), new_session())), kinds[n % len(kinds)]) for n in range(games)]
    store = Store(url)
    asyncio.run(store.add_rooms([row for row, _moves in rows]))
    sessions = Sessions(store.secret)
    store.close()
    return rows, sessions


def new_session() -> str:
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

"""Many games, twice as many, many who watch, one who never reads, start and stop."""

import argparse
import asyncio
import os
import signal
import socket
import statistics
import time
from itertools import pairwise

from guest import Guest
from processes import process

from benchmarks.online.lines import (
    GAME,
    Line,
    Processors,
    Table,
    check,
    database,
    handshake,
    hello,
    keep_pace,
    long_game,
    memory,
    new_session,
    open_line,
    percentile,
    prepare,
    room_row,
    seat,
    stolen,
    told,
    within,
)
from mbegu.core.match import Match
from mbegu.server.keep.store import Happening, RoomRow, Store
from mbegu.server.people.sessions import COOKIE, Sessions

SPREAD = 50.0  # milliseconds from a move to its echo, the 99th of a hundred
FAN_OUT = 100.0  # the same with many who watch
MEGABYTES = 350.0
RECOVERY = 5.0  # seconds after twice the load
DEAF = 5.0  # seconds until one who never reads is dropped
DEAF_GAMES = 50
START, STOP = 2.0, 3.0  # seconds
STOLEN = (0.0, 0.02, 0.1, 2.0)  # of a core, by the host: hardly anything, a little, much


def load(options: argparse.Namespace) -> None:
    """Many games at once, then twice as much, then as before."""
    surge = 20 if options.surge else 0
    plies = int(options.seconds * options.rate + 2 * surge * options.rate + 40 * options.rate)
    print(f"{options.games} games, {2 * options.games} sockets, {options.rate:g} moves a second each,"
          f" {'full views' if not options.lean else 'lean'}; load of the machine {os.getloadavg()[0]:.1f}")  # fmt: skip
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
    tables = await seat(port, rows, sessions, options.lean)
    print(
        f"  everybody has come after {time.perf_counter() - begun:.1f} s, {memory(server):.0f} MB"
    )
    await keep_pace(tables, options.rate, 5)  # to warm up
    for table in tables:
        table.clear()
    processors, begun = Processors(server), time.perf_counter()
    host = asyncio.create_task(watch_host(options.seconds))
    late = await keep_pace(tables, options.rate, options.seconds)
    passed = time.perf_counter() - begun
    entries = [entry for table in tables for entry in table.all_times()]
    times = [took for _when, took in entries]
    print(f"  {len(times) / passed:.0f} moves a second for {passed:.0f} s: {told(times, SPREAD)}; "
          f"not made yet {sum(table.busy for table in tables)}")  # fmt: skip
    print(f"  {processors.told(len(times))}; the generator's own delay p99 {percentile(late, 0.99):.1f} ms, "
          f"most {percentile(late, 1.0):.0f} ms; {within(memory(server), MEGABYTES, 'MB')}")  # fmt: skip
    _by_second(entries, begun, await host)
    if surge:
        await _surge(tables, options.rate, surge)
    until = time.perf_counter() + 60
    while any(table.busy for table in tables) and time.perf_counter() < until:
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
        table.clear()
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
        cookie = f"{COOKIE}={sessions.write(new_session())}"
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
        table.clear()
    cookie = f"{COOKIE}={sessions.write(new_session())}"
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
                    [room_row((new_session(), new_session()), log, **rest) for _n in range(count)]
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

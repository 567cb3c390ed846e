"""Six games of honest players, beside each way to flood a server that has been tried.

The floods come from other addresses, as a proxy on this computer would name them, and from a process of
their own. The server writes a JSON log, as it does when it is deployed.
"""

import argparse
import asyncio
import json
import multiprocessing
import os
import re
import secrets
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

from guest import Guest
from processes import environment

from benchmarks.online.lines import (
    GAME,
    Processors,
    Table,
    check,
    database,
    keep_pace,
    long_game,
    percentile,
    prepare,
    seat,
    within,
)
from mbegu.core.match import Match

GAMES, RATE, QUIET = 6, 2.0, 15.0
TIMES, MOST = 2.0, 100.0  # of the quiet p99; milliseconds
Flood = Callable[[int, str, float], None]  # a port, a room, until when


@contextmanager
def server(url: str, folder: Path) -> Iterator[tuple[int, int]]:
    """A server with a log: its process and its port."""
    command = [sys.executable, "-m", "mbegu", "serve", "--no-browser", "--port", "0"]
    with (folder / "log").open("w") as log:
        process = subprocess.Popen(
            [*command, "--database", url, "--log", "json", "--workers", "1"],
            stdout=subprocess.PIPE, stderr=log, text=True, env=environment(),
        )  # fmt: skip
        try:
            assert process.stdout is not None
            found = re.search(r"http://localhost:(\d+)/", process.stdout.readline())
            assert found
            yield process.pid, int(found[1])
        finally:
            process.kill()
            process.wait()


def attack(options: argparse.Namespace) -> None:
    """All floods, one after the other."""
    chosen = {name: flood for name, flood in FLOODS.items() if name in (options.flood or FLOODS)}
    print(f"{GAMES} games, {RATE:g} moves a second each, beside {len(chosen)} floods of {options.each:g} s; "
          f"load of the machine {os.getloadavg()[0]:.1f}")  # fmt: skip
    plies = int(RATE * (QUIET + 10 + len(chosen) * (options.each + 6)))
    with database(options.database) as url:
        rows, sessions = prepare(url, GAMES, plies)
        with server(url, Path(database_folder(url))) as (process, port):
            asyncio.run(_attack(options, chosen, rows, sessions, process, port, url))


def database_folder(url: str) -> str:
    """Where a log may stand beside the database."""
    return str(Path(url.removeprefix("sqlite:///")).parent) if "sqlite" in url else "/tmp"


async def _attack(options, chosen, rows, sessions, process, port, url) -> None:  # type: ignore[no-untyped-def]
    tables = await seat(port, rows, sessions, options.lean)
    await keep_pace(tables, RATE, 5)
    quiet, _told = await _measure(tables, QUIET, process)
    print(
        f"  quiet: p50 {percentile(quiet, 0.5):.1f} ms, p99 {percentile(quiet, 0.99):.1f} ms; {_told}"
    )
    limit = min(MOST, TIMES * percentile(quiet, 0.99))
    for name in chosen:
        room, until = rows[0][0].id, time.time() + options.each
        attacker = multiprocessing.get_context("spawn").Process(
            target=flooding, args=(name, port, room, until), daemon=True
        )
        attacker.start()
        times, machine = await _measure(tables, options.each + 2, process)
        attacker.join(5)
        attacker.kill()
        p99 = percentile(times, 0.99)
        print(f"  {name}: p50 {percentile(times, 0.5):.1f} ms, p99 {within(p99, limit, 'ms')}, "
              f"most {percentile(times, 1.0):.0f} ms; {machine}", flush=True)  # fmt: skip
        await keep_pace(tables, RATE, 2)
    until = time.time() + 20
    while any(table.busy for table in tables) and time.time() < until:
        await asyncio.sleep(0.1)
    await asyncio.sleep(1)
    await asyncio.to_thread(check, url, tables)
    print("  nothing lost, nothing doubled, nobody cut: every line, every ack and the store agree")


async def _measure(tables: list[Table], seconds: float, server: int) -> tuple[list[float], str]:
    for table in tables:
        table.clear()
    processors, begun = Processors(server), time.perf_counter()
    await keep_pace(tables, RATE, seconds)
    times = [
        took for table in tables for when, took in table.all_times() if when - took >= begun - 1
    ]
    return times, f"{processors.told(len(times))}, load {os.getloadavg()[0]:.1f}"


# ---- floods


def flooding(name: str, port: int, room: str, until: float) -> None:
    """In a process of its own, which goes before nobody: the strangers' computers are not ours."""
    if hasattr(os, "setpriority") and os.getpriority(os.PRIO_PROCESS, 0) < 0:
        os.setpriority(os.PRIO_PROCESS, 0, 0)
    FLOODS[name](port, room, until)


def many(count: int, action: Callable[[int], None]) -> None:
    """The same by several threads."""
    threads = [threading.Thread(target=action, args=(n,), daemon=True) for n in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def address(number: int) -> dict[str, str]:
    """As our own proxy names a stranger."""
    return {"X-Forwarded-For": f"203.0.113.{number % 250 + 1}"}


def asking(count: int, method: str, path: str, body: object = None, **headers: str) -> Flood:
    """Requests as fast as they are answered."""

    def flood(port: int, _room: str, until: float) -> None:
        def ask(number: int) -> None:
            guest = Guest(port)
            with suppress(OSError, AssertionError):
                guest.ask("GET", "/api/v1/rooms", headers=address(number))
            while time.time() < until:
                more = {
                    key: value.format(secrets.token_urlsafe(24)) for key, value in headers.items()
                }
                with suppress(OSError):
                    guest.ask(method, path, body, headers={**address(number), **more})

        many(count, ask)

    return flood


def saying(count: int, data: bytes, first: bytes = b"", reading: bool = True) -> Flood:
    """Frames as fast as they are taken; who is cut comes again."""

    def flood(port: int, room: str, until: float) -> None:
        def say(number: int) -> None:
            guest = Guest(port)
            with suppress(OSError, AssertionError):
                guest.ask("GET", "/api/v1/rooms", headers=address(number))
            while time.time() < until:
                with suppress(OSError), _socket(guest, room, number) as line:
                    line.sendall(first)
                    while time.time() < until:
                        line.sendall(data)
                        if reading:
                            line.recv(65_536, socket.MSG_DONTWAIT)

        many(count, say)

    return flood


@contextmanager
def _socket(guest: Guest, room: str, number: int) -> Iterator[socket.socket]:
    line = socket.create_connection(("127.0.0.1", guest.port), timeout=5)
    named = "".join(f"{key}: {value}\r\n" for key, value in address(number).items())
    line.sendall(
        f"GET /ws/rooms/{room} HTTP/1.1\r\nHost: 127.0.0.1:{guest.port}\r\nConnection: Upgrade\r\n"
        f"Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\nCookie: {guest.cookie}\r\n"
        f"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n{named}\r\n".encode()
    )
    try:
        if b" 101 " not in line.recv(4096)[:20]:
            time.sleep(0.05)
            raise ConnectionError
        yield line
    finally:
        line.close()


def holding(port: int, _room: str, until: float) -> None:
    """Many lines that say nothing."""
    with ExitStack() as lines:
        with suppress(OSError):
            for _number in range(1300):
                lines.enter_context(socket.create_connection(("127.0.0.1", port), timeout=5))
        time.sleep(max(0.0, until - time.time()))


def frame(kind: int, data: bytes = b"") -> bytes:
    """A short frame of a client; the mask is zero."""
    if len(data) < 126:
        return bytes([kind, 0x80 | len(data)]) + b"\0\0\0\0" + data
    return bytes([kind, 0xFE]) + len(data).to_bytes(2) + b"\0\0\0\0" + data


def records(games: int, plies: int) -> str:
    """A file of games."""
    match = Match(GAME)
    for move in long_game(1, plies):
        match.play(move)
    return f"{match.record()}\n\n" * games


def imports(port: int, room: str, until: float) -> None:
    """Eight files at once."""
    asking(8, "POST", "/api/v1/records", {"text": records(150, 200)})(port, room, until)


def tries(port: int, room: str, until: float) -> None:
    """Long lines, each position with all about it."""
    asking(6, "POST", "/api/v1/try", {"game": "oware", "moves": long_game(1, 300)})(
        port, room, until
    )


HELLO = frame(0x81, json.dumps({"t": "hello", "v": 1, "after": None}).encode())
FLOODS: dict[str, Flood] = {
    "addresses for the log": asking(4, "GET", "/" + "://a:" * 12_000),
    "shorter addresses for the log": asking(4, "GET", "/" + "://a:" * 780),
    "quoted cookies": asking(4, "GET", "/api/v1/games", Cookie='a="' + "\\" * 12_000 + '"'),
    "pings": saying(10, frame(0x89, b"!") * 1000, HELLO),
    "pings, never reading": saying(10, frame(0x89, b"!") * 1000, HELLO, reading=False),
    "continuations": saying(4, frame(0x00) * 1000, HELLO + frame(0x01)),
    "hello": saying(35, HELLO, b""),
    "imports": imports,
    "tries": tries,
    "tokens": asking(8, "GET", "/api/v1/rooms", Authorization="Bearer mbegu_{}"),
    "pages": asking(8, "GET", "/"),
    "idle lines": holding,
}

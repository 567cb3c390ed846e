"""Six games of honest players, beside each way to flood a server that has been tried.

The floods come from other addresses, as a proxy on this computer would name them, and from a process of
their own. The server writes a JSON log, as it does when it is deployed.
"""

import argparse
import asyncio
import multiprocessing
import os
import re
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from multiprocessing.connection import Connection
from pathlib import Path

from processes import environment

from benchmarks.online import floods
from benchmarks.online.insiders import INSIDERS
from benchmarks.online.lines import (
    Processors,
    Table,
    check,
    database,
    keep_pace,
    memory,
    percentile,
    prepare,
    seat,
)

GAMES, RATE, QUIET, WARMING, SEATED = 6, 5.0, 20.0, 5.0, 1.0
FLOODS = floods.FLOODS | INSIDERS
TIMES, MOST = 2.0, 100.0  # of the quiet p99; milliseconds


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


def go_ahead() -> None:
    """Lets the server, those who measure and the flood run before all else on this computer (for root).

    So a busy computer shows nearly what a calm one would. Linux shares its processors among sessions first and
    only then by priority: so this session goes before the others, and the server before the flood.
    """
    with suppress(OSError):
        os.setsid()
    Path("/proc/self/autogroup").write_text("-20")
    os.setpriority(os.PRIO_PROCESS, 0, -20)


def attack(options: argparse.Namespace) -> None:
    """All floods, one after the other."""
    if options.ahead:
        go_ahead()
    chosen = {name: flood for name, flood in FLOODS.items() if name in (options.flood or FLOODS)}
    print(f"{GAMES} games, {RATE:g} moves a second each, beside {len(chosen)} floods of {options.each:g} s; "
          f"load of the machine {os.getloadavg()[0]:.1f}")  # fmt: skip
    with database(options.database) as url:
        # Each flood meets games of its own: all of them are young, and as many moves as one likes are measured.
        most = max(WARMING + QUIET, SEATED + options.each + 2)
        rows, sessions = prepare(url, GAMES * (1 + len(chosen)), int(RATE * (most + 5)))
        parties = [rows[start : start + GAMES] for start in range(0, len(rows), GAMES)]
        with server(url, Path(database_folder(url))) as (process, port):
            asyncio.run(_attack(options, chosen, parties, sessions, process, port, url))


def database_folder(url: str) -> str:
    """Where a log may stand beside the database."""
    return str(Path(url.removeprefix("sqlite:///")).parent) if "sqlite" in url else "/tmp"


async def _attack(options, chosen, parties, sessions, process, port, url) -> None:  # type: ignore[no-untyped-def]
    played = tables = await seat(port, parties[0], sessions, options.lean)
    await keep_pace(tables, RATE, WARMING)
    quiet, machine = await _measure(tables, QUIET, process)
    limit = min(MOST, TIMES * percentile(quiet, 0.99))
    print(f"  quiet: {_told(quiet)}; {machine}; {memory(process):.0f} MB", flush=True)
    for name, rows in zip(chosen, parties[1:], strict=True):
        tables = await seat(port, rows, sessions, options.lean)
        played = [*played, *tables]
        with _attacker(name, port, rows[0][0].id) as begin:
            await keep_pace(tables, RATE, SEATED)
            begin(options.each)
            times, machine = await _measure(tables, options.each + 2, process)
        met = "within" if percentile(times, 0.99) <= limit else "OVER"
        print(f"  {name}: {_told(times)} ({met} {limit:.1f}); {machine}; "
              f"{memory(process):.0f} MB", flush=True)  # fmt: skip
        await asyncio.sleep(1)
    until = time.time() + 20
    while any(table.busy for table in played) and time.time() < until:
        await asyncio.sleep(0.1)
    await asyncio.sleep(1)
    await asyncio.to_thread(check, url, played)
    print("  nothing lost, nothing doubled, nobody cut: every line, every ack and the store agree")


def flooding(name: str, port: int, room: str, pipe: Connection) -> None:
    """In a process of its own, which goes before nobody: the strangers' computers are not ours."""
    if hasattr(os, "setpriority") and os.getpriority(os.PRIO_PROCESS, 0) < 0:
        os.setpriority(os.PRIO_PROCESS, 0, 0)
    pipe.send("ready")
    seconds: float = pipe.recv()
    FLOODS[name](port, room, time.time() + seconds)


@contextmanager
def _attacker(name: str, port: int, room: str) -> Iterator[Callable[[float], None]]:
    """A process that is ready to flood, and begins when it is told for how long.

    Its own beginning, a second of a processor, belongs to a computer that is not ours.
    """
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe()
    attacker = context.Process(target=flooding, args=(name, port, room, theirs), daemon=True)
    attacker.start()
    theirs.close()
    try:
        assert ours.poll(60), "no flood"
        yield ours.send
    finally:
        attacker.join(5)
        attacker.kill()
        ours.close()


def _told(times: list[float]) -> str:
    p50, p99, most = (percentile(times, share) for share in (0.5, 0.99, 1.0))
    return f"p50 {p50:.1f} ms, p99 {p99:.1f} ms, most {most:.0f} ms of {len(times)}"


async def _measure(tables: list[Table], seconds: float, server: int) -> tuple[list[float], str]:
    for table in tables:
        table.clear()
    processors, begun = Processors(server), time.perf_counter()
    await keep_pace(tables, RATE, seconds)
    times = [
        took for table in tables for when, took in table.all_times() if when - took >= begun - 1
    ]
    return times, f"{processors.told(len(times))}, load {os.getloadavg()[0]:.1f}"

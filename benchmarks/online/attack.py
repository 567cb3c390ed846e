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
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from processes import environment

from benchmarks.online.floods import FLOODS, flooding
from benchmarks.online.lines import (
    Processors,
    Table,
    check,
    database,
    keep_pace,
    percentile,
    prepare,
    seat,
    within,
)

GAMES, RATE, QUIET = 6, 2.0, 15.0
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

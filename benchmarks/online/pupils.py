"""A class of thirty: each pupil plays against the computer, and moves again a moment after its answer.

The wait begins when the pupil's move is sent and ends when the computer's has come: all that is between, the queue,
the thought and the disk. First with a cold cache, in which nothing is compiled, then warm.
"""

import argparse
import asyncio
import json
import os
import random
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from guest import Guest
from processes import environment
from websockets.asyncio.client import connect

from benchmarks.online.lines import Processors, percentile, within

GAMES = ("oware", "kalah", "morabaraba", "awale2")
PAUSE = (0.5, 2.5)  # seconds in which a pupil looks at the board
LESSON = 25.0  # seconds
STRONG, MODEST = 10, 5
LIMITS = {STRONG: 2000.0, MODEST: 500.0}
COLD = 30.0
MOST_PATIENT = 120.0


def pupils(options: argparse.Namespace) -> None:
    """Cold, warm against the strongest, warm against a modest one."""
    print(f"{options.pupils} pupils in {len(GAMES)} games against the computer; "
          f"load of the machine {os.getloadavg()[0]:.1f}")  # fmt: skip
    with tempfile.TemporaryDirectory() as folder:
        cache = {"MBEGU_CACHE": f"{folder}/cache"} if options.cold else {}
        if options.cold:
            _lesson(options, folder, cache, STRONG, cold=True)
        for level in (STRONG, MODEST):
            _lesson(options, folder, cache, level, cold=False)


def _lesson(
    options: argparse.Namespace, folder: str, cache: dict[str, str], level: int, cold: bool
) -> None:
    command = [sys.executable, "-m", "mbegu", "serve", "--no-browser", "--port", "0"]
    with (Path(folder) / "log").open("w") as log:
        server = subprocess.Popen(
            [*command, "--database", f"{folder}/class.sqlite3"],
            stdout=subprocess.PIPE, stderr=log, text=True, env={**environment(), **cache},
        )  # fmt: skip
        try:
            assert server.stdout is not None
            found = re.search(r"http://localhost:(\d+)/", server.stdout.readline())
            assert found
            asyncio.run(_teach(options, int(found[1]), server.pid, level, cold))
        finally:
            server.terminate()
            server.wait(20)


async def _teach(
    options: argparse.Namespace, port: int, server: int, level: int, cold: bool
) -> None:
    if not cold:  # until everything is compiled and loaded
        for once, seconds in ((True, MOST_PATIENT), (False, 10.0)):
            until = time.perf_counter() + seconds
            await asyncio.gather(*(_play(port, n, level, until, [], once) for n in range(8)))
    processors, begun = Processors(server), time.perf_counter()
    waits: list[list[float]] = [[] for _pupil in range(options.pupils)]
    until = begun + (MOST_PATIENT if cold else LESSON)
    tasks = [
        asyncio.create_task(_play(port, n, level, until, waits[n], once=cold))
        for n in range(options.pupils)
    ]
    await asyncio.gather(*tasks)
    times = [wait for each in waits for wait in each]
    silent = sum(not each for each in waits)
    if cold:
        print(f"  cold, level {level}: the first answer after {within(min(times, default=999), COLD, 's')}, "
              f"the last after {max(times, default=999):.1f} s; without an answer {silent}", flush=True)  # fmt: skip
        return
    p90 = percentile(times, 0.9)
    print(f"  warm, level {level}: {len(times)} answers, p50 {percentile(times, 0.5):.0f} ms, "
          f"p90 {within(p90, LIMITS[level], 'ms')}, most {percentile(times, 1.0):.0f} ms; without an answer "
          f"{silent}; {processors.told(len(times))}, load {os.getloadavg()[0]:.1f}", flush=True)  # fmt: skip


async def _play(
    port: int, number: int, level: int, until: float, waits: list[float], once: bool = False
) -> None:
    """One pupil; what he waits for at the end counts with all of its waiting."""
    lot, guest = random.Random(number), Guest(port)
    await asyncio.to_thread(guest.get, "/api/v1/rooms")
    game = GAMES[number % len(GAMES)]
    sent: float | None = None
    while time.perf_counter() < until:
        room = await asyncio.to_thread(guest.new_room, game, "human", level, pace=0)
        headers = {"Cookie": guest.cookie}
        address = f"ws://127.0.0.1:{port}/ws/rooms/{room}"
        async with connect(address, additional_headers=headers, proxy=None) as line:
            await line.send(json.dumps({"t": "hello", "v": 1, "after": None}))
            try:
                async with asyncio.timeout(max(0.0, until - time.perf_counter())):
                    while True:
                        view = _view(json.loads(await line.recv()))
                        if view is None:
                            continue
                        if sent is not None and view["turn"] != 1:
                            waits.append(time.perf_counter() - sent)
                            sent = None
                            if once:
                                return
                        if view["turn"] is None:
                            break
                        if view["turn"] == 0 and sent is None:
                            if not once:
                                await asyncio.sleep(lot.uniform(*PAUSE))
                            move = lot.choice(view["legal"])["move"]
                            ply = view["ply"] + 1
                            told = {
                                "t": "move",
                                "id": f"pupil-{number}-{ply}",
                                "ply": ply,
                                "move": move,
                            }
                            await line.send(json.dumps(told))
                            sent = time.perf_counter()
            except TimeoutError:
                if sent is not None:
                    waits.append(time.perf_counter() - sent)
                return


def _view(message: dict[str, Any]) -> dict[str, Any] | None:
    """The board after a message, with its ply; None if it shows none."""
    if message["t"] == "refused":
        raise AssertionError(message)
    if message["t"] == "snapshot":
        return {**message["view"], "ply": len(message["moves"])}
    if message["t"] == "event" and message["kind"] in ("moved", "ended"):
        data = message["data"]
        if "view" in data and "ply" in data:
            return {**data["view"], "ply": data["ply"]}
    return None

"""Endgame tables: the time and memory that Oware's take, against a plain C program, and a probe.

python -m benchmarks.tables                 at most 15 seeds, one thread and two
python -m benchmarks.tables --seeds 18      as large as people want them

The C program (awari.c) solves the same boards but finds values only, no bounds; without a compiler the
limit is in seconds. Both are measured by processor time, so that a busy host does no harm.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import mbegu
from mbegu.engine.jit import compiled
from mbegu.engine.kernels import interface as the
from mbegu.engine.tables.build import build
from mbegu.engine.tables.probe import TABLE_AT, TABLE_FACTS, TABLED, consult, packed_facts
from mbegu.engine.tables.store import open_table

AWARI = "oware(grand_slam=illegal,min_seeds=0)"
MOST_RATIO = 2.0  # of the C program's time, on one core
MOST_NANOSECONDS = 600.0  # a position, where there is no C compiler
MOST_PROBE = 1000.0
STEPS = 2_000_000


@compiled
def wander(state, thread, steps, asks):  # type: ignore[no-untyped-def]
    """Plays on and on, and looks every position up if it `asks`."""
    here, heard = state, 0
    for step in range(steps):
        moves = the.legal(here)
        if not the.some(here, moves):
            here = state
            moves = the.legal(here)
        here = the.play(here, the.nth(here, moves, step % the.size(here, moves)))
        if asks:
            heard += consult(here, thread)[0]
    return heard


def measured(seeds: int, workers: int, folder: str, told: Any) -> None:
    """Builds a table in a process of its own, with everything compiled before."""
    game = mbegu.game(AWARI)
    build(game, 4, folder=Path(folder) / "warm", workers=workers)
    wall, cpu = time.perf_counter(), time.process_time()
    build(game, seeds, folder=Path(folder) / str(workers), workers=workers)
    wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
    told.put((wall, cpu, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024))


def in_process(*arguments: Any) -> tuple[float, float, float]:
    """Wall time, processor time and megabytes of a build."""
    context = multiprocessing.get_context("spawn")
    told = context.Queue()
    process = context.Process(target=measured, args=(*arguments, told))
    process.start()
    answer: tuple[float, float, float] = told.get()
    process.join()
    return answer


def yardstick(seeds: int, folder: Path) -> tuple[float, dict[int, dict[int, int]]] | None:
    """The processor time of the C program, and its histograms; None without a compiler."""
    compiler = shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")
    if compiler is None:
        return None
    program = folder / "awari"
    source = Path(__file__).with_name("awari.c")
    subprocess.run([compiler, "-O3", "-march=native", "-o", program, source], check=True)
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run([program, str(seeds)], check=True, capture_output=True, text=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    counts: dict[int, dict[int, int]] = {}
    for line in done.stdout.splitlines():
        number, value, count = map(int, line.split())
        counts.setdefault(number, {})[value] = count
    return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime, counts


def probe_time(folder: Path) -> float:
    """Nanoseconds of a look into the table."""
    import numpy as np  # noqa: PLC0415

    from mbegu.engine.kernels.driver import kernel_of  # noqa: PLC0415

    game = mbegu.game(AWARI)
    table = open_table(game, folder)
    facts = np.array(packed_facts(table.header.layers))
    thread = np.zeros(64, np.int64)
    thread[TABLED], thread[TABLE_AT], thread[TABLE_FACTS] = (
        *(table.header.seeds, table.address),
        facts.ctypes.data,
    )
    position = game.position("1-0-1-2-1-0-1-1-1-2-1-1-18-18-S")
    options = {"grand_slam": "illegal", "min_seeds": 0}
    state = kernel_of("oware").pack(position.to_json(), options)
    seconds = []
    for asks in (False, True):
        wander(state, thread.ctypes.data, 1000, asks)
        began = time.process_time()
        wander(state, thread.ctypes.data, STEPS, asks)
        seconds.append(time.process_time() - began)
    return (seconds[1] - seconds[0]) / STEPS * 1e9


def main() -> int:
    """Measures, prints, and tells whether the limits are kept."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--seeds", type=int, default=15)
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args()
    facts: dict[str, Any] = {"seeds": arguments.seeds}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for workers in (1, 2):
            wall, cpu, memory = in_process(arguments.seeds, workers, name)
            facts[f"threads_{workers}"] = {"seconds": wall, "cpu_seconds": cpu, "megabytes": memory}
        header = open_table(mbegu.game(AWARI), folder / "1").header
        facts["positions"] = header.size
        per_position = facts["threads_1"]["cpu_seconds"] / header.size * 1e9
        facts["nanoseconds_a_position"] = per_position
        facts["probe_nanoseconds"] = probe_time(folder / "1")
        stick = yardstick(arguments.seeds, folder)
    fine = facts["probe_nanoseconds"] < MOST_PROBE
    if stick is None:
        fine &= per_position <= MOST_NANOSECONDS
    else:
        facts["c_cpu_seconds"] = stick[0]
        facts["ratio"] = facts["threads_1"]["cpu_seconds"] / stick[0]
        facts["same_histograms"] = all(
            layer.values == stick[1][number] for number, layer in enumerate(header.layers)
        )
        fine &= facts["ratio"] <= MOST_RATIO and facts["same_histograms"]
    tell(facts, arguments.json)
    return 0 if fine else 1


def tell(facts: dict[str, Any], as_json: bool) -> None:
    """Prints what was measured."""
    if as_json:
        print(json.dumps(facts))
        return
    print(f"at most {facts['seeds']} seeds, {facts['positions']:,} positions")
    for workers in (1, 2):
        told = facts[f"threads_{workers}"]
        print(
            f"  {workers} thread(s): {told['seconds']:.1f} s, {told['cpu_seconds']:.1f} s of processor "
            f"time, {told['megabytes']:.0f} MB"
        )
    print(f"  {facts['nanoseconds_a_position']:.0f} ns a position")
    if "ratio" in facts:
        print(
            f"  C, values only: {facts['c_cpu_seconds']:.1f} s; {facts['ratio']:.2f} times as long "
            f"(at most {MOST_RATIO}); same histograms: {facts['same_histograms']}"
        )
    print(f"  a probe: {facts['probe_nanoseconds']:.1f} ns (at most {MOST_PROBE:.0f})")


if __name__ == "__main__":
    sys.exit(main())

"""Kalah solved: all margins that are well known, found again, with the time that each takes.

python -m benchmarks solve                   all but the largest, on one thread
python -m benchmarks solve --most 40         boards of at most 40 stones
python -m benchmarks solve --threads 2

Kalah(6,4) by the default rules must take at most 30 seconds of processor time on one thread, table
included. Processor time is measured, so that a busy host does no harm.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from typing import Any

import mbegu
from mbegu.engine.solve import solve

MOST_SECONDS = 30.0  # Kalah(6,4)
WELL_KNOWN: dict[tuple[int, bool], tuple[int, ...]] = {  # pits, empty captures: n = 1, 2, 3…
    (1, False): (0, -2, 6, -2, 2, 0),
    (1, True): (0, -2, 6, -2, 2, 0),
    (2, False): (2, -2, -2, -10, 6, 8),
    (2, True): (2, -2, -2, -12, 6, 8),
    (3, False): (0, 4, 2, 2, 6, -8),
    (3, True): (0, 4, 2, 2, 6, -10),
    (4, False): (2, 6, 6, 2, 4, 0),
    (4, True): (2, 6, 8, 2, 2, 0),
    (5, False): (0, 2, 6, 10, 2),
    (5, True): (0, 0, 8, 12, 2),
    (6, False): (2, 6, 2, 8, 10),
    (6, True): (2, 10, 2, 10, 12),
}


def solved(pits: int, seeds: int, empty: bool, threads: int, memory: int) -> dict[str, Any]:
    """The margin of one game, and what it took."""
    game = mbegu.game("kalah", pits=pits, seeds=seeds, empty_capture=empty)
    wall, cpu = time.perf_counter(), time.process_time()
    found = solve(game.start(), threads=threads, memory_mb=memory)
    wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
    return {
        "game": str(game),
        "margin": found.margin,
        "published": WELL_KNOWN[pits, empty][seeds - 1],
        "seconds": wall,
        "cpu_seconds": cpu,
        "nodes": found.nodes,
    }


def main() -> int:
    """Solves, prints, and tells whether all is as it should be."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--most", type=int, default=50, help="stones on the largest board")
    parser.add_argument("--least", type=int, default=1)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--memory", type=int, default=1024)
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args()
    for pits in (1, 6):  # compiled before anything is measured
        solve(mbegu.game("kalah", pits=pits, seeds=3).start(), memory_mb=64)
    rows, fine = [], True
    for (pits, empty), margins in WELL_KNOWN.items():
        for seeds in range(1, len(margins) + 1):
            if not arguments.least <= 2 * pits * seeds <= arguments.most:
                continue
            row = solved(pits, seeds, empty, arguments.threads, arguments.memory)
            rows.append(row)
            fine &= row["margin"] == row["published"]
            if (pits, seeds, empty) == (6, 4, False) and arguments.threads == 1:
                fine &= row["cpu_seconds"] <= MOST_SECONDS
            if not arguments.json:
                print(
                    f"{row['game']:45} {row['margin']:+4} (published {row['published']:+4}) "
                    f"{row['cpu_seconds']:8.2f} s cpu {row['seconds']:8.2f} s {row['nodes']:14,} positions",
                    flush=True,
                )
    if arguments.json:
        print(json.dumps(rows))
    return 0 if fine else 1


if __name__ == "__main__":
    sys.exit(main())

"""How long the full-screen terminal takes from a key to the screen, in a real pseudo-terminal of 80×24.

python -m benchmarks tui [--keys 40] [--json]

For each game: an arrow moves the cursor, which draws the board again with what the move under it would do.
Measured from the key to the last byte of what the program then writes, as a terminal sees it.
"""

import argparse
import json
import os
import select
import statistics
import sys
import time
from pathlib import Path

import pexpect

GAMES = ("oware", "kalah", "awale2", "urubugu", "morabaraba")
QUIET = 0.06  # seconds without a byte: the screen is finished


def read_until_quiet(child: "pexpect.spawn[bytes]", seconds: float = 5.0) -> float | None:
    """Reads what is written; the time of its last byte, None if nothing came."""
    last, end = None, time.perf_counter() + seconds
    while time.perf_counter() < end:
        wait = QUIET if last is not None else seconds
        ready, _write, _error = select.select([child.child_fd], [], [], wait)
        if not ready:
            break
        os.read(child.child_fd, 1 << 16)
        last = time.perf_counter()
    return last


def spent(pid: int) -> float:
    """Seconds of a processor that a process has used: what a key costs on a busy machine, too."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def measure(game: str, keys: int) -> tuple[list[float], float]:
    """Milliseconds of each key, and of a processor for one of them."""
    child: pexpect.spawn[bytes] = pexpect.spawn(
        sys.executable,
        ["-m", "mbegu", "tui", game, "--vs", "human"],
        env={**os.environ, "TERM": "xterm-256color", "LANG": "C.UTF-8"},
        dimensions=(24, 80),
        timeout=120,
    )
    child.delaybeforesend = None  # pexpect's own pause of 50 ms is not ours
    try:
        child.expect(b"to move")
        child.expect(b"%")  # the engine has loaded behind the board, and has told a chance
        child.send(b"v")  # it is not to think meanwhile
        read_until_quiet(child)
        times, before = [], spent(child.pid)
        for number in range(keys):
            began = time.perf_counter()
            child.send(b"\x1b[C" if number % 10 < 5 else b"\x1b[D")
            last = read_until_quiet(child, 1.0)
            if last is not None:
                times.append(1000 * (last - began))
        return times, 1000 * (spent(child.pid) - before) / keys
    finally:
        child.close(force=True)


def main() -> None:
    """Prints the median and the worst of each game."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--keys", type=int, default=40)
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args()
    found = {}
    for game in GAMES:
        times, cost = measure(game, arguments.keys)
        found[game] = {
            "median": statistics.median(times),
            "worst": max(times),
            "processor": cost,
            "keys": len(times),
        }
        if not arguments.json:
            told = found[game]
            print(
                f"{game:12} median {told['median']:5.1f} ms, worst {told['worst']:5.1f} ms, "
                f"of a processor {told['processor']:4.1f} ms, {told['keys']} keys"
            )
    if arguments.json:
        print(json.dumps(found))


if __name__ == "__main__":
    main()

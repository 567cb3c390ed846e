"""What long runs of experiments cost, and that killing them changes nothing.

    python -m benchmarks lab_runs [million] [cluster] [kills] [--kills 20]

million   a million random games of Urubugu on two processes: the memory of all processes together
          (limit: 1 GB) and how busy the two workers are (limit: 90 %)
cluster   the same experiment, larger, on a Dask cluster of one and of two workers (limit: 1.6 times)
kills     20 × `kill -9` in mid-run, then once to the end: the table must be the same, byte for byte

Busy is the share of the time from a worker's first piece to its last in which it ran or stood in the
queue for a core that another program had: so the figure holds on a machine that is busy otherwise.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psutil

MILLION = """
kind = "random"
game = "urubugu"
seed = 1
[budget]
games = {games}
piece = {piece}
"""
Spent = dict[int, tuple[float, float]]  # of each process: running, waiting for a core


def write(folder: Path, games: int, piece: int) -> None:
    """The experiment's file."""
    (folder / "games.toml").write_text(MILLION.format(games=games, piece=piece))


def command(*more: str) -> list[str]:
    """`mbegu lab run games.toml`."""
    return [sys.executable, "-m", "mbegu", "lab", "run", "games.toml", *more]


def pieces_in(run: Path) -> int:
    """How many pieces are stored."""
    folder = run / "pieces"
    return sum(name.endswith(".parquet") for name in os.listdir(folder)) if folder.exists() else 0


def spent(processes: list[psutil.Process]) -> Spent:
    """Seconds that each has run and has waited to run, by the kernel's own books."""
    found: Spent = {}
    for process in processes:
        try:
            told = [
                thread.read_text().split()
                for thread in Path(f"/proc/{process.pid}/task").glob("*/schedstat")
            ]
        except OSError:
            continue
        found[process.pid] = (
            sum(int(t[0]) for t in told) / 1e9,
            sum(int(t[1]) for t in told) / 1e9,
        )
    return found


def million() -> None:
    """Memory and how busy the cores are."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write(folder, 1_000_000, 50_000)
        for _warm in range(2):  # the first compiles
            began, peak = time.monotonic(), 0
            process = psutil.Popen(command("--workers", "2", "--restart"), cwd=folder, stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL)  # fmt: skip
            first: tuple[float, Spent] | None = None
            last: tuple[float, Spent] | None = None
            while process.poll() is None:
                family = [process, *process.children(recursive=True)]
                peak = max(peak, sum(memory(one) for one in family))
                workers = [one for one in family[1:] if is_worker(one)]
                done = pieces_in(folder / "games-run")
                if done and len(workers) == 2:
                    last = (time.monotonic(), spent(workers))
                    first = first or last
                time.sleep(0.05)
        seconds = time.monotonic() - began
        assert first is not None
        assert last is not None
        wall = last[0] - first[0]
        rows = [
            (last[1][pid][0] - first[1][pid][0], last[1][pid][1] - first[1][pid][1])
            for pid in first[1]
            if pid in last[1]
        ]
        ran, waited = (sum(row[i] for row in rows) for i in (0, 1))
        busy = 100 * (ran + waited) / (wall * len(rows))
        print(f"a million games: {seconds:.1f} s in all, load {os.getloadavg()[0]:.1f}")
        print(
            f"memory of all processes: {peak / 2**20:.0f} MB, at most 1024: {verdict(peak < 2**30)}"
        )
        print(
            f"two workers for {wall:.2f} s: ran {ran:.2f} s, waited for a core {waited:.2f} s: "
            f"{busy:.0f} % busy, at least 90: {verdict(busy >= 90)}"
        )


def memory(process: psutil.Process) -> int:
    """What a process holds that is not shared with others."""
    try:
        return int(process.memory_full_info().pss)
    except psutil.Error:
        return 0


def is_worker(process: psutil.Process) -> bool:
    """Whether this is one that does pieces."""
    try:
        return "spawn_main" in " ".join(process.cmdline())
    except psutil.Error:
        return False


@contextmanager
def cluster(workers: int) -> Iterator[str]:
    """`mbegu lab cluster` and its address."""
    line = [
        sys.executable,
        "-m",
        "mbegu",
        "lab",
        "cluster",
        "--workers",
        str(workers),
        "--port",
        "0",
    ]
    process = subprocess.Popen(line, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    try:
        yield process.stdout.readline().strip()
    finally:
        process.terminate()
        process.wait()


def on_cluster(games: int = 20_000_000) -> None:
    """Two workers against one, each after a warm-up."""
    best: dict[int, float] = {}
    for _round in range(2):
        for workers in (1, 2):
            with tempfile.TemporaryDirectory() as name, cluster(workers) as address:
                folder = Path(name)
                for size in (200_000, games):
                    write(folder, size, 50_000)
                    began = time.monotonic()
                    subprocess.run(
                        command("--cluster", address, "--out", f"run-{size}"), cwd=folder, check=True, capture_output=True,
                    )  # fmt: skip
                    seconds = time.monotonic() - began
                best[workers] = min(best.get(workers, 1e9), seconds)
    ratio = best[1] / best[2]
    print(
        f"{games:,} games on a cluster: one worker {best[1]:.1f} s, two {best[2]:.1f} s: {ratio:.2f} times, "
        f"at least 1.6: {verdict(ratio >= 1.6)} (load {os.getloadavg()[0]:.1f})"
    )


def kills(count: int) -> None:
    """Kills in mid-run, again and again."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write(folder, 400_000, 400)
        quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        subprocess.run(command("--out", "whole"), cwd=folder, check=True, **quiet)
        run, at = folder / "games-run", []
        for number in range(count):
            process = subprocess.Popen(
                command("--workers", str(1 + number % 2)), cwd=folder, **quiet
            )
            goal = pieces_in(run) + 3 + 7 * (number % 5)
            while pieces_in(run) < goal and process.poll() is None:
                time.sleep(0.01)
            process.kill()
            process.wait()
            at.append(pieces_in(run))
        assert not (run / "table.parquet").exists(), "it was finished before the last kill"
        subprocess.run(command("--workers", "2"), cwd=folder, check=True, **quiet)
        same = (run / "table.parquet").read_bytes() == (folder / "whole/table.parquet").read_bytes()
        print(f"{count} × kill -9 after {at} of 1000 pieces: the same table: {verdict(same)}")


def verdict(good: bool) -> str:
    """Whether a limit is kept."""
    return "ok" if good else "NOT MET"


def main() -> None:
    """Does what is asked for, or everything."""
    arguments = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    arguments.add_argument("parts", nargs="*", choices=["million", "cluster", "kills", []])
    arguments.add_argument("--kills", type=int, default=20)
    chosen = arguments.parse_args()
    parts = chosen.parts or ["million", "cluster", "kills"]
    if "million" in parts:
        million()
    if "cluster" in parts:
        on_cluster()
    if "kills" in parts:
        kills(chosen.kills)


if __name__ == "__main__":
    main()

"""What long runs of experiments cost, and that killing them changes nothing.

    python -m benchmarks lab_runs [million] [cluster] [kills] [--kills 20]

million   a million random games of Urubugu on two processes: the memory of all processes together
          (limit: 1 GB) and how busy two cores are (limit: 90 %, the worst of five runs)
cluster   the same experiment, larger, on a Dask cluster of one and of two workers (limit: 1.6 times)
kills     20 × `kill -9` in mid-run, then once to the end: the table must be the same, byte for byte

Busy is the processor time of all processes of the command, over twice the time from its start to its
end: imports, start of workers and the writing of the table included. On a machine with other work to do
that figure is too low: beside it stands the share of what others left (Linux only), other programs here and
other machines on the same processor. Python keeps its bytecode, as that of an installed package is kept.
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
from typing import Any

import psutil

MILLION = """
kind = "random"
game = "urubugu"
seed = 1
[budget]
games = {games}
piece = {piece}
"""
AT_TWO = ("--workers", "2", "--restart")
QUIET: Any = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}


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


def million(rounds: int = 5) -> None:
    """Memory and how busy the cores are."""
    with tempfile.TemporaryDirectory() as name, bytecode():
        folder = Path(name)
        write(folder, 1_000_000, 20_000)
        peak = watched(folder)  # compiles, too
        print(f"a million games, memory of all processes: {peak / 2**20:.0f} MB, at most 1024: {verdict(peak < 2**30)}")  # fmt: skip
        shares = []
        for _round in range(rounds):
            seconds, worked, others = timed(folder)
            shares.append(100 * worked / (2 * seconds))
            rest = 100 * worked / (2 * seconds - others)
            print(
                f"  the whole command {seconds:.2f} s, processor time {worked:.2f} s: {shares[-1]:.1f} % of "
                f"two cores, {rest:.1f} % of what others left of them"
            )
        print(
            f"both cores busy: {min(shares):.1f} % of the time of the whole command in the worst of "
            f"{rounds} runs, at least 90: {verdict(min(shares) >= 90)} (load {os.getloadavg()[0]:.1f})"
        )


@contextmanager
def bytecode() -> Iterator[None]:
    """Bytecode is kept for the processes that start here, in a folder of their own."""
    before = dict(os.environ)
    with tempfile.TemporaryDirectory() as folder:
        os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
        os.environ["PYTHONPYCACHEPREFIX"] = folder
        try:
            yield
        finally:
            os.environ.clear()
            os.environ.update(before)


def watched(folder: Path) -> int:
    """The most memory that a run takes, all processes together."""
    peak = 0
    process = psutil.Popen(command(*AT_TWO), cwd=folder, **QUIET)
    while process.poll() is None:
        peak = max(peak, sum(map(memory, [process, *process.children(recursive=True)])))
        time.sleep(0.05)
    assert process.returncode == 0
    return peak


def memory(process: psutil.Process) -> int:
    """What a process holds that is not shared with others."""
    try:
        return int(process.memory_full_info().pss)
    except psutil.Error:
        return 0


def timed(folder: Path) -> tuple[float, float, float]:
    """Seconds that a run takes, seconds of processors, and seconds of them that others had meanwhile."""
    all_before, began = all_work(), time.monotonic()
    process = subprocess.Popen(command(*AT_TWO), cwd=folder, **QUIET)
    _pid, status, used = os.wait4(process.pid, 0)
    seconds = time.monotonic() - began
    process.returncode = os.waitstatus_to_exitcode(status)
    assert process.returncode == 0
    worked = used.ru_utime + used.ru_stime
    return seconds, worked, max(all_work() - all_before - worked, 0.0)


def all_work() -> float:
    """Seconds of processors that anybody had since the machine started, told in hundredths."""
    times = psutil.cpu_times()
    return float(times.user + times.nice + times.system + getattr(times, "steal", 0.0))


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
    process = subprocess.Popen(line, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    assert process.stdout is not None
    try:
        yield process.stdout.readline().strip()
    finally:
        process.terminate()
        process.wait()


def on_cluster(games: int = 8_000_000) -> None:
    """Two workers against one, each after a warm-up."""
    best: dict[int, float] = {}
    for _round in range(2):
        for workers in (1, 2):
            with tempfile.TemporaryDirectory() as name, cluster(workers) as address:
                folder = Path(name)
                for size in (200_000, games):
                    write(folder, size, 100_000)
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
        subprocess.run(command("--out", "whole"), cwd=folder, check=True, **QUIET)
        run, at = folder / "games-run", []
        for number in range(count):
            process = subprocess.Popen(
                command("--workers", str(1 + number % 2)), cwd=folder, **QUIET
            )
            goal = pieces_in(run) + 3 + 7 * (number % 5)
            while pieces_in(run) < goal and process.poll() is None:
                time.sleep(0.01)
            process.kill()
            process.wait()
            at.append(pieces_in(run))
        assert not (run / "table.parquet").exists(), "it was finished before the last kill"
        subprocess.run(command("--workers", "2"), cwd=folder, check=True, **QUIET)
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

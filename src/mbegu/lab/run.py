"""Runs an experiment: its pieces, here or on a cluster, each stored as soon as it is done.

    folder = run(read_experiment("games.toml"), "games-run", workers=2)
    table = read_table("games-run")

Stop it at any moment, even by `kill -9`, and call it again: it goes on where it was, and the table
is the same, byte for byte.
"""

from __future__ import annotations

import os
import socket
import time
from collections import deque
from collections.abc import Callable, Generator, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, wait
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from mbegu.core.errors import MbeguError
from mbegu.core.i18n import _
from mbegu.core.printable import one_line
from mbegu.lab.design import Experiment
from mbegu.lab.manifest import RunFolder, packed
from mbegu.lab.pieces import KINDS, Piece
from mbegu.work.executor import Lost, Pool, executor

__all__ = ["Failure", "RunProgress", "do_piece", "read_table", "run"]

Done = tuple[bytes, dict[str, Any]] | Exception
Queue = deque[tuple[Piece, int]]  # with the number of its next try

TRIES = 3
AHEAD = 6  # pieces for each worker: storing one may take longer than doing it


@dataclass(frozen=True)
class RunProgress:
    """How far a run is. `seconds` is since it began or went on, `now` what was done since."""

    done: int
    total: int
    now: int
    seconds: float

    @property
    def left(self) -> float | None:
        """The seconds that it will still take, as far as one can tell."""
        return self.seconds / self.now * (self.total - self.done) if self.now else None


class Failure(MbeguError):
    """Some pieces could not be done; all the others are stored."""

    def __init__(self, folder: Path, failed: list[tuple[Piece, str]], total: int) -> None:
        self.failed = failed
        told = "; ".join(f"{piece}: {why}" for piece, why in failed[:3])
        message = _(
            "{count} of {total} pieces failed {tries} times, so there is no table. {why}. "
            "The others are kept in {folder}: the same command tries again"
        )
        super().__init__(
            message.format(
                count=len(failed), total=total, tries=TRIES, why=told + "…" * (len(failed) > 3),
                folder=folder,
            )
        )  # fmt: skip


def run(
    experiment: Experiment,
    folder: str | os.PathLike[str],
    *,
    workers: int = 1,
    cluster: str | None = None,
    pool: Pool | None = None,
    restart: bool = False,
    tell: Callable[[RunProgress], None] = lambda progress: None,
) -> Path:
    """Does what is missing of an experiment, and writes the table; returns its path.

    A `pool` that is there already works first; when it has lost a process, a new one takes over.
    """
    pieces = KINDS[experiment.kind].pieces(experiment)
    with RunFolder(folder) as here:
        if restart:
            here.clear()
        here.claim(experiment, len(pieces))
        done = here.done()
        missing = [piece for piece in pieces if piece.number not in done]
        if not missing and here.table.exists():
            return here.table
        try:
            here.begin(workers, cluster)
            with here.gathering(KINDS[experiment.kind].schema, len(pieces)) as grow:
                attempts = _attempts(experiment, missing, workers, cluster, pool, here.counted)
                failed = _keep(here, attempts, grow, tell, (len(missing), len(pieces)))
                if failed:
                    raise Failure(here.path, failed, len(pieces))
            here.end([])
        except Failure as failure:
            here.end([(piece.number, why) for piece, why in failure.failed])
            raise
        except MbeguError as error:  # a full disk, most often, or a cluster that is gone
            message = _("{error}. What is finished is kept: the same command goes on from there")
            raise MbeguError(message.format(error=error)) from None
        return here.table


def read_table(folder: str | os.PathLike[str]) -> pa.Table:
    """The table of a finished run; `.to_pandas()` makes it a DataFrame."""
    here = RunFolder(folder)
    here.read()
    if not here.table.exists():
        raise MbeguError(
            _("{folder}: this run is not finished; mbegu lab run goes on with it").format(
                folder=here.path
            )
        )
    return pq.read_table(here.table)


def do_piece(experiment: Experiment, piece: Piece) -> tuple[bytes, dict[str, Any]]:
    """Does a piece, wherever this is: its rows as a file, and a note about it."""
    began = time.monotonic()
    data = packed(KINDS[experiment.kind].run_piece(experiment, piece))
    seconds = round(time.monotonic() - began, 3)
    return data, {"host": socket.gethostname(), "pid": os.getpid(), "seconds": seconds}


def _keep(
    folder: RunFolder,
    attempts: Generator[tuple[Piece, int, Done]],
    grow: Callable[[], None],
    tell: Callable[[RunProgress], None],
    missing_of: tuple[int, int],
) -> list[tuple[Piece, str]]:
    """Stores the pieces as they come; returns those that failed as often as they may, and why."""
    missing, total = missing_of
    began, now, before = time.monotonic(), 0, total - missing
    failed: list[tuple[Piece, str]] = []
    tell(RunProgress(before, total, 0, 0.0))
    with closing(attempts):
        for piece, tries, done in attempts:
            if isinstance(done, Exception):
                failed.append((piece, _why(done)))
                continue
            data, note = done
            folder.store(piece.number, data, {**note, "try": tries})
            now += 1
            tell(RunProgress(before + now, total, now, time.monotonic() - began))
            grow()
    return sorted(failed, key=lambda one: one[0].number)


def _why(error: Exception) -> str:
    """An error of a piece on one line."""
    told = one_line(str(error))
    return told if isinstance(error, MbeguError) else f"{type(error).__name__}: {told}"


def _attempts(
    experiment: Experiment,
    missing: list[Piece],
    workers: int,
    cluster: str | None,
    pool: Pool | None,
    counted: Callable[[int], None],
) -> Generator[tuple[Piece, int, Done]]:
    """Each piece with its rows, or with its error when it has failed for the last time."""
    queue: Queue = deque((piece, 1) for piece in missing)
    if not queue:
        return
    if workers == 1 and cluster is None:
        yield from _here(experiment, queue)
        return
    if pool is not None:
        yield from _in_pool(experiment, pool, queue)
    while queue:  # a pool that has lost a process is of no more use: then comes a new one
        with executor(workers, cluster) as another:
            counted(another.workers)
            yield from _in_pool(experiment, another, queue)
            counted(another.workers)  # others may have come


def _here(experiment: Experiment, queue: Queue) -> Iterator[tuple[Piece, int, Done]]:
    while queue:
        piece, tries = queue.popleft()
        try:
            done: Done = do_piece(experiment, piece)
        except Exception as error:  # whatever it is: it is counted, told and tried again
            if tries < TRIES:
                queue.append((piece, tries + 1))
                continue
            done = error
        yield piece, tries, done


def _in_pool(experiment: Experiment, pool: Pool, queue: Queue) -> Iterator[tuple[Piece, int, Done]]:
    """Until nothing is left, or until the pool has lost a piece."""
    waiting: dict[Future[Any], tuple[Piece, int]] = {}
    broken = False
    while waiting or (queue and not broken):
        while queue and not broken and len(waiting) < AHEAD * pool.workers:
            piece, tries = queue.popleft()
            waiting[pool.submit(do_piece, experiment, piece)] = (piece, tries)
        finished, _rest = wait(waiting, return_when=FIRST_COMPLETED)
        for future in finished:
            piece, tries = waiting.pop(future)
            try:
                done: Done = future.result()
            except Exception as error:
                broken = broken or isinstance(error, Lost)
                if tries < TRIES:
                    queue.append((piece, tries + 1))
                    continue
                done = error
            yield piece, tries, done

"""Building a table, layer by layer, on some threads; and checking one."""

from __future__ import annotations

import errno
import os
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, BinaryIO, Self

import numpy as np

from mbegu.core.errors import system_words
from mbegu.core.files import lock_file
from mbegu.core.game import Game
from mbegu.core.i18n import _
from mbegu.engine.engine import free_memory_mb
from mbegu.engine.tables.file import (
    HEADER_BYTES,
    DamagedTable,
    Header,
    Table,
    check_layers,
    checksum,
    read_header,
    read_table,
    write_header,
)
from mbegu.engine.tables.solver import Layer, Solver, TableError, solver_of
from mbegu.engine.tables.store import table_path

__all__ = ["Progress", "build", "verify"]

PIECE = 1 << 17  # positions that a thread takes at once: some hundredths of a second
ALONE = 1 << 13  # fewer are not worth a second thread
MB = 1 << 20
# A full disk, a quota, a limit of file sizes. Windows knows no quotas.
NO_ROOM = {errno.ENOSPC, errno.EFBIG, getattr(errno, "EDQUOT", errno.ENOSPC)}


@dataclass(frozen=True)
class Progress:
    """How far it is: the layer, and the share of all positions that are done."""

    layer: str
    share: float


Teller = Callable[[Progress], None]


class Threads:
    """The crew of a solver: some threads, and somebody who listens."""

    def __init__(self, workers: int, total: int, tell: Teller | None = None) -> None:
        self.workers, self.total, self.listener = workers, total, tell
        self.before, self.layer = 0, Layer("", 0)
        self.pool = ThreadPoolExecutor(workers) if workers > 1 else None

    def __enter__(self) -> Self:
        """The threads start when they are needed."""
        return self

    def __exit__(self, *trouble: object) -> None:
        """What has begun is finished, the rest is not begun."""
        if self.pool is not None:
            self.pool.shutdown(cancel_futures=True)

    def share(self, work: Callable[..., None], begin: int, end: int, *rest: Any) -> None:
        """In pieces: compiled code hears no Ctrl-C, so none runs for long."""
        pieces = [(at, min(at + PIECE, end)) for at in range(begin, end, PIECE)]
        if self.pool is None or end - begin < ALONE:
            for first, last in pieces:
                work(first, last, *rest)
            return
        if len(pieces) < self.workers:
            step = -(-(end - begin) // self.workers)
            pieces = [(at, min(at + step, end)) for at in range(begin, end, step)]
        waiting: set[Future[None]] = set()
        for piece in pieces:
            if len(waiting) > self.workers:
                waiting = _some_done(waiting)
            waiting.add(self.pool.submit(work, *piece, *rest))
        while waiting:
            waiting = _some_done(waiting)

    def each(self, work: Callable[..., None], count: int, *rest: Any) -> None:
        """The last ones first: they are often the largest."""
        pieces = [(at, at + 1) for at in reversed(range(count))]
        if self.pool is None:
            for piece in pieces:
                work(*piece, *rest)
            return
        waiting = {self.pool.submit(work, *piece, *rest) for piece in pieces}
        while waiting:
            waiting = _some_done(waiting)

    def begin(self, layer: Layer) -> None:
        """The next layer, as large as this one."""
        self.before += self.layer.size
        self.layer = layer
        self.tell(0.0)

    def tell(self, share: float) -> None:
        """Tells which share of the layer is done."""
        if self.listener is not None:
            done = self.before + share * self.layer.size
            self.listener(Progress(self.layer.name, done / max(self.total, 1)))


def _some_done(waiting: set[Future[None]]) -> set[Future[None]]:
    done, waiting = wait(waiting, return_when=FIRST_COMPLETED)
    for future in done:
        future.result()
    return waiting


# ---- building


def build(
    game: Game,
    seeds: int | None = None,
    *,
    folder: Path | None = None,
    workers: int = 1,
    tell: Teller | None = None,
) -> Path:
    """Builds the table of a game with at most so many seeds, and returns its file.

    What was built before is not built again: neither the layers of a smaller table, nor those of a
    build that was interrupted.
    """
    solver = solver_of(game)
    seeds = solver.usual if seeds is None else seeds
    if not solver.least <= seeds <= solver.most:
        raise TableError(
            _("a table of {game} has {least} to {most} on the board, not {seeds}").format(
                game=game.name, least=solver.least, most=solver.most, seeds=seeds
            )
        )
    path = table_path(game, folder)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with _locked(path):
            if not _is_there(path, game, seeds):
                _check_memory(solver, seeds)
                _build(path, game, solver, seeds, workers, tell)
    except OSError as error:
        raise _unwritable(path, error) from None
    except MemoryError:
        raise TableError(
            _("too little memory for {path}; what is complete is kept").format(path=path)
        ) from None
    return path


def _is_there(path: Path, game: Game, seeds: int) -> bool:
    """Whether a table as large stands there already, unharmed; what is no table of ours is refused."""
    if not path.exists():
        return False
    try:
        header = read_header(path)
    except DamagedTable:  # or of another version
        return False
    header.check_rules(game, path)
    if header.seeds < seeds:
        return False
    try:
        read_table(path, game)
    except TableError:  # cut off or damaged: it is built again
        return False
    return True


def _build(
    path: Path, game: Game, solver: Solver, seeds: int, workers: int, tell: Teller | None
) -> None:
    sizes = solver.sizes(seeds)
    table = np.zeros(sum(sizes), np.uint8)
    partial = path.with_name(path.name + ".partial")
    layers = _begin(partial, path, game, table)[: seeds + 1]
    with open(partial, "r+b") as file, Threads(workers, sum(sizes), tell) as crew:
        for layer in layers:
            crew.begin(layer)
        for number in range(len(layers), seeds + 1):
            crew.begin(Layer(str(number), sizes[number]))
            at = sum(sizes[:number])
            layer = solver.solve(number, table, layers, crew)
            layer = replace(layer, checksum=checksum(table[at : at + sizes[number]]))
            layers.append(layer)
            header = replace(Header.of(game), layers=tuple(layers))
            _add_layer(file, header, table[at : at + sizes[number]], at)
        file.truncate(HEADER_BYTES + sum(sizes))
    partial.replace(path)


def _begin(partial: Path, path: Path, game: Game, table: Any) -> list[Layer]:
    """The layers that are there already, of an unfinished build or of a smaller table."""
    for source in (partial, path):
        layers = _known_layers(source, game, table)
        if layers:
            break
    with open(partial, "r+b" if partial.exists() else "w+b") as file:
        at = 0
        for number, layer in enumerate(layers):
            header = replace(Header.of(game), layers=tuple(layers[: number + 1]))
            if source is not partial:
                _add_layer(file, header, table[at : at + layer.size], at, sync=False)
            at += layer.size
    return layers


def _known_layers(source: Path, game: Game, table: Any) -> list[Layer]:
    """Reads the layers of a file into the table; none if anything about it is wrong."""
    try:
        header = read_header(source)
        header.check_rules(game, source)
        layers = list(header.layers)
        while sum(layer.size for layer in layers) > len(table):
            layers.pop()
        size = sum(layer.size for layer in layers)
        data = np.fromfile(source, np.uint8, size, offset=HEADER_BYTES)
        check_layers(source, layers, data)
    except (TableError, OSError, ValueError):
        return []
    table[:size] = data
    return layers


def _add_layer(file: BinaryIO, header: Header, data: Any, at: int, sync: bool = True) -> None:
    """Brings a layer to the disk, and then the header that knows of it."""
    file.seek(HEADER_BYTES + at)
    file.write(memoryview(data))
    _bring(file, sync)
    write_header(file, header)
    _bring(file, sync)


def _bring(file: BinaryIO, sync: bool) -> None:
    file.flush()
    if sync:
        os.fsync(file.fileno())


def _check_memory(solver: Solver, seeds: int) -> None:
    needed = (sum(solver.sizes(seeds)) + solver.memory(seeds)) // MB + 1
    free = free_memory_mb()
    if free is not None and needed > free:
        raise TableError(
            _(
                "a table with {seeds} on the board takes {needed} MB of memory to build; {free} are free"
            ).format(seeds=seeds, needed=needed, free=free)
        )


def _unwritable(path: Path, error: OSError) -> TableError:
    if error.errno in NO_ROOM:
        return TableError(
            _("no room left for {path}; what is complete is kept, make room and go on").format(
                path=path
            )
        )
    why = system_words(error)
    return TableError(_("{path} cannot be written: {why}").format(path=path, why=why))


@contextmanager
def _locked(path: Path) -> Iterator[None]:
    """Keeps other processes from building the same table; the lock ends with the process."""
    lock = path.with_name(path.name + ".lock")
    handle = os.open(lock, os.O_RDWR | os.O_CREAT, 0o666)
    try:
        if not lock_file(handle):
            raise TableError(_("another process is building {path}").format(path=path))
        yield  # the file stays: to remove it would let two others lock two files
    finally:
        os.close(handle)


# ---- checking


def verify(
    path: Path, game: Game, *, workers: int = 1, tell: Teller | None = None
) -> tuple[Table, int]:
    """Checks the sums of a table and every position against its moves; the table, how many are wrong."""
    table = read_table(path, game)
    layers = table.header.layers
    wrong = 0
    with Threads(workers, table.header.size, tell) as crew:
        for number, layer in enumerate(layers):
            crew.begin(layer)
            wrong += table.solver.check(number, table.data, layers, crew)
    return table, wrong

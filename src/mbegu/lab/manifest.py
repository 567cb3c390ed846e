"""The folder of a run: what is being done, which pieces are done, and the table in the end.

    manifest.json        the experiment, version, rule id, seed, and each sitting: code, host, time, workers
    experiment.toml      the experiment with every default, so that anybody can run it again
    log.jsonl            a line for each piece that was done: when, where, how long, which try
    pieces/000017.parquet
    table.parquet        all pieces, in order: the same bytes however the run went

Every file is written beside its place, brought to the disk, and renamed: after a crash it is there
whole or not at all. Everything that differs from run to run is in the manifest and the log.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import platform
import socket
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import Any, Self

import pyarrow as pa
import pyarrow.parquet as pq

from mbegu import __version__
from mbegu.core.errors import MbeguError, system_words
from mbegu.core.files import lock_file, save_text, saving
from mbegu.core.i18n import _
from mbegu.lab.code import code
from mbegu.lab.experiment import Experiment, check

__all__ = ["RunFolder", "packed"]

ROWS = 1 << 16  # of a row group, at least, where a table has so many
FORMAT = 1


def writing(schema: pa.Schema) -> dict[str, Any]:
    """How tables are written: numbers by their differences, a third of the bytes and of the time."""
    numbers = [field.name for field in schema if pa.types.is_integer(field.type)]
    return {
        "version": "2.6",
        "compression": "zstd",
        "compression_level": 3,
        "use_dictionary": [field.name for field in schema if pa.types.is_string(field.type)],
        "column_encoding": dict.fromkeys(numbers, "DELTA_BINARY_PACKED"),
    }


def packed(table: pa.Table) -> bytes:
    """A table as the bytes of a file; the same table gives the same bytes."""
    sink = pa.BufferOutputStream()
    pq.write_table(table, sink, **writing(table.schema))
    data: bytes = sink.getvalue().to_pybytes()
    return data


class RunFolder:
    """The folder of one run, held by one process at a time: `with RunFolder(path) as folder`."""

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = Path(path)
        self.table = self.path / "table.parquet"
        self._manifest: dict[str, Any] = {}
        self._lock: int | None = None
        self._stored = set[int]()

    # ---- opening

    def __enter__(self) -> Self:
        """Makes the folder if it is not there, and takes hold of it."""
        try:
            (self.path / "pieces").mkdir(parents=True, exist_ok=True)
            self._lock = os.open(self.path / ".lock", os.O_RDWR | os.O_CREAT, 0o666)
        except OSError as error:
            raise _unusable(self.path, error) from None
        if not lock_file(self._lock):
            os.close(self._lock)
            raise MbeguError(
                _("{folder}: another process is running this experiment").format(folder=self.path)
            )
        for left in [*self.path.glob(".*.tmp"), *self.path.glob("pieces/.*.tmp")]:
            left.unlink(missing_ok=True)  # of a process that was killed while it wrote
        return self

    def __exit__(self, *_error: object) -> None:
        """Lets go of it."""
        if self._lock is not None:
            os.close(self._lock)

    def claim(self, experiment: Experiment, pieces: int) -> None:
        """Makes this the folder of an experiment; refuses if it is that of another."""
        facts, game = experiment.facts(), experiment.rules
        if self._path("manifest.json").exists():
            self._manifest = self.read()
            self._refuse(facts, game.id)
            return
        self._manifest = {
            "format": FORMAT,
            "mbegu": __version__,
            "rules": game.id,
            "title": experiment.title,
            "question": experiment.question,
            "experiment": facts,
            "fingerprint": experiment.fingerprint(),
            "seed": experiment.seed,
            "pieces": pieces,
            "sittings": [],
        }
        save_text(self._path("experiment.toml"), experiment.to_toml(), overwrite=True)
        self._save()

    def _refuse(self, facts: dict[str, Any], rules: str) -> None:
        """Says what is different from the experiment that was begun here."""
        then = self._manifest["experiment"]
        for key, value in facts.items():
            for name, one, other in _differences(key, then.get(key), value):
                raise MbeguError(
                    _(
                        "{folder} holds a run with {name} = {then}, and now it is {now}: choose "
                        "another folder (--out), or begin again (--restart)"
                    ).format(folder=self.path, name=name, then=one, now=other)
                )
        made_by = self._manifest["rules"], self._manifest["mbegu"]
        if made_by != (rules, __version__):
            raise MbeguError(
                _(
                    "{folder} was begun with Mbegu {then} and the rules {rules}; this is {now}: "
                    "choose another folder (--out), or begin again (--restart)"
                ).format(folder=self.path, then=made_by[1], rules=made_by[0], now=__version__)
            )

    def clear(self) -> None:
        """Forgets everything that was done here."""
        for path in [*self.path.glob("pieces/*.parquet"), *self._own_files()]:
            path.unlink(missing_ok=True)

    def _own_files(self) -> list[Path]:
        names = ("manifest.json", "experiment.toml", "log.jsonl", "table.parquet")
        return [self._path(name) for name in names]

    # ---- the manifest

    def read(self) -> dict[str, Any]:
        """The manifest; MbeguError if this is no folder of a run."""
        try:
            told: dict[str, Any] = json.loads(self._path("manifest.json").read_bytes())
        except FileNotFoundError:
            raise MbeguError(
                _("{folder} is not the folder of a run: it has no manifest.json").format(
                    folder=self.path
                )
            ) from None
        except (OSError, ValueError) as error:
            raise _unusable(self._path("manifest.json"), error) from None
        if told.get("format") != FORMAT:
            raise MbeguError(
                _("{folder} was written by another version of Mbegu").format(folder=self.path)
            )
        return told

    def experiment(self) -> Experiment:
        """The experiment of this folder."""
        told = self.read()
        facts = {"title": told["title"], "question": told["question"], **told["experiment"]}
        return check(facts)

    def begin(self, workers: int, cluster: str | None) -> None:
        """Notes that somebody sits down to work here; on a cluster `counted` tells how many they are."""
        self._manifest["sittings"].append(
            {
                "host": socket.gethostname(),
                "system": platform.platform(),
                "python": platform.python_version(),
                "code": code(),
                "packages": {name: version(name) for name in ("numpy", "numba", "pyarrow")},
                "workers": workers if cluster is None else None,
                "cluster": cluster,
                "began": _now(),
                "ended": None,
                "failed": [],
            }
        )
        self._save()

    def counted(self, workers: int) -> None:
        """Notes how many work at once: a cluster knows only when one is there."""
        sitting = self._manifest["sittings"][-1]
        if workers > (sitting["workers"] or 0):
            sitting["workers"] = workers
            self._save()

    def end(self, failed: Sequence[tuple[int, str]]) -> None:
        """Notes how the sitting ended: the pieces that could not be done, and why."""
        sitting = self._manifest["sittings"][-1]
        sitting["ended"] = _now()
        sitting["failed"] = [{"piece": number, "why": why} for number, why in failed]
        if self.table.exists():
            data = self.table.read_bytes()
            self._manifest["table"] = {
                "rows": pq.read_metadata(self.table).num_rows,
                "bytes": len(data),
                "sha256": hashlib.sha256(data).hexdigest(),
            }
        self._save()

    def _save(self) -> None:
        text = json.dumps(self._manifest, ensure_ascii=False, indent=1)
        save_text(self._path("manifest.json"), text + "\n", overwrite=True)

    # ---- pieces

    def done(self) -> set[int]:
        """The numbers of the pieces that are stored and can be read."""
        self._stored.clear()
        for path in self.path.glob("pieces/*.parquet"):
            try:
                pq.read_metadata(path)
            except (OSError, pa.ArrowException):
                path.unlink()  # the disk lost a part of it: it is done again
            else:
                self._stored.add(int(path.stem))
        return set(self._stored)

    def store(self, number: int, data: bytes, note: dict[str, Any]) -> None:
        """Keeps a piece."""
        with saving(self._piece(number), overwrite=True) as file:
            file.write(data)
        self._stored.add(number)
        with contextlib.suppress(OSError), self._path("log.jsonl").open("a") as log:
            log.write(json.dumps({"piece": number, "at": _now(), **note}) + "\n")

    def log(self) -> list[dict[str, Any]]:
        """A note for each piece, the last one if it was done twice."""
        notes: dict[int, dict[str, Any]] = {}
        with contextlib.suppress(FileNotFoundError):
            for line in self._path("log.jsonl").read_text().splitlines():
                with contextlib.suppress(ValueError):  # cut off when the process was killed
                    note = json.loads(line)
                    notes[note["piece"]] = note
        return [notes[number] for number in sorted(notes)]

    @contextlib.contextmanager
    def gathering(self, schema: pa.Schema, pieces: int) -> Iterator[Callable[[], None]]:
        """The table as it grows: what is given takes up the pieces that are there, in their order.

        So the table is written while others work, a few pieces at a time in memory. It is there when
        the block ends well.
        """
        with (
            saving(self.table, overwrite=True) as file,
            pq.ParquetWriter(pa.PythonFile(file, mode="w"), schema, **writing(schema)) as writer,
        ):
            groups = self._groups(pieces)

            def grow() -> None:
                for group in groups:
                    if group is None:  # the next piece is not there yet
                        return
                    writer.write_table(group, row_group_size=max(len(group), 1))

            grow()
            yield grow

    def _groups(self, pieces: int) -> Iterator[pa.Table | None]:
        waiting, rows = list[pa.Table](), 0
        for number in range(pieces):
            while number not in self._stored:
                yield None
            waiting.append(self._read(number))
            rows += len(waiting[-1])
            if rows >= ROWS or number == pieces - 1:
                yield pa.concat_tables(waiting).combine_chunks()
                waiting, rows = [], 0

    def _read(self, number: int) -> pa.Table:
        """A piece. `pq.read_table` would do, but looks for data sets first, and imports pandas."""
        with pq.ParquetFile(self._piece(number)) as file:
            return file.read()

    def _piece(self, number: int) -> Path:
        return self.path / "pieces" / f"{number:06}.parquet"

    def _path(self, name: str) -> Path:
        return self.path / name


def _differences(name: str, one: Any, other: Any) -> Iterator[tuple[str, Any, Any]]:
    """Where two facts differ, with names such as budget.games."""
    if isinstance(one, dict) and isinstance(other, dict):
        for key in [*one, *(key for key in other if key not in one)]:
            yield from _differences(f"{name}.{key}", one.get(key), other.get(key))
    elif one != other:
        yield name, one, other


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")


def _unusable(path: Path, error: Exception) -> MbeguError:
    why = system_words(error)
    return MbeguError(_("{path} cannot be used: {why}").format(path=path, why=why))

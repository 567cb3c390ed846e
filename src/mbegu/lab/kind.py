"""What every kind of experiment is made of: pieces, and dice for each of them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from mbegu.core.game import Game
from mbegu.core.i18n import _, p_
from mbegu.core.typography import numeral
from mbegu.lab.design import Experiment, Field, InvalidExperiment

if TYPE_CHECKING:
    from mbegu.lab.page import Page

__all__ = ["Kind", "Piece", "chunks", "dice", "numbers", "options_of", "words"]

MOST_PIECES = 100_000


@dataclass(frozen=True)
class Piece:
    """A part of an experiment that is done in one go."""

    number: int
    what: Mapping[str, Any]

    def __str__(self) -> str:
        """For messages."""
        told = ", ".join(f"{key} {value}" for key, value in self.what.items())
        return f"{self.number} ({told})"


class Kind(ABC):
    """What is done in an experiment."""

    name: ClassVar[str]
    title: ClassVar[str]
    games: ClassVar[tuple[str, ...]] = ()  # which have such experiments; none named: all
    population: ClassVar[dict[str, Field]] = {}
    budget: ClassVar[dict[str, Field]] = {}
    schema: ClassVar[pa.Schema]

    def check(self, experiment: Experiment) -> None:
        """Raises InvalidExperiment where words do not go together."""
        first = islice(self.parts(experiment), MOST_PIECES + 1)  # a slip may ask for billions
        if sum(1 for _part in first) > MOST_PIECES:
            raise InvalidExperiment(
                _("more than {most} pieces are too many: make them larger").format(most=MOST_PIECES)
            )

    def pieces(self, experiment: Experiment) -> list[Piece]:
        """All pieces, in the order of their rows in the table."""
        return [Piece(number, what) for number, what in enumerate(self.parts(experiment))]

    @abstractmethod
    def parts(self, experiment: Experiment) -> Iterator[dict[str, Any]]:
        """What each piece is about, as plain data."""

    @abstractmethod
    def run_piece(self, experiment: Experiment, piece: Piece) -> pa.Table:
        """Does a piece: rows of the kind's schema."""

    def tell(self, page: Page, experiment: Experiment, table: pa.Table) -> None:
        """Writes the report, from its answer to its boards; a kind that can do better does.

        This one tells of each column how far its numbers reach, or how many words there are.
        """
        page.section(_("Results"))
        page.say(_("The table has {rows} rows.").format(rows=len(table)), kind="answer")
        page.table(
            _("What is in its columns"),
            [_("Column"), _("least"), p_("of numbers", "mean"), _("most"), _("different values")],
            [(name, *_summary(table[name])) for name in table.column_names],
        )

    def table(self, rows: list[dict[str, Any]]) -> pa.Table:
        """Rows as a table of this kind."""
        return pa.Table.from_pylist(rows, self.schema)


def _summary(column: pa.ChunkedArray) -> tuple[str, ...]:
    different = str(pc.count_distinct(column).as_py())
    kind = column.type
    if not (pa.types.is_integer(kind) or pa.types.is_floating(kind)) or not len(column):
        return "", "", "", different
    ends = pc.min_max(column).as_py()
    told = (ends["min"], pc.mean(column).as_py(), ends["max"])
    return *("" if value is None else numeral(value, ".6g") for value in told), different


def numbers(values: NDArray[Any]) -> pa.Array:
    """An array as a column. `pa.array` would import pandas, where there is one: a second of work."""
    kind = pa.from_numpy_dtype(values.dtype)
    return pa.Array.from_buffers(kind, len(values), [None, pa.py_buffer(values)])


def words(codes: NDArray[np.uint8], names: Sequence[str]) -> pa.Array:
    """A column of words, told by their numbers."""
    ends = np.cumsum([0, *(len(name.encode()) for name in names)], dtype=np.int32)
    letters = pa.py_buffer("".join(names).encode())
    listed = pa.Array.from_buffers(pa.string(), len(names), [None, pa.py_buffer(ends), letters])
    return listed.take(numbers(codes))


def dice(experiment: Experiment, piece: Piece) -> np.random.SeedSequence:
    """The random numbers of a piece, which have nothing to do with those of any other."""
    return np.random.SeedSequence(experiment.seed, spawn_key=(piece.number,))


def options_of(game: Game) -> dict[str, Any]:
    """The options of a game as its kernel takes them."""
    return {name: getattr(game, name) for name in game.options()}


def chunks(total: int, size: int) -> Iterator[tuple[int, int]]:
    """(first, count) of consecutive parts."""
    for first in range(0, total, size):
        yield first, min(size, total - first)

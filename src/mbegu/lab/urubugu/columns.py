"""Settings of Urubugu by their columns: all that a first turn can see of the opponent's beads.

Column k of a player is his back cell k and the front cell above it, 17 - k. A capture takes both, and
in the turn of the one who starts nothing ever comes back to the other side. So the turn depends on the
opponent's eight column sums only — and, where both cells of a column must hold beads for a capture, on
which columns can be taken at all. There are 751,616,304,549 settings but only 15,380,937 classes of
column sums: few enough to look at every one.

    >>> columns_of((2,) * 16)
    (4, 4, 4, 4, 4, 4, 4, 4)
    >>> class_size((4,) * 8, Urubugu())
    390625
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import comb, prod
from typing import TYPE_CHECKING

from mbegu.core.i18n import _
from mbegu.games.urubugu import BEADS, CELLS, Urubugu

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = [
    "ALL_CLASSES",
    "ALL_SETTINGS",
    "class_size",
    "columns_of",
    "defences",
    "hardest",
    "open_settings",
    "why_safe",
]

COLUMNS = 8
ALL_SETTINGS = comb(BEADS + CELLS - 1, CELLS - 1)
ALL_CLASSES = comb(BEADS + COLUMNS - 1, COLUMNS - 1)


def columns_of(setting: Sequence[int]) -> tuple[int, ...]:
    """The sums of a setting's columns, from the player's left."""
    return tuple(setting[k] + setting[15 - k] for k in range(COLUMNS))


def hardest(columns: Sequence[int], game: Urubugu) -> tuple[int, ...]:
    """The setting of a class that is hardest to beat, of those that can be beaten at all.

    All beads lie in the back row; where a capture needs both cells, one bead of each column that
    has two lies in front. What beats this setting beats every setting of the class that is open.
    """
    front = [int(game.capture == "both" and beads >= 2) for beads in columns]
    back = [beads - taken for beads, taken in zip(columns, front, strict=True)]
    return (*back, *reversed(front))


def why_safe(setting: Sequence[int], game: Urubugu) -> str | None:
    """Why no setting can win against this one in one turn; None where nothing is proved.

    Where both cells of a column must hold beads, a column with one empty cell can never be taken.
    """
    if game.capture == "both":
        for k in range(COLUMNS):
            cells = sorted((setting[k], setting[15 - k]))
            if cells[0] == 0 and cells[1] >= game.start_min:
                full = k + 1 if setting[k] else 16 - k
                return _(
                    "cell {full} holds {beads} and cell {empty}, in the same column, is empty: by "
                    "capture=both this column cannot be taken in the first turn"
                ).format(full=full, beads=cells[1], empty=17 - full)
    return None


def _ways(game: Urubugu) -> list[int]:
    """How many ways there are to lay a column of 0, 1, 2… beads that does not make it safe."""
    if game.capture == "any":
        return [beads + 1 for beads in range(BEADS + 1)]
    return [1, 2 if game.start_min == 2 else 0, *range(1, BEADS)]


def class_size(columns: Sequence[int], game: Urubugu) -> int:
    """How many settings of a class are open: not safe by `why_safe`."""
    ways = _ways(game)
    return prod(ways[beads] for beads in columns)


def open_settings(game: Urubugu) -> int:
    """How many settings are open in all: the eightfold product of the ways, where 32 beads are laid."""
    ways = _ways(game)
    total = [1] + [0] * BEADS
    for _column in range(COLUMNS):
        total = [
            sum(total[left] * ways[beads - left] for left in range(beads + 1))
            for beads in range(BEADS + 1)
        ]
    return total[BEADS]


def defences(game: Urubugu) -> Iterator[NDArray[np.uint64]]:
    """All classes with open settings, a byte a column, in 561 parts."""
    import numpy as np  # noqa: PLC0415 - Numba takes its time

    from mbegu.lab.urubugu.turns import classes  # noqa: PLC0415

    nothing = np.zeros(0, np.uint64)
    for first in range(BEADS + 1):
        for second in range(BEADS + 1 - first):
            part = np.empty(classes(first, second, nothing), np.uint64)
            classes(first, second, part)
            if not _ways(game)[1]:
                part = part[(part.view(np.uint8).reshape(-1, COLUMNS) != 1).all(axis=1)]
            yield part

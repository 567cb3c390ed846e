"""How settings decide Urubugu: families of settings play each other, both sides starting.

>>> [round(float(x), 3) for x in equilibrium([[0.5, 1, 0], [0, 0.5, 1], [1, 0, 0.5]])[1]]
[0.333, 0.333, 0.333]
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from mbegu.core.errors import MbeguError
from mbegu.core.i18n import _
from mbegu.core.match import Match
from mbegu.core.setups import SetUpGame
from mbegu.engine.engine import Engine, Limits
from mbegu.games.urubugu import Urubugu
from mbegu.lab.counters import study_of
from mbegu.lab.intervals import grouped_mean, grouped_share

if TYPE_CHECKING:
    import numpy as np
    import pyarrow as pa
    from numpy.typing import NDArray

    Matrix = NDArray[np.float64]

__all__ = ["COLUMNS", "Influence", "equilibrium", "play_pair", "play_settings"]

NODES = 2_000
PLY_LIMIT = 400  # a game so long is a draw
HASH_MB = 2
COLUMNS = ("first", "second", "number", "setting0", "setting1", "points", "plies", "impaga")

Row = dict[str, Any]


def play_pair(
    game: SetUpGame, first: str, second: str, numbers: Iterable[int], *, nodes: int, seed: int
) -> list[Row]:
    """Games between members of two families; the first family starts.

    A game depends on the seed, the families and its number alone.
    """
    engine, rows, study = Engine(game, hash_mb=HASH_MB), list[Row](), study_of(game)
    for number in numbers:
        if rows and not {first, second} & study.by_lot:  # the same game again
            rows.append(rows[0] | {"number": number})
            continue
        settings = study.member(first, 2 * number, seed), study.member(second, 2 * number + 1, seed)
        engine.new_game()
        match = Match(game, game.start(*settings))
        while match.turn is not None and len(match.moves) < PLY_LIMIT:
            *_before, info = engine.think(match.position, Limits(nodes=nodes), match.positions[:-1])
            match.play(info.best)
        outcome = match.outcome
        winner = None if outcome is None else outcome.winner
        told = (",".join(map(str, setting)) for setting in settings)
        points = 0.5 if winner is None else float(winner == 0)
        plies = len(match.moves)
        values = (first, second, number, *told, points, plies, plies == 1 and winner == 0)
        rows.append(dict(zip(COLUMNS, values, strict=True)))
    return rows


def play_settings(
    game: SetUpGame | None = None,
    families: Sequence[str] = (),
    *,
    games: int = 4,
    nodes: int = NODES,
    seed: int = 0,
    tell: Callable[[int, int], None] | None = None,
) -> Influence:
    """Every family, or those named, plays every one, itself included, so many games as the starter.

    Ctrl-C ends it: what has been played by then is returned, marked as not complete.
    """
    study = study_of(game or Urubugu())
    game, families = study.game, families or tuple(study.families)
    if len(set(families)) < max(len(families), 2):
        raise MbeguError(_("families: name two or more, each once"))
    for family in families:
        study.member(family, 0)
    pairs = [(first, second) for first in families for second in families]
    rows, complete = list[Row](), True
    try:
        for done, (first, second) in enumerate(pairs, 1):
            rows += play_pair(game, first, second, range(games), nodes=nodes, seed=seed)
            if tell is not None:
                tell(done, len(pairs))
    except KeyboardInterrupt:
        complete = False
    return Influence(game, tuple(families), tuple(rows), complete)


@dataclass(frozen=True)
class Influence:
    """The games between families, and what follows from them."""

    game: SetUpGame
    families: tuple[str, ...]
    rows: tuple[Row, ...]
    complete: bool = True

    def table(self) -> pa.Table:
        """A row for each game."""
        import pyarrow as pa  # noqa: PLC0415 - heavy

        return pa.Table.from_pylist(list(self.rows))

    def matrix(self, value: str = "points") -> Matrix:
        """The mean of a column by family: the one who starts in the rows; NaN where none played."""
        import numpy as np  # noqa: PLC0415

        sums = np.zeros((len(self.families),) * 2)
        counts = np.zeros_like(sums)
        for row in self.rows:
            at = self.families.index(row["first"]), self.families.index(row["second"])
            sums[at] += row[value]
            counts[at] += 1
        return np.divide(sums, counts, out=np.full_like(sums, np.nan), where=counts > 0)

    def fair(self) -> Matrix:
        """The points of the row's family when a lot decides who starts."""
        points = self.matrix()
        return (points + 1 - points.T) / 2

    # The games of one number have the same members of the families, whatever the pair: together they
    # are one trial, and so many games of each pair are so many trials. The interval says what other
    # members of the families by lot might change; between families that have one member nothing would.

    def starter(self) -> tuple[float, float, float]:
        """The share of points of the one who starts, with its interval."""
        return grouped_share((row["number"], row["points"]) for row in self.rows)

    def impaga(self) -> tuple[float, float, float]:
        """The share of games that end with the first turn, with its interval."""
        return grouped_share((row["number"], row["impaga"]) for row in self.rows)

    def length(self) -> tuple[float, float, float]:
        """The mean number of turns, with its interval."""
        return grouped_mean((row["number"], row["plies"]) for row in self.rows)

    def to_json(self) -> dict[str, Any]:
        """As plain data; the equilibria only if every pair has played."""
        told: dict[str, Any] = {
            "game": str(self.game),
            "families": list(self.families),
            "games": len(self.rows),
            "trials": len({row["number"] for row in self.rows}),
            "complete": self.complete,
            "starter": self.starter(),
            "impaga": self.impaga(),
            "length": [number if math.isfinite(number) else None for number in self.length()],
        }
        for name in ("points", "impaga", "plies"):
            cells = self.matrix(name).tolist()
            told[f"{name}_matrix"] = [
                [None if math.isnan(cell) else cell for cell in row] for row in cells
            ]
        if self.complete:
            for name, cells in (("start", self.matrix()), ("lot", self.fair())):
                value, rows, columns = equilibrium(cells)
                told[f"equilibrium_{name}"] = {
                    "value": value,
                    "first": dict(zip(self.families, rows.tolist(), strict=True)),
                    "second": dict(zip(self.families, columns.tolist(), strict=True)),
                }
        return told


def equilibrium(points: Any) -> tuple[float, Matrix, Matrix]:
    """The value of a game for the row player, and the mixtures by which both secure it.

    The rows' mixture is found by a linear program, the columns' by that of the game turned round.
    """
    import numpy as np  # noqa: PLC0415

    matrix = np.asarray(points, float)
    value, rows = _secure(matrix)
    _value, columns = _secure(-matrix.T)
    return value, rows, columns


def _secure(matrix: Matrix) -> tuple[float, Matrix]:
    """The mixture of rows whose worst result is best, and that result."""
    import numpy as np  # noqa: PLC0415
    from scipy.optimize import linprog  # noqa: PLC0415 - SciPy takes its time

    rows, columns = matrix.shape
    # Variables: the mixture and v. Maximise v so that each column yields at least v.
    found = linprog(
        np.r_[np.zeros(rows), -1],
        A_ub=np.c_[-matrix.T, np.ones(columns)],
        b_ub=np.zeros(columns),
        A_eq=np.r_[np.ones(rows), 0][np.newaxis],
        b_eq=[1],
        bounds=[(0, 1)] * rows + [(None, None)],
        method="highs",
    )
    mixture = np.clip(found.x[:-1], 0, None)
    return float(found.x[-1]), mixture / mixture.sum()

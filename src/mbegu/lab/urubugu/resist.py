"""Settings that resist: against which the fewest settings win in one turn, or none.

How many settings win against a class of settings (see `mbegu.lab.urubugu.columns`) is estimated by a sample
of all settings, the same for all classes, so that they compare fairly. The best of many samples is good
by luck, too: so a first large sample chooses which settings are told, and a fresh one, which chooses
nothing, tells how common counters to them are, with intervals that hold for all of them at once.
`climb` goes from class to class, a bead at a time; `race` looks at every
class there is with a small sample, and at the best of them with ever larger ones.
"""

from __future__ import annotations

import random
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any

from mbegu.core.errors import MbeguError
from mbegu.core.i18n import _
from mbegu.games.urubugu import Urubugu
from mbegu.lab import counters
from mbegu.lab.counters import Setting, Tell
from mbegu.lab.urubugu.book import opposed
from mbegu.lab.urubugu.columns import (
    ALL_SETTINGS,
    COLUMNS,
    class_size,
    columns_of,
    defences,
    hardest,
    open_settings,
)
from mbegu.lab.urubugu.counter import count_counters
from mbegu.lab.urubugu.families import member

if TYPE_CHECKING:
    import numpy as np
    import pyarrow as pa
    from numpy.typing import NDArray

    Words = NDArray[np.uint64]

__all__ = ["METHODS", "Resistance", "find_resistant"]

METHODS = ("climb", "race")
SAMPLE = 1_500  # settings that every climber meets
DRAWN, TOGETHER = 100, 16  # classes of which a climb begins with the best; neighbours at a time
# The heats of a race: how many settings each class meets, and how many classes go on.
HEATS = ((12, 2_000_000), (60, 200_000), (400, 15_000), (4_000, 800), (40_000, 100))
LEAST_KEPT = 100
ALL_TIME = 1e9  # seconds: a sample that the clock cuts short would not be the same again
CHOOSING = 300_000  # settings for the estimate that chooses
FRESH = 1_000_000  # settings for the one that is told


@dataclass(frozen=True)
class Resistance(counters.Resistance):
    """Settings that resist, best first: each the hardest of its class, with how common counters are."""

    game: Urubugu

    @property
    def safe(self) -> int:
        """How many settings have no counter at all, which can be seen (`why_safe`); none is among these."""
        return ALL_SETTINGS - open_settings(self.game)

    def about(self, setting: Setting) -> str:
        """The class of a setting."""
        return _("columns {columns}").format(columns="-".join(map(str, columns_of(setting))))

    def table(self) -> pa.Table:
        """A row for each setting."""
        import pyarrow as pa  # noqa: PLC0415 - heavy

        rows = [
            {
                "setting": ",".join(map(str, frequency.opponent)),
                "columns": ",".join(map(str, columns_of(frequency.opponent))),
                "settings_alike": class_size(columns_of(frequency.opponent), self.game),
                "share": frequency.share,
                "low": frequency.interval[0],
                "high": frequency.interval[1],
                "drawn": frequency.drawn,
            }
            for frequency in self.found
        ]
        return pa.Table.from_pylist(rows)


def find_resistant(
    game: Urubugu | None = None,
    *,
    method: str = "climb",
    limit: int = 5,
    seconds: float = 30.0,
    seed: int = 0,
    threads: int = 1,
    classes: int | None = None,
    samples: int = FRESH,
    tell: Tell | None = None,
) -> Resistance:
    """Looks for settings against which the fewest settings win in one turn.

    A race takes as long as it takes, among all classes or so many by lot; a climb begins anew until
    the time is up, or Ctrl-C ends it.
    """
    game = game or Urubugu()
    began = time.perf_counter()
    if method == "race":
        ranked, looked_at = _race(game, classes, seed, threads, tell)
    elif method == "climb":
        ranked, looked_at = _climbs(game, seed, began + seconds, tell)
    else:
        raise MbeguError(
            _("method: {method} is none of {methods}").format(
                method=method, methods=", ".join(METHODS)
            )
        )
    chosen = [hardest(columns, game) for columns in ranked[: 2 * limit]]
    choosing = partial(count_counters, game=game, seconds=ALL_TIME, threads=threads)
    chosen.sort(key=lambda one: choosing(one, samples=CHOOSING, seed=seed + 1).share)
    told = [choosing(one, samples=samples, seed=seed + 2) for one in chosen[:limit]]
    best = [replace(one, among=len(told)) for one in sorted(told, key=lambda one: one.share)]
    return Resistance(game, method, tuple(best), looked_at, time.perf_counter() - began)


def _attacks(count: int, seed: int, batch: int) -> Words:
    import numpy as np  # noqa: PLC0415 - Numba takes its time

    from mbegu.lab.urubugu.turns import KINDS, draw_attacks  # noqa: PLC0415

    attacks = np.zeros((count, 2), np.uint64)
    draw_attacks(np.uint64(seed % 2**64), batch, KINDS["uniform"], attacks)
    return attacks


def _columns(word: Any) -> Setting:
    return tuple(int(word) >> 8 * k & 0xFF for k in range(COLUMNS))


def _word(columns: Setting) -> int:
    return sum(beads << 8 * k for k, beads in enumerate(columns))


# ---- climbing ---------------------------------------------------------------------------------------


def _climbs(
    game: Urubugu, seed: int, deadline: float, tell: Tell | None
) -> tuple[list[Setting], int]:
    """Climbs from the best of some classes by lot; all looked at, the most resistant first."""
    rated: dict[Setting, int] = {}
    attacks = _attacks(SAMPLE, seed, 0)
    climbs = 0
    try:
        while climbs == 0 or time.perf_counter() < deadline:
            lot = random.Random(f"{seed} climb {climbs}")  # noqa: S311 (a game, not a secret)
            drawn = [_open_class(game, lot) for _class in range(DRAWN)]
            here = min(_rate(game, attacks, drawn, rated), key=rated.__getitem__)
            while better := _better(game, here, attacks, rated, lot):
                here = better
                if climbs and time.perf_counter() >= deadline:
                    break
            climbs += 1
            if tell is not None:
                tell(len(rated), min(rated.values()))
    except KeyboardInterrupt:
        if not rated:
            raise
    return sorted(rated, key=lambda columns: (rated[columns], columns)), len(rated)


def _better(
    game: Urubugu, here: Setting, attacks: Words, rated: dict[Setting, int], lot: random.Random
) -> Setting | None:
    """The first neighbour, in an order by lot, that resists better."""
    near = [columns for columns in _neighbours(here) if class_size(columns, game)]
    lot.shuffle(near)
    for first in range(0, len(near), TOGETHER):
        some = _rate(game, attacks, near[first : first + TOGETHER], rated)
        best = min(some, key=rated.__getitem__)
        if rated[best] < rated[here]:
            return best
    return None


def _open_class(game: Urubugu, lot: random.Random) -> Setting:
    while True:
        columns = columns_of(member("uniform", lot.getrandbits(32)))
        if class_size(columns, game):
            return columns


def _neighbours(columns: Setting) -> Iterator[Setting]:
    """One, two or half of a column's beads go to another."""
    for source in range(COLUMNS):
        for beads in sorted({1, 2, columns[source] // 2, columns[source]} - {0}):
            for target in range(COLUMNS):
                if beads <= columns[source] and source != target:
                    changed = list(columns)
                    changed[source] -= beads
                    changed[target] += beads
                    yield tuple(changed)


def _rate(
    game: Urubugu, attacks: Words, wanted: list[Setting], rated: dict[Setting, int]
) -> list[Setting]:
    """Rates the classes that are not rated yet; returns all that were wanted."""
    import numpy as np  # noqa: PLC0415

    from mbegu.lab.urubugu.turns import rate  # noqa: PLC0415

    new = [columns for columns in dict.fromkeys(wanted) if columns not in rated]
    winners = np.zeros(len(new), np.int64)
    words = np.array([_word(columns) for columns in new], np.uint64)
    rate(opposed((2,) * 16, game), attacks, words, winners)
    rated |= dict(zip(new, winners.tolist(), strict=True))
    return wanted


# ---- the race ---------------------------------------------------------------------------------------


def _race(
    game: Urubugu, classes: int | None, seed: int, threads: int, tell: Tell | None
) -> tuple[list[Setting], int]:
    """Every class runs, or so many by lot; after each heat the best go on."""
    import numpy as np  # noqa: PLC0415

    from mbegu.lab.urubugu.turns import rate  # noqa: PLC0415

    state = opposed((2,) * 16, game)
    field = np.concatenate(list(defences(game)))
    share = 1.0
    if classes is not None and classes < len(field):
        share = classes / len(field)
        field = np.random.default_rng(seed).choice(field, classes, replace=False)
    runners = len(field)
    for heat, (count, kept) in enumerate(HEATS):
        attacks = _attacks(count, seed, heat + 1)
        parts = np.array_split(field, max(len(field) // 4_000, 1))

        def run(part: Words, attacks: Words = attacks) -> Any:
            winners = np.zeros(len(part), np.int64)
            rate(state, attacks, part, winners)
            return winners

        with ThreadPoolExecutor(threads) as pool:
            results = []
            for winners in pool.map(run, parts):
                results.append(winners)
                if tell is not None:
                    tell(heat * len(parts) + len(results), len(HEATS) * len(parts))
        order = np.argsort(np.concatenate(results), kind="stable")
        field = field[order[: max(int(kept * share), LEAST_KEPT)]]
    return [_columns(word) for word in field], runners

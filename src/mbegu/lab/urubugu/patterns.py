"""Counters by exact enumeration: all that hang on few cells, and how many settings each stands for.

A turn looks at a cell of the attacker only when a lap ends there and nothing is captured. So the
attacker's cells can be left open until the turn asks for them: then every number of beads is tried in
turn. What has won when only k cells are known wins whatever lies in the others: it is a *pattern*, and
stands for all settings with the rest of the beads laid at will. For one start, patterns share no
setting, so they can be counted.
"""

# mypy: allow-untyped-defs, allow-untyped-calls
# Compiled functions have no annotations: Numba infers their types, a set for each rule set.

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import comb
from typing import Any

import numpy as np

from mbegu.engine.jit import compiled, int64
from mbegu.engine.kernels.bits import FF, ONE, ZERO, U, lanes, popcount
from mbegu.games.urubugu import BEADS, CELLS, Urubugu
from mbegu.games.urubugu.kernel import LAP_CAP, SOW
from mbegu.lab.urubugu.columns import COLUMNS

__all__ = ["Pattern", "patterns"]

OCCUPIED, FROM_START = 1, 2

FREE = np.array(  # [beads, cells]: in how many ways so many beads lie in so many cells
    [
        [comb(beads + cells - 1, cells - 1) if cells else int(beads == 0) for cells in range(17)]
        for beads in range(BEADS + 1)
    ],
    np.int64,
)


@dataclass(frozen=True)
class Pattern:
    """A start and the cells that matter; None where anything may lie."""

    move: int
    cells: tuple[int | None, ...]
    settings: int  # that fit

    def filled(self) -> tuple[int, ...]:
        """One of the settings: the other beads are spread as evenly as can be."""
        free = [k for k, beads in enumerate(self.cells) if beads is None]
        left = BEADS - sum(beads or 0 for beads in self.cells)
        cells = [beads or 0 for beads in self.cells]
        for number, k in enumerate(free):
            cells[k] = left // len(free) + (number < left % len(free))
        return tuple(cells)


@compiled
def _follow(
    rows, prey, threat, against, known, first, left, start, origin, hand, laps, rules, most, out
):
    """Follows a turn; where it meets a cell that is still open it tries every number of beads.

    `rows` and `first` are two words each: what lies in the cells now (of open cells, what was sown
    there), and what the known ones held at first. `prey` are the columns that can be taken, `threat`
    the cells with which the opponent could still start, `against` his beads. Returns how many
    settings win, and writes their patterns to `out`, of which row 0 counts.
    """
    back, front = rows
    while True:
        sown = SOW[origin, hand]
        back += sown[0]
        front += sown[1]
        laps += 1
        open_cells = 16 - int64(popcount(known))
        last = (origin + hand) & U(15)
        shift = (last & U(7)) << U(3)
        over = against == 0 or laps == LAP_CAP
        if not over:
            lies = ((front if last >= U(8) else back) >> shift) & FF
            is_known = (known >> last) & ONE != ZERO
            taken = (prey >> shift) & FF if last >= U(8) else ZERO
            asks = taken == ZERO or (rules & OCCUPIED != 0 and lies == ONE)
            if asks and not is_known:
                if 16 - open_cells == most:
                    return int64(0)  # hangs on too many cells
                wins = int64(0)
                least = left if open_cells == 1 else 0
                for beads in range(least, left + 1):
                    more = U(beads) << shift
                    # The lap is done again with the cell known: its last bead is taken back first.
                    again = (
                        (back - sown[0] + more, front - sown[1])
                        if last < U(8)
                        else (back - sown[0], front - sown[1] + more)
                    )
                    begun = (
                        (first[0] + more, first[1]) if last < U(8) else (first[0], first[1] + more)
                    )
                    wins += _follow(
                        again,
                        prey,
                        threat,
                        against,
                        known | (ONE << last),
                        begun,
                        left - beads,
                        start,
                        origin,
                        hand,
                        laps - 1,
                        rules,
                        most,
                        out,
                    )
                return wins
            if taken != ZERO and not (rules & OCCUPIED != 0 and lies == ONE):
                prey &= ~(FF << shift)
                threat &= ~(FF << shift)
                against -= int64(taken)
                hand = taken
                if rules & FROM_START != 0:
                    origin = start
                continue
            if lies != ONE:
                if last < U(8):
                    back &= ~(FF << shift)
                else:
                    front &= ~(FF << shift)
                origin, hand = last, lies
                continue
        if threat != ZERO:
            return int64(0)
        settings = FREE[left, open_cells]
        if settings > 0:
            out[0, 0] += ONE
            row = int64(out[0, 0])
            if row < len(out):
                out[row, 0], out[row, 1] = first
                out[row, 2], out[row, 3], out[row, 4] = known, start, U(settings)
        return settings


def patterns(
    opponent: Sequence[int], game: Urubugu, cells: int, most: int = 100_000
) -> tuple[int, int, list[Pattern]]:
    """All counters that hang on exactly so many cells.

    Returns the number of patterns, the number of settings (each counted once for every winning
    start), and the patterns themselves, at most so many.
    """
    prey, threat = _columns(opponent, game)
    rules = OCCUPIED * (game.landing == "occupied") + FROM_START * (game.restart == "turn")
    out = np.zeros((most + 1, 5), np.uint64)
    total = 0
    for start in range(CELLS):
        for beads in range(game.start_min, BEADS + 1):
            held = _words(start, beads)
            total += _follow(
                (ZERO, ZERO),
                U(prey),
                U(threat),
                BEADS,
                ONE << U(start),
                held,
                BEADS - beads,
                U(start),
                U(start),
                U(beads),
                0,
                rules,
                cells,
                out,
            )
    found = [_pattern(row) for row in out[1 : int(out[0, 0]) + 1]]
    exactly = [pattern for pattern in found if CELLS - pattern.cells.count(None) == cells]
    return int(out[0, 0]), total, exactly


def _columns(opponent: Sequence[int], game: Urubugu) -> tuple[int, int]:
    """The columns that can be taken, and those with a cell that could start a turn."""
    prey, threat = [0] * COLUMNS, [0] * COLUMNS
    for k in range(COLUMNS):
        pair = (opponent[k], opponent[15 - k])
        if all(pair) if game.capture == "both" else any(pair):
            prey[k] = sum(pair)
        threat[k] = int(max(pair) >= game.start_min)
    return lanes(prey), lanes(threat)


def _words(cell: int, beads: int) -> tuple[Any, Any]:
    word = U(beads << (8 * (cell % 8)))
    return (word, ZERO) if cell < 8 else (ZERO, word)


def _pattern(row: Any) -> Pattern:
    held = row[:2].copy().view(np.uint8)
    known = int(row[2])
    cells = tuple(int(held[k]) if known >> k & 1 else None for k in range(CELLS))
    return Pattern(int(row[3]) + 1, cells, int(row[4]))

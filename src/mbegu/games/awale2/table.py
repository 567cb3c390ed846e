"""Two-colour Awale's endgame tables: who has the boards solved, and reads what was found."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from mbegu.core.game import Game, Position
from mbegu.engine.kernels.bits import counts
from mbegu.engine.tables.solver import Crew, Layer, Verdict
from mbegu.games.awale2 import retrograde
from mbegu.games.awale2.kernel import CHAIN_SOWN, FEW_FIRST
from mbegu.games.awale2.retrograde import NOTHING
from mbegu.games.awale2.rings import FEWEST, MOST, PAIRS, place_of, sizes_of

__all__ = ["Awale2Solver", "solver"]

BIAS = 128  # a margin and this are above zero


def solver(game: Game) -> Awale2Solver:
    """The solver for a game's options."""
    return Awale2Solver(game)


class Awale2Solver:
    """Solves boards with eight seeds and more: with fewer the game is over. See `retrograde` for how."""

    least, most, usual = FEWEST, MOST, FEWEST
    light = 0  # the smallest table has eight megabytes: too much for a tab

    def __init__(self, game: Game) -> None:
        self.red_everywhere = bool(getattr(game, "red_everywhere"))  # noqa: B009
        sown, few_first = getattr(game, "chain") == "sown", not getattr(game, "starve_first")  # noqa: B009
        self.kind = retrograde.kind_of(int(CHAIN_SOWN) * sown | int(FEW_FIRST) * few_first)

    # ---- numbers

    def sizes(self, seeds: int) -> list[int]:
        """How many numbers each layer has."""
        return sizes_of(seeds)

    def memory(self, seeds: int) -> int:
        """Two margins a board."""
        return 2 * sum(self.sizes(seeds))

    def place(self, position: Position) -> tuple[int, int] | None:
        """The layer of a position and its place in the table; None when the game is over."""
        facts, turn = position.to_json(), position.turn
        seeds = self._seeds(position)
        if turn is None or seeds > MOST:
            return None
        everywhere, others = (facts["red"], facts["blue"])[:: 1 if self.red_everywhere else -1]
        first = [(turn + 2 * pair) % 16 for pair in range(PAIRS)]
        pairs = [
            (everywhere[i], others[i], everywhere[(i + 1) % 16], others[(i + 1) % 16])
            for i in first
        ]
        return seeds, place_of(pairs)

    def boards(self, number: int, begin: int, end: int) -> list[list[int]]:
        """The eight holes of the mover with seeds that go everywhere, his others, and the other's two."""
        base = sum(self.sizes(number)[:-1])
        words = (retrograde.words_at(base + at, number) for at in range(begin, end))
        return [[seeds for word in four for seeds in counts(word, PAIRS)] for four in words]

    def verdict(self, fact: Sequence[int], position: Position) -> Verdict:
        """What a byte's meaning tells. An endless game ends as a draw, whoever has captured more."""
        _value, low, high = fact
        mine, his = position.scores()[:: 1 if position.turn == 0 else -1]
        seeds = self._seeds(position)
        low = min(his - mine, -seeds) if low == -NOTHING else low
        high = max(his - mine, seeds) if high == NOTHING else high
        return Verdict(min(max(his - mine, low), high), low, high)

    @staticmethod
    def _seeds(position: Position) -> int:
        facts = position.to_json()
        return sum(map(int, facts["red"])) + sum(map(int, facts["blue"]))

    # ---- solving

    def solve(self, number: int, table: Any, done: Sequence[Layer], crew: Crew) -> Layer:
        """Goes over the boards with so many seeds until nothing changes."""
        size = self.sizes(number)[number]
        if size == 0:
            return Layer(str(number), 0)
        lows, highs = self._decoded(table, done, size)
        changes, left = np.zeros(1, np.int64), 1.0
        while True:
            changes[0] = 0
            crew.share(
                *(retrograde.sweep, 0, size, self.kind, number, lows, highs),
                changes.ctypes.data,
            )
            if changes[0] == 0:
                break
            left = min(left, int(changes[0]) / size)
            crew.tell(0.95 * (1 - left))
        return self._written(number, table, lows, highs)

    def _decoded(self, table: Any, layers: Sequence[Layer], more: int) -> tuple[Any, Any]:
        """The two margins of every board that is solved, and nothing yet for so many more."""
        size = sum(layer.size for layer in layers)
        lows, highs = (np.full(size + more, edge, np.int8) for edge in (-NOTHING, NOTHING))
        at = 0
        for layer in layers:
            if layer.size:
                facts = np.array(layer.facts, np.int8)
                codes = table[at : at + layer.size]
                lows[at : at + layer.size] = facts[:, 1][codes]
                highs[at : at + layer.size] = facts[:, 2][codes]
            at += layer.size
        return lows, highs

    def _written(self, seeds: int, table: Any, lows: Any, highs: Any) -> Layer:
        """Writes the layer's bytes, and tells what they mean: there are fewer sets of margins than bytes."""
        size = self.sizes(seeds)[seeds]
        here = slice(len(lows) - size, len(lows))
        sets = (lows[here].astype(np.uint16) + BIAS & 255) << 8 | highs[here] + np.int16(BIAS)
        kinds, tally = np.unique(sets, return_counts=True)
        table[here] = np.searchsorted(kinds, sets)
        facts, values, exact = list[list[int]](), dict[int, int](), 0
        for kind, count in zip(kinds.tolist(), tally.tolist(), strict=True):
            low, high = (kind >> 8) - BIAS, (kind & 255) - BIAS
            value = min(max(0, low), high)
            facts.append([value, low, high])
            values[value] = values.get(value, 0) + count
            exact += count if low == high else 0
        return Layer(str(seeds), size, facts, values, exact)

    def check(self, number: int, table: Any, layers: Sequence[Layer], crew: Crew) -> int:
        """Compares each board with its moves."""
        size, wrong = layers[number].size, np.zeros(1, np.int64)
        if size:
            lows, highs = self._decoded(table, layers[: number + 1], 0)
            crew.share(
                *(retrograde.check, 0, size, self.kind, number, lows, highs),
                wrong.ctypes.data,
            )
        return int(wrong[0])

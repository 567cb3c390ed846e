"""Morabaraba's endgame tables: who has the boards solved, and reads what was found."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from mbegu.core.game import Game, Position
from mbegu.engine.kernels.driver import kernel_of
from mbegu.engine.tables.solver import Crew, Layer, Verdict
from mbegu.games.morabaraba import retrograde
from mbegu.games.morabaraba.herds import (
    BASES,
    FEWEST,
    FIRST_HERD,
    HERDS,
    MOST,
    boards_with,
    sizes_of,
)
from mbegu.games.morabaraba.probe import OFFSET, told_of
from mbegu.games.morabaraba.retrograde import UNKNOWN

__all__ = ["MorabarabaSolver", "solver"]

MEANINGS = 256  # of a byte
TEN = 10  # quiet moves while somebody has three cows
FARTHEST = 120  # moves to go that a table looks at, far beyond the longest that occurs


def solver(game: Game) -> MorabarabaSolver:
    """The solver for a game's rules."""
    return MorabarabaSolver(game)


class MorabarabaSolver:
    """Solves boards after placing, from three against three cows. A layer has all boards with so many cows."""

    least, most, usual, light = 2 * FEWEST, MOST, 2 * FEWEST, 2 * FEWEST

    def __init__(self, game: Game) -> None:
        self.classic = getattr(game, "rules") == "classic"  # noqa: B009
        self.options = {name: getattr(game, name) for name in game.options()}
        self.kind = retrograde.kind_of(self.classic)
        self.kernel = kernel_of(game.name)  # whose rules the compiled functions need

    # ---- numbers

    def sizes(self, seeds: int) -> list[int]:
        """How many boards each layer has."""
        return sizes_of(seeds)

    def memory(self, seeds: int) -> int:
        """Four numbers a board."""
        return 4 * sum(self.sizes(seeds))

    def place(self, position: Position) -> tuple[int, int] | None:
        """The layer and the place; None while a cow is in hand, a shot is due or a mill is banned."""
        facts = position.to_json()
        if facts["phase"] not in ("MOVE", "FLY") or any(facts["in_hand"]) or any(facts["ban"]):
            return None
        state = self.kernel.pack(facts, self.options)
        cows = int(state.me).bit_count() + int(state.op).bit_count()
        return (cows, int(retrograde.place_of(state.me, state.op))) if cows <= MOST else None

    def boards(self, number: int, begin: int, end: int) -> list[list[int]]:
        """The 24 points ring by ring: 1 for a cow of the mover, 2 for one of the other."""
        found = list[list[int]]()
        for mine, his, base, size in self._kinds(number):
            low = base - int(BASES[FEWEST, number - FEWEST])
            for rank in range(max(begin - low, 0), min(end - low, size)):
                me, op = retrograde.herds_at(rank, mine, his, HERDS, FIRST_HERD)
                found.append([int(me) >> p & 1 | (int(op) >> p & 1) << 1 for p in range(24)])
        return found

    def verdict(self, fact: Sequence[int], position: Position) -> Verdict:
        """Who wins; how soon the next shot comes, or the end if there is none."""
        state = self.kernel.pack(position.to_json(), self.options)
        value, low, high, plies = (int(number) for number in told_of(state, *fact[:2]))
        return Verdict(value, low, high, plies)

    def _kinds(self, cows: int) -> Iterator[tuple[int, int, int, int]]:
        """The parts of a layer: the mover's cows, the other's, where they begin and how many there are."""
        for mine in range(FEWEST, cows - FEWEST + 1):
            his = cows - mine
            yield mine, his, int(BASES[mine, his]), boards_with(mine, his)

    # ---- solving

    def solve(self, number: int, table: Any, done: Sequence[Layer], crew: Crew) -> Layer:
        """Solves all boards with so many cows."""
        size = self.sizes(number)[number]
        if size == 0:
            return Layer(str(number), 0)
        numbers = self._decoded(table, done, sum(self.sizes(number)))
        changes = np.zeros(1, np.int64)
        farthest = self._farthest(number)
        for left in range(farthest + 1):
            changes[0] = 0
            for mine, his, base, count in self._kinds(number):
                if left > TEN and min(mine, his) == FEWEST:  # the game is over before
                    continue
                place = self.kind, mine, his, base, left, HERDS, FIRST_HERD
                crew.share(retrograde.sweep, 0, count, *place, numbers, changes.ctypes.data)
            crew.tell((left + 1) / (farthest + 1))
            if changes[0] == 0 and left > 0:  # then more moves to go change nothing either
                break
        return self._written(number, table, numbers)

    def _farthest(self, cows: int) -> int:
        """How many moves to go make a difference in a layer, at most."""
        if cows < 2 * FEWEST + 2:  # somebody has three
            return TEN
        return FARTHEST if self.classic else 50

    def _decoded(self, table: Any, layers: Sequence[Layer], size: int) -> Any:
        """[game, win or draw, board] of every board that is solved, and nothing yet for the others."""
        numbers = np.full((2, 2, size), retrograde.NEVER, np.uint8)
        at = 0
        for layer in layers:
            if layer.size and at < size:
                words = (np.array(layer.facts)[:, :2] + OFFSET)[table[at : at + layer.size]]
                for game in (retrograde.CAREFUL, retrograde.BOLD):
                    numbers[game, 0, at : at + layer.size] = words[:, game] >> 8
                    numbers[game, 1, at : at + layer.size] = words[:, game] & 255
            at += layer.size
        return numbers

    def _written(self, cows: int, table: Any, numbers: Any) -> Layer:
        """Writes the layer's bytes, and tells what they mean. What is too rare for a byte is not told."""
        sizes = self.sizes(cows)
        here = slice(sum(sizes[:cows]), sum(sizes))
        words = numbers[:, 0, here].astype(np.int64) * 256 + numbers[:, 1, here]
        kinds, codes, counts = np.unique(
            words[0] << 16 | words[1], return_inverse=True, return_counts=True
        )
        kept = np.sort(np.argsort(-counts, kind="stable")[: MEANINGS - 1])
        byte = np.full(len(kinds), len(kept), np.int64)
        byte[kept] = np.arange(len(kept))
        table[here] = byte[codes]
        facts = [[int(kinds[i] >> 16) - OFFSET, int(kinds[i] & 0xFFFF) - OFFSET, 0] for i in kept]
        if len(kinds) > len(kept):
            facts.append([UNKNOWN * 257 - OFFSET] * 2 + [0])
        results = np.zeros(4, np.int64)
        for mine, his, base, count in self._kinds(cows):
            retrograde.tally(self.kind, mine, his, base, count, numbers, results)
        values = {value: int(results[value + 1]) for value in (-1, 0, 1)}
        return Layer(str(cows), sizes[cows], facts, values, sum(values.values()))

    def check(self, number: int, table: Any, layers: Sequence[Layer], crew: Crew) -> int:
        """Compares each board with its moves, for all counters that can be."""
        wrong = np.zeros(1, np.int64)
        numbers = self._decoded(table, layers, sum(layer.size for layer in layers))
        numbers_that_occur = numbers[numbers < UNKNOWN]
        farthest = int(numbers_that_occur.max(initial=0)) + 1
        for mine, his, base, count in self._kinds(number):
            place = self.kind, mine, his, base, farthest, HERDS, FIRST_HERD
            crew.share(retrograde.check, 0, count, *place, numbers, wrong.ctypes.data)
        return int(wrong[0])

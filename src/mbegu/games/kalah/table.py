"""Kalah's endgame tables: who numbers the boards, has them solved, and reads what was found."""

from __future__ import annotations

from collections.abc import Sequence
from math import comb
from typing import Any

import numpy as np

from mbegu.core.game import Game, Position
from mbegu.engine.tables.solver import Crew, Layer, Verdict
from mbegu.games.kalah import retrograde
from mbegu.games.kalah.pits import board_facts, board_of

__all__ = ["KalahSolver", "layer_size", "solver", "table_size"]

MOST = 48  # stones: what the header of a file has room for
MOST_BOARDS = 1 << 34
USUAL, USUAL_BOARDS = 12, 3_000_000
LIGHT_BOARDS = 300_000


def solver(game: Game) -> KalahSolver:
    """The solver for a game's options. With how many stones it begins does not matter."""
    return KalahSolver(int(getattr(game, "pits")), bool(getattr(game, "empty_capture")))  # noqa: B009


def layer_size(pits: int, stones: int) -> int:
    """How many boards hold so many stones."""
    return comb(stones + 2 * pits - 1, 2 * pits - 1)


def table_size(pits: int, stones: int) -> int:
    """How many boards hold at most so many stones."""
    return comb(stones + 2 * pits, 2 * pits)


def most_within(pits: int, boards: int, most: int) -> int:
    """The largest table of no more than so many boards, in stones."""
    return max(count for count in range(most + 1) if table_size(pits, count) <= boards)


class KalahSolver:
    """Solves boards from no stones upwards. See `mbegu.games.kalah.retrograde` for the order."""

    least = 1

    def __init__(self, pits: int, empty_capture: bool) -> None:
        self.pits = pits
        self.facts = board_facts(pits, empty_capture)
        self.board = board_of(pits, self.facts.thread)
        self.most = most_within(pits, MOST_BOARDS, MOST)
        self.usual = most_within(pits, USUAL_BOARDS, USUAL)
        self.light = most_within(pits, LIGHT_BOARDS, USUAL)
        self._sides: list[Any] = []

    # ---- numbers

    def sizes(self, seeds: int) -> list[int]:
        """How many boards each layer has."""
        return [layer_size(self.pits, count) for count in range(seeds + 1)]

    def memory(self, seeds: int) -> int:
        """The bytes of all sides; a board takes none beside its place in the table."""
        return 8 * comb(seeds + self.pits, self.pits)

    def place(self, position: Position) -> tuple[int, int] | None:
        """The layer of a position and its place in the table; None when the game is over."""
        board, turn = position.to_json()["pits"], position.turn
        if turn is None:
            return None
        half = self.pits + 1
        south, north = board[: half - 1], board[half:-1]
        mine, his = (south, north) if turn == 0 else (north, south)
        return self.place_of(mine, his)

    def place_of(self, mine: Sequence[int], his: Sequence[int]) -> tuple[int, int]:
        """The number of stones and the place in the table of a board, in plain Python."""
        stones, own = sum(mine) + sum(his), sum(mine)
        at = table_size(self.pits, stones - 1) if stones else 0
        at += sum(self._halves(less) * self._halves(stones - less) for less in range(own))
        return stones, at + self._rank(mine) * self._halves(stones - own) + self._rank(his)

    def boards(self, number: int, begin: int, end: int) -> list[list[int]]:
        """The pits of boards: the mover's, then the other's."""
        found: list[list[int]] = []
        first = 0
        for own in range(number + 1):
            mine, his = self._counts(own), self._counts(number - own)
            last = first + len(mine) * len(his)
            for rank in range(max(begin, first), min(end, last)):
                i, j = divmod(rank - first, len(his))
                found.append([*mine[i], *his[j]])
            first = last
        return found

    def verdict(self, fact: Sequence[int], position: Position) -> Verdict:
        """What a byte's meaning tells."""
        value, low, high = fact
        return Verdict(value, low, high)

    def _halves(self, stones: int) -> int:
        return comb(stones + self.pits - 1, self.pits - 1)

    def _rank(self, half: Sequence[int]) -> int:
        return sum(comb(sum(half[: i + 1]) + i, i + 1) for i in range(self.pits - 1))

    def _counts(self, stones: int) -> list[list[int]]:
        """Every side with so many stones, in the order of ranks."""
        width = 8 if self.pits <= 8 else 6
        lane = (1 << width) - 1
        return [
            [int(word) >> width * pit & lane for pit in range(self.pits)]
            for word in self._words(stones)
        ]

    def _words(self, stones: int) -> Any:
        while len(self._sides) <= stones:
            count = len(self._sides)
            words = np.empty(self._halves(count), np.uint64)
            retrograde.write_sides(self.board, words, count, np.zeros(self.pits, np.int64))
            self._sides.append(words)
        return self._sides[stones]

    # ---- solving

    def solve(self, number: int, table: Any, done: Sequence[Layer], crew: Crew) -> Layer:
        """Solves all boards with so many stones."""
        where = self._where(number)
        crew.each(
            *(retrograde.solve_shares, number // 2 + 1),
            *(self.board, where.ctypes.data, table.ctypes.data, number),
        )
        size, at = (
            layer_size(self.pits, number),
            table_size(self.pits, number) - layer_size(self.pits, number),
        )
        counts = np.bincount(table[at : at + size], minlength=number + 1)
        values = {2 * code - number: int(count) for code, count in enumerate(counts) if count}
        facts = [[2 * code - number] * 3 for code in range(number + 1)]
        return Layer(str(number), size, facts, values, size)

    def check(self, number: int, table: Any, layers: Sequence[Layer], crew: Crew) -> int:
        """Compares each board with its moves."""
        wrong = np.zeros(1, np.int64)
        where = self._where(number)
        crew.each(
            *(retrograde.check_shares, number + 1),
            *(self.board, where.ctypes.data, table.ctypes.data, number, wrong.ctypes.data),
        )
        return int(wrong[0])

    def _where(self, stones: int) -> Any:
        """The addresses of the words of sides with 0, 1, 2… stones."""
        self._words(stones)
        return np.array([words.ctypes.data for words in self._sides], np.int64)

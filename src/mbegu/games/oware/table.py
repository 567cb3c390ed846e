"""Oware's endgame tables: who numbers the boards, has them solved, and reads what was found."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import comb
from typing import Any

import numpy as np

from mbegu.core.game import Game, Position
from mbegu.engine.tables.ranking import Ranks, half_words, halves, layer_size, ranks_of, table_size
from mbegu.engine.tables.solver import Crew, Layer, Verdict
from mbegu.games.oware import retrograde
from mbegu.games.oware.kernel import GRAND_SLAMS

__all__ = ["OwareSolver", "solver"]

SIDE = 6
MEANINGS = 256  # of a byte
AT_WORK = 4 + 2 * 4  # bytes that a board of the layer takes while it is solved


def solver(game: Game) -> OwareSolver:
    """The solver for a game's options."""
    return OwareSolver(str(getattr(game, "grand_slam")), int(getattr(game, "min_seeds")))  # noqa: B009


class OwareSolver:
    """Solves boards from no seeds upwards. See `mbegu.games.oware.retrograde` for what is solved."""

    least, most, usual, light = 1, 24, 12, 9

    def __init__(self, grand_slam: str, min_seeds: int) -> None:
        self.slam, self.min_seeds = GRAND_SLAMS[grand_slam], min_seeds
        self._words: Any = None

    # ---- numbers

    def sizes(self, seeds: int) -> list[int]:
        """How many boards each layer has."""
        return [layer_size(SIDE, count) for count in range(seeds + 1)]

    def memory(self, seeds: int) -> int:
        """The bytes at work for the last layer."""
        return AT_WORK * layer_size(SIDE, seeds)

    def place(self, position: Position) -> tuple[int, int] | None:
        """The layer of a position and its place in the table; None when the game is over."""
        board, turn = position.to_json()["board"], position.turn
        if turn is None:
            return None
        sides = board[6 * turn : 6 * turn + 6], board[6 - 6 * turn : 12 - 6 * turn]
        return place_of(*sides)

    def boards(self, number: int, begin: int, end: int) -> list[list[int]]:
        """The houses of boards: the mover's, then the other's."""
        ranks = self._ranks(number)
        rank = np.arange(begin, end)
        own = np.searchsorted(ranks.offset, rank, side="right") - 1
        mine, his = np.divmod(rank - ranks.offset[own], ranks.across[own])
        words = ranks.words[ranks.first[own] + mine], ranks.words[ranks.first[number - own] + his]
        lanes = [word.view(np.uint8).reshape(-1, 8)[:, :SIDE] for word in words]
        boards: list[list[int]] = np.hstack(lanes).tolist()
        return boards

    def verdict(self, fact: Sequence[int], position: Position) -> Verdict:
        """What a byte's meaning tells."""
        value, low, high = fact
        return Verdict(value, low, high)

    # ---- solving

    def solve(self, number: int, table: Any, done: Sequence[Layer], crew: Crew) -> Layer:
        """Solves all boards with so many seeds."""
        work = _Work(number, self._ranks(number))
        if number < self.min_seeds:
            work.keep_own_seeds()
        else:
            where = places(number)
            facts = facts_of(done, number + 1)
            crew.share(
                retrograde.look_at_captures,
                *(0, work.size, self.slam, work.ranks, table, facts, *where),
                *(work.value, work.low, work.high, work.state),
            )
            work.find_values(self.slam, crew)
            work.find_bounds(self.slam, crew)
        at = table_size(SIDE, number - 1) if number else 0
        return work.written(table[at : at + work.size], crew)

    def check(self, number: int, table: Any, layers: Sequence[Layer], crew: Crew) -> int:
        """Compares each board with its moves."""
        wrong = np.zeros(1, np.int64)
        facts, where = facts_of(layers, len(layers)), places(number)
        over, ranks = number < self.min_seeds, self._ranks(number)
        crew.share(
            retrograde.check,
            *(0, layers[number].size, self.slam, over, ranks, table, facts, *where),
            wrong.ctypes.data,
        )
        return int(wrong[0])

    def _ranks(self, seeds: int) -> Ranks:
        if self._words is None or len(self._words) < comb(seeds + SIDE, SIDE):
            self._words = half_words(SIDE, max(seeds, self.usual))
        return ranks_of(SIDE, seeds, self._words)


class _Work:
    """One layer while it is being solved."""

    def __init__(self, seeds: int, ranks: Ranks) -> None:
        self.seeds, self.ranks = seeds, ranks
        self.size = layer_size(SIDE, seeds)
        self.value, self.low, self.high = (np.empty(self.size, np.int8) for _array in range(3))
        self.state = np.empty(self.size, np.uint8)
        self.address = self.state.ctypes.data
        self.counts = np.zeros(2, np.int64)
        self.counters = [self.counts.ctypes.data + 8 * i for i in range(2)]
        self.seen = [0, 0]

    def keep_own_seeds(self) -> None:
        """The game is over: each side keeps what it has."""
        for own in range(self.seeds + 1):
            first, last = self.ranks.offset[own : own + 2]
            self.value[first:last] = 2 * own - self.seeds
        self.low[:] = self.high[:] = self.value
        self.state[:] = retrograde.HELD | retrograde.BARRED

    def find_values(self, slam: Any, crew: Crew) -> None:
        """What the boards are worth if an endless game shares the seeds."""
        won, lost = self._queues()
        queues = won, self.counters[0], lost, self.counters[1]
        for v in range(self.seeds, 0, -1):
            crew.share(
                *(retrograde.settle_by_captures, 0, self.size, v, self.value, self.state, *queues)
            )
            known = v, slam, self.ranks, self.value, self.address
            while self._news():
                begin, end = self._next(0)
                crew.share(retrograde.tell_won, begin, end, won, *known, *queues[2:])
                begin, end = self._next(1)
                crew.share(retrograde.tell_lost, begin, end, lost, *known, *queues[:2])
            crew.tell(0.1 + 0.3 * int(self.counts.sum()) / self.size)

    def find_bounds(self, slam: Any, crew: Crew) -> None:
        """Between which bounds they lie whatever an endless game is worth."""
        crew.share(retrograde.begin_bounds, 0, self.size, self.value, self.state)
        held, barred = self._queues()
        queues = held, self.counters[0], barred, self.counters[1]
        for v in range(self.seeds, -self.seeds, -2):
            crew.share(
                *(retrograde.bound_by_captures, 0, self.size, v, self.low, self.high),
                *(self.state, *queues),
            )
            known = v, slam, self.ranks
            while self._news():
                begin, end = self._next(0)
                crew.share(
                    *(retrograde.tell_held, begin, end, held, *known),
                    *(self.high, self.address, *queues[2:]),
                )
                begin, end = self._next(1)
                crew.share(
                    *(retrograde.tell_barred, begin, end, barred, *known),
                    *(self.low, self.address, *queues[:2]),
                )
            crew.tell(0.4 + 0.3 * int(self.counts.sum()) / self.size)

    def _queues(self) -> tuple[Any, Any]:
        self.counts[:] = 0
        self.seen = [0, 0]
        return np.empty(self.size, np.uint32), np.empty(self.size, np.uint32)

    def _news(self) -> bool:
        return self.seen != [int(count) for count in self.counts]

    def _next(self, which: int) -> tuple[int, int]:
        """The part of a queue that nobody has told of yet."""
        begin, end = self.seen[which], int(self.counts[which])
        self.seen[which] = end
        return begin, end

    def written(self, bytes_: Any, crew: Crew) -> Layer:
        """Writes the layer's bytes, and tells what they mean."""
        seeds = self.seeds
        tally = np.zeros((2 * seeds + 1, seeds + 1, seeds + 1), np.int64)
        known = seeds, self.value, self.low, self.high
        retrograde.end_bounds(0, self.size, *known, self.state, tally)
        chosen = choose_meanings(tally, seeds)
        codes = np.zeros(tally.shape, np.uint8)
        for fact, code in chosen.items():
            codes[fact] = code
        crew.share(retrograde.encode, 0, self.size, *known, codes, bytes_)
        return replace(_layer(tally, chosen, seeds), size=self.size)


# ---- bytes and their meanings


def choose_meanings(tally: Any, seeds: int) -> dict[tuple[int, int, int], int]:
    """A byte for every set of facts (value, low, high) that occurs, as they stand in the tally.

    If there are more sets than bytes, the rarest get the byte of a set with the same value and bounds
    that are a little wider: less is told, nothing wrong.
    """
    occurring = [tuple(map(int, fact)) for fact in np.argwhere(tally)]
    common = sorted(occurring, key=lambda fact: (-tally[fact], fact))
    chosen: dict[tuple[int, int, int], int] = {}
    if len(common) > MEANINGS:
        for value in sorted({fact[0] for fact in common}):
            chosen[value, 0, seeds] = len(chosen)  # no bounds at all: there is always a way out
    for value, low, high in common:
        if len(chosen) < MEANINGS:
            chosen.setdefault((value, low, high), len(chosen))
    own = dict(chosen)
    for value, low, high in common:
        if (value, low, high) not in chosen:
            wider = [f for f in own if f[0] == value and f[1] <= low and f[2] >= high]
            chosen[value, low, high] = own[min(wider, key=lambda fact: fact[2] - fact[1])]
    return chosen


def _layer(tally: Any, chosen: dict[tuple[int, int, int], int], seeds: int) -> Layer:
    facts: list[list[int]] = [[0, -seeds, seeds]] * (max(chosen.values()) + 1)
    told: set[int] = set()
    for (value, low, high), code in chosen.items():
        if code not in told:  # the first one with this byte is the one it was made for
            told.add(code)
            facts[code] = [value - seeds, 2 * low - seeds, 2 * high - seeds]
    by_value = tally.sum(axis=(1, 2))
    values = {v - seeds: int(count) for v, count in enumerate(by_value) if count}
    exact = sum(int(tally[:, i, i].sum()) for i in range(seeds + 1))
    return Layer(str(seeds), 0, facts, values, exact)


def facts_of(layers: Sequence[Layer], count: int) -> Any:
    """[layer, byte] -> value, low and high, for compiled code."""
    facts = np.zeros((count, MEANINGS, 4), np.int8)
    for number, layer in enumerate(layers):
        facts[number, : len(layer.facts), :3] = layer.facts
    return facts


def places(seeds: int) -> tuple[Any, Any]:
    """[seeds, seeds of the mover] -> where such boards begin in the table; [seeds] -> halves."""
    bases = np.zeros((seeds + 1, seeds + 1), np.int64)
    for count in range(seeds + 1):
        at = table_size(SIDE, count - 1) if count else 0
        for own in range(count + 1):
            bases[count, own] = at
            at += halves(SIDE, own) * halves(SIDE, count - own)
    return bases, np.array([halves(SIDE, count) for count in range(seeds + 1)], np.int64)


def place_of(mine: Sequence[int], his: Sequence[int]) -> tuple[int, int]:
    """The number of seeds and the place in the table of a board, in plain Python."""
    seeds, own = sum(mine) + sum(his), sum(mine)
    at = table_size(SIDE, seeds - 1) if seeds else 0
    at += sum(halves(SIDE, less) * halves(SIDE, seeds - less) for less in range(own))
    return seeds, at + _rank(mine) * halves(SIDE, seeds - own) + _rank(his)


def _rank(half: Sequence[int]) -> int:
    return sum(comb(sum(half[: i + 1]) + i, i + 1) for i in range(SIDE - 1))

"""Counter-settings of a game that has no study of its own: settings by lot, tried by the readable rules.

Slow, some thousands of turns a second at best, but it needs nothing that the game does not tell anyway.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import ClassVar

from mbegu.core.game import Move
from mbegu.core.i18n import N_, _
from mbegu.core.setups import SetUpGame
from mbegu.core.typography import numeral
from mbegu.lab.counters import (
    Counter,
    CounterStudy,
    End,
    Frequency,
    Resistance,
    Search,
    Setting,
    Tell,
    unknown_family,
)

__all__ = ["PlainStudy", "study"]

HEAT = 50  # settings that each candidate meets before the best are looked at again


def study(game: SetUpGame) -> PlainStudy:
    """For these rules."""
    return PlainStudy(game)


class PlainStudy(CounterStudy):
    """By lot, on one thread; the same seed finds the same settings unless the time runs out."""

    families: ClassVar[Mapping[str, str]] = {
        "default": N_("the usual one"),
        "lot": N_("by lot, as the game draws it"),
    }
    by_lot = frozenset({"lot"})
    methods = ("auto", "random")
    resist_methods = ("lot",)

    def member(self, family: str, number: int, seed: int = 0) -> Setting:
        """The usual one, or one by lot."""
        if family not in self.families:
            raise unknown_family(family, self.families)
        if family not in self.by_lot:
            return self.game.setup()
        return self.game.random_setup(random.Random(f"{seed} {family} {number}"))  # noqa: S311

    def winning_moves(self, setting: Setting, opponent: Setting) -> tuple[int, tuple[Move, ...]]:
        """How many first turns there are, and those that win."""
        position = self.game.start(setting, opponent)
        moves = position.legal_moves() if position.turn == 0 else []
        after = [(move, position.play(move).outcome()) for move in moves]
        return len(moves), tuple(move for move, end in after if end is not None and end.winner == 0)

    def find(
        self,
        opponent: Setting,
        *,
        method: str = "auto",
        limit: int = 1,
        seconds: float = 60.0,
        turns: int | None = None,
        seed: int = 0,
        threads: int = 1,
        tell: Tell | None = None,
    ) -> Search:
        """Tries settings by lot until enough win."""
        self.check_method(method, self.methods)
        search, began = Search(self.game, opponent, method), time.perf_counter()
        end, found = End(began + seconds, turns), dict[Setting, Counter]()
        try:
            for setting in self._drawn(seed, lambda: end.reached(search)):
                tried, moves = self.winning_moves(setting, opponent)
                search.turns += tried
                if moves:
                    found[setting] = Counter(self.game, opponent, setting, moves)
                if tell is not None:
                    tell(search.turns, len(found))
                if len(found) >= limit:
                    break
        except KeyboardInterrupt:
            search.stopped = True
        search.found, search.seconds = list(found.values()), time.perf_counter() - began
        if not found:
            search.why_none = _(
                "{turns} turns were tried in {seconds} seconds, and none wins"
            ).format(turns=numeral(search.turns, ","), seconds=numeral(search.seconds, ".1f"))
        return search

    def _drawn(self, seed: int, enough: Callable[[], bool]) -> Iterator[Setting]:
        number = 0
        while not enough():
            yield self.member("lot", number, seed)
            number += 1

    def count(
        self,
        opponent: Setting,
        *,
        samples: int = 1_000_000,
        seconds: float = 60.0,
        seed: int = 0,
        threads: int = 1,
        tell: Tell | None = None,
    ) -> Frequency:
        """Of so many settings by lot, or of those that the time allows."""
        began, found, stopped = time.perf_counter(), list[tuple[int, int]](), False

        def enough() -> bool:
            return len(found) >= samples or time.perf_counter() - began > seconds

        try:
            # Other dice than those of a search, so that what is found there is not counted again.
            for setting in self._drawn(seed + 2**40, enough):
                tried, wins = self.winning_moves(setting, opponent)
                found.append((tried, len(wins)))
                if tell is not None:
                    tell(len(found), samples)
        except KeyboardInterrupt:
            stopped = True
        turns, winning = (sum(pair[k] for pair in found) for k in (0, 1))
        counters = sum(wins > 0 for _tried, wins in found)
        spent = time.perf_counter() - began
        return Frequency(opponent, len(found), counters, turns, winning, spent, stopped)

    def resistant(
        self,
        *,
        method: str,
        limit: int = 5,
        seconds: float = 30.0,
        seed: int = 0,
        threads: int = 1,
        classes: int | None = None,
        samples: int = 1_000_000,
        tell: Tell | None = None,
    ) -> Resistance:
        """The best of settings by lot: half of the time chooses them, half tells of them afresh."""
        self.check_method(method, self.resist_methods)
        began, rated = time.perf_counter(), dict[Setting, float]()

        def enough() -> bool:
            late = time.perf_counter() - began > seconds / 2
            return late or (classes is not None and len(rated) >= classes)

        for setting in self._drawn(seed, enough):
            rated[setting] = self.count(setting, samples=HEAT, seed=seed).share
            if tell is not None:
                tell(len(rated), limit)
        best = sorted(rated, key=lambda one: (rated[one], one))[:limit]
        told = [
            self.count(one, samples=samples, seconds=seconds / 2 / len(best), seed=seed + 1)
            for one in best
        ]
        found = [replace(one, among=len(told)) for one in sorted(told, key=lambda one: one.share)]
        return Resistance(self.game, method, tuple(found), len(rated), time.perf_counter() - began)

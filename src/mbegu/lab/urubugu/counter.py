"""Counter-settings in Urubugu: settings from which the player who starts wins in one turn (IMPAGA).

    >>> search = find_counters((2,) * 16)
    >>> counter = search.found[0]
    >>> counter.position.play(counter.moves[0]).outcome().winner
    0

Four methods. `book` looks through a few settings of which one beats any setting there is; `random`
tries settings by lot, `climb` improves them bead by bead, and `exact` lists all counters that hang on
few cells, beginning with the fewest. Whatever is found is played by the readable rules before it is
reported.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import count as count_up
from typing import Any

from mbegu.core.errors import MbeguError
from mbegu.core.i18n import _
from mbegu.core.typography import numeral
from mbegu.games.urubugu import Urubugu
from mbegu.lab import counters
from mbegu.lab.counters import Counter, End, Frequency, Setting, verify
from mbegu.lab.urubugu.book import book_of, opposed, words_of
from mbegu.lab.urubugu.columns import ALL_SETTINGS, why_safe

__all__ = ["METHODS", "Counter", "Frequency", "Search", "count_counters", "find_counters"]

METHODS = ("auto", "book", "random", "climb", "exact")
BATCH = 2_000  # settings by lot, a few milliseconds
CLIMB_TURNS = 200_000
MOST_FOUND = 256  # of one batch
MOST_CELLS = 8  # of a pattern: beyond, there are too many


@dataclass
class Search(counters.Search):
    """A search in Urubugu."""

    game: Urubugu


def find_counters(
    opponent: Sequence[int] | str,
    game: Urubugu | None = None,
    *,
    method: str = "auto",
    limit: int = 1,
    seconds: float = 60.0,
    turns: int | None = None,
    seed: int = 0,
    threads: int = 1,
    tell: Callable[[int, int], None] | None = None,
) -> Search:
    """Looks for settings that beat the opponent's in one turn.

    The same seed finds the same ones, unless the time runs out. `auto` takes the book first, then
    the lot, and climbs when half of the time, or of the `turns`, has not brought enough. Ctrl-C ends
    it: what is found by then is returned. `tell` hears of the turns tried and the counters found.
    """
    game = game or Urubugu()
    theirs = game.setup(opponent)
    if method not in METHODS:
        raise MbeguError(
            _("method: {method} is none of {methods}").format(
                method=method, methods=", ".join(METHODS)
            )
        )
    search = Search(game, theirs, method)
    began = time.perf_counter()
    reason = why_safe(theirs, game)
    if reason is not None:
        search.why_none = reason
        return search
    finds: Iterable[Counter | None]  # None: still looking
    end = End(began + seconds, turns)
    if method == "auto":
        finds = _one_after_the_other(search, seed, threads, end)
    elif method == "book":
        finds = _by_book(search)
    elif method == "exact":
        finds = _by_patterns(search, end.at)
    else:
        finds = _by_lot(search, method, seed, threads, end)
    known: set[Setting] = set()
    try:
        for counter in finds:
            if counter is not None and counter.setting not in known:
                known.add(counter.setting)
                verify(counter)
                search.found.append(counter)
                if len(search.found) >= limit:
                    break
            if tell is not None:
                tell(search.turns, len(search.found))
    except KeyboardInterrupt:
        search.stopped = True
    search.seconds = time.perf_counter() - began
    if not search.found:
        search.why_none = _tried(search, end)
    return search


def _tried(search: Search, end: End) -> str:
    """How hard it was tried, in words."""
    turns, seconds = numeral(search.turns, ","), numeral(search.seconds, ".1f")
    if search.method == "exact" and search.patterns:
        return _("none hangs on at most {cells} cells").format(cells=max(search.patterns))
    if end.turns is not None and search.turns >= end.turns:
        return _("{turns} turns were tried, and none wins").format(turns=turns)
    return _("{turns} turns were tried in {seconds} seconds, and none wins").format(
        turns=turns, seconds=seconds
    )


# ---- the methods ------------------------------------------------------------------------------------


def _one_after_the_other(
    search: Search, seed: int, threads: int, end: End
) -> Iterator[Counter | None]:
    yield from _by_book(search)
    yield from _by_lot(search, "random", seed, threads, end.half())
    yield from _by_lot(search, "climb", seed, threads, end)


def _by_book(search: Search) -> Iterator[Counter]:
    import numpy as np  # noqa: PLC0415 - Numba takes its time

    from mbegu.lab.urubugu.turns import strike  # noqa: PLC0415

    attacks = words_of(book_of(search.game))
    wins = np.zeros(len(attacks), np.uint64)
    strike(opposed(search.opponent, search.game), attacks, wins)
    search.turns += sum(
        sum(beads >= search.game.start_min for beads in page) for page in book_of(search.game)
    )
    for attack, moves in zip(attacks, wins, strict=True):
        if moves:
            yield _counter(search, attack[0], attack[1], moves)


def _by_lot(
    search: Search, method: str, seed: int, threads: int, end: End
) -> Iterator[Counter | None]:
    """Batches by lot or by climbing, in the order of their numbers, until the end."""
    import numpy as np  # noqa: PLC0415

    from mbegu.lab.urubugu import turns  # noqa: PLC0415

    state, dice = opposed(search.opponent, search.game), np.uint64(seed % 2**64)
    kinds = list(turns.KINDS.values())

    def work(batch: int) -> tuple[Any, int, int]:
        found = np.zeros((MOST_FOUND, 3), np.uint64)
        if method == "climb":
            winners, tried = turns.climb(state, dice, batch, CLIMB_TURNS, found)
        else:
            kind = kinds[batch % len(kinds)]
            winners, _wins, tried = turns.attack_by_lot(state, dice, batch, kind, BATCH, found)
        return found, min(winners, MOST_FOUND), tried

    with ThreadPoolExecutor(threads) as pool:
        for first in count_up(0, threads):
            if end.reached(search):
                return
            for found, winners, tried in pool.map(work, range(first, first + threads)):
                search.turns += tried
                yield None
                for back, front, moves in found[:winners]:
                    yield _counter(search, back, front, moves)


def _by_patterns(search: Search, deadline: float) -> Iterator[Counter]:
    from mbegu.lab.urubugu.patterns import patterns  # noqa: PLC0415

    patterns(search.opponent, search.game, 1)  # compiles, or loads: that time says nothing
    for cells in range(1, MOST_CELLS + 1):
        began = time.perf_counter()
        number, settings, found = patterns(search.opponent, search.game, cells)
        search.patterns[cells] = number, settings
        for pattern in found:
            yield Counter(
                search.game,
                search.opponent,
                pattern.filled(),
                (pattern.move,),
                pattern.cells,
                pattern.settings,
            )
        now = time.perf_counter()
        if now + 8 * (now - began) > deadline:  # one cell more takes about so much longer
            return


def _counter(search: Search, back: Any, front: Any, moves: Any) -> Counter:
    setting = tuple(int(word) >> 8 * k & 0xFF for word in (back, front) for k in range(8))
    winning = tuple(k + 1 for k in range(16) if int(moves) >> k & 1)
    return Counter(search.game, search.opponent, setting, winning)


# ---- how common they are ----------------------------------------------------------------------------


def count_counters(
    opponent: Sequence[int] | str,
    game: Urubugu | None = None,
    *,
    samples: int = 1_000_000,
    seconds: float = 60.0,
    seed: int = 0,
    threads: int = 1,
    tell: Callable[[int, int], None] | None = None,
) -> Frequency:
    """Estimates how common counters are among all settings, each as likely as any other.

    Ctrl-C ends it, as the time does: then the estimate is of what was drawn by then.
    """
    import numpy as np  # noqa: PLC0415

    from mbegu.lab.urubugu import turns  # noqa: PLC0415

    game = game or Urubugu()
    theirs = game.setup(opponent)
    state, dice = opposed(theirs, game), np.uint64(seed % 2**64)
    began = time.perf_counter()

    def work(batch: int) -> tuple[int, ...]:
        if time.perf_counter() - began > seconds:
            return 0, 0, 0, 0
        size = min(10 * BATCH, samples - batch * 10 * BATCH)
        nothing = np.zeros((0, 3), np.uint64)
        kind = turns.KINDS["uniform"]
        # Other batches than those of a search, so that what is found there is not counted again.
        return size, *turns.attack_by_lot(state, dice, batch + 2**40, kind, size, nothing)

    sums, stopped = [0, 0, 0, 0], False
    with ThreadPoolExecutor(threads) as pool:
        try:
            for done in pool.map(work, range(-(-samples // (10 * BATCH)))):
                sums = [total + part for total, part in zip(sums, done, strict=True)]
                if tell is not None:
                    tell(sums[0], samples)
        except KeyboardInterrupt:
            stopped = True
            pool.shutdown(wait=False, cancel_futures=True)
    drawn, winners, wins, tried = sums
    seconds = time.perf_counter() - began
    return Frequency(theirs, drawn, winners, tried, wins, seconds, stopped, of_all=ALL_SETTINGS)

"""The book of counters: a few settings of which one beats any setting there is, in one turn.

`books.json` holds a book for each rule set. That a book answers everything is no matter of trust:
`prove` plays it against every class of settings (see `mbegu.lab.urubugu.columns`), in about a minute.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict
from functools import cache
from itertools import count as count_up
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mbegu.games.urubugu import Urubugu
from mbegu.lab.counters import CounterProof as Proof
from mbegu.lab.counters import Setting, Tell
from mbegu.lab.urubugu.columns import ALL_SETTINGS, class_size, defences, hardest, open_settings

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Words = NDArray[np.uint64]

__all__ = ["Proof", "book_of", "opposed", "pages", "prove", "write_book"]

FILE = Path(__file__).with_name("books.json")
PARTS = 561  # of all classes: pairs of the first two columns
SAMPLE, DRAWN, CHANGED, ROUNDS = 1_000, 1_500, 150, 6  # how much is tried for each page of a book
CLIMB = 50_000_000  # turns against a class that nothing beats


@cache
def _books() -> dict[str, list[Setting]]:
    told = json.loads(FILE.read_text(encoding="ascii"))
    return {rules: [tuple(page) for page in pages] for rules, pages in told.items()}


def book_of(game: Urubugu) -> list[Setting]:
    """The settings of the book for these rules, the most useful first."""
    return _books().get(str(game), [])


def prove(
    game: Urubugu, *, book: list[Setting] | None = None, threads: int = 1, tell: Tell | None = None
) -> Proof:
    """Plays a book against every class of settings."""
    import numpy as np  # noqa: PLC0415 - Numba takes its time

    from mbegu.lab.urubugu.turns import clear, cover  # noqa: PLC0415

    pages = book_of(game) if book is None else book
    attacks, state = words_of(pages), opposed((2,) * 16, game)

    def answer(part: Words) -> tuple[Words, Any, Any]:
        answers = np.empty(len(part), np.int32)
        cover(state, attacks, part, answers)
        taken = answers >= 0
        if game.start_min > 1:  # only then a turn may win though beads are left
            cleared = np.full(len(part), -1, np.int32)
            if game.capture == "both":  # a lone bead is never taken
                taken &= (_sums(part) != 1).all(axis=1)
            some = np.empty(int(taken.sum()), np.int32)
            clear(state, attacks, part[taken], some)
            cleared[taken] = some
            taken = cleared >= 0
        return part, answers, taken

    classes = answered = settings = all_taken = 0
    missed: list[Setting] = []
    by_page = np.zeros(len(pages), np.int64)
    for done, (part, answers, taken) in enumerate(_in_threads(answer, defences(game), threads), 1):
        found = answers >= 0
        classes, answered = classes + len(part), answered + int(found.sum())
        by_page += np.bincount(answers[found], minlength=len(pages))
        settings += _sizes(part[found], game)
        all_taken += _sizes(part[taken], game)
        missed += [tuple(map(int, sums)) for sums in _sums(part[~found])[: 100 - len(missed)]]
        if tell is not None:
            tell(done, PARTS)
    return Proof(
        rules=str(game),
        pages=len(pages),
        classes=classes,
        answered=answered,
        settings=ALL_SETTINGS,
        open=open_settings(game),
        countered=settings,
        unanswered=tuple(missed),
        by_page=tuple(by_page.tolist()),
        taken=all_taken,
        book=tuple(pages),
    )


def write_book(
    game: Urubugu,
    *,
    seed: int = 1,
    threads: int = 1,
    known: Sequence[Setting] = (),
    tell: Callable[[int, int], None] | None = None,
) -> tuple[list[Setting], list[Setting]]:
    """Makes a book page by page: the setting that beats most of what is left.

    Returns the book, which begins with the pages that are `known`, and the column sums that nothing was
    found against. `tell` hears of the number of pages and of the classes that are left.
    """
    book, lost = list[Setting](known), list[Setting]()
    for page, sums, left in pages(game, seed=seed, threads=threads, known=known):
        if page is not None:
            book.append(page)
        else:
            lost.append(sums)
        if tell is not None:
            tell(len(book), left)
    return book, lost


def pages(
    game: Urubugu, *, seed: int = 1, threads: int = 1, known: Sequence[Setting] = ()
) -> Iterator[tuple[Setting | None, Setting, int]]:
    """The pages of a book as they are found: (page, (), classes left) or (None, lost sums, left)."""
    import numpy as np  # noqa: PLC0415

    from mbegu.lab.urubugu import turns  # noqa: PLC0415

    lot = np.random.default_rng([seed, len(known)])
    state = opposed((2,) * 16, game)

    def unbeaten(left: Words, attacks: Words) -> Words:
        def of(part: Words) -> Words:
            answers = np.empty(len(part), np.int32)
            turns.cover(state, attacks, part, answers)
            return part[answers < 0]

        parts = np.array_split(left, max(len(left) // 50_000, 1))
        return np.concatenate(list(_in_threads(of, iter(parts), threads)))

    def best_of(attacks: Words, sample: Words) -> tuple[int, Words]:
        table = np.zeros((len(attacks), len(sample)), np.bool_)
        turns.hits(state, attacks, sample, table)
        beaten = table.sum(axis=1)
        return int(beaten.max()), attacks[beaten.argmax()]

    left = np.concatenate(list(defences(game)))
    if known:
        left = unbeaten(left, words_of(list(known)))
    for number in count_up(len(known)):
        if not len(left):
            return
        sample = lot.choice(left, min(SAMPLE, len(left)), replace=False)
        drawn = np.zeros((DRAWN, 2), np.uint64)
        turns.draw_attacks(np.uint64(seed), number, turns.KINDS["uniform"], drawn)
        best = best_of(drawn, sample)
        for _round in range(ROUNDS):
            best = max(best, best_of(_changed(best[1], lot), sample), key=lambda pair: pair[0])
        page = best[1]
        if best[0] == 0:
            sums = tuple(map(int, _sums(sample[:1])[0]))
            found = np.zeros((1, 3), np.uint64)
            target = opposed(hardest(sums, game), game)
            if turns.climb(target, np.uint64(seed), number, CLIMB, found)[0] == 0:
                left = left[left != sample[0]]
                yield None, sums, len(left)
                continue
            page = found[0, :2]
        left = unbeaten(left, page[np.newaxis].copy())
        yield tuple(map(int, page.view(np.uint8))), (), len(left)


# ---- parts ------------------------------------------------------------------------------------------


def opposed(setting: Setting, game: Urubugu) -> Any:
    """A packed state whose opponent has this setting, and whose player has no beads yet."""
    from mbegu.games.urubugu.kernel import pack  # noqa: PLC0415

    return pack({"p0": [0] * 16, "p1": list(setting), "to_move": 0}, asdict(game))


def words_of(settings: list[Setting]) -> Words:
    """Settings as rows of [back, front]."""
    import numpy as np  # noqa: PLC0415

    return np.array(settings, np.uint8).reshape(-1, 16).view("<u8").astype(np.uint64)


def _in_threads(do: Callable[[Words], Any], parts: Iterator[Words], threads: int) -> Iterator[Any]:
    """The results in order; only a few parts are in memory at a time."""
    with ThreadPoolExecutor(threads) as pool:
        while batch := list(islice(parts, 4 * threads)):
            yield from pool.map(do, batch)


def _sums(part: Words) -> Any:
    import numpy as np  # noqa: PLC0415

    return part.view(np.uint8).reshape(-1, 8)


def _sizes(part: Words, game: Urubugu) -> int:
    """How many open settings stand behind these classes."""
    import numpy as np  # noqa: PLC0415

    ways = np.array(
        [class_size((beads,) + (0,) * 7, game) for beads in range(33)], np.int64
    )  # of one column
    return int(ways[_sums(part)].prod(axis=1).sum())


def _changed(page: Words, lot: np.random.Generator) -> Words:
    """Settings that differ from one by a few moved beads."""
    import numpy as np  # noqa: PLC0415

    changed = np.repeat(page.view(np.uint8)[np.newaxis], CHANGED, axis=0)
    for cells in changed:
        for _move in range(lot.integers(1, 4)):
            source = lot.choice(np.flatnonzero(cells))
            beads = lot.integers(1, cells[source] + 1)
            cells[source] -= beads
            cells[lot.integers(16)] += beads
    return changed.view(np.uint64)

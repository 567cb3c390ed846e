"""Pairings, round robin, Swiss and others: who meets whom, each format as a generator of rounds.

A format is asked for its next round only when all games of the last one are played; it sees the points
so far through `standing`. So the same results always give the same pairings, after a restart too.
"""

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

__all__ = ["Pairing", "bracket", "gauntlet", "knock_out", "round_robin", "shuffled", "swiss"]


@dataclass(frozen=True)
class Pairing:
    """Two bots that meet in a round; `extra` counts the play-offs of a knock-out."""

    round: int
    first: str
    second: str
    extra: int = 0


Points = Callable[[Pairing], tuple[float, float]]
"""The points of both in a pairing that has been played."""


def round_robin(names: Sequence[str], rounds: int = 1) -> Iterator[list[Pairing]]:
    """Everybody meets everybody; in the second round the other one begins."""
    pairs = list(combinations(names, 2))
    yield [
        Pairing(number + 1, *(pair if number % 2 == 0 else pair[::-1]))
        for number in range(rounds)
        for pair in pairs
    ]


def gauntlet(names: Sequence[str], challengers: Sequence[str]) -> Iterator[list[Pairing]]:
    """The challengers meet everybody else."""
    against = [name for name in names if name not in challengers]
    yield [Pairing(1, one, other) for one in challengers for other in against]


def swiss(names: Sequence[str], rounds: int, points: Points) -> Iterator[list[Pairing]]:
    """Who has scored alike meets, and nobody meets twice while that can be avoided."""
    score = dict.fromkeys(names, 0.0)
    met: set[frozenset[str]] = set()
    free: set[str] = set()
    for number in range(1, rounds + 1):
        order = sorted(names, key=lambda name: (-score[name], names.index(name)))
        bye = None
        if len(order) % 2:
            # The last one who has not had a rest yet.
            bye = next((name for name in reversed(order) if name not in free), order[-1])
            order.remove(bye)
            free.add(bye)
        # The first round: the upper half against the lower half, as seeded.
        if number == 1:
            half = len(order) // 2
            pairs = list(zip(order[:half], order[half:], strict=True))
        else:
            pairs = _pair_off(order, met) or _pair_off(order, set()) or []
        met |= {frozenset(pair) for pair in pairs}
        yield (played := [Pairing(number, *pair) for pair in pairs])
        most = 0.0
        for pairing in played:
            first, second = points(pairing)
            most = max(most, first + second)
            score[pairing.first] += first
            score[pairing.second] += second
        if bye is not None:
            score[bye] += most


def _pair_off(
    order: list[str], met: set[frozenset[str]], tries: int = 20_000
) -> list[tuple[str, str]] | None:
    """Neighbours in the table, without those who have met; None if that cannot be."""
    left = tries

    def search(rest: list[str]) -> list[tuple[str, str]] | None:
        nonlocal left
        if not rest:
            return []
        left -= 1
        if left < 0:
            return None
        first, *others = rest
        for second in others:
            if frozenset((first, second)) not in met:
                found = search([name for name in others if name != second])
                if found is not None:
                    return [(first, second), *found]
        return None

    return search(order)


def bracket(size: int) -> list[int]:
    """The seeds in the order of the bracket: 1 meets the last, and 2 only in the final."""
    seeds = [0]
    while len(seeds) < size:
        most = 2 * len(seeds) - 1
        seeds = [seed for one in seeds for seed in (one, most - one)]
    return seeds


def knock_out(names: Sequence[str], points: Points, play_offs: int = 3) -> Iterator[list[Pairing]]:
    """Who loses is out. Equal points are played off; then the better seed goes on."""
    size = 1
    while size < len(names):
        size *= 2
    alive: list[str | None] = [names[seed] if seed < len(names) else None for seed in bracket(size)]
    number = 0
    while len(alive) > 1:
        number += 1
        ties = list(zip(alive[::2], alive[1::2], strict=True))
        score: dict[tuple[str, str], float] = {}
        open_ties = [(one, other) for one, other in ties if one is not None and other is not None]
        for extra in range(play_offs + 1):
            if not open_ties:
                break
            yield (played := [Pairing(number, *tie, extra) for tie in open_ties])
            for pairing in played:
                first, second = points(pairing)
                tie = (pairing.first, pairing.second)
                score[tie] = score.get(tie, 0.0) + first - second
            open_ties = [tie for tie in open_ties if score[tie] == 0]
        alive = [_winner(one, other, score, names) for one, other in ties]


def _winner(
    one: str | None, other: str | None, score: dict[tuple[str, str], float], names: Sequence[str]
) -> str | None:
    if one is None or other is None:
        return one or other
    difference = score[one, other]
    if difference == 0:
        return min(one, other, key=names.index)
    return one if difference > 0 else other


def shuffled(names: Sequence[str], seed: int) -> list[str]:
    """Seeds by lot."""
    found = list(names)
    random.Random(f"seeding {seed}").shuffle(found)  # noqa: S311 (a game, not a secret)
    return found

"""Who meets whom."""

from collections import Counter
from itertools import combinations

import pytest

from mbegu.arena.pairing import (
    Pairing,
    bracket,
    gauntlet,
    knock_out,
    round_robin,
    swiss,
)


def names(count: int) -> list[str]:
    return [f"p{number:02}" for number in range(count)]


def better_wins(pairing: Pairing) -> tuple[float, float]:
    return (2.0, 0.0) if pairing.first < pairing.second else (0.0, 2.0)


def test_round_robin() -> None:
    (pairings,) = round_robin(names(7))
    assert {frozenset((p.first, p.second)) for p in pairings} == {
        frozenset(pair) for pair in combinations(names(7), 2)
    }
    (twice,) = round_robin(names(4), 2)
    assert len({(p.first, p.second) for p in twice}) == 12  # each begins once


def test_gauntlet() -> None:
    (pairings,) = gauntlet(names(5), ["p02"])
    assert [(p.first, p.second) for p in pairings] == [
        ("p02", name) for name in names(5) if name != "p02"
    ]


@pytest.mark.parametrize("count", [2, 5, 8, 11, 30])
def test_swiss(count: int) -> None:
    rounds = list(swiss(names(count), 5 if count > 5 else 1, better_wins))
    met = Counter(frozenset((p.first, p.second)) for pairings in rounds for p in pairings)
    assert max(met.values()) == 1
    for pairings in rounds:
        assert len(pairings) == count // 2
        assert len({name for p in pairings for name in (p.first, p.second)}) == 2 * (count // 2)


def test_swiss_with_more_rounds_than_opponents_still_goes_on() -> None:
    assert len(list(swiss(names(4), 6, better_wins))) == 6


def test_bracket() -> None:
    assert bracket(8) == [0, 7, 3, 4, 1, 6, 2, 5]


@pytest.mark.parametrize("count", [2, 3, 6, 8, 13])
def test_knock_out(count: int) -> None:
    rounds = list(knock_out(names(count), better_wins))
    assert sum(map(len, rounds)) == count - 1  # everybody but one loses once
    final = rounds[-1]
    assert len(final) == 1
    assert {final[0].first, final[0].second} == {"p00", "p01"}  # the best two meet last


def test_knock_out_plays_off_and_then_the_better_seed_goes_on() -> None:
    rounds = list(knock_out(names(2), lambda pairing: (1.0, 1.0)))
    assert [pairings[0].extra for pairings in rounds] == [0, 1, 2, 3]
    assert len(list(knock_out(names(4), lambda pairing: (1.0, 1.0)))) == 8

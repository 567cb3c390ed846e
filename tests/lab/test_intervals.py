"""Intervals that hold together, and tests that are told together."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mbegu.lab.intervals import clopper_pearson, holm, together


def test_intervals_hold_together() -> None:
    """Forty shares of 1 %: one by one some interval misses it often, together one in twenty times."""
    lot = random.Random(1)
    count, shares, rounds = 400, 40, 100
    alone = at_once = 0
    for _round in range(rounds):
        drawn = [sum(lot.random() < 0.01 for _ in range(count)) for _ in range(shares)]
        alone += all(clopper_pearson(hits, count)[1] > 0.01 for hits in drawn)
        wide = together([(hits, count) for hits in drawn])
        at_once += all(low <= 0.01 <= high for low, high in wide)
    assert alone < 0.9 * rounds
    assert at_once >= 0.95 * rounds


def test_one_share_is_not_widened() -> None:
    assert together([(3, 50)]) == [clopper_pearson(3, 50)]


@given(st.lists(st.floats(0, 1), min_size=1, max_size=20))
def test_holm_keeps_the_order_and_never_flatters(chances: list[float]) -> None:
    told = holm(chances)
    assert all(before <= after <= 1 for before, after in zip(chances, told, strict=True))
    assert told[chances.index(min(chances))] == pytest.approx(min(1, len(chances) * min(chances)))
    order = sorted(range(len(chances)), key=lambda k: chances[k])
    assert [told[k] for k in order] == sorted(told)

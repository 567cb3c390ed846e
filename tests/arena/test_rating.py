"""Ratings: known strengths are found again, in any order of the games."""

import math
import random

import numpy as np
import pytest

from mbegu.arena.rating import Sprt, Tally, expected_score, rate


def simulated(rng: np.random.Generator, elo: np.ndarray, games: int, draws: float) -> dict:
    results = {}
    for i in range(len(elo)):
        for j in range(i):
            difference = (elo[i] - elo[j]) / 400 * math.log(10)
            chances = np.array([math.exp(difference / 2), draws, math.exp(-difference / 2)])
            results[f"p{i}", f"p{j}"] = tuple(rng.multinomial(games, chances / chances.sum()))
    return results


@pytest.mark.parametrize(("players", "games", "draws"), [(6, 20, 0.7), (4, 60, 0.05), (10, 6, 1.5)])
def test_known_strengths_lie_in_the_interval(players: int, games: int, draws: float) -> None:
    rng = np.random.default_rng(1)
    inside = np.zeros(players)
    for _trial in range(100):
        elo = rng.normal(0, 200, players)
        elo -= elo.mean()
        found = rate([f"p{i}" for i in range(players)], simulated(rng, elo, games, draws))
        for rating in found:
            i = int(rating.name[1:])
            inside[i] += abs(rating.elo - elo[i]) <= rating.error
    assert inside.min() >= 90, inside


def test_the_order_of_games_and_players_does_not_matter() -> None:
    rng = np.random.default_rng(2)
    results = simulated(rng, np.array([100.0, 0.0, -50.0, -50.0]), 30, 0.5)
    names = ["p0", "p1", "p2", "p3"]
    expected = rate(names, results)
    for seed in range(5):
        pairs = list(results.items())
        random.Random(seed).shuffle(pairs)
        random.Random(seed).shuffle(names)
        turned = {
            (pair if seed % 2 else pair[::-1]): (counts if seed % 2 else counts[::-1])
            for pair, counts in pairs
        }
        assert rate(names, turned) == expected


def test_who_wins_everything_has_a_finite_rating() -> None:
    first, second, third = rate(["a", "b", "c"], {("a", "b"): (9, 0, 0), ("b", "c"): (9, 0, 0)})
    assert (first.name, second.name, third.name) == ("a", "b", "c")
    assert all(math.isfinite(rating.elo) and rating.error > 50 for rating in (first, second, third))
    assert [rating.points for rating in (first, second, third)] == [9, 9, 0]


def test_nobody_has_played() -> None:
    assert [rating.elo for rating in rate(["a", "b"], {})] == [0, 0]


def test_tally() -> None:
    even = Tally(10, 20, 10)
    assert even.elo == 0
    assert even.los == 0.5
    assert Tally(20, 0, 10).elo == pytest.approx(400 * math.log10(2))
    assert Tally(20, 0, 10).los > 0.95
    assert Tally(400, 0, 200).error < Tally(40, 0, 20).error
    assert Tally().error > 1000


def test_pairs_tell_more_than_single_games() -> None:
    """From a decided opening each side wins once: no doubt that both are equal."""
    tally = Tally(50, 0, 50)
    alone = tally.error
    tally.pairs[1.0] = 50
    assert tally.error < alone / 2


@pytest.mark.parametrize(("true_elo", "accepted"), [(0, "elo0"), (60, "elo1")])
def test_sprt(true_elo: float, accepted: str) -> None:
    test, rng, wrong = Sprt(0, 60), random.Random(3), 0
    for _trial in range(60):
        tally = Tally()
        while not (decided := test.decided(tally)) and tally.games < 5000:
            tally.add(float(rng.random() < expected_score(true_elo)))
        assert decided is not None
        wrong += decided != accepted
    assert wrong <= 7


def test_few_games_tell_no_difference() -> None:
    assert not Tally(wins=1).rated
    assert not Tally(wins=9).rated
    assert Tally(wins=10).rated
    # Ten wins of ten: with a chance of 95 % he wins more than 74 % of all games.
    assert Tally(wins=10).least == pytest.approx(183, abs=1)
    assert Tally(wins=100).least > Tally(wins=10).least

"""Ratings game by game: the numbers of openskill, which is only here to be asked."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from openskill.models import BradleyTerryFull, PlackettLuce

from mbegu.arena.skill import MU, SIGMA, Pair, after

BELIEFS = st.tuples(st.floats(-100, 150), st.floats(0.001, 20))
POINTS = st.sampled_from([0.0, 0.5, 1.0])


@given(st.tuples(BELIEFS, BELIEFS), POINTS)
def test_both_models_of_openskill_say_the_same(pair: Pair, points: float) -> None:
    for model in (PlackettLuce(), BradleyTerryFull()):
        assert (model.mu, model.sigma) == (MU, SIGMA)
        teams = [[model.create_rating([mu, sigma])] for mu, sigma in pair]
        told = [
            (team[0].mu, team[0].sigma) for team in model.rate(teams, ranks=[-points, points - 1])
        ]
        for ours, theirs in zip(after(pair, points), told, strict=True):
            assert ours == pytest.approx(theirs, rel=1e-9, abs=1e-12)


def test_nobody_moves_beyond_what_can_be_written() -> None:
    """Strengths that no game leads to, but that a damaged file may hold."""
    (mu, sigma), (other, doubt) = after(((1e5, 1e-9), (-1e5, 1e-9)), 0.0)
    assert mu < 1e5
    assert other > -1e5
    assert min(sigma, doubt) > 0

"""Strength that follows every game: Weng and Lin's rule for two players (JMLR 12, 2011, algorithms 1 and 4).

A strength is believed to be `mu`, give or take `sigma`. Beliefs change most where least was known and where the
result surprises. Between two players the models of Bradley and Terry and of Plackett and Luce are one; the package
openskill, which has teams and margins too, gives the same numbers, and `tests/arena/test_skill.py` sees to that.

>>> [(round(mu, 3), round(sigma, 3)) for mu, sigma in after(((MU, SIGMA), (MU, SIGMA)), 1.0)]
[(27.635, 8.066), (22.365, 8.066)]
"""

from math import hypot, sqrt, tanh

__all__ = ["MU", "SIGMA", "Belief", "Pair", "after"]

Belief = tuple[float, float]  # mu, sigma
Pair = tuple[Belief, Belief]

MU, SIGMA = 25.0, 25.0 / 3  # of somebody of whom nothing is known
BETA = 25.0 / 6  # how far a player's game is from his strength
TAU = 25.0 / 300  # how far a strength moves from game to game
LEAST = 1e-4  # of a variance stays, whatever happens


def after(pair: Pair, points: float) -> Pair:
    """What is believed of both after a game in which the first one made 1, ½ or 0 points."""
    (mu, sigma), (other, doubt) = ((mu, hypot(sigma, TAU)) for mu, sigma in pair)
    spread = hypot(sigma, doubt, BETA, BETA)
    chance = (1 + tanh((mu - other) / spread / 2)) / 2
    surprise = points - chance
    return _moved(mu, sigma, spread, chance, surprise), _moved(
        other, doubt, spread, chance, -surprise
    )


def _moved(mu: float, sigma: float, spread: float, chance: float, surprise: float) -> Belief:
    share = sigma**2 / spread
    learned = (sigma / spread) ** 3 * chance * (1 - chance)
    return mu + share * surprise, sigma * sqrt(max(1 - learned, LEAST))

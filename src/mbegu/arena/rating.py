"""Elo differences of a series, a sequential probability ratio test (SPRT), and ratings of a whole field.

    >>> match = Tally(wins=60, draws=20, losses=20)
    >>> round(match.elo), round(match.error), round(match.los, 4)
    (147, 66, 1.0)

The field is rated by the model of Bradley and Terry with draws as Davidson has them: between players of
strengths a and b wins, draws and losses stand as a : v·√(a·b) : b. It is fitted to all games at once, so
the order of the games does not matter.
"""

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

__all__ = ["LEAST_RATED", "Rating", "Sprt", "Tally", "expected_score", "rate"]

SCALE = 400 / math.log(10)  # Elo points for each unit of log strength
SURE = 1.959964  # standard errors of a 95 % interval
LEAST_GAMES = 16  # before a test may stop
LEAST_RATED = 10  # games before a difference in Elo is told at all
MOST_ELO = 1200.0  # more than this nobody can tell from a few games


def expected_score(elo: float) -> float:
    """What a player scores on average who is so many points stronger."""
    return 1 / (1 + 10 ** (-elo / 400))


def _elo(score: float) -> float:
    least = expected_score(-MOST_ELO)
    score = min(max(score, least), 1 - least)
    return 400 * math.log10(score / (1 - score))


@dataclass
class Tally:
    """The result of a match, as the first player sees it.

    Two games from the same opening with sides changed are not independent; where they are known as
    `pairs` (the points of each two, 0 to 2) the error is computed from them.
    """

    wins: int = 0
    draws: int = 0
    losses: int = 0
    pairs: Counter[float] = field(default_factory=Counter)

    def add(self, points: float) -> None:
        """One more game: 1, ½ or 0 points."""
        if points == 1:
            self.wins += 1
        elif points == 0:
            self.losses += 1
        else:
            self.draws += 1

    @property
    def games(self) -> int:
        """How many games."""
        return self.wins + self.draws + self.losses

    @property
    def score(self) -> float:
        """Points for each game; a half before the first one."""
        return (self.wins + self.draws / 2) / self.games if self.games else 0.5

    @property
    def variance(self) -> float:
        """Of the mean score of one game, as if there were as many independent games."""
        total = sum(self.pairs.values())
        if total >= 2 and 2 * total == self.games:
            mean = sum(points * n for points, n in self.pairs.items()) / total
            spread = sum(n * (points - mean) ** 2 for points, n in self.pairs.items()) / total
            return max(spread / 2, 1e-9)
        if not self.games:
            return 0.25
        mean = self.score
        spread = self.wins * (1 - mean) ** 2 + self.draws * (0.5 - mean) ** 2
        return max((spread + self.losses * mean**2) / self.games, 1e-9)

    @property
    def elo(self) -> float:
        """The difference in strength."""
        return _elo(self.score)

    @property
    def error(self) -> float:
        """Half of the 95 % interval of `elo`."""
        if not self.games:
            return MOST_ELO
        # One game more, a draw: otherwise ten wins out of ten would leave no doubt at all.
        n = self.games + 1
        mean = (self.wins + self.draws / 2 + 0.5) / n
        spread = (self.games * self.variance + (0.5 - mean) ** 2 + 0.25) / n
        deviation = SURE * math.sqrt(spread / n)
        return min((_elo(mean + deviation) - _elo(mean - deviation)) / 2, MOST_ELO)

    @property
    def rated(self) -> bool:
        """Whether there are enough games to speak of a difference."""
        return self.games >= LEAST_RATED

    @property
    def least(self) -> float:
        """For whoever won them all: he is stronger by at least this, 95 % sure."""
        return _elo(0.05 ** (1 / max(self.games, 1)))

    @property
    def los(self) -> float:
        """How likely it is that the first player is the stronger one."""
        if not self.wins + self.losses:
            return 0.5
        z = (self.wins - self.losses) / math.sqrt(self.wins + self.losses)
        return (1 + math.erf(z / math.sqrt(2))) / 2


@dataclass(frozen=True)
class Sprt:
    """A test that stops as soon as it can tell elo0 from elo1 (5 % wrong either way)."""

    elo0: float
    elo1: float
    alpha: float = 0.05
    beta: float = 0.05

    def ratio(self, tally: Tally) -> float:
        """The logarithm of how much better elo1 explains the games than elo0."""
        if tally.games < 2:
            return 0.0
        low, high = expected_score(self.elo0), expected_score(self.elo1)
        # The variance of a handful of games may be 0: eight ordinary games more keep it sober.
        variance = (tally.games * tally.variance + 8 * 0.2) / (tally.games + 8)
        return tally.games * (high - low) * (2 * tally.score - low - high) / (2 * variance)

    @property
    def bounds(self) -> tuple[float, float]:
        """Below the first elo0 is accepted, above the second elo1."""
        return math.log(self.beta / (1 - self.alpha)), math.log((1 - self.beta) / self.alpha)

    def decided(self, tally: Tally) -> str | None:
        """`elo0` or `elo1` once one of them is accepted."""
        low, high = self.bounds
        ratio = self.ratio(tally) if tally.games >= LEAST_GAMES else 0.0
        return "elo1" if ratio >= high else "elo0" if ratio <= low else None


@dataclass(frozen=True)
class Rating:
    """A player of a field: points around a mean of 0, and half of the 95 % interval."""

    name: str
    elo: float
    error: float
    games: int
    points: float


def rate(
    players: Iterable[str], results: Mapping[tuple[str, str], Sequence[float]], prior: float = 0.25
) -> list[Rating]:
    """The ratings of a field, the best first.

    `results[a, b]` are wins of a, draws, and wins of b. Whoever has won all games has no finite
    strength: `prior` draws of everyone against the average keep it finite, and hardly touch the rest.
    """
    names = sorted(set(players))
    n = len(names)
    at = {name: index for index, name in enumerate(names)}
    wins, draws = np.zeros((n, n)), np.zeros((n, n))
    for (first, second), (won, drawn, lost) in results.items():
        i, j = at[first], at[second]
        wins[i, j] += won
        wins[j, i] += lost
        draws[i, j] += drawn
        draws[j, i] += drawn
    strength, covariance = _fit(wins, draws, prior)
    games = wins + wins.T + draws
    played, points = games.sum(axis=1), wins.sum(axis=1) + draws.sum(axis=1) / 2
    deviation = np.sqrt(np.maximum(np.diag(covariance)[:n], 0))
    found = [
        Rating(
            name,
            float(strength[i] * SCALE),
            float(min(SURE * deviation[i] * SCALE, MOST_ELO)) if played[i] else MOST_ELO,
            round(float(played[i])),
            float(points[i]),
        )
        for i, name in enumerate(names)
    ]
    return sorted(found, key=lambda rating: (-rating.elo, rating.name))


def _fit(wins: np.ndarray, draws: np.ndarray, prior: float) -> tuple[np.ndarray, np.ndarray]:
    """Log strengths with mean 0, and their covariance.

    Newton's method on a concave function; the last parameter is log v.
    """
    n = len(wins)
    games = wins + wins.T + draws
    x = np.zeros(n + 1)
    anchored = prior * np.ones(n)
    for _step in range(200):
        difference = x[:n, None] - x[None, :n]
        gradient, information = _slope(x[n], difference, wins, draws, games)
        # The prior: draws against a player of strength 0, and a draw and a win of the whole field.
        chance = 1 / (1 + np.exp(-x[:n]))
        gradient[:n] += anchored * (0.5 - chance)
        information[np.arange(n), np.arange(n)] += anchored * chance * (1 - chance)
        share = 1 / (1 + np.exp(-x[n]))
        gradient[n] += 0.5 - share
        information[n, n] += share * (1 - share)
        step = np.linalg.solve(information + 1e-9 * np.eye(n + 1), gradient)
        x += np.clip(step, -2, 2)
        if np.abs(step).max() < 1e-11:
            break
    x[:n] -= x[:n].mean()
    return x[:n], _centred(information)


def _slope(
    log_v: float, difference: np.ndarray, wins: np.ndarray, draws: np.ndarray, games: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """The gradient of the log likelihood, and minus its second derivatives."""
    n = len(wins)
    half = np.clip(difference / 2, -300, 300)
    up, level, down = np.exp(half), np.full((n, n), math.exp(log_v)), np.exp(-half)
    total = up + level + down
    up, level, down = up / total, level / total, down / total
    score = up + level / 2
    gradient = np.zeros(n + 1)
    gradient[:n] = (wins + draws / 2 - games * score).sum(axis=1)
    gradient[n] = (draws - games * level).sum() / 2
    # Of one game: the variance of the points, of a draw, and how they go together.
    points = up + level / 4 - score**2
    drawn = level * (1 - level)
    both = level / 2 - score * level
    information = np.zeros((n + 1, n + 1))
    information[:n, :n] = -games * points
    information[np.arange(n), np.arange(n)] = (games * points).sum(axis=1)
    information[n, n] = (games * drawn).sum() / 2
    information[:n, n] = information[n, :n] = (games * both).sum(axis=1)
    return gradient, information


def _centred(information: np.ndarray) -> np.ndarray:
    """The covariance of strengths relative to the mean of the field."""
    n = len(information) - 1
    covariance = np.linalg.inv(information + 1e-9 * np.eye(n + 1))
    centre = np.eye(n + 1)
    centre[:n, :n] -= 1 / n
    centred: np.ndarray = centre @ covariance @ centre.T
    return centred

"""Confidence intervals: how far an estimate may be from the truth.

>>> low, high = clopper_pearson(0, 1000)
>>> low, round(high, 4)
(0.0, 0.0037)
>>> [round(end, 3) for end in wilson(52, 100)]
[0.423, 0.615]

Whoever looks at many shares and names the smallest is misled twice: each interval misses its truth once
in twenty times, and the smallest of many samples is small by luck, too. `together` widens the intervals
so that with a chance of 95 % *all* of them hold (Bonferroni), whichever is then picked out; `holm` does
the same for tests. What was chosen by a sample is told by another one (see `mbegu.lab.urubugu.resist`).

>>> [round(end, 3) for end in together([(5, 1000), (7, 1000)])[0]]
[0.001, 0.013]
>>> [round(p, 2) for p in holm([0.01, 0.04, 0.03])]
[0.03, 0.06, 0.06]

Games that have something in common — an opening, a setting, dice — are not so many trials of their own.
`grouped_share` and `grouped_mean` count the groups: what would differ with other openings or settings?

>>> alike = [(k // 10, k < 50) for k in range(100)]  # ten openings, each played ten times alike
>>> [round(end, 2) for end in grouped_share(alike)]
[0.5, 0.2, 0.8]
"""

import math
from collections.abc import Hashable, Iterable, Sequence

__all__ = [
    "clopper_pearson",
    "grouped_mean",
    "grouped_share",
    "holm",
    "mean_interval",
    "sign_test",
    "together",
    "wilson",
]

Z95 = 1.959963984540054


def wilson(successes: float, count: float, z: float = Z95) -> tuple[float, float]:
    """The Wilson interval of a share; a draw may count half."""
    if count == 0:
        return 0.0, 1.0
    share = successes / count
    middle = (share + z * z / (2 * count)) / (1 + z * z / count)
    half = z / (1 + z * z / count) * math.sqrt(share * (1 - share) / count + (z / count / 2) ** 2)
    return max(middle - half, 0.0), min(middle + half, 1.0)


def clopper_pearson(successes: int, count: int, error: float = 0.05) -> tuple[float, float]:
    """The exact interval of a share: it misses the truth with at most this chance, however rare."""
    from scipy.special import betaincinv  # noqa: PLC0415 - SciPy takes its time

    if count == 0:
        return 0.0, 1.0
    failures = count - successes
    low = betaincinv(successes, failures + 1, error / 2) if successes else 0.0
    high = betaincinv(successes + 1, failures, 1 - error / 2) if failures else 1.0
    return float(low), float(high)


def together(shares: Sequence[tuple[int, int]], error: float = 0.05) -> list[tuple[float, float]]:
    """Intervals of several shares (successes, count) that are all right at once but for this chance."""
    return [clopper_pearson(*share, error / len(shares)) for share in shares]


def holm(chances: Sequence[float]) -> list[float]:
    """The chances of several tests, made so large that one may believe each below 5 % (Holm).

    The smallest is multiplied by how many there are, the next by one less, and so on; a test never
    gets a smaller one than those before it.
    """
    told, least = [0.0] * len(chances), 0.0
    for rank, k in enumerate(sorted(range(len(chances)), key=lambda k: chances[k])):
        least = max(least, min(1.0, (len(chances) - rank) * chances[k]))
        told[k] = least
    return told


def mean_interval(values: Sequence[float]) -> tuple[float, float, float]:
    """The mean of a sample and the ends of its interval."""
    count = len(values)
    if count == 0:
        return math.nan, math.nan, math.nan
    mean = math.fsum(values) / count
    if count == 1:
        return mean, -math.inf, math.inf
    variance = math.fsum((value - mean) ** 2 for value in values) / (count - 1)
    half = Z95 * math.sqrt(variance / count)
    return mean, mean - half, mean + half


def grouped_mean(results: Iterable[tuple[Hashable, float]]) -> tuple[float, float, float]:
    """The mean of (group, value) and the ends of its interval, by Student's t over the groups."""
    mean, error, groups, _count = _by_groups(results)
    half = error * _t95(groups) if groups > 1 else math.inf
    return mean, mean - half, mean + half


def grouped_share(results: Iterable[tuple[Hashable, float]]) -> tuple[float, float, float]:
    """The share of (group, success) and the ends of its interval.

    Wilson's, of as many trials as would have given the same error if each stood for itself; where
    the groups do not differ at all, as many as there are groups.
    """
    share, error, groups, count = _by_groups(results)
    if groups < 2:
        return share, 0.0, 1.0
    trials = share * (1 - share) / error**2 if error else groups
    return share, *wilson(share * min(trials, count), min(trials, count), _t95(groups))


def _by_groups(results: Iterable[tuple[Hashable, float]]) -> tuple[float, float, int, int]:
    """The mean, its standard error from the differences between groups, groups, values."""
    groups: dict[Hashable, list[float]] = {}
    for group, value in results:
        groups.setdefault(group, []).append(float(value))
    number, count = len(groups), sum(map(len, groups.values()))
    if not count:
        return math.nan, math.nan, 0, 0
    mean = math.fsum(map(math.fsum, groups.values())) / count
    # A ratio's error: groups may have unequal sizes.
    off = [math.fsum(values) - mean * len(values) for values in groups.values()]
    square = math.fsum(x * x for x in off) * number / max(number - 1, 1)
    return mean, math.sqrt(square) / count, number, count


def _t95(groups: int) -> float:
    from scipy.special import stdtrit  # noqa: PLC0415

    return float(stdtrit(groups - 1, 0.975))


def sign_test(wins: int, losses: int) -> float:
    """How likely so uneven a result is when both are equally good (two-sided, exact)."""
    from scipy.special import bdtr  # noqa: PLC0415

    count, fewer = wins + losses, min(wins, losses)
    return 1.0 if count == 0 else min(1.0, 2 * float(bdtr(fewer, count, 0.5)))

"""Confidence intervals: how far an estimate may be from the truth.

>>> low, high = clopper_pearson(0, 1000)
>>> low, round(high, 4)
(0.0, 0.0037)
>>> [round(end, 3) for end in wilson(52, 100)]
[0.423, 0.615]
"""

import math
from collections.abc import Sequence

__all__ = ["clopper_pearson", "mean_interval", "sign_test", "wilson"]

Z95 = 1.959963984540054


def wilson(successes: float, count: int, z: float = Z95) -> tuple[float, float]:
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


def sign_test(wins: int, losses: int) -> float:
    """How likely so uneven a result is when both are equally good (two-sided, exact)."""
    from scipy.special import bdtr  # noqa: PLC0415

    count, fewer = wins + losses, min(wins, losses)
    return 1.0 if count == 0 else min(1.0, 2 * float(bdtr(fewer, count, 0.5)))

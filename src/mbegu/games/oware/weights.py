"""What each feature is worth at the beginning and at the end of a game, in 1/256 of its unit.

Written by benchmarks/tune.py; see docs/evaluation.md.
"""

__all__ = ["WEIGHTS"]

WEIGHTS: dict[str, tuple[int, int]] = {
    "captured": (325, 291),
    "side": (26, -37),
    "mobility": (912, 378),
    "ones": (-155, -227),
    "twos": (36, -170),
    "hoard": (271, 1805),
    "reach": (-628, 79),
    "danger": (171, 50),
    "tempo": (-186, -4),
}

"""What each feature is worth at the beginning and at the end of a game, in 1/256 of its unit.

Found in games of the engine with itself; see docs/evaluation.md.
"""

__all__ = ["WEIGHTS"]

WEIGHTS: dict[str, tuple[int, int]] = {
    "captured": (118, 325),
    "wide": (-120, 42),
    "narrow": (54, -193),
    "mobility": (598, 553),
    "holes": (297, 157),
    "ones": (-110, -614),
    "twos": (-394, -253),
    "tempo": (-114, -733),
    "loose": (-57, 78),
}

"""What each feature is worth at the beginning and at the end of a game, in 1/256 of its unit.

Found in games of the engine with itself; see docs/evaluation.md.
"""

__all__ = ["WEIGHTS"]

WEIGHTS: dict[str, tuple[int, int]] = {
    "shot": (26, 278),
    "ahead": (-9, 82),
    "mills": (-255, 11),
    "movable": (89, 44),
    "open": (621, 158),
    "chances": (228, 63),
    "ready": (-225, 146),
    "double": (-48, 29),
    "mobility": (31, -2),
    "blocked": (92, -29),
    "crossings": (52, 43),
    "even": (-257, 9),
    "tempo": (642, 98),
    "waiting": (0, 0),
    "due": (0, 0),
}

"""What each feature is worth at the beginning and at the end of a game, in 1/256 of its unit.

Written by `mbegu lab tune`; see docs/evaluation.md.
"""

__all__ = ["WEIGHTS"]

WEIGHTS: dict[str, tuple[int, int]] = {
    "shot": (59, 353),
    "ahead": (35, 15),
    "mills": (-69, -30),
    "movable": (-2, 53),
    "open": (559, 167),
    "chances": (212, 56),
    "ready": (-118, 131),
    "double": (-126, 38),
    "mobility": (-7, 12),
    "blocked": (31, -14),
    "crossings": (46, 35),
    "even": (-64, -28),
    "tempo": (479, 177),
    "waiting": (3, 3),
    "due": (703, 437),
}

"""What each feature is worth on boards of other than six pits, at the beginning and at the end of a game.

In 1/256 of a stone. Found in games of the engine with itself; see docs/evaluation.md.
"""

__all__ = ["WEIGHTS"]

WEIGHTS: dict[str, tuple[int, int]] = {
    "side": (-21, 84),
    "mobility": (-97, 942),
    "extra": (107, 258),
    "chance": (-54, 873),
    "danger": (92, 185),
    "tempo": (346, -235),
}

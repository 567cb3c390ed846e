"""What each feature is worth at the beginning and at the end of a game, in 1/256 of its unit.

Found in games of the engine with itself; see docs/evaluation.md.
"""

__all__ = ["WEIGHTS"]

WEIGHTS: dict[str, tuple[int, int]] = {
    "beads": (650, 650),
    "front": (-341, -341),
    "cells": (81, 81),
    "columns": (-1003, -1003),
    "singles": (223, 223),
    "heads": (-201, -201),
    "tails": (39, 39),
    "heap": (-71, -71),
    "tempo": (2594, 2594),
}

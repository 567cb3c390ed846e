"""What each feature is worth at the beginning and at the end of a game, in 1/256 of its unit.

Written by benchmarks/tune.py; see docs/evaluation.md.
"""

WEIGHTS: dict[str, dict[str, tuple[int, int]]] = {
    "awale2": {
        "captured": (118, 325),
        "wide": (-120, 42),
        "narrow": (54, -193),
        "mobility": (598, 553),
        "holes": (297, 157),
        "ones": (-110, -614),
        "twos": (-394, -253),
        "tempo": (-114, -733),
        "loose": (-57, 78),
    },
    "kalah": {
        "side": (-21, 84),
        "mobility": (-97, 942),
        "extra": (107, 258),
        "chance": (-54, 873),
        "danger": (92, 185),
        "tempo": (346, -235),
    },
    "morabaraba": {
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
    },
    "oware": {
        "captured": (325, 291),
        "side": (26, -37),
        "mobility": (912, 378),
        "ones": (-155, -227),
        "twos": (36, -170),
        "hoard": (271, 1805),
        "reach": (-628, 79),
        "danger": (171, 50),
        "tempo": (-186, -4),
    },
    "urubugu": {
        "beads": (650, 650),
        "front": (-341, -341),
        "cells": (81, 81),
        "columns": (-1003, -1003),
        "singles": (223, 223),
        "heads": (-201, -201),
        "tails": (39, 39),
        "heap": (-71, -71),
        "tempo": (2594, 2594),
    },
}

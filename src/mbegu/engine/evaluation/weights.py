"""What each feature is worth at the beginning and at the end of a game, in 1/256 of its unit.

Written by benchmarks/tune.py; see docs/evaluation.md.
"""

WEIGHTS: dict[str, dict[str, tuple[int, int]]] = {
    "awale2": {
        "captured": (234, 259),
        "wide": (-56, 2),
        "narrow": (-88, -18),
        "mobility": (294, 354),
        "holes": (435, -225),
        "ones": (-325, -128),
        "twos": (-310, 63),
        "threes": (-9, 167),
        "far": (58, -56),
        "tempo": (-76, -78),
        "loose": (-62, 11),
    },
    "kalah": {
        "side": (-96, 190),
        "mobility": (403, 461),
        "extra": (142, 80),
        "chance": (315, 122),
        "danger": (110, 180),
        "tempo": (97, -54),
    },
    "morabaraba": {
        "shot": (632, 92),
        "mills": (463, 398),
        "open": (1044, 128),
        "ready": (-343, 283),
        "double": (112, -101),
        "mobility": (430, 10),
        "blocked": (-177, -28),
        "crossings": (-157, 30),
        "tempo": (1145, 53),
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

"""A position of Morabaraba on bitboards: the packed state, the numbers of points, mills and moves.

The board is three rings of eight points, joined by eight spokes: point = 8 * ring + angle, outer
ring first, counter-clockwise from a1, so corners have even angles.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from mbegu.engine.arrays import np
from mbegu.engine.kernels.bits import U

__all__ = ["ALL", "Morabaraba", "MorabarabaClassic"]

BOARD = U(0xFFFFFF)
CORNERS, MIDDLES = U(0x555555), U(0xAAAAAA)

# Moves: ADD to 0..23; STEAL 32 + at; MOVE 64 + 32 * direction + from; FLY 256 + 32 * from + to.
STEAL, MOVE, FLY, MOVES = 32, 64, 256, 1024

HAND = U(0xFF)
SCORE_ONE, SCORE = U(1 << 8), U(8)
BAN = U(32)  # where the ban begins in a player's word
KEPT = U(0xFFFF)  # the rest of a player's word
QUIET, THREE_ONE, THREE = U(0xFFFFFFFF), U(1 << 32), U(32)
SHOT = U(1 << 40)


class Morabaraba(NamedTuple):
    """The default rules.

    `mine` and `his` hold the cows in hand (bits 0..7), the cows shot (8..15) and the mills that may
    not be completed (32..51); `clock` the quiet actions (0..31), the moves with three cows (32..39)
    and whether a shot is due (40).
    """

    me: np.uint64
    op: np.uint64
    mine: np.uint64
    his: np.uint64
    clock: np.uint64


class MorabarabaClassic(NamedTuple):
    """The rules as generally played. The ban is a step: 1 + 2 * from + 64 * to."""

    me: np.uint64
    op: np.uint64
    mine: np.uint64
    his: np.uint64
    clock: np.uint64


ALL = (Morabaraba, MorabarabaClassic)

NAMES = (
    "a1 d1 g1 g4 g7 d7 a7 a4 b2 d2 f2 f4 f6 d6 b6 b4 c3 d3 e3 e4 e5 d5 c5 c4".split()
)  # by point
JSON_ORDER = "a1 d1 g1 b2 d2 f2 c3 d3 e3 a4 b4 c4 e4 f4 g4 c5 d5 e5 b6 d6 f6 a7 d7 g7".split()
MILLS = sorted(
    (
        "a1-a4-a7 b2-b4-b6 c3-c4-c5 d1-d2-d3 d5-d6-d7 e3-e4-e5 f2-f4-f6 g1-g4-g7 a1-d1-g1 b2-d2-f2 "
        "c3-d3-e3 a4-b4-c4 e4-f4-g4 c5-d5-e5 b6-d6-f6 a7-d7-g7 a1-b2-c3 c5-b6-a7 g1-f2-e3 e5-f6-g7"
    ).split(),
    key=lambda mill: sorted(map(JSON_ORDER.index, mill.split("-"))),
)
POINT = {name: point for point, name in enumerate(NAMES)}


def _mills() -> tuple[Any, Any]:
    """The points of each mill; and for each point, up to three times, a mill's points and its bit."""
    points = [sum(1 << POINT[name] for name in mill.split("-")) for mill in MILLS]
    through = np.full((24, 6), 0xFFFFFFFF, np.uint64)  # a mill of 32 cows is never complete
    for point in range(24):
        mills = [i for i in range(20) if points[i] >> point & 1]
        for j, i in enumerate(mills):
            through[point, 2 * j : 2 * j + 2] = points[i], 1 << i
    return np.array(points, np.uint64), through


MILL_POINTS, MILLS_THROUGH = _mills()


def _ends() -> list[int]:
    """[32 * direction + point] -> where a step leads: on, back, inward, outward."""
    table = [0] * 128
    for point in range(24):
        ring, angle = point & 24, point & 7
        table[point] = ring | (angle + 1) & 7
        table[32 + point] = ring | (angle - 1) & 7
        table[64 + point] = point + 8
        table[96 + point] = max(point - 8, 0)
    return table


ENDS = _ends()  # for whoever has no NumPy, too
STEP = np.array(ENDS, np.uint8)

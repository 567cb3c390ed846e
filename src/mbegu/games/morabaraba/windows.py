"""Tables over nine points: what it is worth to have these cows on a side of the board and its spokes.

A *window* is three points of each ring, one beside the other: corner, middle and corner of a side, where six
lines lie. Each point is empty, mine or his, so there are 3**9 boards of a window; those that
look the same mirrored or inside out share an *entry*. The four sides of the board share a table, and each
*stage* of the game has its own: by the cows in hand, then by those on the board, then by who may fly.

`windows.bin` holds the entries, in 1/64 of a cow; `mbegu lab tune` writes it.
"""

# mypy: allow-untyped-defs, allow-untyped-calls
# Compiled functions have no annotations: Numba infers their types, a set for each game.

from __future__ import annotations

from pathlib import Path
from typing import Any

from mbegu.engine.arrays import np
from mbegu.engine.jit import inlined, int64
from mbegu.engine.kernels.bits import FF, ZERO, U, popcount

__all__ = ["ENTRIES", "FILE", "UNIT", "WINDOWS", "by_windows", "entries"]

POINTS, STAGES, WINDOWS = 9, 9, 4
BOARDS = 3**POINTS
UNIT = 4  # of an entry, in 1/256 of a cow
FILE = Path(__file__).with_name("windows.bin")
THREE_COLUMNS = U(0x1FF)


def _in_base_three(bits: int) -> int:
    return sum(3**place for place in range(POINTS) if bits >> place & 1)


def _likes() -> Any:
    """[board] -> its entry: the number of the first board that looks the same."""
    if not hasattr(np, "unique"):  # nobody reads them there, see mbegu.engine.arrays
        return np.zeros(1)
    boards = np.arange(BOARDS)
    points = [boards // 3**point % 3 for point in range(POINTS)]  # three of each column
    first = boards
    for mirrored, inside_out in ((False, True), (True, False), (True, True)):
        places = [
            3 * (2 - column if mirrored else column) + (2 - ring if inside_out else ring)
            for column in range(3)
            for ring in range(3)
        ]
        turned = sum(points[place] * 3**i for i, place in enumerate(places))
        first = np.minimum(first, turned)
    return np.unique(first, return_inverse=True)[1].astype(np.int32)


LIKE = _likes()
LIKES = 5346  # entries of a stage
ENTRIES = STAGES * LIKES
# A ring's byte with two bits between its points: those of a column come to stand side by side.
SPREAD = np.array(
    [sum(1 << 3 * angle for angle in range(8) if byte >> angle & 1) for byte in range(256)],
    np.uint64,
)
MINE = np.array([_in_base_three(bits) for bits in range(1 << POINTS)], np.int16)
HIS = np.array([2 * _in_base_three(bits) for bits in range(1 << POINTS)], np.int16)


def _worths() -> Any:
    """[stage * BOARDS + board] -> what it is worth."""
    if not hasattr(np, "frombuffer"):
        return np.zeros(1)
    import zlib  # noqa: PLC0415 - not there in a tab

    told = np.frombuffer(zlib.decompress(FILE.read_bytes()), np.int8)
    return told.reshape(STAGES, LIKES)[:, LIKE].reshape(-1).copy()


WORTH = _worths()


@inlined
def _stage(me, op, hand):
    """The stage of a game: five while cows are placed, two while both step, and one for each who may fly."""
    if hand != ZERO:
        return int64((U(25) - hand) // U(5))
    if popcount(me) <= U(3):
        return int64(7)
    if popcount(op) <= U(3):
        return int64(8)
    return int64(5) if popcount(me | op) >= U(15) else int64(6)


@inlined
def _columns(cows):
    """The points column by column, those of the outer ring first, and the first columns once more."""
    outer, middle, inner = cows & FF, (cows >> U(8)) & FF, (cows >> U(16)) & FF
    columns = U(SPREAD[outer]) | (U(SPREAD[middle]) << U(1)) | (U(SPREAD[inner]) << U(2))
    return columns | (columns << U(24))


@inlined
def _board(mine, his, side):
    """The number of a window's board."""
    place = U(6 * side)
    return int64(MINE[(mine >> place) & THREE_COLUMNS]) + int64(HIS[(his >> place) & THREE_COLUMNS])


@inlined
def by_windows(me, op, hand):
    """What the four windows are worth to `me`, who is to move, with so many cows in hand of both."""
    first = _stage(me, op, hand) * BOARDS
    mine, his = _columns(me), _columns(op)
    worth = int64(0)
    for side in range(WINDOWS):
        worth += int64(WORTH[first + _board(mine, his, side)])
    return worth * UNIT


@inlined
def entries(me, op, hand, row):
    """Writes the entries of the four windows."""
    first = _stage(me, op, hand) * LIKES
    mine, his = _columns(me), _columns(op)
    for side in range(WINDOWS):
        row[side] = first + LIKE[_board(mine, his, side)]

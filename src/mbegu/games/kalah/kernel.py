"""Kalah on packed integers.

Six pits stand in lanes 0..5 of a word and the store in lane 6, a word for each player; a sowing is
one table row: what to add to either word and where the last stone fell. Other numbers of pits use
two words a player and cost about twice as much.
"""

# mypy: allow-untyped-defs, allow-untyped-calls
# Compiled functions have no annotations: Numba infers their types, a set for each game.

from __future__ import annotations

from typing import Any, NamedTuple

from mbegu.engine.arrays import np
from mbegu.engine.jit import inlined, int64
from mbegu.engine.kernels import interface as the
from mbegu.engine.kernels.bits import (
    FF,
    ONE,
    ONES,
    ZERO,
    U,
    counts,
    gather,
    lane,
    lanes,
    mix,
    occupied,
    total,
)
from mbegu.engine.kernels.interface import implement
from mbegu.engine.kernels.masks import one_bit_a_move, one_lane_a_move

__all__ = [
    "MOVES",
    "Kalah",
    "KalahEmptyCapture",
    "KalahWide",
    "actions",
    "from_move",
    "pack",
    "to_move",
    "unpack",
    "width",
]

PARTS = (  # imported with the kernel
    *("mbegu.games.kalah.evaluation", "mbegu.games.kalah.knowledge"),
    "mbegu.games.kalah.probe",
)
MOVES = 10
PITS = U(0x0000FFFFFFFFFFFF)
STORE = U(48)


class Kalah(NamedTuple):
    """Six pits a side, the default rules."""

    me: np.uint64
    op: np.uint64
    again: np.uint64


class KalahEmptyCapture(NamedTuple):
    """Six pits a side; a last stone facing an empty pit is taken too."""

    me: np.uint64
    op: np.uint64
    again: np.uint64


class KalahWide(NamedTuple):
    """Any number of pits: lanes 0..7 of the first word, 0..1 of the second, whose top lane is the store."""

    me: np.uint64
    me2: np.uint64
    op: np.uint64
    op2: np.uint64
    again: np.uint64
    pits: np.uint64
    empty_capture: np.uint64


SIX = (Kalah, KalahEmptyCapture)
ALL = (*SIX, KalahWide)


def _sowings() -> Any:
    """[pit, stones] -> what to add to my word (the emptied pit included) and to the other's, the
    lane of the last stone if it is mine, and the lane across if it is a pit of mine."""
    table = np.zeros((6, 256, 4), np.uint64)
    for pit in range(6):
        ring, at = [0] * 13, pit
        for stones in range(1, 256):
            at = (at + 1) % 13
            ring[at] += 1
            mine = lanes(ring[:7]) - (stones << (8 * pit))
            table[pit, stones, 0] = mine % 2**64
            table[pit, stones, 1] = lanes(ring[7:])
            table[pit, stones, 2] = 0xFF << (8 * at) if at < 7 else 0
            table[pit, stones, 3] = 0xFF << (8 * (5 - at)) if at < 6 else 0
    return table


SOW = _sowings()


@inlined
def _turn(me, op, move, empty_capture):
    """Both words after a move, still seen from the mover, and whether he moves again."""
    pit = U(move)
    row = SOW[pit, lane(me, pit)]
    me += row[0]
    op += row[1]
    last, across = row[2], row[3]
    # Without a branch: whether there is something to take is what a processor guesses worst.
    facing = op & across
    alone = (me & last) == (last & ONES)
    taken = alone & ((across if empty_capture else facing) != ZERO)
    hand = ZERO - U(taken)
    facing &= hand
    me = (me & ~(last & hand)) + ((total(facing) << STORE) + ((ONE & hand) << STORE))
    op ^= facing
    if (me & PITS) == ZERO or (op & PITS) == ZERO:
        me = (me & ~PITS) + (total(me & PITS) << STORE)
        op = (op & ~PITS) + (total(op & PITS) << STORE)
    return me, op, last >> STORE


@implement(the.play, Kalah)
def _play(state, move):
    me, op, again = _turn(state.me, state.op, move, False)
    if again:
        return Kalah(me, op, ONE)
    return Kalah(op, me, ZERO)


@implement(the.play, KalahEmptyCapture)
def _play_empty_capture(state, move):
    me, op, again = _turn(state.me, state.op, move, True)
    if again:
        return KalahEmptyCapture(me, op, ONE)
    return KalahEmptyCapture(op, me, ZERO)


@inlined
def _folded(me, op, empty_capture):
    """All moves made: how many, and the exclusive or of all words. The loop has six rounds whatever lies in
    the pits, because a processor guesses wrong how many moves there are, once a board, and that costs as much as
    three moves. An empty pit sows nothing, and what it leaves is taken out again."""
    count, check = 0, ZERO
    for pit in range(6):
        stones = lane(me, U(pit))
        mine, his, again = _turn(me, op, pit, empty_capture)
        made = stones != ZERO
        count += made
        check ^= (mine ^ his ^ (again & ONE)) if made else ZERO
    return count, check


@implement(the.last_ply, Kalah)
def _last_ply(state):
    return _folded(state.me, state.op, False)


@implement(the.last_ply, KalahEmptyCapture)
def _last_ply_empty_capture(state):
    return _folded(state.me, state.op, True)


@implement(the.legal, *SIX)
def _legal(state):
    return occupied(state.me & PITS)


one_lane_a_move(*SIX)
one_bit_a_move(KalahWide)


@implement(the.again, *ALL)
def _again(state):
    return state.again != ZERO


@implement(the.over, *SIX)
def _over(state):
    return (state.me & PITS) == ZERO


@implement(the.margin, *SIX)
def _margin(state):
    return int64(state.me >> STORE) - int64(state.op >> STORE)


@implement(the.key, *SIX)
def _key(state):
    return mix(state.me, state.op)


@implement(the.irreversible, *ALL)
def _irreversible(before, after):
    return True  # between two captures or stores stones only move on: nothing comes again


# ---- any number of pits ---------------------------------------------------------------------------

STORE2 = U(56)
PITS2 = U(0xFFFF)


def _wide_sowings() -> tuple[Any, Any]:
    """Lanes of the first stones of a sowing, fewer than one round, and of one stone in every pit."""
    rows = np.zeros((11, 10, 21, 4), np.uint64)
    rounds = np.zeros((11, 4), np.uint64)

    def words(ring: list[int], pits: int) -> list[int]:
        mine, his = ring[:pits] + [0] * (10 - pits), ring[pits + 1 :] + [0] * (10 - pits)
        return [
            lanes(mine[:8]),
            lanes(mine[8:]) + (ring[pits] << 56),
            lanes(his[:8]),
            lanes(his[8:]),
        ]

    for pits in range(1, 11):
        rounds[pits] = words([1] * (2 * pits + 1), pits)
        for pit in range(pits):
            ring = [0] * (2 * pits + 1)
            for stones in range(1, 2 * pits + 1):
                ring[(pit + stones) % (2 * pits + 1)] += 1
                rows[pits, pit, stones] = words(ring, pits)
    return rows, rounds


WIDE, ROUND = _wide_sowings()


@inlined
def _pit(low, high, pit):
    return lane(low, pit) if pit < U(8) else lane(high, pit - U(8))


@inlined
def _cleared(low, high, pit):
    if pit < U(8):
        return low & ~(FF << (pit << U(3))), high
    return low, high & ~(FF << ((pit - U(8)) << U(3)))


@implement(the.play, KalahWide)
def _play_wide(state, move):
    pits, pit = state.pits, U(move)
    ring = pits + pits + ONE
    stones = _pit(state.me, state.me2, pit)
    me, me2 = _cleared(state.me, state.me2, pit)
    rounds, left = stones // ring, stones % ring
    row, one = WIDE[pits, pit, left], ROUND[pits]
    me += row[0] + rounds * one[0]
    me2 += row[1] + rounds * one[1]
    op = state.op + row[2] + rounds * one[2]
    op2 = state.op2 + row[3] + rounds * one[3]
    last = (pit + left) % ring
    if last < pits and _pit(me, me2, last) == ONE:
        across = pits - ONE - last
        facing = _pit(op, op2, across)
        if facing != ZERO or state.empty_capture != ZERO:
            me, me2 = _cleared(me, me2, last)
            op, op2 = _cleared(op, op2, across)
            me2 += (facing + ONE) << STORE2
    if (me | (me2 & PITS2)) == ZERO or (op | (op2 & PITS2)) == ZERO:
        me2 = (me2 & ~PITS2) + ((total(me) + total(me2 & PITS2)) << STORE2)
        op2 = (op2 & ~PITS2) + ((total(op) + total(op2 & PITS2)) << STORE2)
        me = op = ZERO
    if last == pits:
        return KalahWide(me, me2, op, op2, ONE, pits, state.empty_capture)
    return KalahWide(op, op2, me, me2, ZERO, pits, state.empty_capture)


@implement(the.legal, KalahWide)
def _legal_wide(state):
    return gather(occupied(state.me)) | (gather(occupied(state.me2 & PITS2)) << U(8))


@implement(the.over, KalahWide)
def _over_wide(state):
    return (state.me | (state.me2 & PITS2)) == ZERO


@implement(the.margin, KalahWide)
def _margin_wide(state):
    return int64(state.me2 >> STORE2) - int64(state.op2 >> STORE2)


@implement(the.key, KalahWide)
def _key_wide(state):
    return mix(mix(state.me, state.op), state.me2 ^ (state.op2 << U(16)) ^ (state.op2 >> U(24)))


# ---- to and from Python ---------------------------------------------------------------------------


def pack(json_state: dict[str, Any], options: dict[str, Any]) -> Any:
    """The state of `{"pits": [...], "to_move": 0 | 1}`."""
    row = list(json_state["pits"])
    half = len(row) // 2
    if sum(row) > 255 or not 2 <= half <= 11 or len(row) != 2 * half or min(row) < 0:
        raise ValueError("the Kalah kernel takes 1 to 10 pits a side and at most 255 stones")
    player = json_state["to_move"]
    mine, his = (row[:half], row[half:]) if player == 0 else (row[half:], row[:half])
    if not any(mine[:-1]) or not any(his[:-1]):  # set up by hand: the game is over already
        mine, his = ([0] * (half - 1) + [sum(side)] for side in (mine, his))
    empty_capture = bool(options.get("empty_capture", False))
    if half == 7:
        six = KalahEmptyCapture if empty_capture else Kalah
        return six(U(lanes(mine)), U(lanes(his)), ZERO)

    def words(side: list[int]) -> tuple[Any, Any]:
        pits = side[:-1] + [0] * (11 - len(side))
        return U(lanes(pits[:8])), U(lanes(pits[8:]) + (side[-1] << 56))

    return KalahWide(*words(mine), *words(his), ZERO, U(half - 1), U(empty_capture))


def unpack(state: Any, player: int, over: bool, options: dict[str, Any]) -> dict[str, Any]:
    """The JSON of a state in which `player` is to act (or stands as `me`, when the game is over)."""
    if len(state) == 3:
        mine, his = counts(state.me, 7), counts(state.op, 7)
    else:

        def side(low: int, high: int) -> list[int]:
            return [*(counts(low, 8) + counts(high, 2))[: int(state.pits)], int(high) >> 56]

        mine, his = side(state.me, state.me2), side(state.op, state.op2)
    return {
        "pits": mine + his if player == 0 else his + mine,
        "to_move": None if over else player,
    }


def to_move(move: Any, player: int, options: dict[str, Any]) -> int:
    """The kernel's move of a move as the rules write it."""
    return int(move)


def from_move(move: int, player: int, options: dict[str, Any]) -> int:
    """A kernel's move as the rules write it."""
    return move


def actions(options: dict[str, Any]) -> int:
    """How many moves there are on a board of this length."""
    return int(options.get("pits", 6))


def width(options: dict[str, Any]) -> int:
    """How many bytes a learner sees."""
    return 2 * int(options.get("pits", 6)) + 2

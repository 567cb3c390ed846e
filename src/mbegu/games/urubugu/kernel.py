"""Urubugu (Igisoro) on packed integers: a whole turn on four words.

A player's back row (cells 1..8) is one word, his front row (cells 9..16) another. In its column,
front lane i faces the opponent's front lane 7 - i and his back lane i.
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
    HIGH,
    LOW7,
    ONE,
    ZERO,
    U,
    counts,
    gather,
    lanes,
    mix,
    occupied,
    total,
)
from mbegu.engine.kernels.interface import implement
from mbegu.engine.kernels.masks import one_bit_a_move

__all__ = [
    "MOVES",
    "Urubugu",
    "UrubuguVariant",
    "from_move",
    "pack",
    "scored",
    "to_move",
    "unpack",
    "width",
]

PARTS = (
    "mbegu.games.urubugu.evaluation",
    "mbegu.games.urubugu.knowledge",
)  # imported with the kernel
LOST_SOON = True  # a lost game ends within a few moves
MOVES = 16
LAP_CAP = 10_000  # under some variants a turn can relay for ever


class Urubugu(NamedTuple):
    """The default rules."""

    back: np.uint64
    front: np.uint64
    op_back: np.uint64
    op_front: np.uint64


class UrubuguVariant(NamedTuple):
    """Other rules, as a sum of the bits below."""

    back: np.uint64
    front: np.uint64
    op_back: np.uint64
    op_front: np.uint64
    rules: np.uint64


ALL = (Urubugu, UrubuguVariant)
START_TWO, CAPTURE_BOTH, LANDING_OCCUPIED, RESTART_TURN = U(1), U(2), U(4), U(8)


def _sowings() -> Any:
    """[origin, beads] -> what to add to the back and the front row."""
    table = np.zeros((16, 256, 2), np.uint64)
    for origin in range(16):
        ring = [0] * 16
        for beads in range(1, 256):
            ring[(origin + beads) % 16] += 1
            table[origin, beads] = lanes(ring[:8]), lanes(ring[8:])
    return table


SOW = _sowings()


@inlined
def _lift(back, front, cell):
    """The beads of a cell, and both rows without them."""
    shift = (cell & U(7)) << U(3)
    if cell < U(8):
        return (back >> shift) & FF, back & ~(FF << shift), front
    return (front >> shift) & FF, back, front & ~(FF << shift)


@inlined
def _turn(state, move, rules):
    """The four words after a whole turn. With `rules` a constant 0 the variants cost nothing."""
    back, front, op_back, op_front = state.back, state.front, state.op_back, state.op_front
    start = origin = U(move)
    beads, back, front = _lift(back, front, origin)
    laps = 0
    while True:
        row = SOW[origin, beads]
        back += row[0]
        front += row[1]
        if (op_back | op_front) == ZERO:
            break  # the last bead was captured: this was the final lap
        if rules != ZERO:
            laps += 1
            if laps == LAP_CAP:
                break
        last = (origin + beads) & U(15)
        shift = (last & U(7)) << U(3)
        if last >= U(8):
            across = U(56) - shift
            his_front, his_back = (op_front >> across) & FF, (op_back >> shift) & FF
            taken = his_front + his_back
            if (rules & CAPTURE_BOTH) != ZERO and min(his_front, his_back) == ZERO:
                taken = ZERO
            if (rules & LANDING_OCCUPIED) != ZERO and (front >> shift) & FF == ONE:
                taken = ZERO
            if taken != ZERO:
                op_front &= ~(FF << across)
                op_back &= ~(FF << shift)
                beads = taken
                if (rules & RESTART_TURN) != ZERO:
                    origin = start
                continue
            beads = (front >> shift) & FF
            if beads == ONE:
                break
            front &= ~(FF << shift)
        else:
            beads = (back >> shift) & FF
            if beads == ONE:
                break
            back &= ~(FF << shift)
        origin = last
    return back, front, op_back, op_front


@implement(the.play, Urubugu)
def _play(state, move):
    back, front, op_back, op_front = _turn(state, move, ZERO)
    return Urubugu(op_back, op_front, back, front)


@implement(the.play, UrubuguVariant)
def _play_variant(state, move):
    back, front, op_back, op_front = _turn(state, move, state.rules)
    return UrubuguVariant(op_back, op_front, back, front, state.rules)


@inlined
def _two_or_more(word):
    """Bit 8i + 7 is set where lane i holds at least two."""
    return (((word & LOW7) + U(0x7E7E7E7E7E7E7E7E)) | word) & HIGH


@implement(the.legal, Urubugu)
def _legal(state):
    if (state.op_back | state.op_front) == ZERO:
        return ZERO
    return gather(occupied(state.back)) | (gather(occupied(state.front)) << U(8))


@implement(the.legal, UrubuguVariant)
def _legal_variant(state):
    if (state.op_back | state.op_front) == ZERO:
        return ZERO
    if (state.rules & START_TWO) != ZERO:
        return gather(_two_or_more(state.back)) | (gather(_two_or_more(state.front)) << U(8))
    return gather(occupied(state.back)) | (gather(occupied(state.front)) << U(8))


one_bit_a_move(*ALL)


@implement(the.again, *ALL)
def _again(state):
    return False


@implement(the.over, *ALL)
def _over(state):
    return the.legal(state) == ZERO


@inlined
def _beads(back, front):
    return int64(total(back) + total(front))


@implement(the.margin, *ALL)
def _margin(state):
    mine, his = _beads(state.back, state.front), _beads(state.op_back, state.op_front)
    if mine != 0 and his != 0:
        return -mine - his  # no cell holds enough beads to start: as bad as having none
    return mine - his


@implement(the.key, *ALL)
def _key(state):
    return mix(mix(state.back, state.front), mix(state.op_back, state.op_front))


@implement(the.irreversible, *ALL)
def _irreversible(before, after):
    return False  # beads come and go between the players: any position may come again


# ---- to and from Python ---------------------------------------------------------------------------


def scored(options: dict[str, Any]) -> bool:
    """Whoever needs two beads in a cell to start may lose with beads on his side."""
    return bool(options.get("start_min", 1) == 1)


def pack(json_state: dict[str, Any], options: dict[str, Any]) -> Any:
    """The state of `{"p0": [16], "p1": [16], "to_move": 0 | 1}`."""
    sides = [list(json_state["p0"]), list(json_state["p1"])]
    both = sides[0] + sides[1]
    if len(both) != 32 or len(sides[0]) != 16 or sum(both) > 255 or min(both) < 0:
        raise ValueError("the Urubugu kernel takes 16 cells a side and at most 255 beads")
    if json_state["to_move"] == 1:
        sides.reverse()
    words = [U(lanes(side[i : i + 8])) for side in sides for i in (0, 8)]
    rules = _rules(options)
    if rules:
        words.append(U(rules))
    return (UrubuguVariant if rules else Urubugu)(*words)


def _rules(options: dict[str, Any]) -> int:
    if options.get("traditional", False):
        return int(START_TWO | CAPTURE_BOTH | LANDING_OCCUPIED)
    rules = 0
    if options.get("start_min", 1) == 2:
        rules |= int(START_TWO)
    if options.get("capture", "any") == "both":
        rules |= int(CAPTURE_BOTH)
    if options.get("landing", "any") == "occupied":
        rules |= int(LANDING_OCCUPIED)
    if options.get("restart", "lap") == "turn":
        rules |= int(RESTART_TURN)
    return rules


def unpack(state: Any, player: int, over: bool, options: dict[str, Any]) -> dict[str, Any]:
    """The JSON of a state in which `player` is to act (or stands as `me`, when the game is over)."""
    mine = counts(state.back, 8) + counts(state.front, 8)
    his = counts(state.op_back, 8) + counts(state.op_front, 8)
    return {
        "p0": mine if player == 0 else his,
        "p1": his if player == 0 else mine,
        "to_move": None if over else player,
    }


def to_move(move: Any, player: int, options: dict[str, Any]) -> int:
    """The kernel's move of a move as the rules write it."""
    return int(move) - 1


def from_move(move: int, player: int, options: dict[str, Any]) -> int:
    """A kernel's move as the rules write it."""
    return move + 1


def width(options: dict[str, Any]) -> int:
    """How many bytes a learner sees."""
    return 32

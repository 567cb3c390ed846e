"""Oware Abapa on packed integers.

A player's six houses stand in lanes 0..5 of a word, his captured seeds in lane 6. A sowing is one
table row; a capture is found without a loop: of the opponent's houses up to the last one sown, take
those above the highest that holds neither two nor three.
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
    ZERO,
    U,
    counts,
    lane,
    lanes,
    leading_zeros,
    mix,
    occupied,
    total,
)
from mbegu.engine.kernels.interface import implement
from mbegu.engine.kernels.masks import one_lane_a_move

__all__ = ["MOVES", "Oware", "OwareVariant", "from_move", "pack", "to_move", "unpack", "width"]

PARTS = (
    "mbegu.games.oware.evaluation",
    "mbegu.games.oware.knowledge",
    "mbegu.games.oware.probe",
)  # imported with the kernel
MOVES = 6
HOUSES = U(0x0000FFFFFFFFFFFF)
CAPTURED = U(48)
TWO_OR_THREE = U(0x020202020202)
BUT_LAST_BIT = U(0xFEFEFEFEFEFE)
TO_25 = U(231 << 48)  # added to a word: carries into lane 7 from 25 captured seeds on
ALL_BITS = U(0xFFFFFFFFFFFFFFFF)
MIN_SEEDS = U(6)

FORFEIT, ILLEGAL, TAKE = U(0), U(1), U(2)
GRAND_SLAMS = {"forfeit": FORFEIT, "illegal": ILLEGAL, "take": TAKE}


class Oware(NamedTuple):
    """The default rules."""

    me: np.uint64
    op: np.uint64


class OwareVariant(NamedTuple):
    """Other rules about grand slams or the fewest seeds to play on with."""

    me: np.uint64
    op: np.uint64
    grand_slam: np.uint64
    min_seeds: np.uint64


ALL = (Oware, OwareVariant)


def _sowings() -> Any:
    """[house, seeds] -> what to add to my word (the emptied house included) and to the opponent's,
    and his houses up to the one sown last, if it is his."""
    table = np.zeros((6, 256, 4), np.uint64)
    for house in range(6):
        ring, at = [0] * 12, house
        for seeds in range(1, 256):
            at = (at + 1) % 12
            if at == house:
                at = (at + 1) % 12
            ring[at] += 1
            mine = lanes(ring[:6]) - (seeds << (8 * house))
            table[house, seeds, 0] = mine % 2**64
            table[house, seeds, 1] = lanes(ring[6:])
            table[house, seeds, 2] = 2 ** (8 * (at - 5)) - 1 if at > 5 else 0
    return table


SOW = _sowings()


@inlined
def sown(me, op, move):
    """Both words after the sowing, and the houses to be captured if no grand slam forbids it.

    The last lines are `chain`, written out: calling it costs four moves of a hundred, inlined or not.
    """
    house = U(move)
    row = SOW[house, lane(me, house)]
    me += row[0]
    op += row[1]
    reach = row[2]
    spared = ((op & BUT_LAST_BIT) ^ TWO_OR_THREE) & reach
    top = U(63) - leading_zeros((spared << U(8)) | ONE)
    return me, op, reach & (ALL_BITS << (top & U(56)))


@inlined
def chain(op, reach):
    """Of the opponent's houses up to the last one sown, those that would be captured."""
    spared = ((op & BUT_LAST_BIT) ^ TWO_OR_THREE) & reach
    top = U(63) - leading_zeros((spared << U(8)) | ONE)
    return reach & (ALL_BITS << (top & U(56)))


@inlined
def is_slam(op, take):
    return (op & HOUSES & ~take) == ZERO


@inlined
def _captured(me, op, take):
    return me + (total(op & take) << CAPTURED), op & ~take


@implement(the.play, Oware)
def _play(state, move):
    me, op, take = sown(state.me, state.op, move)
    if is_slam(op, take):
        take = ZERO
    me, op = _captured(me, op, take)
    return Oware(op, me)


@implement(the.play, OwareVariant)
def _play_variant(state, move):
    me, op, take = sown(state.me, state.op, move)
    if state.grand_slam == FORFEIT and is_slam(op, take):  # an illegal one is played if it must be
        take = ZERO
    me, op = _captured(me, op, take)
    return OwareVariant(op, me, state.grand_slam, state.min_seeds)


@inlined
def _ended(me, op, min_seeds):
    """25 captured, or too few seeds on the board."""
    majority = ((me + TO_25) | (op + TO_25)) >> U(56) != ZERO
    return majority or total((me & HOUSES) + (op & HOUSES)) < min_seeds


@inlined
def _feeding(me, moves):
    """Of these moves, the ones that reach the other side."""
    for house in range(6):
        if lane(me, U(house)) < U(6 - house):
            moves &= ~(FF << U(8 * house))
    return moves


@inlined
def movable(me, op):
    moves = occupied(me & HOUSES)
    if (op & HOUSES) == ZERO:
        return _feeding(me, moves)
    return moves


@implement(the.legal, Oware)
def _legal(state):
    if _ended(state.me, state.op, MIN_SEEDS):
        return ZERO
    return movable(state.me, state.op)


@implement(the.legal, OwareVariant)
def _legal_variant(state):
    if _ended(state.me, state.op, state.min_seeds):
        return ZERO
    moves = movable(state.me, state.op)
    if state.grand_slam != ILLEGAL:
        return moves
    kept = moves
    for house in range(6):
        if (moves >> U(8 * house + 7)) & ONE != ZERO:
            _, op, take = sown(state.me, state.op, house)
            if take != ZERO and is_slam(op, take):
                kept &= ~(FF << U(8 * house))
    return kept if kept != ZERO else moves


one_lane_a_move(*ALL)


@implement(the.again, *ALL)
def _again(state):
    return False


@implement(the.over, *ALL)
def _over(state):
    return the.legal(state) == ZERO


@implement(the.margin, *ALL)
def _margin(state):
    return int64(total(state.me)) - int64(total(state.op))  # each keeps the seeds on his side


@implement(the.key, *ALL)
def _key(state):
    return mix(state.me, state.op)


@implement(the.irreversible, *ALL)
def _irreversible(before, after):
    return (before.me >> CAPTURED) != (after.op >> CAPTURED)


# ---- to and from Python ---------------------------------------------------------------------------


def pack(json_state: dict[str, Any], options: dict[str, Any]) -> Any:
    """The state of `{"board": [12], "score": [2], "to_move": 0 | 1}`."""
    board, score = list(json_state["board"]), list(json_state["score"])
    if len(board) != 12 or sum(board) + sum(score) > 255 or min(board + score) < 0:
        raise ValueError(
            "the Oware kernel takes 12 houses and at most 255 seeds, captured ones included"
        )
    sides = [U(lanes([*board[6 * p : 6 * p + 6], score[p]])) for p in (0, 1)]
    player = json_state["to_move"]
    grand_slam, min_seeds = options.get("grand_slam", "forfeit"), options.get("min_seeds", 6)
    if (grand_slam, min_seeds) == ("forfeit", 6):
        return Oware(sides[player], sides[1 - player])
    return OwareVariant(sides[player], sides[1 - player], GRAND_SLAMS[grand_slam], U(min_seeds))


def unpack(state: Any, player: int, over: bool, options: dict[str, Any]) -> dict[str, Any]:
    """The JSON of a state in which `player` is to act (or stands as `me`, when the game is over)."""
    sides = [counts(state.me, 7), counts(state.op, 7)]
    if player == 1:
        sides.reverse()
    return {
        "board": sides[0][:6] + sides[1][:6],
        "score": [sides[0][6], sides[1][6]],
        "to_move": None if over else player,
    }


def to_move(move: Any, player: int, options: dict[str, Any]) -> int:
    """The kernel's move of a move as the rules write it."""
    return int(move) - 6 * player


def from_move(move: int, player: int, options: dict[str, Any]) -> int:
    """A kernel's move as the rules write it."""
    return move + 6 * player


def width(options: dict[str, Any]) -> int:
    """How many bytes a learner sees."""
    return 14

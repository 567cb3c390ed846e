"""Toguz Kumalak on packed integers.

Two words for each player: houses 1 to 8 in the lanes of one; in the other house 9 (lane 0), the number of
his tuzdyk on the other side (lane 5, 0 for none) and his kazan (lane 7). `me` is to move.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numba import int64

from mbegu.engine.jit import inlined
from mbegu.engine.kernels import interface as the
from mbegu.engine.kernels.bits import FF, ONE, ZERO, U, counts, gather, lane, lanes, occupied
from mbegu.engine.kernels.interface import implement
from mbegu.engine.kernels.masks import one_bit_a_move

__all__ = ["MOVES", "PARTS", "State", "from_move", "pack", "to_move", "unpack"]

MOVES = 9
PARTS = ("mbegu_toguz.evaluation",)
KAZAN, TUZDYK = U(56), U(40)
EIGHT, NINE = U(8), U(9)
MAJORITY = U(82)
ALL_BALLS = 162


class State(NamedTuple):
    """The houses of the player to move, and of the other."""

    me: np.uint64
    my: np.uint64
    op: np.uint64
    his: np.uint64


@inlined
def count(low, high, house):
    """The balls in a house, counted from 0."""
    return lane(low, house) if house < EIGHT else high & FF


@inlined
def _sow(state, move):
    """The four words after the sowing, and where the last ball fell: 0 to 8 mine, 9 to 17 his."""
    me, my, op, his = state.me, state.my, state.op, state.his
    at = U(move)
    hand = count(me, my, at)
    if at < EIGHT:
        me &= ~(FF << (at << U(3)))
    else:
        my &= ~FF
    my_tuzdyk, his_tuzdyk = (my >> TUZDYK) & FF, (his >> TUZDYK) & FF
    if hand == ONE:
        at += ONE
    last = at
    for _ball in range(int64(hand)):
        last = at
        if at < NINE:
            if his_tuzdyk == at + ONE:
                his += ONE << KAZAN
            elif at < EIGHT:
                me += ONE << (at << U(3))
            else:
                my += ONE
        else:
            house = at - NINE
            if my_tuzdyk == house + ONE:
                my += ONE << KAZAN
            elif house < EIGHT:
                op += ONE << (house << U(3))
            else:
                his += ONE
        at = at + ONE if at < U(17) else ZERO
    return me, my, op, his, last


@implement(the.play, State)
def _play(state, move):
    me, my, op, his, last = _sow(state, move)
    my_tuzdyk, his_tuzdyk = (my >> TUZDYK) & FF, (his >> TUZDYK) & FF
    if last >= NINE and my_tuzdyk != last - U(8):
        house = last - NINE
        caught = count(op, his, house)
        even = caught & ONE == ZERO
        free = my_tuzdyk == ZERO and house != EIGHT and his_tuzdyk != house + ONE
        if even or (caught == U(3) and free):
            if not even:
                my |= (house + ONE) << TUZDYK
            my += caught << KAZAN
            if house < EIGHT:
                op &= ~(FF << (house << U(3)))
            else:
                his &= ~FF
    return State(op, his, me, my)


@implement(the.legal, State)
def _legal(state):
    if (state.my >> KAZAN) >= MAJORITY or (state.his >> KAZAN) >= MAJORITY:
        return ZERO
    ninth = ONE << EIGHT if state.my & FF != ZERO else ZERO
    return gather(occupied(state.me)) | ninth


one_bit_a_move(State)


@inlined
def side(low, high):
    """The balls in all houses of a player: they may be more than a lane holds."""
    evens, odds = low & U(0x00FF00FF00FF00FF), (low >> U(8)) & U(0x00FF00FF00FF00FF)
    pairs = evens + odds
    return int64(((pairs * U(0x0001000100010001)) >> U(48)) + (high & FF))


@implement(the.margin, State)
def _margin(state):
    mine, his = int64(state.my >> KAZAN), int64(state.his >> KAZAN)
    return mine + side(state.me, state.my) - his - side(state.op, state.his)


@implement(the.irreversible, State)
def _irreversible(before, after):
    return (before.my >> KAZAN) != (after.his >> KAZAN)


# ---- to and from Python ---------------------------------------------------------------------------


def pack(json_state: dict[str, Any], options: dict[str, Any]) -> Any:
    """The state of the rules' JSON."""
    board, score, tuzdyk = (json_state[name] for name in ("board", "score", "tuzdyk"))
    player = json_state["to_move"] or 0
    if len(board) != 18 or sum(board) + sum(score) > ALL_BALLS:
        raise ValueError("the toguz kernel takes 18 houses and at most 162 balls")
    words = []
    for who in (player, 1 - player):
        row = board[9 * who : 9 * who + 9]
        words += [U(lanes(row[:8])), U(row[8] | tuzdyk[who] << 40 | score[who] << 56)]
    return State(*words)


def unpack(state: Any, player: int, over: bool, options: dict[str, Any]) -> dict[str, Any]:
    """The JSON of a state in which `player` stands as `me`."""
    halves = [
        ([*counts(low, 8), int(high) & 0xFF], int(high) >> 56, int(high) >> 40 & 0xFF)
        for low, high in ((state.me, state.my), (state.op, state.his))
    ]
    if player == 1:
        halves.reverse()
    return {
        "board": halves[0][0] + halves[1][0],
        "score": [half[1] for half in halves],
        "tuzdyk": [half[2] for half in halves],
        "to_move": None if over else player,
    }


def to_move(move: Any, player: int, options: dict[str, Any]) -> int:
    """The kernel's move of a move as the rules write it."""
    return int(move) - 1


def from_move(move: int, player: int, options: dict[str, Any]) -> int:
    """A kernel's move as the rules write it."""
    return move + 1

"""Two-colour Awale on packed integers.

The players' holes alternate on the ring, so a word holds the eight holes of one player in one
colour: four words. `a` is the colour that is sown everywhere and `b` the one that is sown into the
opponent's holes only; `red_everywhere=False` merely exchanges them when a position is packed.
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
    gather,
    lane,
    lanes,
    leading_zeros,
    mix,
    occupied,
    total,
)
from mbegu.engine.kernels.interface import implement
from mbegu.engine.kernels.masks import one_bit_a_move

__all__ = ["MOVES", "Awale2", "Awale2Variant", "from_move", "pack", "to_move", "unpack", "width"]

PARTS = (
    "mbegu.games.awale2.evaluation",
    "mbegu.games.awale2.knowledge",
    "mbegu.games.awale2.probe",
)  # imported with the kernel
MOVES = 16  # lane + 8 for colour b
TWO_OR_THREE = U(0x0202020202020202)
BUT_LAST_BIT = U(0xFEFEFEFEFEFEFEFE)
ALL_SEEDS = 64
MAJORITY, MIN_SEEDS = U(33), U(8)


class Awale2(NamedTuple):
    """The default rules. Lanes keep their place on the ring, so `side` says whose they are."""

    a: np.uint64
    b: np.uint64
    op_a: np.uint64
    op_b: np.uint64
    score: np.uint64
    op_score: np.uint64
    side: np.uint64


class Awale2Variant(NamedTuple):
    """Other rules, as a sum of the bits below."""

    a: np.uint64
    b: np.uint64
    op_a: np.uint64
    op_b: np.uint64
    score: np.uint64
    op_score: np.uint64
    side: np.uint64
    rules: np.uint64


ALL = (Awale2, Awale2Variant)
CHAIN_SOWN, FEW_FIRST = U(1), U(2)


def _sowings() -> Any:
    """[side, move, seeds] -> what to add to my holes (the emptied one included) and to the
    opponent's, and the place on the ring of the last seed."""
    table = np.zeros((2, 16, ALL_SEEDS + 1, 4), np.uint64)
    for side in (0, 1):
        for move in range(16):
            origin = at = 2 * (move % 8) + side
            words = [0, 0]
            for seeds in range(1, ALL_SEEDS + 1):
                at = (at + 1) % 16
                if at == origin or (move >= 8 and at % 2 == side):
                    at = (at + 1) % 16
                words[at % 2] += 1 << (8 * (at // 2))
                mine = words[side] - (seeds << (8 * (move % 8)))
                table[side, move, seeds, :3] = mine % 2**64, words[1 - side], at
    return table


def _takings() -> Any:
    """[side, last, length] -> the lanes of mine and of the opponent's that a chain takes."""
    table = np.zeros((2, 16, 17, 2), np.uint64)
    for last in range(16):
        words = [0, 0]
        for length in range(1, 17):
            at = (last - length + 1) % 16
            words[at % 2] |= 0xFF << (8 * (at // 2))
            table[0, last, length] = words
            table[1, last, length] = words[::-1]
    return table


SOW = _sowings()
TAKE = _takings()
SPREAD = np.array(
    [sum((bits >> i & 1) << (2 * i) for i in range(8)) for bits in range(256)], np.uint64
)


@inlined
def _blocked(a, b):
    """The holes of a player, as bits 0, 2, 4..., that hold neither two nor three seeds."""
    return SPREAD[gather(occupied(((a + b) & BUT_LAST_BIT) ^ TWO_OR_THREE))]


@inlined
def _chain(blocked, last):
    """How many holes are taken from the last one backwards round the ring."""
    ring = (blocked << (U(15) - last)) | (blocked >> (last + ONE))
    return leading_zeros((ring << U(48)) | (ONE << U(47)))


@inlined
def _sown_chain(blocked, last, origin, seeds, everywhere):
    """The holes taken, as bits of the ring, when only holes sown this turn may be."""
    taken, at = ZERO, last
    for _ in range(min(int64(seeds), 15)):
        if (blocked >> at) & ONE != ZERO:
            break
        taken |= ONE << at
        at = (at - ONE) & U(15) if everywhere else (at - U(2)) & U(15)
        if at == origin:
            at = (at - ONE) & U(15)
    return taken


@inlined
def _lanes_of(ring, side):
    """The full lanes of one player's holes among bits of the ring."""
    word = ZERO
    for i in range(8):
        if (ring >> (U(2 * i) + side)) & ONE != ZERO:
            word |= FF << U(8 * i)
    return word


@inlined
def _turn(state, move, rules):
    """The holes of both and the mover's score after a move, seen from the mover still."""
    side = state.side
    pick = U(move)
    a, b, op_a, op_b = state.a, state.b, state.op_a, state.op_b
    everywhere = pick < U(8)
    seeds = lane(a if everywhere else b, pick & U(7))
    row = SOW[side, pick, seeds]
    if everywhere:
        a += row[0]
        op_a += row[1]
    else:
        b += row[0]
        op_b += row[1]
    last = row[2]
    blocked = (_blocked(a, b) << side) | (_blocked(op_a, op_b) << (ONE - side))
    if (rules & CHAIN_SOWN) != ZERO:
        ring = _sown_chain(blocked, last, ((pick & U(7)) << ONE) + side, seeds, everywhere)
        mine, his = _lanes_of(ring, side), _lanes_of(ring, ONE - side)
    else:
        take = TAKE[side, last, _chain(blocked, last)]
        mine, his = take[0], take[1]
    score = state.score + total(((a + b) & mine) + ((op_a + op_b) & his))
    a, b, op_a, op_b = a & ~mine, b & ~mine, op_a & ~his, op_b & ~his
    if (op_a | op_b) == ZERO and score < MAJORITY:
        left = total(a + b)
        if (rules & FEW_FIRST) == ZERO or left >= MIN_SEEDS:  # he is starved: I take the rest
            score += left
            a = b = ZERO
    return a, b, op_a, op_b, score


@implement(the.play, Awale2)
def _play(state, move):
    a, b, op_a, op_b, score = _turn(state, move, ZERO)
    return Awale2(op_a, op_b, a, b, state.op_score, score, state.side ^ ONE)


@implement(the.play, Awale2Variant)
def _play_variant(state, move):
    a, b, op_a, op_b, score = _turn(state, move, state.rules)
    side = state.side ^ ONE
    return Awale2Variant(op_a, op_b, a, b, state.op_score, score, side, state.rules)


@implement(the.legal, *ALL)
def _legal(state):
    if state.score >= MAJORITY or state.op_score >= MAJORITY:
        return ZERO
    if total(state.a + state.b + state.op_a + state.op_b) < MIN_SEEDS:
        return ZERO  # 32 to 32 ends here too: the board is empty
    return gather(occupied(state.a)) | (gather(occupied(state.b)) << U(8))


one_bit_a_move(*ALL)


@implement(the.again, *ALL)
def _again(state):
    return False


@implement(the.over, *ALL)
def _over(state):
    return the.legal(state) == ZERO


@implement(the.margin, *ALL)
def _margin(state):
    return int64(state.score) - int64(state.op_score)  # seeds left on the board count for nobody


@implement(the.key, *ALL)
def _key(state):
    rest = state.score | (state.op_score << U(8)) | (state.side << U(16))
    return mix(mix(state.a, state.b), mix(state.op_a ^ (rest << U(40)), state.op_b ^ rest))


@implement(the.irreversible, *ALL)
def _irreversible(before, after):
    return before.score != after.op_score


# ---- to and from Python ---------------------------------------------------------------------------


def _colours(options: dict[str, Any]) -> tuple[str, str]:
    return ("red", "blue") if options.get("red_everywhere", True) else ("blue", "red")


def pack(json_state: dict[str, Any], options: dict[str, Any]) -> Any:
    """The state of `{"red": [16], "blue": [16], "score": [2], "to_move": 0 | 1}`."""
    red, blue, score = (list(json_state[name]) for name in ("red", "blue", "score"))
    numbers = red + blue + score
    if len(red) != 16 or len(blue) != 16 or sum(numbers) > ALL_SEEDS or min(numbers) < 0:
        raise ValueError(
            "the awale2 kernel takes 16 holes and at most 64 seeds, captured ones included"
        )
    side = json_state["to_move"]
    a, b = (red, blue) if options.get("red_everywhere", True) else (blue, red)
    rules = 0
    if options.get("chain", "ring") == "sown":
        rules |= int(CHAIN_SOWN)
    if not options.get("starve_first", True):
        rules |= int(FEW_FIRST)
    left = sum(red) + sum(blue)
    few_first = left < MIN_SEEDS and rules & int(FEW_FIRST)
    if not any(red[side::2]) and not any(blue[side::2]) and max(score) < MAJORITY and not few_first:
        score[1 - side] += left  # set up by hand: he is starved already
        a = b = [0] * 16
    words = [U(lanes(colour[who::2])) for who in (side, 1 - side) for colour in (a, b)]
    words += [U(score[side]), U(score[1 - side]), U(side)]
    if rules:
        words.append(U(rules))
    return (Awale2Variant if rules else Awale2)(*words)


def unpack(state: Any, player: int, over: bool, options: dict[str, Any]) -> dict[str, Any]:
    """The JSON of a state in which `player` is to act (or stands as `me`, when the game is over)."""
    rings = []
    for mine, his in ((state.a, state.op_a), (state.b, state.op_b)):
        ring = [0] * 16
        ring[player::2], ring[1 - player :: 2] = counts(mine, 8), counts(his, 8)
        rings.append(ring)
    score = [int(state.score), int(state.op_score)]
    a, b = _colours(options)
    board = {a: rings[0], b: rings[1]}
    return {
        "red": board["red"],
        "blue": board["blue"],
        "score": score if player == 0 else score[::-1],
        "to_move": None if over else player,
    }


def to_move(move: Any, player: int, options: dict[str, Any]) -> int:
    """The kernel's move of a move as the rules write it: "3R"."""
    hole, colour = int(move[:-1]) - 1, move[-1]
    return hole // 2 + (0 if (colour == "R") == options.get("red_everywhere", True) else 8)


def from_move(move: int, player: int, options: dict[str, Any]) -> str:
    """A kernel's move as the rules write it."""
    red = (move < 8) == options.get("red_everywhere", True)
    return f"{2 * (move % 8) + player + 1}{'R' if red else 'B'}"


def width(options: dict[str, Any]) -> int:
    """How many bytes a learner sees."""
    return 35

"""Morabaraba on packed integers.

The board is three rings of eight points, joined by eight spokes: point = 8 * ring + angle, outer
ring first, counter-clockwise from a1, so corners have even angles. A step is a rotation within the
rings or a shift by eight, and the points that would complete a mill are found for the whole board
at once.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numba import int64

from mbegu.engine.jit import inlined
from mbegu.engine.kernels import interface as the
from mbegu.engine.kernels.bits import ONE, ZERO, U, lowest, mix, nth_of_word, popcount
from mbegu.engine.kernels.interface import implement

BOARD = U(0xFFFFFF)
CORNERS, MIDDLES = U(0x555555), U(0xAAAAAA)

# Moves: ADD to 0..23; STEAL 32 + at; MOVE 64 + 32 * direction + from; FLY 256 + 32 * from + to.
STEAL, MOVE, FLY, MOVES = 32, 64, 256, 1024

HAND = U(0xFF)
SCORE_ONE, SCORE = U(1 << 8), U(8)
BAN = U(32)  # where the ban begins in a player's word
KEPT = U(0xFFFF)  # the rest of a player's word
QUIET, THREE_ONE, THREE = U(0xFF), U(1 << 8), U(8)
SHOT = U(1 << 16)

ANY_TWO_COWS, ANY_TEN, ANY_FIFTY = U(10), U(10), U(50)


class Morabaraba(NamedTuple):
    """The default rules.

    `mine` and `his` hold the cows in hand (bits 0..7), the cows shot (8..15) and the mills that may
    not be completed (32..51); `clock` the quiet actions (0..7), the moves with three cows (8..15)
    and whether a shot is due (16).
    """

    me: np.uint64
    op: np.uint64
    mine: np.uint64
    his: np.uint64
    clock: np.uint64


ALL = (Morabaraba,)

NAMES = (
    "a1 d1 g1 g4 g7 d7 a7 a4 b2 d2 f2 f4 f6 d6 b6 b4 c3 d3 e3 e4 e5 d5 c5 c4".split()
)  # by point
JSON_ORDER = "a1 d1 g1 b2 d2 f2 c3 d3 e3 a4 b4 c4 e4 f4 g4 c5 d5 e5 b6 d6 f6 a7 d7 g7".split()
MILLS = (
    "a1-a4-a7 b2-b4-b6 c3-c4-c5 d1-d2-d3 d5-d6-d7 e3-e4-e5 f2-f4-f6 g1-g4-g7 a1-d1-g1 b2-d2-f2 "
    "c3-d3-e3 a4-b4-c4 e4-f4-g4 c5-d5-e5 b6-d6-f6 a7-d7-g7 a1-b2-c3 c5-b6-a7 g1-f2-e3 e5-f6-g7"
).split()
POINT = {name: point for point, name in enumerate(NAMES)}


def _mills() -> tuple[Any, Any]:
    """The points of each mill, and for each point its mills as bits."""
    points = np.zeros(20, np.uint64)
    through = np.zeros(24, np.uint64)
    for i, mill in enumerate(MILLS):
        for name in mill.split("-"):
            points[i] |= U(1 << POINT[name])
            through[POINT[name]] |= U(1 << i)
    return points, through


MILL_POINTS, MILLS_THROUGH = _mills()


# ---- steps and mills of the whole board -----------------------------------------------------------


@inlined
def _forward(points):  # type: ignore[no-untyped-def]
    """Every point one step on, counter-clockwise."""
    return ((points << ONE) & U(0xFEFEFE)) | ((points >> U(7)) & U(0x010101))


@inlined
def _backward(points):  # type: ignore[no-untyped-def]
    return ((points >> ONE) & U(0x7F7F7F)) | ((points << U(7)) & U(0x808080))


@inlined
def _inward(points):  # type: ignore[no-untyped-def]
    return (points << U(8)) & BOARD


@inlined
def _outward(points):  # type: ignore[no-untyped-def]
    return points >> U(8)


@inlined
def _step(point_bit, direction):  # type: ignore[no-untyped-def]
    if direction < 2:
        return _forward(point_bit) if direction == 0 else _backward(point_bit)
    return _inward(point_bit) if direction == 2 else _outward(point_bit)


@inlined
def _closing(cows):  # type: ignore[no-untyped-def]
    """The points whose two partners in some mill are both held."""
    before, after = _forward(cows), _backward(cows)
    middles = before & after & MIDDLES
    corners = ((before & _forward(before)) | (after & _backward(after))) & CORNERS
    spokes = ((cows >> U(8)) | (cows << U(16))) & ((cows >> U(16)) | (cows << U(8)))
    return middles | corners | (spokes & BOARD)


# ---- playing --------------------------------------------------------------------------------------


@inlined
def _broken(cows, point):  # type: ignore[no-untyped-def]
    """The mills through a point that are complete, as bits."""
    broken, mills = ZERO, MILLS_THROUGH[point]
    while mills != ZERO:
        mill = lowest(mills)
        mills &= mills - ONE
        points = MILL_POINTS[mill]
        if (cows & points) == points:
            broken |= ONE << mill
    return broken


@inlined
def _add(state, move):  # type: ignore[no-untyped-def]
    cow = ONE << U(move)
    me, mine, clock = state.me | cow, state.mine - ONE, state.clock + ONE
    if _closing(state.me) & cow != ZERO:
        return Morabaraba(me, state.op, mine, state.his, clock | SHOT)
    return Morabaraba(state.op, me, state.his, mine, clock)


@inlined
def _folded(state):  # type: ignore[no-untyped-def]
    return state.me ^ state.op ^ state.mine ^ state.his ^ state.clock


@inlined
def _steal(state, move):  # type: ignore[no-untyped-def]
    cow = ONE << U(move - STEAL)
    return Morabaraba(state.op ^ cow, state.me, state.his, state.mine + SCORE_ONE, ZERO)


@inlined
def _go(state, start, end):  # type: ignore[no-untyped-def]
    """MOVE or FLY from one point (a number) to another (a bit)."""
    left = state.me ^ (ONE << start)
    me, mine, clock = left | end, state.mine & KEPT, state.clock + ONE
    if (_closing(left) >> start) & ONE != ZERO:
        mine |= _broken(state.me, start) << BAN
    if _closing(left) & end != ZERO:
        return Morabaraba(me, state.op, mine, state.his, clock | SHOT)
    if popcount(me) <= U(3) or popcount(state.op) <= U(3):
        if (mine | state.his) & HAND == ZERO:
            clock += THREE_ONE
    return Morabaraba(state.op, me, state.his, mine, clock)


@implement(the.play, Morabaraba)
def _play(state, move):  # type: ignore[no-untyped-def]
    if move < STEAL:
        return _add(state, move)
    if move < MOVE:
        return _steal(state, move)
    if move < FLY:
        start = U(move) & U(31)
        return _go(state, start, _step(ONE << start, (move - MOVE) >> 5))
    return _go(state, U((move - FLY) >> 5), ONE << (U(move) & U(31)))


# ---- legal moves: two words of bits ---------------------------------------------------------------


@inlined
def _ended(state):  # type: ignore[no-untyped-def]
    """Whether a score or a counter ends the game; a shot that is due comes first."""
    if state.clock & SHOT != ZERO:
        return False
    mine, his = (state.mine >> SCORE) & HAND, (state.his >> SCORE) & HAND
    quiet, three = state.clock & QUIET, (state.clock >> THREE) & HAND
    return mine >= U(10) or his >= U(10) or quiet >= U(50) or three >= U(10)


@inlined
def _targets(op):  # type: ignore[no-untyped-def]
    """The cows that may be shot: those outside mills, or all if there are none."""
    free = op & ~_closing(op)
    return free if free != ZERO else op


@inlined
def _steps(me, empty, ban):  # type: ignore[no-untyped-def]
    forward, backward = me & _backward(empty), me & _forward(empty)
    inward, outward = me & _outward(empty), me & _inward(empty)
    while ban != ZERO:
        points = MILL_POINTS[lowest(ban)]
        ban &= ban - ONE
        gap = points & empty
        if popcount(points & me) == U(2) and gap != ZERO:
            # Only a cow of the mill itself may go there: it does not complete the mill.
            forward &= points | ~_backward(gap)
            backward &= points | ~_forward(gap)
            inward &= points | ~_outward(gap)
            outward &= points | ~_inward(gap)
    return forward | (backward << U(32)), inward | (outward << U(32))


@inlined
def _flights(cow, empty, me, ban):  # type: ignore[no-untyped-def]
    """Where one cow may fly to."""
    ends = empty
    while ban != ZERO:
        points = MILL_POINTS[lowest(ban)]
        ban &= ban - ONE
        if popcount(points & me) == U(2) and points & cow == ZERO:
            ends &= ~points
    return ends if cow != ZERO else ZERO


@inlined
def _cow(me, rank):  # type: ignore[no-untyped-def]
    """One of at most three cows, as a bit, by its rank; nothing if there are fewer."""
    for _ in range(rank):
        me &= me - ONE if me != ZERO else ZERO
    return me & (ZERO - me)


@inlined
def _legal_actions(state):  # type: ignore[no-untyped-def]
    me, op = state.me, state.op
    if state.clock & SHOT != ZERO:
        return _targets(op) << U(32), ZERO
    if _ended(state):
        return ZERO, ZERO
    empty = BOARD & ~(me | op)
    if state.mine & HAND != ZERO:
        return empty, ZERO
    ban = state.mine >> BAN
    if popcount(me) > U(3):
        return _steps(me, empty, ban)
    low = _flights(_cow(me, 0), empty, me, ban) | (_flights(_cow(me, 1), empty, me, ban) << U(32))
    return low, _flights(_cow(me, 2), empty, me, ban)


@implement(the.legal, *ALL)
def _legal(state):  # type: ignore[no-untyped-def]
    return _legal_actions(state)


@inlined
def _action(state, bit):  # type: ignore[no-untyped-def]
    """The move that stands for a bit of the two words."""
    if state.clock & SHOT != ZERO or state.mine & HAND != ZERO:
        return int64(bit)
    if popcount(state.me) > U(3):
        return int64(bit) + MOVE
    return FLY + (int64(lowest(_cow(state.me, int64(bit >> U(5))))) << 5) + int64(bit & U(31))


@inlined
def _travel(state, bit):  # type: ignore[no-untyped-def]
    """MOVE or FLY as a bit of the two words tells."""
    if popcount(state.me) > U(3):
        start = bit & U(31)
        return _go(state, start, _step(ONE << start, int64(bit >> U(5))))
    return _go(state, lowest(_cow(state.me, int64(bit >> U(5)))), ONE << (bit & U(31)))


@inlined
def _bit(state, move):  # type: ignore[no-untyped-def]
    """The bit that would stand for a move in this state, or 128."""
    shot, hand = state.clock & SHOT != ZERO, state.mine & HAND != ZERO
    if move < MOVE:
        fits = shot if move >= STEAL else (hand and not shot)
        return U(move) if fits else U(128)
    if shot or hand or (popcount(state.me) > U(3)) != (move < FLY):
        return U(128)
    if move < FLY:
        return U(move - MOVE)
    start = ONE << U((move - FLY) >> 5)
    if state.me & start == ZERO:
        return U(128)
    return (popcount(state.me & (start - ONE)) << U(5)) + (U(move) & U(31))


@implement(the.some, *ALL)
def _some(state, moves):  # type: ignore[no-untyped-def]
    return (moves[0] | moves[1]) != ZERO


@implement(the.size, *ALL)
def _size(state, moves):  # type: ignore[no-untyped-def]
    return int64(popcount(moves[0]) + popcount(moves[1]))


@implement(the.first, *ALL)
def _first(state, moves):  # type: ignore[no-untyped-def]
    low, high = moves
    return _action(state, lowest(low) if low != ZERO else lowest(high) + U(64))


@implement(the.rest, *ALL)
def _rest(state, moves):  # type: ignore[no-untyped-def]
    low, high = moves
    if low != ZERO:
        return low & (low - ONE), high
    return low, high & (high - ONE)


@implement(the.nth, *ALL)
def _nth(state, moves, k):  # type: ignore[no-untyped-def]
    low, high = moves
    here = popcount(low)
    if U(k) < here:
        return _action(state, nth_of_word(low, U(k)))
    return _action(state, nth_of_word(high, U(k) - here) + U(64))


@implement(the.contains, *ALL)
def _contains(state, moves, move):  # type: ignore[no-untyped-def]
    bit = _bit(state, move)
    if bit < U(64):
        return (moves[0] >> bit) & ONE != ZERO
    return bit < U(128) and (moves[1] >> (bit - U(64))) & ONE != ZERO


# Knowing the phase once for all moves of a state makes them twice as fast.
@implement(the.last_ply, *ALL)
def _last_ply(state):  # type: ignore[no-untyped-def]
    low, high = _legal_actions(state)
    count, check = int64(popcount(low) + popcount(high)), ZERO
    if state.clock & SHOT != ZERO:
        while low != ZERO:
            check ^= _folded(_steal(state, lowest(low)))
            low &= low - ONE
    elif state.mine & HAND != ZERO:
        while low != ZERO:
            check ^= _folded(_add(state, lowest(low)))
            low &= low - ONE
    else:
        while low != ZERO:
            check ^= _folded(_travel(state, lowest(low)))
            low &= low - ONE
        while high != ZERO:
            check ^= _folded(_travel(state, lowest(high) + U(64)))
            high &= high - ONE
    return count, check


# ---- the rest of the interface --------------------------------------------------------------------


@implement(the.again, *ALL)
def _again(state):  # type: ignore[no-untyped-def]
    return state.clock & SHOT != ZERO


@implement(the.over, *ALL)
def _over(state):  # type: ignore[no-untyped-def]
    low, high = _legal_actions(state)
    return (low | high) == ZERO


@inlined
def _lead(state):  # type: ignore[no-untyped-def]
    return int64((state.mine >> SCORE) & HAND) - int64((state.his >> SCORE) & HAND)


@implement(the.margin, Morabaraba)
def _margin(state):  # type: ignore[no-untyped-def]
    return _lead(state)


@implement(the.evaluate, *ALL)
def _evaluate(state):  # type: ignore[no-untyped-def]
    return _lead(state)


@implement(the.key, *ALL)
def _key(state):  # type: ignore[no-untyped-def]
    boards = state.me | (state.op << U(24)) | (state.clock << U(48))
    players = state.mine ^ (state.his << U(12)) ^ (state.his >> U(32)) ^ (state.clock << U(60))
    return mix(boards, players)


@implement(the.irreversible, *ALL)
def _irreversible(before, after):  # type: ignore[no-untyped-def]
    return before.clock & SHOT != ZERO or before.mine & HAND != ZERO


# ---- to and from Python ---------------------------------------------------------------------------


def pack(json_state: dict[str, Any], options: dict[str, Any]) -> Any:
    """The state of a Morabaraba position (its JSON is described in the rules)."""
    board = dict(zip(JSON_ORDER, json_state["board"], strict=True))
    player = 0 if json_state["turn"] == -1 else 1

    def cows(mark: str) -> int:
        return sum(1 << POINT[name] for name, cow in board.items() if cow == mark)

    def word(who: int) -> int:
        ban = sum(1 << MILLS.index(mill) for mill in json_state["ban"][who])
        return int(json_state["in_hand"][who] | json_state["score"][who] << 8 | ban << 32)

    clock = json_state["quiet"] | json_state["three"] << 8
    if json_state["phase"] == "STEAL":
        clock |= int(SHOT)
    sides = ["xo"[player], "ox"[player]]
    return Morabaraba(
        U(cows(sides[0])), U(cows(sides[1])), U(word(player)), U(word(1 - player)), U(clock)
    )


def unpack(state: Any, player: int, over: bool, options: dict[str, Any]) -> dict[str, Any]:
    """The JSON of a state in which `player` is to act."""
    me, op, mine, his, clock = (int(word) for word in state[:5])
    marks = "xo" if player == 0 else "ox"
    points = ["." for _ in NAMES]
    for mark, cows in zip(marks, (me, op), strict=True):
        for point in range(24):
            if cows >> point & 1:
                points[point] = mark
    words = [mine, his] if player == 0 else [his, mine]
    score = [word >> 8 & 0xFF for word in words]
    quiet, three = clock & 0xFF, clock >> 8 & 0xFF
    if over:
        phase = "OVER"
    elif clock & int(SHOT):
        phase = "STEAL"
    elif mine & 0xFF:
        phase = "ADD"
    else:
        phase = "MOVE" if me.bit_count() > 3 else "FLY"
    return {
        "board": "".join(points[POINT[name]] for name in JSON_ORDER),
        "turn": (-1, 1)[player],
        "phase": phase,
        "in_hand": [word & 0xFF for word in words],
        "score": score,
        "ban": [[mill for i, mill in enumerate(MILLS) if word >> 32 >> i & 1] for word in words],
        "quiet": quiet,
        "three": three,
        "over": _ending(score, quiet, three) if over else None,
    }


def _ending(score: list[int], quiet: int, three: int) -> dict[str, Any]:
    lead = score[1] - score[0]
    if max(score) >= 10:
        reason = "two_cows"
    elif three >= 10:
        reason = "ten_moves"
    elif quiet >= 50:
        reason = "fifty_moves"
    else:
        reason = "no_moves"
    return {"reason": reason, "winner": (lead > 0) - (lead < 0)}


_STEPS = [
    lambda p: p & 24 | p + 1 & 7,
    lambda p: p & 24 | p - 1 & 7,
    lambda p: p + 8,
    lambda p: p - 8,
]


def to_move(move: Any, player: int, options: dict[str, Any]) -> int:
    """The kernel's move of an action as the rules write it: "MOVE a1 a4"."""
    kind, *names = move.split()
    points = [POINT[name] for name in names]
    if kind == "ADD":
        return points[0]
    if kind == "STEAL":
        return STEAL + points[0]
    start, end = points
    if kind == "FLY":
        return FLY + 32 * start + end
    direction = next(d for d, step in enumerate(_STEPS) if step(start) == end)
    return MOVE + 32 * direction + start


def from_move(move: int, player: int, options: dict[str, Any]) -> str:
    """A kernel's move as the rules write it."""
    if move < STEAL:
        return f"ADD {NAMES[move]}"
    if move < MOVE:
        return f"STEAL {NAMES[move - STEAL]}"
    if move < FLY:
        start = move & 31
        return f"MOVE {NAMES[start]} {NAMES[_STEPS[(move - MOVE) >> 5](start)]}"
    return f"FLY {NAMES[(move - FLY) >> 5]} {NAMES[move & 31]}"

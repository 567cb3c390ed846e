"""Morabaraba on bitboards, packed integers.

The board is three rings of eight points, joined by eight spokes: point = 8 * ring + angle, outer
ring first, counter-clockwise from a1, so corners have even angles. A step is a rotation within the
rings or a shift by eight, and the points that would complete a mill are found for the whole board
at once.
"""

# mypy: allow-untyped-defs, allow-untyped-calls
# Compiled functions have no annotations: Numba infers their types, a set for each game.

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from mbegu.engine.jit import inlined, int64
from mbegu.engine.kernels import interface as the
from mbegu.engine.kernels.bits import ONE, ZERO, U, lowest, mix, nth_bit, popcount
from mbegu.engine.kernels.interface import implement

__all__ = [
    "MOVES",
    "Morabaraba",
    "MorabarabaClassic",
    "from_move",
    "pack",
    "player",
    "seated",
    "to_move",
    "unpack",
    "width",
]

BOARD = U(0xFFFFFF)
CORNERS, MIDDLES = U(0x555555), U(0xAAAAAA)

# Moves: ADD to 0..23; STEAL 32 + at; MOVE 64 + 32 * direction + from; FLY 256 + 32 * from + to.
PARTS = (
    "mbegu.games.morabaraba.evaluation",
    "mbegu.games.morabaraba.knowledge",
)  # imported with the kernel
GAINS = (2, 4)  # `gain` tells of the mill and of its shot, two for each
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
    points = np.zeros(20, np.uint64)
    through = np.full((24, 6), 0xFFFFFFFF, np.uint64)  # a mill of 32 cows is never complete
    for i, mill in enumerate(MILLS):
        points[i] = sum(1 << POINT[name] for name in mill.split("-"))
    for point in range(24):
        mills = [i for i in range(20) if int(points[i]) >> point & 1]
        for j, i in enumerate(mills):
            through[point, 2 * j : 2 * j + 2] = points[i], 1 << i
    return points, through


MILL_POINTS, MILLS_THROUGH = _mills()


def _ends() -> Any:
    """[32 * direction + point] -> where a step leads: on, back, inward, outward."""
    table = np.zeros(128, np.uint8)
    for point in range(24):
        ring, angle = point & 24, point & 7
        table[point] = ring | (angle + 1) & 7
        table[32 + point] = ring | (angle - 1) & 7
        table[64 + point] = point + 8
        table[96 + point] = max(point - 8, 0)
    return table


STEP = _ends()


# ---- steps and mills of the whole board -----------------------------------------------------------


@inlined
def _forward(points):
    """Every point one step on, counter-clockwise."""
    return ((points << ONE) & U(0xFEFEFE)) | ((points >> U(7)) & U(0x010101))


@inlined
def _backward(points):
    return ((points >> ONE) & U(0x7F7F7F)) | ((points << U(7)) & U(0x808080))


@inlined
def _inward(points):
    return (points << U(8)) & BOARD


@inlined
def _outward(points):
    return points >> U(8)


@inlined
def _closing(cows):
    """The points whose two partners in some mill are both held."""
    before, after = _forward(cows), _backward(cows)
    middles = before & after & MIDDLES
    corners = ((before & _forward(before)) | (after & _backward(after))) & CORNERS
    spokes = ((cows >> U(8)) | (cows << U(16))) & ((cows >> U(16)) | (cows << U(8)))
    return middles | corners | (spokes & BOARD)


# ---- playing: the five words, seen from the mover still ----------------------------------------------


@inlined
def _broken(cows, point):
    """The mills through a point that are complete, as bits."""
    mills = MILLS_THROUGH[point]
    broken = mills[1] if cows & mills[0] == mills[0] else ZERO
    broken |= mills[3] if cows & mills[2] == mills[2] else ZERO
    return broken | (mills[5] if cows & mills[4] == mills[4] else ZERO)


@inlined
def _add(state, point):
    cow = ONE << point
    clock = state.clock + ONE
    if _closing(state.me) & cow != ZERO:
        clock |= SHOT
    return state.me | cow, state.op, state.mine - ONE, state.his, clock


@inlined
def _steal(state, point):
    return state.me, state.op ^ (ONE << point), state.mine + SCORE_ONE, state.his, ZERO


@inlined
def _go(state, start, end, classic):
    """MOVE or FLY from one point to another."""
    cow = ONE << end
    left = state.me ^ (ONE << start)
    mine, clock = state.mine & KEPT, state.clock + ONE
    closing = _closing(state.me)
    breaks = (closing >> start) & ONE != ZERO
    # Most ends close nothing whichever cow comes; only then is it worth asking which one came.
    if (closing >> end) & ONE != ZERO and _closing(left) & cow != ZERO:
        clock |= SHOT
    elif (popcount(state.me) <= U(3) or popcount(state.op) <= U(3)) and (
        (state.mine | state.his) & HAND == ZERO
    ):
        clock += THREE_ONE
    if breaks:
        if not classic:
            mine |= _broken(state.me, start) << BAN
        elif clock & SHOT != ZERO:
            mine |= (ONE | (end << ONE) | (start << U(6))) << BAN
    return left | cow, state.op, mine, state.his, clock


@inlined
def _words(state, move, classic):
    if move < STEAL:
        return _add(state, U(move))
    if move < MOVE:
        return _steal(state, U(move - STEAL))
    start, end = U((move - FLY) >> 5), U(move) & U(31)
    if move < FLY:
        start, end = U(move) & U(31), U(STEP[U(move - MOVE)])
    return _go(state, start, end, classic)


@implement(the.play, Morabaraba)
def _play(state, move):
    me, op, mine, his, clock = _words(state, move, False)
    if clock & SHOT != ZERO:
        return Morabaraba(me, op, mine, his, clock)
    return Morabaraba(op, me, his, mine, clock)


@implement(the.play, MorabarabaClassic)
def _play_classic(state, move):
    me, op, mine, his, clock = _words(state, move, True)
    if clock & SHOT != ZERO:
        return MorabarabaClassic(me, op, mine, his, clock)
    return MorabarabaClassic(op, me, his, mine, clock)


# ---- legal moves: two words of bits ---------------------------------------------------------------


@inlined
def _ended(state, classic):
    """Whether a score or a counter ends the game."""
    mine, his = (state.mine >> SCORE) & HAND, (state.his >> SCORE) & HAND
    if mine >= U(10) or his >= U(10) or ((state.clock >> THREE) & HAND) >= U(10):
        return True
    return not classic and (state.clock & QUIET) >= U(50)


@inlined
def _targets(op):
    """The cows that may be shot: those outside mills, or all if there are none."""
    free = op & ~_closing(op)
    return free if free != ZERO else op


@inlined
def _steps(me, empty, ban):
    """The starts of all steps: on and back in one word, inward and outward in the other."""
    on, back = me & _backward(empty), me & _forward(empty)
    inward, outward = me & _outward(empty), me & _inward(empty)
    while ban != ZERO:
        points = MILL_POINTS[lowest(ban)]
        ban &= ban - ONE
        gap = points & empty
        if popcount(points & me) == U(2) and gap != ZERO:
            # Only a cow of the mill itself may go there: it does not complete the mill.
            on &= points | ~_backward(gap)
            back &= points | ~_forward(gap)
            inward &= points | ~_outward(gap)
            outward &= points | ~_inward(gap)
    return on | (back << U(32)), inward | (outward << U(32))


@inlined
def _cow(me, rank):
    """One of at most three cows, as a bit, by its rank; nothing if there are fewer."""
    for _ in range(rank):
        me &= me - ONE
    return me & (ZERO - me)


@inlined
def _flights(me, rank, empty, ban):
    """Where one cow may fly to."""
    cow, ends = _cow(me, rank), empty
    while ban != ZERO:
        points = MILL_POINTS[lowest(ban)]
        ban &= ban - ONE
        if popcount(points & me) == U(2) and points & cow == ZERO:
            ends &= ~points
    return ends if cow != ZERO else ZERO


@inlined
def _travels(me, empty, ban):
    if popcount(me) > U(3):
        return _steps(me, empty, ban)
    low = _flights(me, 0, empty, ban) | (_flights(me, 1, empty, ban) << U(32))
    return low, _flights(me, 2, empty, ban)


@inlined
def _bit_of_step(me, start, end):
    """The bit of the two words that stands for going from a point to another, or 128."""
    if popcount(me) <= U(3):
        return (popcount(me & ((ONE << start) - ONE)) << U(5)) + end
    for direction in range(4):
        if U(STEP[U(32 * direction) + start]) == end:
            return U(32 * direction) + start
    return U(128)


@inlined
def _without(low, high, bit):
    if bit < U(64):
        return low & ~(ONE << bit), high
    return low, high & ~(ONE << (bit & U(63)))


@inlined
def _actions(state, classic):
    me, op = state.me, state.op
    if state.clock & SHOT != ZERO:
        return _targets(op) << U(32), ZERO
    if _ended(state, classic):
        return ZERO, ZERO
    empty = BOARD & ~(me | op)
    if state.mine & HAND != ZERO:
        return empty, ZERO
    ban = state.mine >> BAN
    if not classic:
        return _travels(me, empty, ban)
    low, high = _travels(me, empty, ZERO)
    start, end = (ban >> ONE) & U(31), ban >> U(6)
    if ban != ZERO and (me >> start) & ONE != ZERO:
        return _without(low, high, _bit_of_step(me, start, end))
    return low, high


@implement(the.legal, Morabaraba)
def _legal(state):
    return _actions(state, False)


@implement(the.legal, MorabarabaClassic)
def _legal_classic(state):
    return _actions(state, True)


@inlined
def _action(state, bit):
    """The move that stands for a bit of the two words."""
    if state.clock & SHOT != ZERO or state.mine & HAND != ZERO:
        return int64(bit)
    if popcount(state.me) > U(3):
        return int64(bit) + MOVE
    return FLY + (int64(lowest(_cow(state.me, int64(bit >> U(5))))) << 5) + int64(bit & U(31))


@inlined
def _travel(me, bit):
    """From where to where the MOVE or FLY leads that stands for a bit of the two words."""
    if popcount(me) > U(3):
        return bit & U(31), U(STEP[bit])
    return lowest(_cow(me, int64(bit >> U(5)))), bit & U(31)


@inlined
def _folded(words):
    """The child, turned to whoever acts next, as one word."""
    me, op, mine, his, clock = words
    if clock & SHOT != ZERO:
        return me ^ (op << ONE) ^ mine ^ (his << ONE) ^ clock
    return op ^ (me << ONE) ^ his ^ (mine << ONE) ^ clock


@inlined
def _bit(state, move):
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
def _some(state, moves):
    return (moves[0] | moves[1]) != ZERO


@implement(the.size, *ALL)
def _size(state, moves):
    return int64(popcount(moves[0]) + popcount(moves[1]))


@implement(the.first, *ALL)
def _first(state, moves):
    low, high = moves
    return _action(state, lowest(low) if low != ZERO else lowest(high) + U(64))


@implement(the.rest, *ALL)
def _rest(state, moves):
    low, high = moves
    if low != ZERO:
        return low & (low - ONE), high
    return low, high & (high - ONE)


@implement(the.nth, *ALL)
def _nth(state, moves, k):
    low, high = moves
    here = popcount(low)
    if U(k) < here:
        return _action(state, nth_bit(low, k))
    return _action(state, nth_bit(high, U(k) - here) + U(64))


@implement(the.contains, *ALL)
def _contains(state, moves, move):
    bit = _bit(state, move)
    if bit < U(64):
        return (moves[0] >> bit) & ONE != ZERO
    return bit < U(128) and (moves[1] >> (bit - U(64))) & ONE != ZERO


# Knowing the phase once for all moves of a state makes them twice as fast.
@implement(the.last_ply, Morabaraba)
def _last_ply(state):
    low, high = _actions(state, False)
    count, check = int64(popcount(low) + popcount(high)), ZERO
    if state.clock & SHOT != ZERO:
        while low != ZERO:
            check ^= _folded(_steal(state, lowest(low) - U(32)))
            low &= low - ONE
    elif state.mine & HAND != ZERO:
        while low != ZERO:
            check ^= _folded(_add(state, lowest(low)))
            low &= low - ONE
    else:
        base = ZERO
        while (low | high) != ZERO:
            if low == ZERO:
                low, high, base = high, ZERO, U(64)
            start, end = _travel(state.me, base + lowest(low))
            check ^= _folded(_go(state, start, end, False))
            low &= low - ONE
    return count, check


# ---- the rest of the interface --------------------------------------------------------------------


@implement(the.again, *ALL)
def _again(state):
    return state.clock & SHOT != ZERO


@implement(the.over, *ALL)
def _over(state):
    low, high = the.legal(state)
    return (low | high) == ZERO


@inlined
def _lead(state):
    return int64((state.mine >> SCORE) & HAND) - int64((state.his >> SCORE) & HAND)


@implement(the.margin, Morabaraba)
def _margin(state):
    return _lead(state)


@implement(the.margin, MorabarabaClassic)
def _margin_classic(state):
    lead = _lead(state)
    if max((state.mine >> SCORE) & HAND, (state.his >> SCORE) & HAND) >= U(10):
        return lead
    low, high = _actions(MorabarabaClassic(state.me, state.op, state.mine, state.his, ZERO), True)
    if (low | high) == ZERO:
        return -10  # a blocked player loses, whatever he has shot
    return 0


@inlined
def _hashed(state, clock):
    few = (clock & U(63)) | (clock >> THREE << U(6))  # quiet, three and the shot in eleven bits
    boards = state.me | (state.op << U(24)) | (few << U(48))
    players = state.mine | ((state.his & KEPT) << U(16))
    boards ^= (state.his >> BAN) * U(0xBF58476D1CE4E5B9)
    return mix(boards, players)


@implement(the.key, Morabaraba)
def _key(state):
    return _hashed(state, state.clock)


@implement(the.key, MorabarabaClassic)
def _key_classic(state):
    return _hashed(state, state.clock & ~QUIET)  # no rule asks for the quiet actions


@implement(the.irreversible, *ALL)
def _irreversible(before, after):
    return before.clock & SHOT != ZERO or before.mine & HAND != ZERO


# ---- to and from Python ---------------------------------------------------------------------------


def _is_classic(options: dict[str, Any]) -> bool:
    return bool(options.get("rules", "contest") == "classic")


def pack(json_state: dict[str, Any], options: dict[str, Any]) -> Any:
    """The state of `{"board": 24 characters, "turn", "phase", "in_hand", "score", "ban", ...}`."""
    board = dict(zip(JSON_ORDER, json_state["board"], strict=True))
    player = (json_state["turn"] + 1) // 2
    classic = _is_classic(options)

    def cows(mark: str) -> int:
        return sum(1 << POINT[name] for name, cow in board.items() if cow == mark)

    def word(who: int) -> int:
        ban = _pack_ban(json_state["ban"][who], classic)
        return int(json_state["in_hand"][who] | json_state["score"][who] << 8 | ban << 32)

    clock = json_state["quiet"] | json_state["three"] << 32
    if json_state["phase"] == "STEAL":
        clock |= int(SHOT)
    herds = cows("xo"[player]), cows("ox"[player])
    words = (*herds, word(player), word(1 - player), clock)
    return (MorabarabaClassic if classic else Morabaraba)(*map(U, words))


def _pack_ban(names: list[str], classic: bool) -> int:
    if not classic:
        return sum(1 << MILLS.index(name) for name in set(names))
    if len(names) > 1:
        raise ValueError("the Morabaraba kernel takes one forbidden step at most")
    for name in names:
        start, end = name.split("-")
        return 1 | POINT[start] << 1 | POINT[end] << 6
    return 0


def unpack(state: Any, player: int, over: bool, options: dict[str, Any]) -> dict[str, Any]:
    """The JSON of a state in which `player` is to act (or would act, when the game is over)."""
    me, op, mine, his, clock = (int(word) for word in state)
    marks = "xo" if player == 0 else "ox"
    board = "".join(
        marks[0] if me >> POINT[name] & 1 else marks[1] if op >> POINT[name] & 1 else "."
        for name in JSON_ORDER
    )
    words = [mine, his] if player == 0 else [his, mine]
    if clock & int(SHOT):
        phase = "STEAL"
    elif mine & 0xFF:
        phase = "ADD"
    else:
        phase = "MOVE" if me.bit_count() > 3 else "FLY"
    json_state: dict[str, Any] = {
        "board": board,
        "turn": (-1, 1)[player],
        "phase": phase,
        "in_hand": [word & 0xFF for word in words],
        "score": [word >> 8 & 0xFF for word in words],
        "ban": [_unpack_ban(word >> 32, _is_classic(options)) for word in words],
        "quiet": clock & 0xFFFFFFFF,
        "three": clock >> 32 & 0xFF,
        "over": None,
    }
    if over:
        json_state["over"] = _ending(json_state, _is_classic(options))
        json_state["phase"] = "OVER"
    return json_state


def _unpack_ban(ban: int, classic: bool) -> list[str]:
    if not classic:
        return [mill for i, mill in enumerate(MILLS) if ban >> i & 1]
    return [f"{NAMES[ban >> 1 & 31]}-{NAMES[ban >> 6]}"] if ban else []


def _ending(json_state: dict[str, Any], classic: bool) -> dict[str, Any]:
    """Why a finished game is over, and who has won."""
    score = json_state["score"]
    winner = int(np.sign(score[1] - score[0]))
    if max(score) >= 10:
        return {"reason": "two_cows", "winner": winner}
    if _is_blocked(json_state, classic):
        return {"reason": "no_moves", "winner": -json_state["turn"] if classic else winner}
    if json_state["three"] >= 10:
        return {"reason": "ten_moves", "winner": 0 if classic else winner}
    return {"reason": "fifty_moves", "winner": winner}


def _is_blocked(json_state: dict[str, Any], classic: bool) -> bool:
    """Whether nothing is legal, the counters left aside."""
    player = (json_state["turn"] + 1) // 2
    held = dict(zip(JSON_ORDER, json_state["board"], strict=True))
    empty = [name for name in JSON_ORDER if held[name] == "."]
    if json_state["phase"] == "ADD":
        return not empty
    mine = {name for name in JSON_ORDER if held[name] == "xo"[player]}
    bans = json_state["ban"][player]

    def allowed(start: str, end: str) -> bool:
        if json_state["phase"] == "MOVE" and _direction(POINT[start], POINT[end]) is None:
            return False
        if classic:
            return f"{start}-{end}" not in bans
        after = mine - {start} | {end}
        return not any(
            end in mill.split("-") and after.issuperset(mill.split("-")) for mill in bans
        )

    return not any(allowed(start, end) for start in mine for end in empty)


def _direction(start: int, end: int) -> int | None:
    """The direction of a step; None if no line joins the points."""
    for direction in range(4):
        inside = start < 16 if direction == 2 else start >= 8 or direction < 2
        if inside and STEP[32 * direction + start] == end:
            return direction
    return None


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
    direction = _direction(start, end)
    if direction is None:
        raise ValueError(f"no line joins {names[0]} and {names[1]}")
    return MOVE + 32 * direction + start


def from_move(move: int, player: int, options: dict[str, Any]) -> str:
    """A kernel's move as the rules write it."""
    if move < STEAL:
        return f"ADD {NAMES[move]}"
    if move < MOVE:
        return f"STEAL {NAMES[move - STEAL]}"
    if move < FLY:
        return f"MOVE {NAMES[move & 31]} {NAMES[STEP[move - MOVE]]}"
    return f"FLY {NAMES[(move - FLY) >> 5]} {NAMES[move & 31]}"


def player(json_state: dict[str, Any]) -> int | None:
    """Who is to act in a JSON state: 0, 1, or None when the game is over."""
    return None if json_state["phase"] == "OVER" else (json_state["turn"] + 1) // 2


def seated(json_state: dict[str, Any], player: int) -> dict[str, Any]:
    """The JSON state as if this player were to act."""
    return json_state | {"turn": 2 * player - 1}


def width(options: dict[str, Any]) -> int:
    """How many bytes a learner sees."""
    return 24 + 24 + 7 + 40

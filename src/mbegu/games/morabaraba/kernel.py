"""Morabaraba on bitboards, packed integers.

The board is three rings of eight points, joined by eight spokes: point = 8 * ring + angle, outer
ring first, counter-clockwise from a1, so corners have even angles. A step is a rotation within the
rings or a shift by eight, and the points that would complete a mill are found for the whole board
at once.
"""

# mypy: allow-untyped-defs, allow-untyped-calls
# Compiled functions have no annotations: Numba infers their types, a set for each game.

from __future__ import annotations

from mbegu.engine.jit import inlined, int64
from mbegu.engine.kernels import interface as the
from mbegu.engine.kernels.bits import ONE, ZERO, U, lowest, mix, nth_bit, popcount
from mbegu.engine.kernels.interface import implement
from mbegu.games.morabaraba.packing import (
    from_move,
    pack,
    player,
    scored,
    seated,
    to_move,
    unpack,
    width,
)
from mbegu.games.morabaraba.state import (
    ALL,
    BAN,
    BOARD,
    CORNERS,
    FLY,
    HAND,
    KEPT,
    MIDDLES,
    MILL_POINTS,
    MILLS_THROUGH,
    MOVE,
    MOVES,
    QUIET,
    SCORE,
    SCORE_ONE,
    SHOT,
    STEAL,
    STEP,
    THREE,
    THREE_ONE,
    Morabaraba,
    MorabarabaClassic,
)

__all__ = [
    "MOVES",
    "Morabaraba",
    "MorabarabaClassic",
    "from_move",
    "pack",
    "player",
    "scored",
    "seated",
    "to_move",
    "unpack",
    "width",
]

PARTS = (
    "mbegu.games.morabaraba.evaluation",
    "mbegu.games.morabaraba.knowledge",
    "mbegu.games.morabaraba.probe",
)  # imported with the kernel
GAINS = (2, 4)  # `gain` tells of the mill and of its shot, two for each


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

"""What a Morabaraba position is worth, at the beginning while cows are placed, at the end when none
is in hand.

    shot         cows shot, a shot that is due included
    ahead        to have shot more, by however much: if nothing changes that wins
    mills        complete mills
    movable      cows of a mill that have a step: the mill can open, and close again
    open         two in a row with the third point empty
    chances      one in a row with the two other points empty
    ready        empty points on which one step of a third cow completes a mill
    double       the same by a cow that leaves another mill: double mills
    mobility     steps that there are
    blocked      cows without a step
    crossings    cows on points with four neighbours
    even         to place with as many in hand as the other, who will place last
    tempo        to be to move next
    waiting      to have shot more, for every quiet move: after fifty of them that wins
    due          a shot that is due

And for each side of the board, with its spokes, what the cows there are worth (`mbegu.games.morabaraba.windows`).
When a shot is due it is the other one who moves next: then all is counted for him.
"""

# mypy: allow-untyped-defs, allow-untyped-calls
# Compiled functions have no annotations: Numba infers their types, a set for each game.

from __future__ import annotations

from mbegu.engine.evaluation import WHOLE, asked, effort, features, phase, weighed, weights_of
from mbegu.engine.jit import inlined, int64
from mbegu.engine.kernels import interface as the
from mbegu.engine.kernels.bits import ZERO, U, popcount
from mbegu.engine.kernels.interface import implement
from mbegu.games.morabaraba.kernel import _backward, _closing, _forward, _inward, _outward
from mbegu.games.morabaraba.state import (
    ALL,
    BOARD,
    CORNERS,
    HAND,
    MIDDLES,
    QUIET,
    SCORE,
    SHOT,
    Morabaraba,
    MorabarabaClassic,
)
from mbegu.games.morabaraba.weights import WEIGHTS as GAME_WEIGHTS
from mbegu.games.morabaraba.windows import ENTRIES, FILE, UNIT, WINDOWS, by_windows, entries

FEATURES = (
    *("shot", "ahead", "mills", "movable", "open", "chances", "ready", "double", "mobility"),
    *("blocked", "crossings", "even", "tempo", "waiting", "due"),
)
LARGE_TABLES = (ENTRIES, WINDOWS, UNIT, FILE)
WEIGHTS = weights_of(GAME_WEIGHTS, FEATURES)
MOST_QUIET = 50  # moves without a shot or a placing
RING = U(0x00FF00)  # the middle ring: every point has four neighbours
OUTER = U(0x0000FF)
SPOKES = U(32)  # their place among the bits of lines


@inlined
def _bits(points):
    return int64(popcount(points))


@inlined
def _by_lines(points):
    """Three words with a bit for each of the twenty lines: whether its first, second, third point is
    among these. A side has the bit of its middle, a spoke that of its outer point, shifted."""
    return (
        (_forward(points) & MIDDLES) | ((points & OUTER) << SPOKES),
        (points & MIDDLES) | (((points >> U(8)) & OUTER) << SPOKES),
        (_backward(points) & MIDDLES) | (((points >> U(16)) & OUTER) << SPOKES),
    )


@inlined
def _full(lines):
    """How many lines have all three."""
    return _bits(lines[0] & lines[1] & lines[2])


@inlined
def _with_one(one, two):
    """How many lines have one point of the first kind and two of the second."""
    return _bits(
        (one[0] & two[1] & two[2]) | (two[0] & one[1] & two[2]) | (two[0] & two[1] & one[2])
    )


@inlined
def _gaps(cows, empty):
    """The empty points that complete a line: between two cows, after two, before two, on a spoke."""
    before, after = _forward(cows), _backward(cows)
    spokes = ((cows >> U(8)) | (cows << U(16))) & ((cows >> U(16)) | (cows << U(8)))
    return (
        before & after & MIDDLES & empty,
        before & _forward(before) & CORNERS & empty,
        after & _backward(after) & CORNERS & empty,
        spokes & empty,
    )


@inlined
def _ready(gaps, cows):
    """How many of the gaps such cows can fill by a step that does not come out of the line itself."""
    between, behind, ahead, spokes = gaps
    rays = _inward(cows) | _outward(cows)
    before, after = _forward(cows), _backward(cows)
    lines = (between & rays) | (behind & (rays | after)) | (ahead & (rays | before))
    return _bits(lines | (spokes & (before | after)))


@inlined
def _beside(points):
    return _forward(points) | _backward(points) | _inward(points) | _outward(points)


@inlined
def _steps(cows, empty):
    rings = _bits(cows & _backward(empty)) + _bits(cows & _forward(empty))
    return rings + _bits(cows & _outward(empty)) + _bits(cows & _inward(empty))


@inlined
def _sign(number):
    return int64(number > 0) - int64(number < 0)


@inlined
def _in_hand(state):
    return (state.mine & HAND) + (state.his & HAND)


@inlined
def _counted(state, quiet):
    me, op = state.me, state.op
    empty = BOARD & ~(me | op)
    free = _beside(empty)
    mine, his, none = _by_lines(me), _by_lines(op), _by_lines(empty)
    gaps, his_gaps = _gaps(me, empty), _gaps(op, empty)
    in_mills, his_in_mills = me & _closing(me), op & _closing(op)
    due = int64(state.clock & SHOT != ZERO)
    shot = due + int64((state.mine >> SCORE) & HAND) - int64((state.his >> SCORE) & HAND)
    hand, his_hand = state.mine & HAND, state.his & HAND
    next_one = 1 - 2 * due
    return (
        shot,
        _sign(shot),
        _full(mine) - _full(his),
        _bits(in_mills & free) - _bits(his_in_mills & free),
        _with_one(none, mine) - _with_one(none, his),
        _with_one(mine, none) - _with_one(his, none),
        _ready(gaps, me) - _ready(his_gaps, op),
        _ready(gaps, in_mills) - _ready(his_gaps, his_in_mills),
        _steps(me, empty) - _steps(op, empty),
        _bits(me & ~free) - _bits(op & ~free),
        _bits(me & RING) - _bits(op & RING),
        next_one * int64(hand == his_hand and hand != ZERO),
        next_one,
        _sign(shot) * min(quiet, MOST_QUIET),
        due,
    )


@implement(features, Morabaraba)
def _features(state):
    return _counted(state, int64(state.clock & QUIET))


@implement(features, MorabarabaClassic)
def _features_classic(state):
    return _counted(state, int64(0))  # no rule asks for the quiet actions


@implement(phase, *ALL)
def _phase(state):
    return int64(_in_hand(state)) * WHOLE // 24


@implement(asked, *ALL)
def _asked(state, row):
    if state.clock & SHOT != ZERO:
        entries(state.op, state.me, _in_hand(state), row)
        return -1
    entries(state.me, state.op, _in_hand(state), row)
    return 1


@implement(the.evaluate, *ALL)
def _evaluate(state):
    worth = weighed(state, WEIGHTS)
    if state.clock & SHOT != ZERO:
        return worth - by_windows(state.op, state.me, _in_hand(state))
    return worth + by_windows(state.me, state.op, _in_hand(state))


@implement(effort, *ALL)
def _effort(before, after):
    return int64(4)  # a cow more or less here and there: all of them are equally easy

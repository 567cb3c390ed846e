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
    tempo        to be to move
"""

# mypy: allow-untyped-defs, allow-untyped-calls
# Compiled functions have no annotations: Numba infers their types, a set for each game.

from __future__ import annotations

from mbegu.engine.evaluation import WHOLE, effort, features, phase, weighed, weights_of
from mbegu.engine.jit import inlined, int64
from mbegu.engine.kernels import interface as the
from mbegu.engine.kernels.bits import ZERO, U, popcount
from mbegu.engine.kernels.interface import implement
from mbegu.games.morabaraba.kernel import _backward, _closing, _forward, _inward, _outward
from mbegu.games.morabaraba.state import ALL, BOARD, CORNERS, HAND, MIDDLES, SCORE, SHOT
from mbegu.games.morabaraba.weights import WEIGHTS as GAME_WEIGHTS

FEATURES = (
    *("shot", "ahead", "mills", "movable", "open", "chances", "ready", "double", "mobility"),
    *("blocked", "crossings", "even", "tempo"),
)
WEIGHTS = weights_of(GAME_WEIGHTS, FEATURES)
RING = U(0x00FF00)  # the middle ring: every point has four neighbours


@inlined
def _bits(points):
    return int64(popcount(points))


@inlined
def _mills(cows):
    sides = cows & _forward(cows) & _backward(cows) & MIDDLES
    spokes = cows & (cows >> U(8)) & (cows >> U(16)) & U(0xFF)
    return _bits(sides) + _bits(spokes)


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
def _lines(gaps):
    return _bits(gaps[0]) + _bits(gaps[1]) + _bits(gaps[2]) + _bits(gaps[3])


@inlined
def _alone(cows, empty):
    """Where one of three points is held and the two others are empty, for three boards of each."""
    return (
        (cows[0] & empty[1] & empty[2])
        | (empty[0] & cows[1] & empty[2])
        | (empty[0] & empty[1] & cows[2])
    )


@inlined
def _chances(cows, empty):
    """Lines with one cow and two empty points: sides by their middle, spokes by their outer point."""
    sides = _alone(
        (_forward(cows), cows, _backward(cows)), (_forward(empty), empty, _backward(empty))
    )
    spokes = _alone((cows, cows >> U(8), cows >> U(16)), (empty, empty >> U(8), empty >> U(16)))
    return _bits(sides & MIDDLES) + _bits(spokes & U(0xFF))


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


@implement(features, *ALL)
def _features(state):
    me, op = state.me, state.op
    empty = BOARD & ~(me | op)
    free = _beside(empty)
    gaps, his_gaps = _gaps(me, empty), _gaps(op, empty)
    in_mills, his_in_mills = me & _closing(me), op & _closing(op)
    shot = int64((state.mine >> SCORE) & HAND) + int64(state.clock & SHOT != ZERO)
    shot -= int64((state.his >> SCORE) & HAND)
    hand, his_hand = state.mine & HAND, state.his & HAND
    return (
        shot,
        _sign(shot),
        _mills(me) - _mills(op),
        _bits(in_mills & free) - _bits(his_in_mills & free),
        _lines(gaps) - _lines(his_gaps),
        _chances(me, empty) - _chances(op, empty),
        _ready(gaps, me) - _ready(his_gaps, op),
        _ready(gaps, in_mills) - _ready(his_gaps, his_in_mills),
        _steps(me, empty) - _steps(op, empty),
        _bits(me & ~free) - _bits(op & ~free),
        _bits(me & RING) - _bits(op & RING),
        int64(hand == his_hand and hand != ZERO),
        int64(1),
    )


@implement(phase, *ALL)
def _phase(state):
    return int64((state.mine & HAND) + (state.his & HAND)) * WHOLE // 24


@implement(the.evaluate, *ALL)
def _evaluate(state):
    return weighed(state, WEIGHTS)


@implement(effort, *ALL)
def _effort(before, after):
    return int64(4)  # a cow more or less here and there: all of them are equally easy

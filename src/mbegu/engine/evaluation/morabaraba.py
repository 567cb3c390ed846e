"""What a Morabaraba position is worth, at the beginning while cows are placed, at the end when none
is in hand.

    shot         cows shot, a shot that is due included
    mills        complete mills
    open         two in a row with the third point empty
    ready        empty points on which a third cow completes a mill by one step
    double       such points beside a cow of a complete mill: double mills
    mobility     steps that there are
    blocked      cows without a step
    crossings    cows on points with four neighbours
    tempo        to be to move
"""

# mypy: allow-untyped-defs, allow-untyped-calls
# Compiled functions have no annotations: Numba infers their types, a set for each game.

from __future__ import annotations

from numba import int64

from mbegu.engine.evaluation import WHOLE, effort, features, phase, weighed, weights_of
from mbegu.engine.jit import inlined
from mbegu.engine.kernels import interface as the
from mbegu.engine.kernels.bits import ONE, ZERO, U, popcount
from mbegu.engine.kernels.interface import implement
from mbegu.engine.kernels.morabaraba import (
    ALL,
    BOARD,
    CORNERS,
    HAND,
    MIDDLES,
    SCORE,
    SHOT,
    _backward,
    _closing,
    _forward,
    _inward,
    _outward,
)

FEATURES = (
    *("shot", "mills", "open", "ready", "double", "mobility", "blocked", "crossings"),
    "tempo",
)
WEIGHTS = weights_of("morabaraba", FEATURES)
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
def _open(cows, empty):
    """Lines with two cows and an empty point."""
    before, after = _forward(cows), _backward(cows)
    middles = before & after & MIDDLES & empty
    right, left = before & _forward(before) & CORNERS, after & _backward(after) & CORNERS
    spokes = ((cows >> U(8)) | (cows << U(16))) & ((cows >> U(16)) | (cows << U(8))) & BOARD
    return _bits(middles) + _bits(right & empty) + _bits(left & empty) + _bits(spokes & empty)


@inlined
def _beside(points):
    return _forward(points) | _backward(points) | _inward(points) | _outward(points)


@inlined
def _ready(cows, empty):
    """Points where a step completes a mill; and those where a cow that leaves a mill does so."""
    gaps = _closing(cows) & empty
    held = cows & _closing(cows)
    ready = double = int64(0)
    while gaps != ZERO:
        gap = gaps & (ZERO - gaps)
        gaps ^= gap
        near = _beside(gap) & cows
        closes = double_closes = ZERO
        while near != ZERO:
            cow = near & (ZERO - near)
            near ^= cow
            if _closing(cows ^ cow) & gap != ZERO:
                closes = ONE
                if held & cow != ZERO:
                    double_closes = ONE
        ready += int64(closes)
        double += int64(double_closes)
    return ready, double


@inlined
def _steps(cows, empty):
    rings = _bits(cows & _backward(empty)) + _bits(cows & _forward(empty))
    return rings + _bits(cows & _outward(empty)) + _bits(cows & _inward(empty))


@implement(features, *ALL)
def _features(state):
    me, op = state.me, state.op
    empty = BOARD & ~(me | op)
    free = _beside(empty)
    ready, double = _ready(me, empty)
    his_ready, his_double = _ready(op, empty)
    shot = int64((state.mine >> SCORE) & HAND) + int64(state.clock & SHOT != ZERO)
    return (
        shot - int64((state.his >> SCORE) & HAND),
        _mills(me) - _mills(op),
        _open(me, empty) - _open(op, empty),
        ready - his_ready,
        double - his_double,
        _steps(me, empty) - _steps(op, empty),
        _bits(me & ~free) - _bits(op & ~free),
        _bits(me & RING) - _bits(op & RING),
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

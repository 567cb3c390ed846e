"""What a position of Toguz Kumalak is worth, and what the search may know of it."""

from __future__ import annotations

from numba import int64

from mbegu.engine import knowledge
from mbegu.engine.kernels import interface as the
from mbegu.engine.kernels.bits import FF, ZERO
from mbegu.engine.kernels.interface import implement
from mbegu_toguz.kernel import KAZAN, TUZDYK, State, side

__all__: list[str] = []

BALL = 256  # the unit of an evaluation
ON_SIDE, OWNED = (
    40,
    9 * BALL,
)  # what a ball on one's side and a tuzdyk are worth: guessed, not measured


@implement(the.evaluate, State)
def _evaluate(state):
    ahead = int64(state.my >> KAZAN) - int64(state.his >> KAZAN)
    more = side(state.me, state.my) - side(state.op, state.his)
    mine = int64((state.my >> TUZDYK) & FF != ZERO)
    his = int64((state.his >> TUZDYK) & FF != ZERO)
    return BALL * ahead + ON_SIDE * more + OWNED * (mine - his)


@implement(knowledge.bounds, State)
def _bounds(state):
    ahead = int64(state.my >> KAZAN) - int64(state.his >> KAZAN)
    left = side(state.me, state.my) + side(state.op, state.his)
    return ahead - left, ahead + left


@implement(knowledge.gain, State)
def _gain(before, after):
    return int64(after.his >> KAZAN) - int64(before.my >> KAZAN)

"""What the search finds in Morabaraba's tables."""

# mypy: allow-untyped-defs, allow-untyped-calls
# Compiled functions have no annotations: Numba infers their types, a set for each game.

from __future__ import annotations

from mbegu.engine.jit import compiled, inlined, int64
from mbegu.engine.kernels.bits import ZERO, U, popcount
from mbegu.engine.kernels.interface import implement
from mbegu.engine.tables.probe import judged, layer, soon, spot
from mbegu.games.morabaraba.herds import FEWEST, place
from mbegu.games.morabaraba.retrograde import ENDLESS, UNKNOWN, at_horizon, is_free, told
from mbegu.games.morabaraba.state import (
    ALL,
    HAND,
    QUIET,
    SCORE,
    SHOT,
    THREE,
    Morabaraba,
    MorabarabaClassic,
)

__all__ = ["OFFSET", "told_of"]

NOWHERE = 1 << 20  # the layer of a state that no table knows
A_SHOT = 12  # plies that the next shot counts as far away, at most ten and the shot itself
MOST_SHOT = 10
OFFSET = 1 << 15  # two bytes, as the number that a fact holds
FARTHEST = 100  # plies; see FAR in mbegu.engine.ending


@implement(layer, *ALL)
def _layer(state):
    placing = (state.mine | state.his) & HAND != ZERO
    if placing or state.clock & SHOT != ZERO or not is_free(state):
        return NOWHERE
    mine, his = int64(popcount(state.me)), int64(popcount(state.op))
    return mine + his if min(mine, his) >= FEWEST else NOWHERE


@implement(spot, *ALL)
def _spot(state):
    return place(state.me, state.op)


@inlined
def _until_ten(state):
    few = min(popcount(state.me), popcount(state.op)) <= U(FEWEST)
    return 10 - int64((state.clock >> THREE) & HAND) if few else ENDLESS


def to_go(state):
    """How many quiet moves are left until a counter ends the game."""


@implement(to_go, Morabaraba)
def _to_go(state):
    return max(min(_until_ten(state), 50 - int64(state.clock & QUIET)), 0)


@implement(to_go, MorabarabaClassic)
def _to_go_classic(state):
    return max(_until_ten(state), 0)


@inlined
def unpacked(state, word, unknown):
    """The value in one of the two games, and after how many plies it is decided."""
    to_win, to_draw = (word + OFFSET) >> 8, (word + OFFSET) & 255
    end, left = at_horizon(state), to_go(state)
    if to_win == UNKNOWN:
        return unknown, left
    value = told(end, left, to_win, to_draw)
    if value == end:
        return value, left
    return value, to_win if value > 0 or (value == 0 and end > 0) else to_draw


@implement(judged, *ALL)
def _judged(state, careful, bold, unused):
    """The table tells who wins, not by how much."""
    low, high = unpacked(state, careful, -1)[0], unpacked(state, bold, 1)[0]
    lead = int64((state.mine >> SCORE) & HAND) - int64((state.his >> SCORE) & HAND)
    least, most = low if low >= 0 else -MOST_SHOT, high if high <= 0 else MOST_SHOT
    return min(max(lead, least), most), least, most


@implement(soon, *ALL)
def _soon(state, careful, bold, unused):
    """Plies to the shot that decides, or to the horizon; every cow to be shot counts as more."""
    low, plies = unpacked(state, careful, -1)
    if low <= 0:
        plies = unpacked(state, bold, 1)[1]
    spare = int64(popcount(state.me | state.op)) - 2 * FEWEST
    return min(min(plies, FARTHEST) + A_SHOT * spare, FARTHEST)


@compiled
def told_of(state, careful, bold):
    """A guess, the least and the greatest margin, and the plies to the next shot or the horizon."""
    guess, least, most = judged(state, careful, bold, 0)
    low, plies = unpacked(state, careful, -1)
    if low <= 0:
        plies = unpacked(state, bold, 1)[1]
    return guess, least, most, plies

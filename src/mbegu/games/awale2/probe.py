"""What the search finds in two-colour Awale's tables."""

# mypy: allow-untyped-defs, allow-untyped-calls
# Compiled functions have no annotations: Numba infers their types, a set for each game.

from __future__ import annotations

from mbegu.engine.jit import int64
from mbegu.engine.kernels.interface import implement
from mbegu.engine.tables.probe import gets_on, judged, layer, spot
from mbegu.games.awale2.kernel import ALL, MAJORITY
from mbegu.games.awale2.retrograde import NOTHING, place_in, seeds_of

__all__: list[str] = []


@implement(layer, *ALL)
def _layer(state):
    return seeds_of(state)


@implement(spot, *ALL)
def _spot(state):
    return place_in(state)


@implement(gets_on, *ALL)
def _goes_round(state):
    return False


@implement(judged, *ALL)
def _judged(state, value, low, high):
    """The captured seeds are added. Where a player can keep the game from ending it is a draw in a match,
    whatever was captured. A player who has 33 ends the game at once: the table cannot know by how much he
    wins, but that he does. Whoever can force more than half of all seeds cannot be stopped by the other's 33."""
    mine, his, left = int64(state.score), int64(state.op_score), seeds_of(state)
    ahead, half = mine - his, int64(MAJORITY)
    least = min(int64(0), ahead - left) if low == -NOTHING else ahead + low
    most = max(int64(0), ahead + left) if high == NOTHING else ahead + high
    guess = min(max(int64(0), least), most)
    may_i, may_he = mine + left >= half, his + left >= half
    spare = 2 * half - mine - his - left  # the least win by a majority
    if least < 0:
        least = min(least, ahead - left) if may_he else least
    elif may_i:
        least = min(least, spare)
    if most > 0:
        most = max(most, ahead + left) if may_i else most
    elif may_he:
        most = max(most, -spare)
    return guess, least, most

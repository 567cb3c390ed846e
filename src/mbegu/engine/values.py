"""Values inside the search: one integer that orders all results.

A seed (a cow, a bead) is worth `SEED`. A finished game counts its margin; except in games that are
played for the margin alone, a win counts `WON` on top, so that every proved win is better than any
estimate, a higher win than a lower one, and of equal ones the nearest.
"""

from __future__ import annotations

from mbegu.engine.jit import inlined
from mbegu.engine.kernels.interface import evaluate
from mbegu.engine.knowledge import bounds, margin_only

SEED = 256
MAX_PLY = 250  # below SEED: the distance of a win never weighs as much as a seed
WON = 1 << 24
SURE = WON - (1 << 17)  # beyond this in either direction a game is decided
INFINITE = 1 << 30


@inlined
def final(state, margin, ply):  # type: ignore[no-untyped-def]
    """The value of a game that ends at this ply with this margin."""
    if margin_only(state) or margin == 0:
        return margin * SEED
    if margin > 0:
        return WON + margin * SEED - ply
    return margin * SEED - WON + ply


@inlined
def at_least(state, margin, ply):  # type: ignore[no-untyped-def]
    """The least value of a game that goes on and will end with this margin or more."""
    return final(state, margin, MAX_PLY if margin > 0 else ply + 1)


@inlined
def at_most(state, margin, ply):  # type: ignore[no-untyped-def]
    """The greatest value of a game that goes on and will end with this margin or less."""
    return final(state, margin, ply + 1 if margin > 0 else MAX_PLY)


@inlined
def estimate(state):  # type: ignore[no-untyped-def]
    """The value of a game that goes on, as the game's evaluation sees it."""
    low, high = bounds(state)
    return min(max(evaluate(state), low * SEED), high * SEED)


@inlined
def to_table(state, value, ply):  # type: ignore[no-untyped-def]
    """A value counted from the position itself, not from the root."""
    if not margin_only(state):
        if value > SURE:
            return value + ply
        if value < -SURE:
            return value - ply
    return value


@inlined
def from_table(state, value, ply):  # type: ignore[no-untyped-def]
    """A value counted from the root again."""
    if not margin_only(state):
        if value > SURE:
            return value - ply
        if value < -SURE:
            return value + ply
    return value

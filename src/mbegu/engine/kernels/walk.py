"""The compiled half of perft."""

# mypy: allow-untyped-defs, allow-untyped-calls
# Compiled functions have no annotations: Numba infers their types, a set for each game.

from __future__ import annotations

from mbegu.engine.jit import compiled
from mbegu.engine.kernels.bits import ZERO
from mbegu.engine.kernels.interface import first, last_ply, legal, play, rest, some


@compiled
def walk(state, depth):
    """Nodes, moves made, and a checksum of all last positions, for a depth of at least 1."""
    if depth == 1:
        count, check = last_ply(state)
        return count, count, check
    nodes = made = 0
    folded = ZERO
    moves = legal(state)
    while some(state, moves):
        below, made_below, checked = walk(play(state, first(state, moves)), depth - 1)
        moves = rest(state, moves)
        nodes += below
        made += made_below + 1
        folded ^= checked
    return nodes, made, folded

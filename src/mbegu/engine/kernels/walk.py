"""The compiled half of perft."""

from __future__ import annotations

from mbegu.engine.jit import compiled
from mbegu.engine.kernels.bits import ZERO
from mbegu.engine.kernels.interface import first, last_ply, legal, play, rest, some


@compiled
def walk(state, depth):  # type: ignore[no-untyped-def]
    """Nodes, moves made, and a checksum of all last positions, for a depth of at least 1."""
    if depth == 1:
        count, check = last_ply(state)
        return count, count, check
    nodes, made, check = 0, 0, ZERO
    moves = legal(state)
    while some(state, moves):
        below, made_below, checked = walk(play(state, first(state, moves)), depth - 1)
        moves = rest(state, moves)
        nodes += below
        made += made_below + 1
        check ^= checked
    return nodes, made, check

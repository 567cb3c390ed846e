"""Perft: all sequences of exactly `depth` moves, each of them made and none skipped.

It proves a kernel (the numbers are known) and measures it. The moves of the last ply are made like
all others, though counting them would do: `moves_made` is honest.
"""

from __future__ import annotations

import time
from typing import Any, NamedTuple


class PerftResult(NamedTuple):
    """How many sequences there are, how many moves that took, and how long (not the compiling)."""

    nodes: int
    moves_made: int
    seconds: float


def perft(
    game_name: str, options: dict[str, Any], json_state: dict[str, Any], depth: int
) -> PerftResult:
    """Counts from a position; a finished game has no continuation."""
    from mbegu.engine.kernels.driver import kernel_of  # noqa: PLC0415 - Numba is heavy
    from mbegu.engine.kernels.walk import walk  # noqa: PLC0415

    if depth < 0:
        raise ValueError("the depth of a perft cannot be negative")
    kernel = kernel_of(game_name)
    if depth == 0:
        return PerftResult(1, 0, 0.0)
    if kernel.player(json_state) is None:
        return PerftResult(0, 0, 0.0)
    state = kernel.pack(json_state, options)
    walk(state, 1)  # compiles, or loads from the cache
    began = time.perf_counter()
    nodes, made, _ = walk(state, depth)
    return PerftResult(int(nodes), int(made), time.perf_counter() - began)

"""Perft: all sequences of exactly `depth` moves, each of them made and none skipped.

It proves a kernel (the numbers are known) and measures it. The moves of the last ply are made like
all others, though counting them would do: `moves_made` is honest.
"""

from __future__ import annotations

import time
from typing import Any, NamedTuple

from mbegu.core.game import Position
from mbegu.core.registry import game_class
from mbegu.engine.kernels.ready import is_compiled
from mbegu.engine.plain_playout import perft_by_rules


class PerftResult(NamedTuple):
    """How many sequences there are, how many moves that took, and how long (not the compiling)."""

    nodes: int
    moves_made: int
    seconds: float


def perft(
    game_name: str, options: dict[str, Any], json_state: dict[str, Any], depth: int
) -> PerftResult:
    """Counts from a position; a finished game has no continuation. Without a kernel it takes longer."""
    if depth < 0:
        raise ValueError("the depth of a perft cannot be negative")
    game = game_class(game_name).with_options(options.items())
    if not is_compiled(game):
        return by_rules(game.from_json(json_state), depth)
    from mbegu.engine.kernels.driver import kernel_of  # noqa: PLC0415 - Numba is heavy
    from mbegu.engine.kernels.walk import walk  # noqa: PLC0415

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


def by_rules(position: Position, depth: int) -> PerftResult:
    """Counts with the readable rules, making every move."""
    began = time.perf_counter()
    nodes, made = perft_by_rules(position, depth)
    return PerftResult(nodes, made, time.perf_counter() - began)

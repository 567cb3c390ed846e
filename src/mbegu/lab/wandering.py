"""Random games, watched: how many moves there were to choose from, and what was captured."""

# mypy: allow-untyped-defs, allow-untyped-calls
# Compiled functions have no annotations: Numba infers their types, a set for each game.

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from mbegu.core.game import Position
from mbegu.engine.jit import compiled, has_compiler
from mbegu.engine.kernels.bits import U
from mbegu.engine.kernels.door import has_kernel
from mbegu.engine.kernels.driver import kernel_of
from mbegu.engine.kernels.games import random_game, shake, sprout, throw
from mbegu.engine.kernels.interface import legal, nth, play, size
from mbegu.engine.knowledge import gain
from mbegu.engine.plain_playout import plain_game
from mbegu.engine.playout import MAX_PLIES, Arrays, in_chunks

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["Wanderings", "wander"]


class Wanderings(NamedTuple):
    """What became of each game, as `mbegu.engine.playout` tells it, and what happened in it."""

    margins: NDArray[np.int16]  # of player 0
    lengths: NDArray[np.int32]
    endings: NDArray[np.uint8]
    choices: NDArray[np.int32]  # legal moves, summed over the game
    most: NDArray[np.int16]  # legal moves at once
    captures: NDArray[np.int16]  # moves that won something
    captured: NDArray[np.int32]  # what they won

    def table(self) -> pa.Table:
        """A row for each game."""
        import pyarrow as pa  # noqa: PLC0415 - heavy

        return pa.table(self._asdict())


@compiled
def _watch(state, seed, first, cap, out):
    """Plays games to their end, then goes over them once more with the same dice."""
    margins, lengths, endings, choices, most, captures, captured = out
    history = np.empty((2, cap // 2 + 2), np.uint64)
    for i in range(len(margins)):
        dice = sprout(seed, U(first + i))
        margins[i], lengths[i], endings[i] = random_game(state, dice, cap, history)
        here = state
        choices[i] = most[i] = captures[i] = captured[i] = 0
        for _ply in range(lengths[i]):
            moves = legal(here)
            count = size(here, moves)
            dice = shake(dice)
            child = play(here, nth(here, moves, throw(dice, count)))
            won = gain(here, child)
            choices[i] += count
            most[i] = max(most[i], count)
            captures[i] += won > 0
            captured[i] += max(won, 0)
            here = child


def wander(
    position: Position, count: int, *, seed: int = 0, threads: int | None = None
) -> Wanderings:
    """Plays so many random games from a position; game `i` is the same whatever their number."""
    games = Wanderings(
        margins=np.empty(count, np.int16),
        lengths=np.empty(count, np.int32),
        endings=np.empty(count, np.uint8),
        choices=np.empty(count, np.int32),
        most=np.empty(count, np.int16),
        captures=np.empty(count, np.int16),
        captured=np.empty(count, np.int32),
    )
    cap = min(MAX_PLIES, position.game.ply_cap or MAX_PLIES)
    if not has_kernel(position.game.name) or not has_compiler():
        for i in range(count):
            played = plain_game(position, seed, i, cap)
            columns: tuple[Any, ...] = games
            for column, value in zip(columns, played, strict=True):
                column[i] = value
        return games
    kernel, state = kernel_of(position.game.name), position.to_json()
    options = {name: getattr(position.game, name) for name in position.game.options()}
    packed: Any = kernel.pack(state, options)

    def watch(first: int, part: Arrays) -> None:
        _watch(packed, np.uint64(seed % 2**64), first, cap, part)

    in_chunks(watch, games, threads)
    times, worth = kernel.gains
    games.captures[:] //= times
    games.captured[:] //= worth
    if kernel.player(state) == 1:
        np.negative(games.margins, out=games.margins)
    return games

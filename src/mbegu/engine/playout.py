"""Random playouts: many games of random moves from one position, on all cores.

    >>> start = {"board": [4] * 12, "score": [0, 0], "to_move": 0}
    >>> games = playouts("oware", {}, start, 1000, seed=7)
    >>> len(games.margins), float(games.lengths.mean()) > 50
    (1000, True)

Match rules count: in Oware a position that comes back ends the game and each side keeps its seeds,
in Urubugu the third occurrence is a draw. All positions since the last capture are remembered, as
64-bit hashes, so no recurrence is missed. A game of `max_plies` moves is a draw,
and no game is longer than a match of it may be.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any, NamedTuple

from mbegu.core.game import Position
from mbegu.core.registry import game_class
from mbegu.engine.jit import has_compiler
from mbegu.engine.kernels.door import has_kernel
from mbegu.engine.plain_playout import plain_game

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["CAPPED", "ENDED", "REPEATED", "Arrays", "Playouts", "in_chunks", "playouts"]

Arrays = tuple[Any, ...]  # of one length, an entry for each game

ENDED, REPEATED, CAPPED = 0, 1, 2
MAX_PLIES = 1_000
CHUNK = 2_048  # games: some milliseconds, so that threads finish together


class Playouts(NamedTuple):
    """What became of each game; game `i` is the same whatever the number of games and threads."""

    margins: NDArray[np.int16]  # of player 0: his final score less the other's; 0 is a draw
    lengths: NDArray[np.int32]  # moves
    endings: NDArray[np.uint8]  # ENDED by the rules, REPEATED or CAPPED


def playouts(
    game_name: str,
    options: dict[str, Any],
    json_state: dict[str, Any],
    count: int,
    *,
    seed: int = 0,
    threads: int | None = None,
    max_plies: int = MAX_PLIES,
) -> Playouts:
    """Plays `count` random games from a position that is not over."""
    import numpy as np  # noqa: PLC0415 - not before it is needed: NumPy and Numba are heavy

    if count < 0 or not 1 <= max_plies <= 1_000_000 or (threads is not None and threads < 1):
        raise ValueError("playouts need a count, a thread and from 1 to 1,000,000 plies")
    max_plies = min(max_plies, game_class(game_name).ply_cap or max_plies)
    games = Playouts(
        np.empty(count, np.int16), np.empty(count, np.int32), np.empty(count, np.uint8)
    )
    if not has_kernel(game_name) or not has_compiler():
        start = game_class(game_name).with_options(options.items()).from_json(json_state)
        return _by_rules(games, start, seed, max_plies)
    from mbegu.engine.kernels.driver import kernel_of  # noqa: PLC0415
    from mbegu.engine.kernels.games import random_games  # noqa: PLC0415

    kernel = kernel_of(game_name)
    player = kernel.player(json_state)
    if player is None:
        raise ValueError("no playouts: the game is over")
    state = kernel.pack(json_state, options)

    def play(first: int, part: Arrays) -> None:
        random_games(state, np.uint64(seed % 2**64), first, max_plies, part)

    in_chunks(play, games, threads)
    if player == 1:
        np.negative(games.margins, out=games.margins)
    return games


def _by_rules(games: Playouts, start: Position, seed: int, cap: int) -> Playouts:
    """Without compiled rules: one game after another."""
    if start.turn is None:
        raise ValueError("no playouts: the game is over")
    for i in range(len(games.margins)):
        played = plain_game(start, seed, i, cap)
        games.margins[i], games.lengths[i], games.endings[i] = played[:3]
    return games


def in_chunks(play: Callable[[int, Arrays], None], games: Arrays, threads: int | None) -> None:
    """Fills the arrays, a part at a time, on several threads; `play` gets the number of the part's first game."""

    def fill(first: int) -> None:
        play(first, tuple(array[first : first + CHUNK] for array in games))

    with ThreadPoolExecutor(threads or os.cpu_count() or 1) as pool:
        for _done in pool.map(fill, range(0, len(games[0]), CHUNK)):
            pass

"""Thousands of games at once, over NumPy arrays.

    >>> env = BatchEnv("kalah", 1000, seed=1)
    >>> env.observations.shape, env.masks.shape
    ((1000, 14), (1000, 6))
    >>> rewards, ended, cut = env.step(env.sample())
    >>> env.players[:5].tolist()
    [1, 1, 1, 0, 1]

Each lane is a game. A step plays an action in every lane; where it ends the game, a new one begins at
once (`ended`), and so it does after `max_plies` moves without an end (`cut`, which counts as a draw).
Rewards — 1, 0, -1 — are those of the player who has just acted, `players` says who acts now: an extra
turn or a shot keeps the player. What is seen is seen from the player to act.

Rules that need history are not known here: in Oware and Urubugu a game that goes in circles runs into
`max_plies`.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

import numpy as np

from mbegu.core.errors import IllegalMove, MbeguError
from mbegu.core.game import Game, Position
from mbegu.core.i18n import _
from mbegu.core.registry import game as find_game
from mbegu.engine.kernels.driver import kernel_of
from mbegu.rl import lanes

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["BatchEnv", "actions_of"]

MAX_PLIES = 500
LEAST = 1_024  # lanes for which a thread of their own pays


def actions_of(game: Game) -> int:
    """How many actions a game has; a kernel's move is an action's number."""
    kernel = kernel_of(game.name)
    if kernel.actions is None:
        return kernel.moves
    return kernel.actions({name: getattr(game, name) for name in game.options()})


def width_of(game: Game) -> int:
    """How many bytes a learner sees."""
    kernel = kernel_of(game.name)
    options = {name: getattr(game, name) for name in game.options()}
    if kernel.width is not None:
        return kernel.width(options)
    return 8 * len(kernel.pack(game.start().to_json(), options))


class BatchEnv:
    """So many games at once, from the usual start or another position.

    The arrays are the environment's own and change with every step: copy what is to be kept.
    """

    def __init__(
        self,
        game: str | Game,
        size: int,
        *,
        seed: int = 0,
        start: Position | None = None,
        max_plies: int = MAX_PLIES,
        threads: int | None = None,
    ) -> None:
        self.game = find_game(game) if isinstance(game, str) else game
        if size < 1 or max_plies < 1 or (threads is not None and threads < 1):
            raise MbeguError(_("a batch needs one game, one ply and one thread, or more"))
        position = self.game.start() if start is None else start
        if position.game != self.game or position.turn is None:
            raise MbeguError(
                _("{position} is not a position of {game} that goes on").format(
                    position=position, game=self.game
                )
            )
        kernel = kernel_of(self.game.name)
        options = {name: getattr(self.game, name) for name in self.game.options()}
        self.size, self.max_plies = size, max_plies
        self.actions = actions_of(self.game)
        self._start, self._first = kernel.pack(position.to_json(), options), position.turn
        seen = width_of(self.game)
        self._words = np.zeros((size, len(self._start)), np.uint64)
        self._dice = np.zeros(size, np.uint64)
        self.players: NDArray[np.uint8] = np.zeros(size, np.uint8)
        self.plies: NDArray[np.int32] = np.zeros(size, np.int32)
        self.observations: NDArray[np.uint8] = np.zeros((size, seen), np.uint8)
        self.masks: NDArray[np.uint8] = np.zeros((size, self.actions), np.uint8)
        self.rewards: NDArray[np.float32] = np.zeros(size, np.float32)
        self.ended: NDArray[np.bool_] = np.zeros(size, np.bool_)
        self.cut: NDArray[np.bool_] = np.zeros(size, np.bool_)
        self._drawn = np.zeros(size, np.int64)
        self._parts = _parts(size, threads or os.cpu_count() or 1)
        self._pool = ThreadPoolExecutor(len(self._parts) - 1) if len(self._parts) > 1 else None
        self.reset(seed)

    def reset(self, seed: int | None = None) -> None:
        """Begins a new game in every lane; a seed begins the lots of `sample` anew."""
        if seed is not None:
            lanes.sow_dice(np.uint64(seed % 2**64), self._dice)

        def begin(part: slice) -> None:
            lanes.reset_lanes(
                self._start,
                self._first,
                self._words[part],
                self.players[part],
                self.plies[part],
                self.observations[part],
                self.masks[part],
            )

        self._each(begin)
        self.rewards[:], self.ended[:], self.cut[:] = 0, False, False

    def step(
        self, actions: NDArray[np.integer[Any]]
    ) -> tuple[NDArray[np.float32], NDArray[np.bool_], NDArray[np.bool_]]:
        """Plays an action in every lane: the rewards of who acted, `ended` and `cut`.

        IllegalMove, before anything is played, if an action of any lane is not legal.
        """
        chosen = np.ascontiguousarray(actions, np.int64)
        if chosen.shape != (self.size,):
            raise MbeguError(
                _("{size} games need as many actions, not {shape}").format(
                    size=self.size, shape=chosen.shape
                )
            )
        wrong = lanes.first_illegal(self.masks, chosen)
        if wrong >= 0:
            legal = ", ".join(map(str, np.flatnonzero(self.masks[wrong])))
            raise IllegalMove(
                _("action {action} in game {lane}").format(action=chosen[wrong], lane=wrong),
                _("the legal actions there are {legal}").format(legal=legal),
            )

        def play(part: slice) -> None:
            out = (
                self.observations[part],
                self.masks[part],
                self.rewards[part],
                self.ended[part],
                self.cut[part],
            )
            lanes.step_lanes(
                self._start,
                self._first,
                self.max_plies,
                self._words[part],
                self.players[part],
                self.plies[part],
                chosen[part],
                out,
            )

        self._each(play)
        return self.rewards, self.ended, self.cut

    def sample(self) -> NDArray[np.int64]:
        """A legal action by lot for every lane."""

        def draw(part: slice) -> None:
            lanes.draw_lanes(self._start, self._words[part], self._dice[part], self._drawn[part])

        self._each(draw)
        return self._drawn

    def peek(self) -> tuple[NDArray[np.uint8], NDArray[np.float32], NDArray[np.int8]]:
        """Where each action would lead, without playing it: what is seen there, rewards and signs.

        A sign is 1 if the same player would act next, -1 if the other, and 0 where the game would be
        over (then the reward counts) or the action is not legal. So a player who judges what he sees
        by `value` looks for the highest `rewards + signs * value(seen)` among the legal actions.
        """
        seen = np.zeros((self.size, self.actions, self.observations.shape[1]), np.uint8)
        rewards = np.zeros((self.size, self.actions), np.float32)
        signs = np.zeros((self.size, self.actions), np.int8)

        def look(part: slice) -> None:
            lanes.peek_lanes(self._start, self._words[part], seen[part], rewards[part], signs[part])

        self._each(look)
        return seen, rewards, signs

    def close(self) -> None:
        """Ends the threads."""
        if self._pool is not None:
            self._pool.shutdown()

    def _each(self, work: Callable[[slice], None]) -> None:
        """Does the work for every part, one of them in this thread."""
        first, *others = self._parts
        waiting = [self._pool.submit(work, part) for part in others] if self._pool else []
        work(first)
        for future in waiting:
            future.result()


def _parts(size: int, threads: int) -> list[slice]:
    """The lanes, cut into parts for threads."""
    count = max(1, min(threads, size // LEAST))
    ends = [size * i // count for i in range(count + 1)]
    return [slice(ends[i], ends[i + 1]) for i in range(count)]

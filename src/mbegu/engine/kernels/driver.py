"""The kernels as plain Python sees them: pack a position, ask, play, unpack.

    kernel = kernel_of("oware")
    state = kernel.pack(position.to_json(), options)
    player = kernel.player(position.to_json())
    for move in legal_moves(state): ...

Convenient, not fast: a call from Python costs about a microsecond. Loops belong in compiled code.
"""

# mypy: allow-untyped-defs, allow-untyped-calls
# Compiled functions have no annotations: Numba infers their types, a set for each game.

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from typing import Any

import numpy as np

from mbegu.engine.jit import compiled
from mbegu.engine.kernels import interface as the

GAMES = ("awale2", "kalah", "morabaraba", "oware", "urubugu")


@dataclass(frozen=True)
class Kernel:
    """One game's kernel. `options` are the names and values of the rules; missing ones are defaults."""

    game: str
    moves: int
    pack: Callable[[dict[str, Any], dict[str, Any]], Any]
    unpack: Callable[[Any, int, bool, dict[str, Any]], dict[str, Any]]
    to_move: Callable[[Any, int, dict[str, Any]], int]
    from_move: Callable[[int, int, dict[str, Any]], Any]

    def player(self, json_state: dict[str, Any]) -> int | None:
        """Who is to act in a JSON state: 0, 1, or None when the game is over."""
        if self.game == "morabaraba":
            return None if json_state["phase"] == "OVER" else (json_state["turn"] + 1) // 2
        player: int | None = json_state["to_move"]
        return player


def kernel_of(game: str) -> Kernel:
    """The kernel of a game by the game's short name."""
    if game not in GAMES:
        raise ValueError(f"no kernel for {game!r}: there is one for {', '.join(GAMES)}")
    module = import_module(f"mbegu.games.{game}.kernel")
    import_module(f"mbegu.games.{game}.evaluation")  # what its positions are worth
    if find_spec(f"mbegu.games.{game}.probe"):
        import_module(f"mbegu.games.{game}.probe")  # and what its tables tell
    return Kernel(game, module.MOVES, module.pack, module.unpack, module.to_move, module.from_move)


def revive(state: Any) -> Any:
    """A state that came back from compiled code, fit to go in again: Numba hands out Python ints."""
    return type(state)(*(np.uint64(word) for word in state))


@compiled
def _legal_moves(state):
    moves = the.legal(state)
    listed = np.empty(the.size(state, moves), np.int64)
    for i in range(len(listed)):
        listed[i] = the.first(state, moves)
        moves = the.rest(state, moves)
    return listed


@compiled
def _play(state, move):
    child = the.play(state, move)
    return child, the.again(child)


@compiled
def _facts(state):
    return the.over(state), the.margin(state), the.evaluate(state), the.key(state)


def legal_moves(state: Any) -> list[int]:
    """The legal moves, in the kernel's order."""
    return [int(move) for move in _legal_moves(state)]


def play(state: Any, move: int) -> tuple[Any, bool]:
    """The state after a legal move, and whether the same player acts again."""
    child, again = _play(state, move)
    return revive(child), bool(again)


def over(state: Any) -> bool:
    """Whether the game is over."""
    return bool(_facts(state)[0])


def margin(state: Any) -> int:
    """The final margin of a finished game, for the state's `me`."""
    return int(_facts(state)[1])


def evaluate(state: Any) -> int:
    """An estimate of the final margin for the state's `me`, in 1/256 of the game's unit."""
    return int(_facts(state)[2])


def key(state: Any) -> int:
    """The hash of a state, below 2**64."""
    return int(_facts(state)[3]) % 2**64

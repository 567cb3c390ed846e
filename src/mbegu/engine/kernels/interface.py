"""What a game tells the machine. A search, a playout or a perft is written once with these words.

A *state* is a NamedTuple of 64-bit integers, seen from the player to move ("me" against "op").
Each kernel implements the functions below for its own state classes (see `implement`); Numba picks
the implementation by the type of the state, so a caller is compiled anew for each game, with every
call inlined. They can only be called from compiled code; `mbegu.engine.kernels.driver` wraps them
for Python.

A *move* is a small non-negative int64, below `Kernel.moves`; it means the same in every state of a
game. A *set of moves* is whatever the kernel likes best (a mask, two masks): treat it as opaque.

    moves = legal(state)
    while some(state, moves):
        move = first(state, moves)
        moves = rest(state, moves)
        child = play(state, move)
        value = search(child) if again(child) else -search(child)

What must be told is `legal`, the words for a set of moves (`mbegu.engine.kernels.masks` brings them for
masks), `play` and `margin`; the rest has a default. A kernel is a module that is named in the entry point
group `mbegu.kernels` under the name of its game; see `mbegu.engine.kernels.driver`.
"""

# mypy: allow-untyped-defs, allow-untyped-calls
# Compiled functions have no annotations: Numba infers their types, a set for each game.

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from mbegu.engine.arrays import np
from mbegu.engine.cache import made_from
from mbegu.engine.jit import overloaded
from mbegu.engine.kernels.bits import mix

State = Any
Moves = Any
OWN: dict[Callable[..., Any], set[type]] = {}  # which classes bring which function themselves


def legal(state: State) -> Moves:
    """The set of legal moves. It is empty if and only if the game is over."""


def some(state: State, moves: Moves) -> bool:  # type: ignore[empty-body]
    """Whether a set of moves of this state is not empty."""


def size(state: State, moves: Moves) -> int:  # type: ignore[empty-body]
    """How many moves a set holds."""


def first(state: State, moves: Moves) -> int:  # type: ignore[empty-body]
    """The first move of a set that is not empty."""


def rest(state: State, moves: Moves) -> Moves:
    """The set without its first move."""


def nth(state: State, moves: Moves, k: int) -> int:  # type: ignore[empty-body]
    """The k-th move of a set, counted from 0, for a k below its size."""


def contains(state: State, moves: Moves, move: int) -> bool:  # type: ignore[empty-body]
    """Whether any int below `Kernel.moves` (a killer, a hash move) is in a set of this state."""


def play(state: State, move: int) -> State:
    """The state after a legal move, seen from whoever acts next. Ending sweeps are included."""


def again(state: State) -> bool:  # type: ignore[empty-body]
    """Whether the player who made the last move is also the one to act now, or `me` in a finished
    game: Kalah's extra turn, Morabaraba's shot. The state's numbers are then seen from him still."""


def over(state: State) -> bool:  # type: ignore[empty-body]
    """Whether the game is over; the same as `legal` being empty, but cheaper where possible."""


def margin(state: State) -> int:  # type: ignore[empty-body]
    """The final margin of a finished game for `me`, in the game's own score: its sign tells who won.
    A win that no score shows is as high as can be (`scored` of `mbegu.engine.kernels.driver.Kernel`)."""


def evaluate(state: State) -> int:  # type: ignore[empty-body]
    """An estimate of the final margin for `me` in a game that goes on, in 1/256 of the game's unit.
    The margin as it stands unless told; `mbegu.engine.evaluation` helps to tell better."""


def key(state: State) -> int:  # type: ignore[empty-body]
    """A well-mixed 64-bit hash, in the place of a Zobrist key, of all that decides how the game goes on
    (not of `again`)."""


def irreversible(before: State, after: State) -> bool:  # type: ignore[empty-body]
    """Whether the move between two states rules out that any earlier position comes again."""


def last_ply(state: State) -> tuple[int, int]:  # type: ignore[empty-body]
    """Makes every move; returns how many there are and the exclusive or of all the words of all the
    children, so that no compiler may leave a move out. Has a default; a kernel may be quicker."""


def _class_of(state: Any) -> type | None:
    """The NamedTuple class behind a Numba type."""
    return getattr(state, "instance_class", None)


def implement(function: Callable[..., Any], *classes: type) -> Callable[[Any], Any]:
    """Makes the decorated function the one that serves these state classes."""

    OWN.setdefault(function, set()).update(classes)

    def register(body: Any) -> Any:
        def choose(*args: Any) -> Any:
            return body if _class_of(args[0]) in classes else None

        overloaded(function, choose)
        for each in classes:
            made_from(each, body)
        return body

    return register


def default(function: Callable[..., Any]) -> Callable[[Any], Any]:
    """Makes the decorated function the one that serves every state that brings none of its own."""

    def register(body: Any) -> Any:
        def choose(*args: Any) -> Any:
            own = _class_of(args[0])
            return None if own is None or own in OWN.get(function, ()) else body

        overloaded(function, choose)
        return body

    return register


# ---- what a kernel need not say ---------------------------------------------------------------------


@default(again)
def _never_again(state):
    return False


@default(over)
def _without_moves(state):
    return not some(state, legal(state))


@default(evaluate)
def _as_it_stands(state):
    return margin(state) * 256


@default(key)
def _all_words(state):
    found = np.uint64(len(state))
    for word in state:
        found = mix(found, word)
    return found


@default(irreversible)
def _unknown(before, after):
    return False


@default(last_ply)
def _every_move(state):
    moves = legal(state)
    count, check = 0, np.uint64(0)
    while some(state, moves):
        for word in play(state, first(state, moves)):
            check ^= word
        moves = rest(state, moves)
        count += 1
    return count, check

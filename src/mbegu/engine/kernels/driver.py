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

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from typing import Any

from mbegu.core.errors import InvalidGame, where_raised
from mbegu.core.i18n import _
from mbegu.core.registry import OURS
from mbegu.core.registry import game as find_game
from mbegu.engine.arrays import np
from mbegu.engine.jit import compiled
from mbegu.engine.kernels import interface as the
from mbegu.engine.kernels.agreement import disagreement
from mbegu.engine.kernels.door import kernel_module
from mbegu.engine.knowledge import bounds as promised
from mbegu.engine.machine import machine_of

MOST_MOVES = 128  # for which there is room at first
TRIED = 30  # plies in which a stranger's kernel must agree with the rules


class BrokenKernel(InvalidGame):
    """A kernel that cannot be imported, or is none."""


@dataclass(frozen=True)
class Kernel:
    """One game's kernel. `options` are the names and values of the rules; missing ones are defaults.

    The module that the entry point names must have MOVES, pack, unpack, to_move and from_move. It may
    have more: PARTS, modules to import with it, for evaluation and facts; LOST_SOON and GAINS; and
    functions in the place of `player`, `seated`, `actions`, `width` and `scored` here.
    """

    game: str
    moves: int
    pack: Callable[[dict[str, Any], dict[str, Any]], Any]
    unpack: Callable[[Any, int, bool, dict[str, Any]], dict[str, Any]]
    to_move: Callable[[Any, int, dict[str, Any]], int]
    from_move: Callable[[int, int, dict[str, Any]], Any]
    player: Callable[[dict[str, Any]], int | None]
    seated: Callable[[dict[str, Any], int], dict[str, Any]]
    actions: Callable[[dict[str, Any]], int] | None  # None: as many as `moves`
    width: Callable[[dict[str, Any]], int] | None  # None: eight bytes for each word of a state
    scored: Callable[[dict[str, Any]], bool]  # whether every win is as high as its final score
    lost_soon: bool = False  # a lost game ends within a few moves
    gains: tuple[int, int] = (1, 1)  # how often `gain` tells of one capture, and how much in all


def _player(json_state: dict[str, Any]) -> int | None:
    """Who is to act in a JSON state: 0, 1, or None when the game is over."""
    player: int | None = json_state["to_move"]
    return player


def _seated(json_state: dict[str, Any], player: int) -> dict[str, Any]:
    """The JSON state as if this player were to act."""
    return json_state | {"to_move": player}


def _scored(options: dict[str, Any]) -> bool:
    """Nobody wins but by the score."""
    return True


@cache
def kernel_of(game: str) -> Kernel:
    """The kernel of a game by the game's short name; a stranger's is compared with the rules first."""
    name = kernel_module(game)
    try:
        kernel = _imported(game, name)
        why = None if game in OURS else disagreement(kernel, find_game(game), plies=TRIED)
    except (Exception, SystemExit) as error:  # a stranger's code: the others go on
        raise _broken(game, name, _told(error)) from error
    if why is not None:
        raise _broken(game, name, why)
    return kernel


_MEANT = re.compile(r"(No implementation|Unknown|Undefined|Untyped|Invalid|Cannot|Unsupported)\b")
_PLACE = re.compile(r'File "([^"]+)", line (\d+)')


def _told(error: BaseException) -> str:
    """What is wrong, in one line: of a compiler's many, what it does not take, and where that stands."""
    first, *more = f"{type(error).__name__}: {error}".splitlines()
    meant = next((line.strip() for line in more if _MEANT.match(line.strip())), "")
    places = _PLACE.findall("\n".join(more))
    where = f" ({places[-1][0]}, line {places[-1][1]})" if places else where_raised(error)
    return " ".join(filter(None, (first, meant))) + where


def _broken(game: str, module: str, why: str) -> BrokenKernel:
    return BrokenKernel(
        _("the kernel of {game} ({module}) cannot be used: {why}").format(
            game=game, module=module, why=why
        )
    )


def _imported(game: str, name: str) -> Kernel:
    module = import_module(name)
    for part in getattr(module, "PARTS", ()):
        import_module(part)
    return Kernel(
        game=game,
        moves=module.MOVES,
        pack=module.pack,
        unpack=module.unpack,
        to_move=module.to_move,
        from_move=module.from_move,
        player=getattr(module, "player", _player),
        seated=getattr(module, "seated", _seated),
        actions=getattr(module, "actions", None),
        width=getattr(module, "width", None),
        scored=getattr(module, "scored", _scored),
        lost_soon=getattr(module, "LOST_SOON", False),
        gains=getattr(module, "GAINS", (1, 1)),
    )


def revive(state: Any) -> Any:
    """A state that came back from compiled code, fit to go in again: Numba hands out Python ints."""
    return type(state)(*(np.uint64(word) for word in state))


@compiled
def list_moves(state, listed):
    """Writes the legal moves into an array, if it has room for all; returns how many there are."""
    moves = the.legal(state)
    count = the.size(state, moves)
    if count <= len(listed):
        for i in range(count):
            listed[i] = the.first(state, moves)
            moves = the.rest(state, moves)
    return count


@compiled
def make_move(state, move):
    child = the.play(state, move)
    return child, the.again(child)


@compiled
def tell_facts(state):
    return the.over(state), the.margin(state), the.evaluate(state), the.key(state)


@compiled
def tell_bounds(state):
    return promised(state)


def bounds(state: Any) -> tuple[int, int]:
    """The least and the greatest final margin for the state's `me`, as the kernel promises them."""
    low, high = tell_bounds(state)
    return int(low), int(high)


def legal_moves(state: Any) -> list[int]:
    """The legal moves, in the kernel's order."""
    machine = machine_of(type(state))
    with machine.scratch():
        listed = machine.empty(MOST_MOVES, "int64")
        count = int(list_moves(state, listed))
        if count > len(listed):
            listed = machine.empty(count, "int64")
            list_moves(state, listed)
        return [int(move) for move in listed[:count]]


def play(state: Any, move: int) -> tuple[Any, bool]:
    """The state after a legal move, and whether the same player acts again."""
    child, again = make_move(state, move)
    return revive(child), bool(again)


def over(state: Any) -> bool:
    """Whether the game is over."""
    return bool(tell_facts(state)[0])


def margin(state: Any) -> int:
    """The final margin of a finished game, for the state's `me`."""
    return int(tell_facts(state)[1])


def evaluate(state: Any) -> int:
    """An estimate of the final margin for the state's `me`, in 1/256 of the game's unit."""
    return int(tell_facts(state)[2])


def key(state: Any) -> int:
    """The hash of a state, below 2**64."""
    return int(tell_facts(state)[3]) % 2**64

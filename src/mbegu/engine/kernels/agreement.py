"""Do a game's kernel and its readable rules say the same? They are compared along random games.

A stranger's kernel is tried like this, briefly, before the engine trusts it; the conformance suite and
the tests of our own kernels play more games.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import partial
from typing import Any

from mbegu.core.deadline import within
from mbegu.core.game import Game, Move, Position
from mbegu.core.i18n import _
from mbegu.core.registry import is_ours

__all__ = ["disagreement"]

MOST_PLIES = 400
PATIENCE = 120.0  # seconds for one move: the first compiles the kernel, and a computer may be busy


def disagreement(
    kernel: Any, game: Game, *, games: int = 1, plies: int = MOST_PLIES, seed: int = 0
) -> str | None:
    """The first thing that kernel and rules tell differently, as a sentence; None if there is none."""
    lot = random.Random(seed)  # noqa: S311 (not a secret)
    options = {name: getattr(game, name) for name in game.options()}
    for _game in range(games):
        position, seen = game.start(), list[Position]()
        for _ply in range(plies):
            if position.turn is None:
                break
            move = lot.choice(position.legal_moves())
            trouble = _answered(kernel, position, move, options)
            if trouble is not None:
                return _("at {position}: {trouble}").format(position=position, trouble=trouble)
            seen.append(position)
            position = position.play(move)
        if seen and position.turn is None and not is_ours(type(game)):
            trouble = _broken_promise(kernel, seen, move, options)
            if trouble is not None:
                return trouble
    return None


def _broken_promise(
    kernel: Any, seen: list[Position], last: Move, options: dict[str, Any]
) -> str | None:
    """Where a game's end lies outside the bounds that the kernel gave: what rests on them is not proved."""
    from mbegu.engine.kernels import driver  # noqa: PLC0415

    state = kernel.pack(seen[-1].to_json(), options)
    player = kernel.player(seen[-1].to_json())
    child, again = driver.play(state, kernel.to_move(last, player, options))
    end = driver.margin(child) * (1 if again == (player == 0) else -1)  # of player 0
    for position in seen:
        told = position.to_json()
        low, high = driver.bounds(kernel.pack(told, options))
        margin = end * (1 - 2 * kernel.player(told))
        if not low <= margin <= high:
            return _(
                "at {position}: `bounds` says {low} to {high}, and the game ends with {margin}"
            ).format(position=position, low=low, high=high, margin=margin)
    return None


def _answered(kernel: Any, position: Position, move: Move, options: dict[str, Any]) -> str | None:
    """The same as `_compare`; a stranger's kernel may go round for ever, and is not waited for as long."""
    compare = partial(_compare, kernel, position, move, options)
    if is_ours(type(position.game)):
        return compare()
    try:
        return within(PATIENCE, compare)
    except TimeoutError:
        word = position.game.format_move(move, position)
        return _("the kernel does not answer {move} within {seconds} seconds").format(
            move=word, seconds=f"{PATIENCE:g}"
        )


def _compare(kernel: Any, position: Position, move: Move, options: dict[str, Any]) -> str | None:
    """One position and one move of it."""
    from mbegu.engine.kernels import driver  # noqa: PLC0415 - it asks us before it hands out a kernel

    told = position.to_json()
    player = kernel.player(told)
    if player != position.turn:
        return _differs(_("who is to move"), player, position.turn)
    state = kernel.pack(told, options)
    moves = driver.legal_moves(state)
    named = [kernel.from_move(each, player, options) for each in moves]
    if sorted(named, key=str) != sorted(position.legal_moves(), key=str):
        return _differs(_("legal moves"), named, position.legal_moves())
    if not all(0 <= each < kernel.moves for each in moves):
        return _("a move is not below MOVES: {moves}").format(moves=moves)
    after = position.play(move)
    child, again = driver.play(state, kernel.to_move(move, player, options))
    me = player if again else 1 - player
    if driver.over(child) != (after.turn is None):
        return _differs(_("whether the game is over"), driver.over(child), after.turn is None)
    word = position.game.format_move(move, position)
    if kernel.unpack(child, me, after.turn is None, options) != after.to_json():
        found = kernel.unpack(child, me, after.turn is None, options)
        return _differs(_("the position after {move}").format(move=word), found, after.to_json())
    return _compare_end(driver.margin, child, me, after)


def _compare_end(margin: Callable[[Any], int], child: Any, me: int, after: Position) -> str | None:
    outcome = after.outcome()
    if outcome is None:
        return None
    found = margin(child)
    winner = None if found == 0 else me if found > 0 else 1 - me
    return None if winner == outcome.winner else _differs(_("who won"), winner, outcome.winner)


def _differs(what: str, kernel: object, rules: object) -> str:
    return _("{what}: the kernel says {kernel}, the rules say {rules}").format(
        what=what, kernel=kernel, rules=rules
    )

"""Two-colour Awale's endings solved: between which margins every board with few seeds can be forced.

No rule ends a game of captureless moves but the length of a match, so two margins are found of each board: the
least that the mover can force by a game that comes to an end, and the greatest that the other one cannot
keep him from in such a game. Both begin with nothing known, and all boards are gone over, each time
taking over what is known of their moves, until nothing changes. What is known is true at any moment, so
threads may go over different boards at once.
"""

# mypy: allow-untyped-defs, allow-untyped-calls
# Compiled functions have no annotations: Numba infers their types, a set for each game.

from __future__ import annotations

from typing import Any

from mbegu.engine.jit import compiled, inlined, int64
from mbegu.engine.kernels.bits import ZERO, U, total
from mbegu.engine.kernels.interface import first, implement, legal, play, rest, some
from mbegu.engine.tables.atomic import reserve
from mbegu.games.awale2.kernel import Awale2, Awale2Variant
from mbegu.games.awale2.rings import BEGINS, RINGS_AT, board_at, place, turned

__all__ = ["NOTHING", "check", "kind_of", "place_in", "seeds_of", "sweep", "words_at"]

NOTHING = 100  # more than any margin: the other player can keep the game from ending


def laid(kind: Any, a: Any, b: Any, op_a: Any, op_b: Any) -> Any:
    """A state of the same kind with these seeds, nothing captured, and Odd to move."""


@implement(laid, Awale2)
def _laid(kind, a, b, op_a, op_b):
    return Awale2(a, b, op_a, op_b, ZERO, ZERO, ZERO)


@implement(laid, Awale2Variant)
def _laid_variant(kind, a, b, op_a, op_b):
    return Awale2Variant(a, b, op_a, op_b, ZERO, ZERO, ZERO, kind.rules)


def kind_of(rules: int) -> Any:
    """An empty board by these rules."""
    nothing = Awale2(*[U(0)] * 7)
    return Awale2Variant(*nothing, rules=U(rules)) if rules else nothing


@inlined
def seeds_of(state):
    """The seeds on the board."""
    return int64(total(state.a + state.b + state.op_a + state.op_b))


@inlined
def place_in(state):
    """Where a state stands in the whole table. Even's first hole is followed by Odd's second."""
    op_a, op_b = turned(state.op_a, state.side), turned(state.op_b, state.side)
    return place(state.a, state.b, op_a, op_b, seeds_of(state))


@inlined
def forced(state, lows, highs):
    """The two margins of a board, by those that are known of its moves."""
    moves = legal(state)
    if not some(state, moves):  # he has no seeds, and the other one takes all
        return -seeds_of(state), -seeds_of(state)
    low, high = -NOTHING, -NOTHING
    while some(state, moves):
        child = play(state, first(state, moves))
        moves = rest(state, moves)
        gained = int64(child.op_score)
        if not some(child, legal(child)):
            low, high = max(low, gained), max(high, gained)
            continue
        at = place_in(child)
        least, most = int64(lows[at]), int64(highs[at])
        low = max(low, -NOTHING if most == NOTHING else gained - most)
        high = max(high, NOTHING if least == -NOTHING else gained - least)
    return low, high


@compiled
def sweep(begin, end, kind, seeds, lows, highs, changes):
    """Goes over the boards of a layer from one number to another, but for those that are settled."""
    changed, ring, base = 0, RINGS_AT[seeds], int64(BEGINS[RINGS_AT[seeds]])
    for at in range(base + begin, base + end):
        while int64(BEGINS[ring + 1]) <= at:
            ring += 1
        if lows[at] == highs[at]:
            continue
        state = laid(kind, *board_at(ring, at - int64(BEGINS[ring])))
        low, high = forced(state, lows, highs)
        if low != lows[at] or high != highs[at]:
            lows[at], highs[at] = low, high
            changed += 1
    reserve(changes, changed)


@compiled
def check(begin, end, kind, seeds, lows, highs, wrong):
    """Counts the boards that are not worth what their moves are worth."""
    bad, ring, base = 0, RINGS_AT[seeds], int64(BEGINS[RINGS_AT[seeds]])
    for at in range(base + begin, base + end):
        while int64(BEGINS[ring + 1]) <= at:
            ring += 1
        state = laid(kind, *board_at(ring, at - int64(BEGINS[ring])))
        low, high = forced(state, lows, highs)
        bad += low != lows[at] or high != highs[at]
    reserve(wrong, bad)


@compiled
def words_at(at, seeds):
    """The words of the board at a place in the whole table."""
    ring = RINGS_AT[seeds]
    while int64(BEGINS[ring + 1]) <= at:
        ring += 1
    return board_at(ring, at - int64(BEGINS[ring]))

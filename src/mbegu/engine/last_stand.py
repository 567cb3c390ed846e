"""The last stand: what to play when the game is lost.

Every move loses against an opponent who sees everything, and the longest defence is no better than
another against one who only has to take what he is offered. So the moves are tried on two opponents
who look no further than their own move: one takes the most that he can get, the other goes by the
evaluation. The move is chosen after which the game goes best if it is one of the two, who knows which.
"""

# mypy: allow-untyped-defs, allow-untyped-calls
# Compiled functions have no annotations: Numba infers their types, a set for each game.

from __future__ import annotations

from mbegu.engine.jit import compiled, inlined, int64
from mbegu.engine.kernels.interface import again, first, legal, margin, play, rest, some
from mbegu.engine.knowledge import gain
from mbegu.engine.thread_data import must_stop
from mbegu.engine.values import INFINITE, SEED, SURE, estimate, final

__all__ = ["OWN_MOVES", "stand"]

OWN_MOVES = 3  # ahead; with four the engine did no better in eighty games


@inlined
def _judged(child):
    """What a position is worth to whoever moved there, by the evaluation."""
    value = estimate(child) if some(child, legal(child)) else final(child, margin(child), 0)
    return value if again(child) else -value


@inlined
def _temptations(state):
    """The most that can be taken, and by how many moves; the same for the best evaluation."""
    most, takers, best, judges = -1, 0, -INFINITE, 0
    moves = legal(state)
    while some(state, moves):
        child = play(state, first(state, moves))
        moves = rest(state, moves)
        taken, judged = gain(state, child), _judged(child)
        takers = 1 if taken > most else takers + (taken == most)
        judges = 1 if judged > best else judges + (judged == best)
        most, best = max(most, taken), max(best, judged)
    return most, takers, best, judges


# Whether it is his turn goes from call to call as an int64: for a constant, which `again` is in some
# games, Numba would make a second function that calls the first, and the cache cannot keep such a pair.


@compiled
def expected(state, own, depth, thread):
    """The margin that the one who stands may expect; he is to move if `own`, and looks so many of
    his moves ahead. Of no use once the thread says that the thought has been stopped."""
    moves = legal(state)
    if not some(state, moves):
        return margin(state) * SEED if own else -margin(state) * SEED
    if must_stop(thread):
        return int64(0)
    if own and depth == 0:
        return int64(estimate(state))
    if own:
        found = int64(-INFINITE)
        while some(state, moves):
            child = play(state, first(state, moves))
            moves = rest(state, moves)
            found = max(found, expected(child, int64(again(child)), depth - 1, thread))
        return found
    most, takers, best, judges = _temptations(state)
    by_takers, by_judges = int64(0), int64(0)
    while some(state, moves):
        child = play(state, first(state, moves))
        moves = rest(state, moves)
        takes, judges_so = gain(state, child) == most, _judged(child) == best
        if best > SURE:  # nobody overlooks a win
            takes = judges_so
        if takes or judges_so:
            value = expected(child, int64(not again(child)), depth, thread)
            by_takers += value if takes else 0
            by_judges += value if judges_so else 0
    if best > SURE:
        return by_judges // judges
    return (by_takers // takers + by_judges // judges) // 2


@compiled
def stand(state, depth, thread):
    """The move after which most may be expected, looking so many own moves ahead."""
    chosen, most = int64(-1), int64(-INFINITE)
    moves = legal(state)
    while some(state, moves):
        move = first(state, moves)
        moves = rest(state, moves)
        child = play(state, move)
        value = expected(child, int64(again(child)), depth - 1, thread)
        if value > most:
            chosen, most = int64(move), value
    return chosen

"""The compiled half of the playouts: whole games of random moves."""

# mypy: allow-untyped-defs, allow-untyped-calls
# Compiled functions have no annotations: Numba infers their types, a set for each game.

from __future__ import annotations

from mbegu.engine.arrays import np
from mbegu.engine.jit import compiled, inlined
from mbegu.engine.kernels.bits import U
from mbegu.engine.kernels.interface import again, irreversible, key, legal, margin, nth, play, size
from mbegu.engine.knowledge import repetitions

ENDED, REPEATED, CAPPED = 0, 1, 2


@inlined
def sprout(seed, game):
    """The random state of a game: neighbouring games have nothing in common."""
    x = seed + (game + U(1)) * U(0x9E3779B97F4A7C15)
    x = (x ^ (x >> U(30))) * U(0xBF58476D1CE4E5B9)
    x = (x ^ (x >> U(27))) * U(0x94D049BB133111EB)
    return x ^ (x >> U(31))


@inlined
def shake(dice):
    """The next random state; its upper half is random."""
    return dice * U(6364136223846793005) + U(1442695040888963407)


@inlined
def throw(dice, sides):
    """A number below `sides`."""
    return np.int64(((dice >> U(32)) * U(sides)) >> U(32))


@inlined
def _seen(history, count, wanted):
    """How often a key stands in the history. No early exit: so it is done eight at a time."""
    times = 0
    for i in range(count):
        times += history[i] == wanted
    return times


@inlined
def random_game(state, dice, cap, history):
    """Plays to the end: the margin for the player who began, the plies, and how it ended."""
    sign, plies, since = 1, 0, 0
    while True:
        moves = legal(state)
        choices = size(state, moves)
        if choices == 0:
            return sign * margin(state), plies, ENDED
        if plies >= cap:
            return 0, plies, CAPPED
        dice = shake(dice)
        child = play(state, nth(state, moves, throw(dice, choices)))
        if repetitions(state) > 0:
            if irreversible(state, child):
                since = 0
            else:
                # The same position with the same mover lies an even number of plies back.
                history[since & 1, since >> 1] = key(state)
                since += 1
                if _seen(history[since & 1], since >> 1, key(child)) >= repetitions(state):
                    outcome = -sign * margin(child) if repetitions(state) == 1 else 0
                    return outcome, plies + 1, REPEATED
        if not again(child):
            sign = -sign
        state = child
        plies += 1


@compiled
def random_games(state, seed, first, cap, out):
    """Fills the arrays of `out` with games number `first`, `first + 1`...

    A game depends on the seed and its number only, so threads may share the work as they like.
    """
    margins, lengths, endings = out
    history = np.empty((2, cap // 2 + 2), np.uint64)
    for i in range(len(margins)):
        dice = sprout(seed, U(first + i))
        margins[i], lengths[i], endings[i] = random_game(state, dice, cap, history)

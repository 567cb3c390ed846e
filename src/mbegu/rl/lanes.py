"""The compiled half of the environments: a lane is a game, and a call plays a move in every lane.

A state lies in a row of 64-bit words, so that what belongs together is together in memory.
"""

# mypy: allow-untyped-defs, allow-untyped-calls
# Compiled functions have no annotations: Numba infers their types, a set for each game.

from __future__ import annotations

from typing import Any

import numpy as np

from mbegu.engine.jit import compiled, inlined, overloaded
from mbegu.engine.kernels import interface as the
from mbegu.engine.kernels.bits import U
from mbegu.engine.kernels.games import shake, sprout, throw
from mbegu.engine.knowledge import observe


@inlined
def _mark(state, moves, row):
    """A one for each legal move."""
    for i in range(len(row)):
        row[i] = 0
    while the.some(state, moves):
        row[the.first(state, moves)] = 1
        moves = the.rest(state, moves)


# ---- rows of words ------------------------------------------------------------------------------------


def load(like: Any, words: Any, lane: Any) -> Any:
    """The state in a row, of the same class as `like`."""


def _load(like, words, lane):
    from numba.np.unsafe import ndarray as unsafe  # noqa: PLC0415 - when it is compiled

    to_fixed_tuple: Any = unsafe.to_fixed_tuple
    state_class = like.instance_class
    count = len(state_class._fields)

    def read(like, words, lane):
        return state_class(*to_fixed_tuple(words[lane], count))

    return read


overloaded(load, _load)


@inlined
def _store(state, words, lane):
    for i in range(len(state)):
        words[lane, i] = state[i]


# ---- many games ---------------------------------------------------------------------------------------


@compiled
def look(state, seen, mask):
    """What the player to move sees and may do."""
    observe(state, seen)
    _mark(state, the.legal(state), mask)


@compiled
def reset_lanes(start, first, words, players, plies, seen, masks):
    """Begins a new game in every lane."""
    for lane in range(len(players)):
        _store(start, words, lane)
        players[lane] = first
        plies[lane] = 0
        observe(start, seen[lane])
        _mark(start, the.legal(start), masks[lane])


@compiled
def first_illegal(masks, actions):
    """The first lane whose action is not legal; -1 if all are."""
    for lane in range(len(actions)):
        if not 0 <= actions[lane] < masks.shape[1] or masks[lane, actions[lane]] == 0:
            return lane
    return -1


@compiled
def step_lanes(start, first, cap, words, players, plies, actions, out):
    """Plays an action in every lane; where that ends the game, a new one begins.

    `out`: what is seen and legal now; the reward of whoever acted, whether the game ended and whether
    it was cut off.
    """
    seen, masks, rewards, ended, cut = out
    for lane in range(len(actions)):
        child = the.play(load(start, words, lane), actions[lane])
        moves = the.legal(child)
        again = the.again(child)
        plies[lane] += 1
        rewards[lane] = 0.0
        ended[lane] = not the.some(child, moves)
        cut[lane] = not ended[lane] and plies[lane] >= cap
        if ended[lane]:
            margin = the.margin(child) if again else -the.margin(child)
            rewards[lane] = np.sign(margin)
        if ended[lane] or cut[lane]:
            child = start
            moves = the.legal(child)
            players[lane] = first
            plies[lane] = 0
        elif not again:
            players[lane] ^= 1
        _store(child, words, lane)
        observe(child, seen[lane])
        _mark(child, moves, masks[lane])


@compiled
def peek_lanes(start, words, seen, rewards, signs):
    """Where each action would lead: what is seen there, the reward of whoever acts if it ends the game,
    and 1 if the same player would act, -1 if the other, 0 if nobody or if the action is not legal."""
    for lane in range(len(words)):
        state = load(start, words, lane)
        moves = the.legal(state)
        for action in range(seen.shape[1]):
            rewards[lane, action] = 0.0
            signs[lane, action] = 0
        while the.some(state, moves):
            action = the.first(state, moves)
            moves = the.rest(state, moves)
            child = the.play(state, action)
            again = the.again(child)
            observe(child, seen[lane, action])
            if the.over(child):
                margin = the.margin(child) if again else -the.margin(child)
                rewards[lane, action] = np.sign(margin)
            else:
                signs[lane, action] = 1 if again else -1


@compiled
def draw_lanes(start, words, dice, actions):
    """An action by lot for every lane, all legal ones alike."""
    for lane in range(len(actions)):
        state = load(start, words, lane)
        moves = the.legal(state)
        dice[lane] = shake(dice[lane])
        actions[lane] = the.nth(state, moves, throw(dice[lane], the.size(state, moves)))


@compiled
def sow_dice(seed, dice):
    """Random states for lanes, each its own."""
    for lane in range(len(dice)):
        dice[lane] = sprout(seed, U(lane))

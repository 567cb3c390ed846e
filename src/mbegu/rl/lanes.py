"""The compiled half of the environments: a lane is a game, and a call plays a move in every lane.

A state lies in a row of 64-bit words, so that what belongs together is together in memory.
"""

# mypy: allow-untyped-defs, allow-untyped-calls
# Compiled functions have no annotations: Numba infers their types, a set for each game.

from __future__ import annotations

from typing import Any

import numpy as np
from numba.extending import overload
from numba.np.unsafe import ndarray as unsafe

from mbegu.engine.jit import compiled, inlined
from mbegu.engine.kernels import interface as the
from mbegu.engine.kernels.bits import FF, ONE, ZERO, U
from mbegu.engine.kernels.games import shake, sprout, throw
from mbegu.engine.kernels.interface import implement
from mbegu.games.awale2.kernel import ALL as AWALE2
from mbegu.games.kalah.kernel import SIX, KalahWide
from mbegu.games.morabaraba.kernel import ALL as MORABARABA
from mbegu.games.morabaraba.kernel import SHOT
from mbegu.games.oware.kernel import ALL as OWARE
from mbegu.games.urubugu.kernel import ALL as URUBUGU

to_fixed_tuple: Any = unsafe.to_fixed_tuple
MORABARABA_SEEN = 24 + 24 + 7 + 40


# ---- what a player sees -----------------------------------------------------------------------------


def observe(state: Any, row: Any) -> Any:
    """Writes what the player to move sees into a row of bytes."""


def width_of(game: str, options: dict[str, Any]) -> int:
    """How many bytes `observe` writes."""
    if game == "kalah":
        return 2 * int(options.get("pits", 6)) + 2
    return {"oware": 14, "urubugu": 32, "awale2": 35, "morabaraba": MORABARABA_SEEN}[game]


@inlined
def _spread(word, row, first, count):
    """The lowest bytes of a word, one by one."""
    for i in range(count):
        row[first + i] = word & FF
        word >>= U(8)


@implement(observe, *OWARE, *SIX)
def _observe_two_rows(state, row):
    """Six holes of mine, six of his, what I have won, what he has."""
    _spread(state.me, row, 0, 6)
    _spread(state.op, row, 6, 6)
    row[12] = (state.me >> U(48)) & FF
    row[13] = (state.op >> U(48)) & FF


@implement(observe, KalahWide)
def _observe_wide(state, row):
    pits = np.int64(state.pits)
    _spread(state.me, row, 0, min(pits, 8))
    _spread(state.op, row, pits, min(pits, 8))
    if pits > 8:
        _spread(state.me2, row, 8, pits - 8)
        _spread(state.op2, row, pits + 8, pits - 8)
    row[2 * pits] = state.me2 >> U(56)
    row[2 * pits + 1] = state.op2 >> U(56)


@implement(observe, *URUBUGU)
def _observe_urubugu(state, row):
    """My cells 1..16, then his."""
    _spread(state.back, row, 0, 8)
    _spread(state.front, row, 8, 8)
    _spread(state.op_back, row, 16, 8)
    _spread(state.op_front, row, 24, 8)


@implement(observe, *AWALE2)
def _observe_awale2(state, row):
    """My holes in either colour, his, both scores, and which side of the ring is mine."""
    _spread(state.a, row, 0, 8)
    _spread(state.b, row, 8, 8)
    _spread(state.op_a, row, 16, 8)
    _spread(state.op_b, row, 24, 8)
    row[32] = state.score
    row[33] = state.op_score
    row[34] = state.side


@implement(observe, *MORABARABA)
def _observe_morabaraba(state, row):
    """My cows and his on the 24 points, in hand, shot, quiet actions, moves with three cows, whether
    a shot is due, and bit by bit what each may not do next."""
    for point in range(24):
        row[point] = (state.me >> U(point)) & ONE
        row[24 + point] = (state.op >> U(point)) & ONE
    _spread(state.mine, row, 48, 2)
    _spread(state.his, row, 50, 2)
    row[52] = min(state.clock & U(0xFFFFFFFF), FF)
    row[53] = (state.clock >> U(32)) & FF
    row[54] = (state.clock & SHOT) != ZERO
    for i in range(20):
        row[55 + i] = (state.mine >> U(32 + i)) & ONE
        row[75 + i] = (state.his >> U(32 + i)) & ONE


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


@overload(load, strict=False, jit_options={"forceinline": True})
def _load(like, words, lane):
    state_class = like.instance_class
    count = len(state_class._fields)

    def read(like, words, lane):
        return state_class(*to_fixed_tuple(words[lane], count))

    return read


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

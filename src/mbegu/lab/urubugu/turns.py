"""Whole turns of Urubugu by the million: settings that win in one turn, sought by lot and by climbing.

A turn looks at the opponent's beads only by column (see `mbegu.lab.urubugu.columns`), so a *defence* is a word
of eight column sums and stands for all settings with these sums. An *attack* is the sixteen cells of
the player who starts, as two words.

Everything that is sought by lot depends on a seed and the number of a batch alone.
"""

# mypy: allow-untyped-defs, allow-untyped-calls
# Compiled functions have no annotations: Numba infers their types, a set for each rule set.

from __future__ import annotations

from typing import Any

import numpy as np

from mbegu.engine.jit import compiled, inlined, int64
from mbegu.engine.kernels import interface as the
from mbegu.engine.kernels.bits import FF, ONE, ZERO, U, total
from mbegu.engine.kernels.games import shake, sprout, throw
from mbegu.engine.kernels.interface import implement
from mbegu.games.urubugu.kernel import CAPTURE_BOTH, Urubugu, UrubuguVariant

__all__ = [
    "BEADS",
    "KINDS",
    "attack_by_lot",
    "classes",
    "clear",
    "climb",
    "cover",
    "draw_attacks",
    "hits",
    "rate",
    "strike",
]

BEADS = 32
UNIFORM, THROWN, SPARSE = 0, 1, 2
KINDS = {"uniform": UNIFORM, "beads": THROWN, "sparse": SPARSE}
BUMPS = 400  # changes in vain, after which a climber begins anew
LOST = -1


# ---- who sits where: by the class of the state, so that the usual rules cost nothing extra ----------


def seated(state: Any, back: Any, front: Any) -> Any:
    """The state with these cells for the player to move."""


def facing(state: Any, columns: Any) -> Any:
    """The state with these columns for the opponent: any setting of this class, if one can be taken."""


def won(child: Any) -> Any:
    """Whether the turn that led here has won the game."""


@implement(seated, Urubugu)
def _seated(state, back, front):
    return Urubugu(back, front, state.op_back, state.op_front)


@implement(seated, UrubuguVariant)
def _seated_variant(state, back, front):
    return UrubuguVariant(back, front, state.op_back, state.op_front, state.rules)


@implement(facing, Urubugu)
def _facing(state, columns):
    return Urubugu(state.back, state.front, columns, ZERO)


@implement(facing, UrubuguVariant)
def _facing_variant(state, columns):
    front = ZERO
    if (state.rules & CAPTURE_BOTH) != ZERO:
        for i in range(8):  # one bead of every column that has two goes to the front
            shift = U(8 * i)
            if (columns >> shift) & FF >= U(2):
                columns -= ONE << shift
                front |= ONE << (U(56) - shift)
    return UrubuguVariant(state.back, state.front, columns, front, state.rules)


@implement(won, Urubugu)
def _won(child):
    return (child.back | child.front) == ZERO


@implement(won, UrubuguVariant)
def _won_variant(child):
    return the.over(child)


# ---- attacks by lot ---------------------------------------------------------------------------------


@inlined
def _laid(back, front, cell, beads):
    """The rows with more beads in a cell."""
    shift = U((cell & 7) << 3)
    if cell < 8:
        return back + (U(beads) << shift), front
    return back, front + (U(beads) << shift)


@inlined
def _uniform(dice):
    """Every setting is as likely as any other: 15 bars are drawn among 32 beads."""
    back = front = ZERO
    cell, bars = 0, 15
    for place in range(BEADS + 15):
        dice = shake(dice)
        if throw(dice, BEADS + 15 - place) < bars:
            bars -= 1
            cell += 1
        else:
            back, front = _laid(back, front, cell, 1)
    return back, front, dice


@inlined
def _thrown(dice):
    """Every bead falls into any cell."""
    back = front = ZERO
    for _bead in range(BEADS):
        dice = shake(dice)
        back, front = _laid(back, front, throw(dice, 16), 1)
    return back, front, dice


@inlined
def _sparse(dice):
    """One to eight piles, wherever they fall."""
    back = front = ZERO
    dice = shake(dice)
    piles, left = throw(dice, 8) + 1, BEADS
    for pile in range(piles):
        dice = shake(dice)
        cell = throw(dice, 16)
        dice = shake(dice)
        beads = left if pile == piles - 1 else throw(dice, left + 1)
        back, front = _laid(back, front, cell, beads)
        left -= beads
    return back, front, dice


@inlined
def _drawn(dice, kind):
    if kind == UNIFORM:
        return _uniform(dice)
    if kind == THROWN:
        return _thrown(dice)
    return _sparse(dice)


@compiled
def draw_attacks(seed, batch, kind, attacks):
    """Fills rows of [back, front] with settings of a kind."""
    dice = sprout(seed, U(batch))
    for i in range(len(attacks)):
        attacks[i, 0], attacks[i, 1], dice = _drawn(dice, kind)


@inlined
def _winning(state):
    """The winning moves of a seated state as bits, and how many turns were tried."""
    moves, winning, turns = the.legal(state), ZERO, 0
    while the.some(state, moves):
        move = the.first(state, moves)
        moves = the.rest(state, moves)
        turns += 1
        if won(the.play(state, move)):
            winning |= ONE << U(move)
    return winning, turns


@compiled
def attack_by_lot(state, seed, batch, kind, settings, found):
    """Tries settings by lot against the opponent of `state`, every start of each.

    Fills rows of `found` with [back, front, winning moves]; returns the numbers of settings that
    win, of turns that win, and of turns.
    """
    dice = sprout(seed, U(batch))
    winners = wins = turns = 0
    for _setting in range(settings):
        back, front, dice = _drawn(dice, kind)
        winning, tried = _winning(seated(state, back, front))
        turns += tried
        if winning != ZERO:
            if winners < len(found):
                found[winners, 0], found[winners, 1], found[winners, 2] = back, front, winning
            winners += 1
            while winning != ZERO:
                winning &= winning - ONE
                wins += 1
    return winners, wins, turns


@compiled
def strike(state, attacks, found):
    """The winning moves of each attack as bits, against the opponent of `state`."""
    for i in range(len(attacks)):
        found[i] = _winning(seated(state, attacks[i, 0], attacks[i, 1]))[0]


# ---- climbing ---------------------------------------------------------------------------------------


@inlined
def _best_turn(state):
    """The most beads that a turn takes, and the move; 2 * BEADS for a win."""
    moves, best, best_move, turns = the.legal(state), -1, LOST, 0
    while the.some(state, moves):
        move = the.first(state, moves)
        moves = the.rest(state, moves)
        child = the.play(state, move)
        turns += 1
        taken = 2 * BEADS if won(child) else BEADS - int64(total(child.back) + total(child.front))
        if taken > best:
            best, best_move = taken, move
    return best, best_move, turns


@inlined
def _beads_in(back, front, cell):
    word = back if cell < 8 else front
    return int64((word >> U((cell & 7) << 3)) & FF)


@compiled
def climb(state, seed, batch, turns, found):
    """Climbs to settings that take more and more, by moving beads from cell to cell.

    Like `attack_by_lot`: rows of [back, front, winning moves], and how many; a setting may come up
    twice. Ends after so many turns, or when `found` is full.
    """
    dice = sprout(seed, U(batch))
    winners = tried = bumps = 0
    best = -1
    back = front = ZERO
    while tried < turns and winners < len(found):
        if best < 0 or bumps > BUMPS:
            back, front, dice = _uniform(dice)
            best, _move, made = _best_turn(seated(state, back, front))
            tried, bumps = tried + made, 0
        else:
            dice = shake(dice)
            source = throw(dice, 16)
            here = _beads_in(back, front, source)
            dice = shake(dice)
            target = throw(dice, 16)
            dice = shake(dice)
            if here == 0 or source == target:
                continue
            beads = throw(dice, here) + 1
            new_back, new_front = _laid(back, front, target, beads)
            shift = U(beads) << U((source & 7) << 3)
            if source < 8:
                new_back -= shift
            else:
                new_front -= shift
            value, _move, made = _best_turn(seated(state, new_back, new_front))
            tried, bumps = tried + made, bumps + 1
            if value >= best:
                bumps = 0 if value > best else bumps
                best, back, front = value, new_back, new_front
        if best == 2 * BEADS:
            winning, made = _winning(seated(state, back, front))
            tried += made
            found[winners, 0], found[winners, 1], found[winners, 2] = back, front, winning
            winners += 1
            best = -1
    return winners, tried


# ---- defences: all classes, and how an attack fares against many -------------------------------------


@compiled
def classes(first, second, columns):
    """Writes all defences with these first two column sums; returns how many.

    With an empty array it only counts.
    """
    left = BEADS - first - second
    sums = np.zeros(6, np.int64)
    sums[5] = left
    count = 0
    while True:
        if len(columns) > 0:
            word = U(first) | (U(second) << U(8))
            for i in range(6):
                word |= U(sums[i]) << U(16 + 8 * i)
            columns[count] = word
        count += 1
        # The next one in the order of a dictionary: the last column gives all it has to its neighbour.
        i = 5
        while i > 0 and sums[i] == 0:
            i -= 1
        if i == 0:
            return count
        rest = sums[i]
        sums[i] = 0
        sums[i - 1] += 1
        sums[5] = rest - 1


@inlined
def _wins(state):
    """Whether some move of a seated state wins."""
    moves = the.legal(state)
    while the.some(state, moves):
        if won(the.play(state, the.first(state, moves))):
            return True
        moves = the.rest(state, moves)
    return False


@compiled
def hits(state, attacks, defences, table):
    """table[a, d] = whether attack a wins against defence d."""
    for d in range(len(defences)):
        opposed = facing(state, defences[d])
        for a in range(len(attacks)):
            table[a, d] = _wins(seated(opposed, attacks[a, 0], attacks[a, 1]))


@compiled
def cover(state, attacks, defences, answers):
    """answers[d] = the first attack that wins against defence d, or -1."""
    for d in range(len(defences)):
        opposed = facing(state, defences[d])
        answers[d] = -1
        for a in range(len(attacks)):
            if _wins(seated(opposed, attacks[a, 0], attacks[a, 1])):
                answers[d] = a
                break


@inlined
def _takes_all(state):
    """Whether some move of a seated state takes every bead of the opponent."""
    moves = the.legal(state)
    while the.some(state, moves):
        child = the.play(state, the.first(state, moves))
        if (child.back | child.front) == ZERO:
            return True
        moves = the.rest(state, moves)
    return False


@compiled
def clear(state, attacks, defences, answers):
    """answers[d] = the first attack that takes every bead of defence d, or -1."""
    for d in range(len(defences)):
        opposed = facing(state, defences[d])
        answers[d] = -1
        for a in range(len(attacks)):
            if _takes_all(seated(opposed, attacks[a, 0], attacks[a, 1])):
                answers[d] = a
                break


@compiled
def rate(state, attacks, defences, winners):
    """winners[d] = how many of the attacks win against defence d."""
    for d in range(len(defences)):
        opposed = facing(state, defences[d])
        winners[d] = 0
        for a in range(len(attacks)):
            winners[d] += _wins(seated(opposed, attacks[a, 0], attacks[a, 1]))

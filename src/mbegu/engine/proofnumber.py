"""Forced wins by depth-first proof-number search (df-pn): does the player to move win within so many turns?

    win = wins_within(position, turns=3)
    win.proved                 # True: he wins whatever the other does; False: he cannot; None: not found out
    shortest_win(position, most_turns=5).turns     # the fewest turns of his own that it takes

Proof-number search always goes on where the least is missing to a proof, and so finds narrow wins far
deeper than a search of all moves to one depth. Its recursion is the one of Nagai: each call works on a
position until its proof number or its disproof number reaches a threshold, and what is known stands in a table.

A claim here is "a win within `n` plies". Whoever follows the shortest of them never comes back to a position,
so no rule of repetition can interfere in a game that begins here.
"""

# mypy: allow-untyped-defs, allow-untyped-calls
# Compiled functions have no annotations: Numba infers their types, a set for each game.

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from mbegu.core.errors import MbeguError
from mbegu.core.game import Game, Move, Position
from mbegu.core.i18n import _
from mbegu.engine.jit import compiled, inlined, int64
from mbegu.engine.kernels.bits import U, mix
from mbegu.engine.kernels.driver import kernel_of
from mbegu.engine.kernels.interface import again, first, key, legal, margin, play, rest, some
from mbegu.engine.memory import peek, peek_anew, peek_bits, poke, poke_bits
from mbegu.engine.recursion import itself_of_seven as search_itself

__all__ = ["Win", "shortest_win", "wins_within"]

NODES = 10_000_000
MEMORY_MB = 64
MOST_TURNS = 30
SURE = 1 << 30  # a number that no sum of unfinished ones reaches
SPENT, LIMIT, STOP, SLOTS, THREAD_WORDS = 0, 1, 2, 3, 4
_NUMBER = U(0xFFFFFFFF)
_ABOVE = (
    1  # how much more than the second best child a child may need before the other is looked at
)


@dataclass(frozen=True)
class Win:
    """Whether the player to move wins within so many turns of his own, and the moves that do."""

    position: Position
    turns: int
    proved: bool | None
    moves: tuple[Move, ...]
    nodes: int

    def to_json(self) -> dict[str, Any]:
        """As plain data."""
        words = [self.position.game.format_move(move, self.position) for move in self.moves]
        return {
            "game": str(self.position.game),
            "position": str(self.position),
            "turns": self.turns,
            "wins": self.proved,
            "moves": words,
            "nodes": self.nodes,
        }


def wins_within(
    position: Position, turns: int, *, nodes: int = NODES, memory_mb: int = MEMORY_MB
) -> Win:
    """Whether the player to move can force a win with at most so many turns of his own."""
    return _Prover(position, nodes, memory_mb).win(turns)


def shortest_win(
    position: Position, most_turns: int, *, nodes: int = NODES, memory_mb: int = MEMORY_MB
) -> Win:
    """The fewest turns that a forced win takes, up to `most_turns`."""
    prover = _Prover(position, nodes, memory_mb)
    for turns in range(1, most_turns):
        found = prover.win(turns)
        if found.proved is not False:
            return found
    return prover.win(most_turns)


class _Prover:
    """The compiled search, its table, and how many nodes are left."""

    def __init__(self, position: Position, nodes: int, memory_mb: int) -> None:
        if position.turn is None:
            raise MbeguError(_("the game is over: there is nothing to prove"))
        self.position, self.game = position, position.game
        self.kernel = _kernel(self.game)
        self.options = {name: getattr(self.game, name) for name in self.game.options()}
        self.state = self.kernel.pack(position.to_json(), self.options)
        self.table = np.zeros(2 * _slots(memory_mb), np.uint64)
        self.thread = np.zeros(THREAD_WORDS, np.int64)
        self.thread[LIMIT], self.thread[SLOTS] = nodes, len(self.table) // 2

    def win(self, turns: int) -> Win:
        """The answer for so many turns."""
        if not 1 <= turns <= MOST_TURNS:
            raise MbeguError(
                _("turns must be from 1 to {most}, not {turns}").format(
                    most=MOST_TURNS, turns=turns
                )
            )
        where = self.thread.ctypes.data, self.table.ctypes.data
        answer = int(prove(self.state, 2 * turns - 1, 1, *where))
        proved = None if answer < 0 else bool(answer)
        return Win(
            self.position,
            turns,
            proved,
            self._moves(turns) if proved else (),
            int(self.thread[SPENT]),
        )

    def _moves(self, turns: int) -> tuple[Move, ...]:
        """The first moves that win as soon; those that nodes are left to prove."""
        found, where = [], (self.thread.ctypes.data, self.table.ctypes.data)
        for move in self.position.legal_moves():
            packed = self.kernel.to_move(move, self.position.turn or 0, self.options)
            if prove_move(self.state, packed, 2 * turns - 1, *where) == 1:
                found.append(move)
        return tuple(found)


def _kernel(game: Game) -> Any:
    try:
        return kernel_of(game.name)
    except ValueError as error:
        raise MbeguError(str(error)) from None


def _slots(memory_mb: int) -> int:
    """Entries of two words: a power of two."""
    return 1 << max((memory_mb << 16).bit_length() - 1, 10)


# ---- the table ------------------------------------------------------------------------------------


@inlined
def _numbers(hashed, thread, table):
    """The proof and the disproof number of a position; one each if nothing is known."""
    at = int64(hashed & U(peek(thread, SLOTS) - 1)) << 1
    found = peek_bits(table, at + 1)
    if peek_bits(table, at) ^ found != hashed or found == U(0):
        return int64(1), int64(1)
    return int64(found >> U(32)), int64(found & _NUMBER)


@inlined
def _keep(hashed, proof, disproof, thread, table):
    at = int64(hashed & U(peek(thread, SLOTS) - 1)) << 1
    word = (U(proof) << U(32)) | U(disproof)
    poke_bits(table, at, hashed ^ word)
    poke_bits(table, at + 1, word)


@inlined
def _name(state, left, mine):
    """The key of a claim: the position, the plies left and whose turn it is."""
    return mix(key(state), U((left << 1) | mine))


@inlined
def _child_numbers(child, left, his, thread, table):
    """What is known of a child: whether the game is over there, no ply is left, or the table's numbers."""
    if not some(child, legal(child)):
        won = margin(child) > 0 if his == 1 else margin(child) < 0
        return (int64(0), int64(SURE)) if won else (int64(SURE), int64(0))
    if left == 0:
        return int64(SURE), int64(0)
    return _numbers(_name(child, left, his), thread, table)


# ---- the search -----------------------------------------------------------------------------------


@compiled
def work_on(state, left, mine, proof_goal, disproof_goal, thread, table):
    """Works on a position until one of its numbers reaches its goal; tells them in one word."""
    poke(thread, SPENT, peek(thread, SPENT) + 1)
    name = _name(state, left, mine)
    while True:
        # For the attacker the least proof number counts and the sum of disproof numbers; for the other
        # one it is the other way round. `need` is what is least at this node, `cost` what is summed.
        need = second = other_cost = SURE
        cost, best = 0, -1
        moves = legal(state)
        while some(state, moves):
            move = first(state, moves)
            moves = rest(state, moves)
            child = play(state, move)
            his = mine if again(child) else 1 - mine
            proof, disproof = _child_numbers(child, left - 1, his, thread, table)
            least, summed = (proof, disproof) if mine == 1 else (disproof, proof)
            cost = min(cost + summed, SURE)
            if least < need:
                second, need = need, least
                best, other_cost = move, summed
            elif least < second:
                second = least
        if need == 0:
            cost = SURE
        goal, limit = (proof_goal, disproof_goal) if mine == 1 else (disproof_goal, proof_goal)
        stopped = peek(thread, SPENT) >= peek(thread, LIMIT) or peek_anew(thread, STOP) != 0
        if need >= goal or cost >= limit or stopped or best < 0:
            proof, disproof = (need, cost) if mine == 1 else (cost, need)
            _keep(name, proof, disproof, thread, table)
            return (proof << 31) | disproof
        child = play(state, best)
        his = mine if again(child) else 1 - mine
        aim = min(goal, second + _ABOVE)
        rest_of_limit = min(limit - cost + other_cost, SURE)
        if mine == 1:
            search_itself(child, left - 1, his, aim, rest_of_limit, thread, table)
        else:
            search_itself(child, left - 1, his, rest_of_limit, aim, thread, table)


@compiled
def prove(state, left, mine, thread, table):
    """1 if he wins within so many plies, who is to move if `mine` is 1; 0 if not; -1 if it was too much."""
    answer = work_on(state, int64(left), int64(mine), int64(SURE), int64(SURE), thread, table)
    if answer >> 31 == 0:
        return 1
    return 0 if answer & (2**31 - 1) == 0 else -1


@compiled
def prove_move(state, move, left, thread, table):
    """The same of a move of the player to move."""
    child = play(state, move)
    if not some(child, legal(child)):
        return int(margin(child) > 0 if again(child) else margin(child) < 0)
    if left == 1:
        return 0
    return prove(child, left - 1, 1 if again(child) else 0, thread, table)

"""Cycles: endings in which positions come back, all that can be reached valued together.

A search gives up a proof wherever the game may go round in a circle. Here every reachable position has
two bounds for the player to move, which begin at nothing and become tighter round by round: after `n`
rounds the lower one is what he can force within `n` plies, the upper one what the other can hold him to.
So each bound rests on finite play alone. As in `mbegu.engine.repetition`, whoever follows the rounds
downwards never meets a position twice, and a circle, whatever the rules make of it, is worth nothing to
either of them. Where the bounds meet, the value does not depend on circles.

The past is told exactly: a dangerous position, in which the match would end by repetition, is entered as an
end with the value that the match gives it. Whose turn it is belongs to a position then.
"""

# mypy: allow-untyped-defs, allow-untyped-calls
# Compiled functions have no annotations: Numba infers their types, a set for each game.

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from mbegu.engine.jit import compiled, inlined, int64
from mbegu.engine.kernels.bits import U
from mbegu.engine.kernels.driver import legal_moves, revive
from mbegu.engine.kernels.interface import again, first, key, legal, margin, play, rest, some
from mbegu.engine.knowledge import DRAW, recurrence
from mbegu.engine.machine import Machine, machine_of
from mbegu.engine.memory import peek, peek_anew, peek_state, poke_state
from mbegu.engine.thread_data import SIGNAL, STOP, is_late

__all__ = ["MOST_STATES", "Survey", "survey"]

MOST_STATES = 1 << 19
EDGES = 8  # for each state, on average, at most
LOOKS = 0xFF  # a look at the clock every so many states, less one
NONE = 32_000  # no bound
NEVER_YET = 1 << 30
TOO_MANY, STOPPED = -1, -2
OTHER = U(0x9E3779B97F4A7C15)


@inlined
def _name(state, player):
    """What tells a position from all others."""
    return key(state) ^ (OTHER * U(player))


@inlined
def _find(names, slots, name):
    """The slot of a position, or the free one that it may take."""
    mask = len(slots) - 1
    at = int64(name >> U(20)) & mask
    while slots[at] != 0 and names[slots[at] - 1] != name:
        at = (at + 1) & mask
    return at


@inlined
def _told_to_stop(thread):
    return peek_anew(peek(thread, SIGNAL), STOP) != 0 or is_late(thread)


@compiled
def explore(state, size, ends, by_player, room, thread):
    """Lists what can be reached; returns how many positions that are, and how many were looked at.

    `ends` are the names of dangerous positions, already in `low` and `high` after the root.
    """
    words, names, slots, players, starts, edges, low, high = room
    memory = words.ctypes.data
    names[0] = _name(state, 0)
    slots[_find(names, slots, names[0])] = 1
    poke_state(memory, 0, state)
    count = 1
    for name in ends:
        names[count] = name
        slots[_find(names, slots, name)] = count + 1
        count += 1
    used = 0
    i = 0
    while i < count:
        starts[i] = used
        if 0 < i <= len(ends):
            i += 1
            continue
        if i & LOOKS == LOOKS and _told_to_stop(thread):
            return STOPPED, i
        here = peek_state(state, memory, i * size)
        moves = legal(here)
        if not some(here, moves):
            low[i] = high[i] = margin(here)
        while some(here, moves):
            child = play(here, first(here, moves))
            moves = rest(here, moves)
            extra = int64(again(child))
            player = (players[i] if extra else 1 - players[i]) if by_player else 0
            name = _name(child, player)
            at = _find(names, slots, name)
            if slots[at] == 0:
                if count == len(names):
                    return TOO_MANY, i
                names[count], players[count] = name, player
                poke_state(memory, count * size, child)
                count += 1
                slots[at] = count
            if used == len(edges):
                return TOO_MANY, i
            edges[used] = ((slots[at] - 1) << 1) | extra
            used += 1
        i += 1
    starts[count] = used
    return count, count


@inlined
def _turn_round(count, starts, edges, begins, parents):
    """Lists the edges by the child that they lead to."""
    for i in range(count + 2):
        begins[i] = 0
    for e in range(starts[count]):
        begins[(edges[e] >> 1) + 2] += 1
    for i in range(2, count + 2):
        begins[i] += begins[i - 1]
    for i in range(count):
        for e in range(starts[i], starts[i + 1]):
            child = edges[e] >> 1
            parents[begins[child + 1]] = i
            begins[child + 1] += 1


@inlined
def _bounds(i, starts, edges, low, high):
    """What the children make of a position's bounds."""
    least, most = -NONE, -NONE
    for e in range(starts[i], starts[i + 1]):
        child = edges[e] >> 1
        if edges[e] & 1:
            least, most = max(least, int64(low[child])), max(most, int64(high[child]))
        else:
            least, most = max(least, -int64(high[child])), max(most, -int64(low[child]))
    return least, most


@compiled
def tighten(count, room, rounds, scratch, thread):
    """Makes the bounds tighter until nothing changes. Returns False if it was told to stop.

    `rounds` has for each position the round in which the lower and the upper bound last changed, in
    which it was first won, and in which it was first lost.
    """
    _words, _names, _slots, _players, starts, edges, low, high = room
    begins, parents, due, following, listed, news = scratch
    _turn_round(count, starts, edges, begins, parents)
    waiting = 0
    for i in range(count):
        listed[i] = 0
        rounds[i, 2] = rounds[i, 3] = NEVER_YET
        if low[i] > 0:
            rounds[i, 2] = 0
        if high[i] < 0:
            rounds[i, 3] = 0
        if starts[i] < starts[i + 1]:
            due[waiting] = i
            waiting += 1
    this = 0
    while waiting > 0:
        this += 1
        if _told_to_stop(thread):
            return False
        for k in range(waiting):
            news[k, 0], news[k, 1] = _bounds(due[k], starts, edges, low, high)
        then = 0
        for k in range(waiting):
            i = due[k]
            if news[k, 0] == low[i] and news[k, 1] == high[i]:
                continue
            if news[k, 0] != low[i]:
                rounds[i, 0] = this
            if news[k, 1] != high[i]:
                rounds[i, 1] = this
            low[i], high[i] = news[k, 0], news[k, 1]
            if low[i] > 0 and rounds[i, 2] == NEVER_YET:
                rounds[i, 2] = this
            if high[i] < 0 and rounds[i, 3] == NEVER_YET:
                rounds[i, 3] = this
            for p in range(begins[i], begins[i + 1]):
                if listed[parents[p]] != this:
                    listed[parents[p]] = this
                    following[then] = parents[p]
                    then += 1
        due, following = following, due
        waiting = then
    return True


@compiled
def main_line(start, room, rounds, line):
    """Writes the ranks of the moves that both would play from a position on; returns how many."""
    _words, _names, _slots, _players, starts, edges, low, high = room
    at, length = start, 0
    while length < len(line) and starts[at] < starts[at + 1]:
        best, merit, soon = -1, -NONE - 1, 0
        for e in range(starts[at], starts[at + 1]):
            child, extra = edges[e] >> 1, edges[e] & 1
            value = int64(low[child]) if extra else -int64(high[child])
            when = rounds[child, 0] if extra else rounds[child, 1]
            when = -when if value >= 0 else when
            if value > merit or (value == merit and when > soon):
                best, merit, soon = e, value, when
        line[length] = best - starts[at]
        length += 1
        at = edges[best] >> 1
    return length


@compiled
def child_facts(state):
    return recurrence(state) == DRAW, key(state)


@dataclass(frozen=True)
class Survey:
    """What is proved about each move of the root: `(low, high, win, line)` by move; `states` looked at.

    Empty, with the share of positions that were not even looked at, if there are too many.
    """

    moves: dict[int, tuple[int, int, int | None, tuple[int, ...]]]
    states: int
    open_share: float = 0.0


def survey(
    state: Any, ends: list[tuple[int, int]], most: int, thread: int, *, line: int = 60
) -> Survey:
    """Values everything that can be reached from a state, if that is `most` states at most.

    `ends` are the names (see `name_of`) and values, for who is to move there, of dangerous positions.
    """
    machine = machine_of(type(state))
    with machine.scratch():
        return _survey(machine, revive(state), ends, most, thread, line)


def _survey(
    machine: Machine, state: Any, ends: list[tuple[int, int]], most: int, thread: int, line: int
) -> Survey:
    size = len(state)
    total = most + len(ends) + 1
    room = _room(machine, total, size)
    names = machine.empty(len(ends), "uint64")
    names[:] = [name for name, _value in ends]
    for i, (_each, value) in enumerate(ends, 1):
        room[6][i] = room[7][i] = value
    count, seen = explore(state, size, names, bool(ends), room, thread)
    if count < 0:
        left = (total - seen) / max(seen, 1) if count == TOO_MANY else 0.0
        return Survey({}, int(seen), left)
    rounds = machine.zeros((count, 4), "int32")
    if not tighten(count, room, rounds, _scratch(machine, count, int(room[4][count])), thread):
        return Survey({}, int(count))
    draws = bool(child_facts(state)[0])
    return Survey(_moves(state, room, rounds, draws, line), int(count))


def name_of(state: Any, player: int) -> int:
    """The name of a position in which the root's player (0) or the other one is to move."""
    return (int(child_facts(revive(state))[1]) ^ (int(OTHER) * player)) % 2**64


def _room(machine: Machine, total: int, size: int) -> tuple[Any, ...]:
    slots = 1 << (2 * total - 1).bit_length()
    low, high = machine.empty(total, "int16"), machine.empty(total, "int16")
    low[:], high[:] = -NONE, NONE
    return (
        machine.empty(total * size, "uint64"),
        machine.empty(total, "uint64"),
        machine.zeros(slots, "int32"),
        machine.zeros(total, "int8"),
        machine.zeros(total + 1, "int32"),
        machine.empty(total * EDGES, "int32"),
        *(low, high),
    )


def _scratch(machine: Machine, count: int, edges: int) -> tuple[Any, ...]:
    """Where `tighten` works."""
    return (
        machine.empty(count + 2, "int32"),
        machine.empty(edges, "int32"),
        *(machine.empty(count, "int32") for _each in range(3)),
        machine.empty((count, 2), "int16"),
    )


def _moves(
    state: Any, room: tuple[Any, ...], rounds: Any, draws: bool, longest: int
) -> dict[int, tuple[int, int, int | None, tuple[int, ...]]]:
    starts, edges, low, high = room[4:]
    ranks = machine_of(type(state)).empty(longest, "int32")
    found = {}
    for rank, move in enumerate(legal_moves(state)):
        edge = int(edges[starts[0] + rank])
        child, extra = edge >> 1, edge & 1
        least = int(low[child]) if extra else -int(high[child])
        most = int(high[child]) if extra else -int(low[child])
        won, lost = (int(rounds[child, k]) for k in ((2, 3) if extra else (3, 2)))
        win = 1 + won if won < NEVER_YET else -1 - lost if lost < NEVER_YET else None
        if draws:  # who goes round in circles draws
            least, most = max(least, min(most, 0)), min(most, max(least, 0))
        length = main_line(child, room, rounds, ranks)
        found[move] = (least, most, win, _played(state, move, ranks[:length]))
    return found


def _played(state: Any, move: int, ranks: Any) -> tuple[int, ...]:
    """A line in moves instead of ranks."""
    from mbegu.engine.kernels.driver import play as play_packed  # noqa: PLC0415

    line = [move]
    state, _again = play_packed(state, move)
    for rank in ranks:
        line.append(legal_moves(state)[int(rank)])
        state, _again = play_packed(state, line[-1])
    return tuple(line)

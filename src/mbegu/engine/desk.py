"""A thread's workplace: a block of words, of which the first ones are named here.

What all threads share is another block: whether to stop, and what they are busy with.
"""

from __future__ import annotations

import time

from mbegu.engine.jit import inlined
from mbegu.engine.memory import peek, poke, read_clock, watch

# ---- what stands on a desk ------------------------------------------------------------------------

NODES = 0  # visited so far
NODE_LIMIT = 1
SIGNAL = 2  # the address of what all threads share: whether to stop, and what they are busy with
STOPPED = 3  # whether this thread has seen it, or another one has answered for it (see ANSWERED)
LINES = 4  # of the table
AGE = 5
BASE = 6  # how many positions of the game before the root stand at the beginning of PATH
REPEATS = 7  # how often one before the root must have occurred to end the game when it recurs
ROOT_COUNT = 8
THREADS = 9
LATE, LATER = 10, 11  # from which move on the search is reduced, and from which on by two
RETURN_TO = 12  # the ply whose position another thread has answered
DEADLINE = 13  # nanoseconds of the system's clock, 0 for none
CLOCK = 14  # the address of the function that tells the time
DANGER = 15  # whether a position before the root might end the match, see mbegu.engine.history
NEWS = 16  # written by other threads, in a cache line of its own: the label of what they answered
NOW = 24  # seconds and nanoseconds: what the clock has told

MOST_MOVES = 64
ROOT_MOVES = 64  # here the words begin
KILLERS = ROOT_MOVES + MOST_MOVES
PATH = KILLERS + 2 * 256
MOST_HISTORY = 256
SINCE = PATH + 512
TRAIL = SINCE + 256  # the labels of the positions that lead here
HISTORY = TRAIL + 256
LISTS = HISTORY + 2048
PV_LENGTH = LISTS + 256 * MOST_MOVES
PV = PV_LENGTH + 256
DESK_WORDS = PV + 256 * 256

# ---- what the threads share -----------------------------------------------------------------------

STOP = 0  # whether all must end
TASKS = 1  # how many tasks the leader has given out
DESKS = 8  # here the addresses of all desks begin
BUSY, BUSY_SLOTS = DESKS + 256, 1 << 14
SHARED_WORDS = BUSY + BUSY_SLOTS

# ---- when to stop ---------------------------------------------------------------------------------

LOOKS = 0xFF  # a look at the clock every so many nodes, less one
SECOND = 10**9
WHICH_CLOCK: int = getattr(time, "CLOCK_MONOTONIC", 0)


@inlined
def must_stop(desk):  # type: ignore[no-untyped-def]
    """Counts a node, if there is one left; tells whether the search must end here."""
    nodes = peek(desk, NODES)
    if nodes & LOOKS == LOOKS and is_late(desk):
        poke(peek(desk, SIGNAL), STOP, 1)
    if nodes >= peek(desk, NODE_LIMIT) or watch(peek(desk, SIGNAL), STOP) != 0:
        poke(desk, STOPPED, 1)
        return True
    poke(desk, NODES, nodes + 1)
    return False


@inlined
def is_late(desk):  # type: ignore[no-untyped-def]
    """Whether the deadline is past."""
    if peek(desk, DEADLINE) == 0:
        return False
    read_clock(peek(desk, CLOCK), WHICH_CLOCK, desk + 8 * NOW)
    return peek(desk, NOW) * SECOND + peek(desk, NOW + 1) >= peek(desk, DEADLINE)

"""Thread data: what one search thread keeps for itself, a block of words with named offsets: its node
count, killer moves, history heuristic, principal variation, and the path from the root.

What all threads share is another block: whether to stop, and what they are busy with.
"""

from __future__ import annotations

from mbegu.engine.jit import inlined
from mbegu.engine.memory import peek, peek_anew, poke, read_clock

# ---- the words of one thread ------------------------------------------------------------------------

NODES = 0  # visited so far
NODE_LIMIT = 1
SIGNAL = 2  # the address of what all threads share: whether to stop, and what they are busy with
STOPPED = 3  # whether this thread has seen it, or another one has answered for it (see ANSWERED)
BUCKETS = 4  # of the transposition table
AGE = 5
BASE = 6  # how many positions of the game before the root stand at the beginning of PATH
REPEATS = 7  # how often one before the root must have occurred to end the game when it recurs
ROOT_COUNT = 8
THREADS = 9
LATE, LATER = 10, 11  # from which move on the search is reduced, and from which on by two
RETURN_TO = 12  # the ply whose position another thread has answered
DEADLINE = 13  # nanoseconds of the system's clock, 0 for none
CLOCK = 14  # the address of the function that tells the time
DANGER = 15  # whether a position before the root might end the match, see mbegu.engine.repetition
NEWS = 16  # written by other threads, in a cache line of its own: the label of what they answered
NOW = 24  # seconds and nanoseconds: what the clock has told
WHICH_CLOCK = 26  # what the function that tells the time is called with
LEAST = 27  # the margin by which a forced win must win, see mbegu.engine.forced

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
THREAD_WORDS = PV + 256 * 256

# ---- what the threads share -----------------------------------------------------------------------

STOP = 0  # whether all must end
TASKS = 1  # how many tasks the leader has given out
THREAD_DATA = 8  # here the addresses of all thread_data begin
BUSY, BUSY_SLOTS = THREAD_DATA + 256, 1 << 14
SHARED_WORDS = BUSY + BUSY_SLOTS

# ---- when to stop ---------------------------------------------------------------------------------

LOOKS = 0xFF  # a look at the clock every so many nodes, less one
SECOND = 10**9


@inlined
def must_stop(thread):  # type: ignore[no-untyped-def]
    """Counts a node, if there is one left; tells whether the search must end here."""
    nodes = peek(thread, NODES)
    if nodes & LOOKS == LOOKS and is_late(thread):
        poke(peek(thread, SIGNAL), STOP, 1)
    if nodes >= peek(thread, NODE_LIMIT) or peek_anew(peek(thread, SIGNAL), STOP) != 0:
        poke(thread, STOPPED, 1)
        return True
    poke(thread, NODES, nodes + 1)
    return False


@inlined
def is_late(thread):  # type: ignore[no-untyped-def]
    """Whether the deadline is past."""
    if peek(thread, DEADLINE) == 0:
        return False
    read_clock(peek(thread, CLOCK), peek(thread, WHICH_CLOCK), thread + 8 * NOW)
    return peek(thread, NOW) * SECOND + peek(thread, NOW + 1) >= peek(thread, DEADLINE)

"""How long a bot was ready to run and had no processor: time that is not the bot's.

    before = look([pid])
    ...                       # it thinks
    given = time_back(before, look([pid]))

Nothing that a bot does to its own threads wins time. A thread may wait for another thread of the same
bot, so what the others have computed is taken off again; of threads that came or went in between nothing
is given, but what they computed counts. So nobody is ever charged less than what he has computed.
"""

import os
import time
from collections.abc import Iterable
from dataclasses import dataclass

__all__ = [
    "FORGIVEN_MOST",
    "Look",
    "counted_on",
    "descendants",
    "idle",
    "look",
    "time_back",
    "waits_now",
    "we_waited",
]

_OF_A_PROCESS = 2  # CPUCLOCK_SCHED: the processor time of another process, with its dead threads
SECOND = 1e9
FORGIVEN_MOST = 1.0  # seconds a move without a processor that a bot gets back


@dataclass(frozen=True)
class Look:
    """What the system knows of some processes at one moment; seconds."""

    at: float
    computed: float | None  # by all threads, also by those that are gone; None: it cannot be known
    processes: frozenset[int]
    threads: dict[int, tuple[float, float]]  # of each: what it computed, how long it waited


def look(processes: Iterable[int]) -> Look:
    """Counts the time of these processes so far."""
    pids, threads = frozenset(processes), dict[int, tuple[float, float]]()
    computed: float | None
    try:
        computed = sum(time.clock_gettime(_clock(pid)) for pid in pids)
        for pid in pids:
            for name in os.listdir(f"/proc/{pid}/task"):
                told = _schedstat(f"/proc/{pid}/task/{name}/schedstat")
                if told is not None:
                    threads[int(name)] = told
    except (OSError, AttributeError):
        computed = None
    return Look(time.monotonic(), computed, pids, threads)


def time_back(before: Look, after: Look, *, busy: bool = False) -> float:
    """Seconds between two looks that the processes spent waiting for a processor; 0 if unknown.

    `busy` is what never sleeps while it is asked, our own bots: when they did not compute, they waited.
    """
    if before.computed is None or after.computed is None or before.processes != after.processes:
        return 0.0
    computed = after.computed - before.computed
    most = max(0.0, after.at - before.at - computed)
    if busy:
        return most
    given = 0.0
    for thread in before.threads.keys() & after.threads.keys():
        ran = after.threads[thread][0] - before.threads[thread][0]
        waited = after.threads[thread][1] - before.threads[thread][1]
        given = max(given, waited - max(0.0, computed - ran))
    return min(given, most)


def idle(before: Look, after: Look) -> float:
    """Seconds between two looks in which the processes computed nothing; 0 if unknown."""
    return time_back(before, after, busy=True)


def counted_on() -> float:
    """Seconds a move that a bot of ours may wait for a processor and still think all of its time.

    Half of what it gets back: the other half is for its answer. Nothing where nobody counts.
    """
    return 0.0 if look([os.getpid()]).computed is None else FORGIVEN_MOST / 2


def waits_now(processes: Iterable[int]) -> bool:
    """Whether somebody is ready to run and nobody gets to it: the kernel counts that afterwards."""
    pids = list(processes)
    try:
        if not any(_ready(pid) for pid in pids):
            return False
        before = [time.clock_gettime_ns(_clock(pid)) for pid in pids]
        time.sleep(0.001)
        return [time.clock_gettime_ns(_clock(pid)) for pid in pids] == before
    except (OSError, AttributeError):
        return False


def we_waited() -> float:
    """Seconds that this thread was ready and had no processor: an answer may lie there unread."""
    told = _schedstat("/proc/thread-self/schedstat")
    return 0.0 if told is None else told[1]


def descendants(pid: int) -> list[int]:
    """A process and all that it has started, as far as they live."""
    found = [pid]
    for parent in found:
        try:
            threads = os.listdir(f"/proc/{parent}/task")
        except OSError:
            continue
        for thread in threads:
            found += map(int, _read(f"/proc/{parent}/task/{thread}/children").split())
    return found


def _clock(pid: int) -> int:
    return (~pid << 3) | _OF_A_PROCESS


def _schedstat(path: str) -> tuple[float, float] | None:
    """What a thread computed and how long it waited; None if it is gone or nobody counts."""
    told = _read(path).split()
    return (int(told[0]) / SECOND, int(told[1]) / SECOND) if len(told) > 1 else None


def _ready(pid: int) -> bool:
    return any(
        _read(f"/proc/{pid}/task/{thread}/stat").rpartition(b")")[2].split()[:1] == [b"R"]
        for thread in os.listdir(f"/proc/{pid}/task")
    )


def _read(path: str) -> bytes:
    try:
        handle = os.open(path, os.O_RDONLY)
    except OSError:
        return b""
    try:
        return os.read(handle, 4096)
    except OSError:
        return b""
    finally:
        os.close(handle)

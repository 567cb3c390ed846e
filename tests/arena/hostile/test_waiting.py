"""Time without a processor: given back where it is known, and never to whoever makes it himself."""

import os
import subprocess
import sys
import time

from hypothesis import given
from hypothesis import strategies as st

from mbegu.arena.waiting import Look, descendants, idle, look, time_back, waits_now

SECONDS = st.floats(0, 10, allow_nan=False)
THREADS = st.dictionaries(st.integers(1, 6), st.tuples(SECONDS, SECONDS), max_size=5)


def seen(at: float, computed: float | None, **threads: tuple[float, float]) -> Look:
    numbers = {int(name[1:]): times for name, times in threads.items()}
    return Look(at, computed, frozenset({7}), numbers)


def test_one_thread_gets_back_what_it_waited() -> None:
    before, after = seen(0, 0.1, t1=(0.1, 5.0)), seen(1, 0.5, t1=(0.5, 5.6))
    assert round(time_back(before, after), 9) == 0.6


def test_a_thread_that_waits_for_another_of_the_same_bot_gets_nothing() -> None:
    before = seen(0, 0, t1=(0, 0), t2=(0, 0))
    after = seen(1, 1, t1=(0.5, 0.5), t2=(0.5, 0.5))  # the two share one processor
    assert time_back(before, after) == 0


def test_what_a_thread_that_is_gone_has_computed_counts() -> None:
    before = seen(0, 0, t1=(0, 0), t2=(0, 0))
    after = seen(1, 0.9, t1=(0.1, 0.8))
    assert time_back(before, after) == 0


def test_a_thread_that_was_not_seen_before_brings_nothing() -> None:
    before, after = seen(0, 0, t1=(0, 0)), seen(1, 0.2, t2=(0.2, 0.8))
    assert time_back(before, after) == 0


def test_what_cannot_be_known_is_not_given() -> None:
    known, unknown = seen(0, 0, t1=(0, 0)), seen(1, None, t1=(0.1, 0.8))
    assert time_back(known, unknown) == time_back(unknown, known) == idle(known, unknown) == 0
    others = Look(1, 0.1, frozenset({8}), {1: (0.1, 0.8)})
    assert time_back(known, others) == 0


def test_our_own_bots_waited_when_they_did_not_compute() -> None:
    """Their thread is a new one for each thought."""
    before, after = seen(0, 0, t1=(0, 0)), seen(1, 0.3, t1=(0, 0))
    assert time_back(before, after, busy=True) == 0.7


@given(SECONDS, SECONDS, THREADS, SECONDS, SECONDS, THREADS)
def test_nobody_is_charged_less_than_he_computed(
    at: float,
    computed: float,
    threads: dict[int, tuple[float, float]],
    later: float,
    more: float,
    then: dict[int, tuple[float, float]],
) -> None:
    before = Look(at, computed, frozenset({7}), threads)
    after = Look(at + later, computed + more, frozenset({7}), then)
    given_back = time_back(before, after)
    assert 0 <= given_back <= max(0, later - more) + 1e-9
    assert given_back <= idle(before, after)


def test_the_system_counts() -> None:
    """A process that computes, as the kernel tells it."""
    spin = "print(flush=True)\nwhile True: pass"
    with subprocess.Popen([sys.executable, "-c", spin], stdout=subprocess.PIPE) as child:
        try:
            assert child.stdout is not None
            child.stdout.readline()
            before = look([child.pid])
            while (after := look([child.pid])).computed == before.computed:
                time.sleep(0.01)
            assert list(after.threads) == [child.pid]
            assert before.computed is not None
            assert after.computed is not None
            given_back = time_back(before, after)
            assert given_back <= after.at - before.at - (after.computed - before.computed) + 1e-6
        finally:
            child.kill()
    assert look([child.pid]).computed is None


def test_who_sleeps_does_not_wait() -> None:
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as child:
        try:
            assert child.pid in descendants(os.getpid())
            while look([child.pid]).computed == 0 or not _sleeps(child.pid):
                time.sleep(0.01)
            assert not waits_now([child.pid])
        finally:
            child.kill()


def _sleeps(pid: int) -> bool:
    with open(f"/proc/{pid}/stat") as told:
        return told.read().rpartition(")")[2].split()[0] == "S"

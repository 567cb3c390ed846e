"""The tables over nine points: what a window is, which entry its board has, and whose cows count."""

import random
import zlib
from collections.abc import Iterator
from typing import Any

import pytest

import mbegu
from mbegu.engine.kernels import driver

np = pytest.importorskip("numpy")
SHOT = 1 << 40


def states(games: int = 12) -> Iterator[Any]:
    kernel, lot = driver.kernel_of("morabaraba"), random.Random(11)
    for _game in range(games):
        state = kernel.pack(mbegu.game("morabaraba").start().to_json(), {})
        for _ply in range(120):
            moves = driver.legal_moves(state)
            if not moves:
                break
            yield state
            state, _again = driver.play(state, lot.choice(moves))


def asked(state: Any) -> tuple[int, list[int]]:
    from mbegu.lab.large_tables import entries_of
    from mbegu.lab.tune import evaluation_of

    words = np.array([state], np.uint64)
    entries, signs = entries_of(evaluation_of(mbegu.game("morabaraba")), type(state), words)
    return int(signs[0]), [int(entry) for entry in entries[0]]


def stage(me: int, op: int, hand: int) -> int:
    if hand:
        return next(i for i, least in enumerate((21, 16, 11, 6, 1)) if hand >= least)
    if me.bit_count() <= 3 or op.bit_count() <= 3:
        return 7 if me.bit_count() <= 3 else 8
    return 5 if (me | op).bit_count() >= 15 else 6


def by_hand(state: Any) -> list[int]:
    """The entries, point by point."""
    from mbegu.games.morabaraba.windows import LIKE, LIKES

    me, op = int(state.me), int(state.op)
    if int(state.clock) & SHOT:
        me, op = op, me
    hand, found = int(state.mine & 0xFF) + int(state.his & 0xFF), []
    for side in range(4):
        board = 0
        for column in range(3):
            for ring in range(3):
                point = 8 * ring + (2 * side + column) % 8
                board += ((me >> point & 1) + 2 * (op >> point & 1)) * 3 ** (3 * column + ring)
        found.append(stage(me, op, hand) * LIKES + int(LIKE[board]))
    return found


def test_entries_are_those_of_the_four_sides() -> None:
    """For whoever moves next: after a mill that is the other one."""
    seen = set()
    for state in states():
        sign, entries = asked(state)
        assert sign == (-1 if int(state.clock) & SHOT else 1)
        assert entries == by_hand(state)
        seen.add((entries[0] // 5346, sign))
    assert {where for where, _sign in seen} >= {0, 1, 2, 3, 4, 5, 6}
    assert {sign for _where, sign in seen} == {1, -1}


def test_boards_that_look_alike_share_an_entry() -> None:
    from mbegu.games.morabaraba.windows import LIKE, LIKES

    lot = random.Random(2)
    for _time in range(200):
        rows = [[lot.randrange(3) for _ring in range(3)] for _column in range(3)]

        def entry(columns: list[list[int]]) -> int:
            return int(
                LIKE[sum(x * 3**i for i, x in enumerate(x for column in columns for x in column))]
            )

        assert entry(rows) == entry(rows[::-1]) == entry([each[::-1] for each in rows])
    assert sorted(set(LIKE.tolist())) == list(range(LIKES))


def test_the_file_holds_every_entry_and_the_estimate_counts_them() -> None:
    from mbegu.games.morabaraba.evaluation import FEATURES, WEIGHTS
    from mbegu.games.morabaraba.windows import ENTRIES, FILE, UNIT

    worths = np.frombuffer(zlib.decompress(FILE.read_bytes()), np.int8)
    assert len(worths) == ENTRIES
    assert len(WEIGHTS[0]) == len(FEATURES)
    told = set()
    for state in list(states(4))[::5]:
        sign, entries = asked(state)
        windows = sign * UNIT * int(worths[entries].sum(dtype=np.int64))
        told.add(driver.evaluate(state) - windows - linear(state))
    assert told == {0}


def linear(state: Any) -> int:
    from mbegu.games.morabaraba.evaluation import WEIGHTS
    from mbegu.lab.tune import _count_all

    counts, facts = np.zeros((1, WEIGHTS.shape[1]), np.int64), np.zeros((1, 3), np.int64)
    row, words = np.zeros(256, np.uint8), np.array([state], np.uint64)
    none, shown = np.zeros(0, np.int64), np.zeros((1, 0), np.uint8)
    _count_all(state, words.ctypes.data, words.shape[1], row, none, counts, facts, shown)
    return int(counts[0] @ WEIGHTS[facts[0, 0]])


def test_quiet_moves_count_for_the_leader_where_a_rule_counts_them() -> None:
    """After fifty of them the contest's rules end the game; the classic ones do not."""
    from mbegu.games.morabaraba.state import Morabaraba, MorabarabaClassic

    cows = 0b1010_0101, 0b1010_0101 << 8
    for kind, told in ((Morabaraba, True), (MorabarabaClassic, False)):
        early, late = (
            driver.evaluate(kind(*map(np.uint64, (*cows, 1 << 8, 0, quiet)))) for quiet in (0, 45)
        )
        assert (late > early) is told
        assert (late != early) is told

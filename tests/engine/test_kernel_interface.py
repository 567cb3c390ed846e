"""What a search relies on beyond the rules: sets of moves, keys, repetition."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import mbegu
from mbegu.engine.jit import compiled
from mbegu.engine.kernels import bits, driver
from mbegu.engine.kernels import interface as the
from mbegu.engine.kernels.games import shake, sprout, throw
from mbegu.engine.kernels.walk import walk

NAMES = ["kalah", "oware", "awale2", "urubugu", "morabaraba"]


def start(name: str) -> Any:
    return driver.kernel_of(name).pack(mbegu.game(name).start().to_json(), {})


@compiled
def _faults(state, limit, keys):  # type: ignore[no-untyped-def]
    """Random games in which every set of moves is asked in every way; collects the keys."""
    faults, count = 0, 0
    for game in range(200):
        now, dice = state, sprout(np.uint64(3), np.uint64(game))
        for _ in range(150):
            keys[count] = the.key(now)
            count += 1
            moves = the.legal(now)
            choices = the.size(now, moves)
            faults += the.over(now) != (choices == 0)
            faults += the.some(now, moves) != (choices > 0)
            if choices == 0:
                break
            left, last, seen = moves, -1, 0
            for k in range(choices):
                move = the.first(now, left)
                faults += move != the.nth(now, moves, k)
                faults += not the.contains(now, moves, move)
                faults += not 0 <= move < limit
                left = the.rest(now, left)
                faults += the.contains(now, left, move)
                last = move
            faults += the.some(now, left) or last < 0
            for move in range(limit):
                seen += the.contains(now, moves, move)
            faults += seen != choices
            dice = shake(dice)
            now = the.play(now, the.nth(now, moves, throw(dice, choices)))
    return faults, count


@pytest.mark.parametrize("name", NAMES)
def test_sets_of_moves_and_keys(name: str) -> None:
    keys = np.zeros(200 * 150, np.uint64)
    faults, count = _faults(start(name), driver.kernel_of(name).moves, keys)
    assert faults == 0
    found = np.unique(keys[:count])
    spread = np.unpackbits(found.view(np.uint8)).reshape(-1, 64).mean(axis=0)
    assert len(found) > 5_000
    assert abs(spread - 0.5).max() < 0.05  # every bit of a key is a coin
    low = np.bincount((found & np.uint64(1023)).astype(np.int64), minlength=1024)
    assert low.max() < 10 + 3 * len(found) / 1024


def test_a_key_tells_all_that_matters_in_morabaraba() -> None:
    kernel = driver.kernel_of("morabaraba")
    told: dict[str, Any] = {
        "board": "xxoxxoxoo...............",
        "turn": -1,
        "phase": "MOVE",
        "in_hand": [0, 0],
        "score": [7, 8],
        "ban": [[], []],
        "quiet": 3,
        "three": 0,
        "over": None,
    }
    others = [
        {"turn": 1},
        {"phase": "STEAL"},
        {"quiet": 4},
        {"three": 1},
        {"ban": [["a1-d1-g1"], []]},
        {"ban": [[], ["a1-d1-g1"]]},
        {"in_hand": [1, 0]},
        {"in_hand": [0, 1]},
        {"score": [8, 7]},
        {"board": "xxoxxo.oox.............."},
    ]
    keys = {driver.key(kernel.pack({**told, **other}, {})) for other in [{}, *others]}
    assert len(keys) == 1 + len(others)


@compiled
def _both_ways(word, k):  # type: ignore[no-untyped-def]
    return bits.nth_bit(word, k), bits._nth_by_halves(word, k)


def test_the_nth_bit_with_and_without_the_instruction() -> None:
    for word in (1, 0x8000000000000000, 0xF0F0F0F00F0F0F0F, 0x123456789ABCDEF0, 2**64 - 1):
        ones = [i for i in range(64) if word >> i & 1]
        for k, index in enumerate(ones):
            assert _both_ways(np.uint64(word), k) == (index, index)


def test_states_survive_the_trip_to_python() -> None:
    state = start("kalah")
    child, again = driver.play(state, 2)
    assert again
    assert all(type(word) is np.uint64 for word in child)
    assert driver.margin(child) == 1


@given(st.lists(st.integers(0, 20), min_size=12, max_size=12), st.booleans())
def test_the_last_ply_of_kalah_makes_every_move(row: list[int], empty_capture: bool) -> None:
    kernel = driver.kernel_of("kalah")
    pits = [*row[:6], 3, *row[6:], 5]
    state = kernel.pack({"pits": pits, "to_move": 0}, {"empty_capture": empty_capture})
    check, moves = 0, driver.legal_moves(state)
    for move in moves:
        for word in driver.play(state, move)[0]:
            check ^= int(word)
    nodes, made, told = walk(state, 1)
    assert (nodes, made, int(told) % 2**64) == (len(moves), len(moves), check)

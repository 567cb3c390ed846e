"""The rules are told twice; here the kernels are held against the readable ones.

MBEGU_TEST_SCALE=100 plays a hundred times as many games.
"""

from __future__ import annotations

import json
import os
import random
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import mbegu
from mbegu.engine.kernels import driver

SCALE = int(os.environ.get("MBEGU_TEST_SCALE", "1"))
POSITIONS = 300 * SCALE

RULES: list[tuple[str, dict[str, Any]]] = [
    ("kalah", {}),
    ("kalah", {"seeds": 21}),
    ("kalah", {"empty_capture": True}),
    ("kalah", {"pits": 1, "seeds": 5}),
    ("kalah", {"pits": 2, "seeds": 3, "empty_capture": True}),
    ("kalah", {"pits": 7, "seeds": 7}),
    ("kalah", {"pits": 8, "seeds": 4, "empty_capture": True}),
    ("kalah", {"pits": 10, "seeds": 12}),
    ("oware", {}),
    ("oware", {"grand_slam": "illegal"}),
    ("oware", {"grand_slam": "take"}),
    ("oware", {"min_seeds": 0}),
    ("oware", {"grand_slam": "illegal", "min_seeds": 20}),
    ("awale2", {}),
    ("awale2", {"red_everywhere": False}),
    ("awale2", {"chain": "sown"}),
    ("awale2", {"starve_first": False}),
    ("awale2", {"red_everywhere": False, "chain": "sown", "starve_first": False}),
    ("urubugu", {}),
    ("urubugu", {"start_min": 2}),
    ("urubugu", {"capture": "both"}),
    ("urubugu", {"landing": "occupied"}),
    ("urubugu", {"restart": "turn"}),
    ("urubugu", {"start_min": 2, "capture": "both", "landing": "occupied"}),
    ("urubugu", {"start_min": 2, "capture": "both", "landing": "occupied", "restart": "turn"}),
    ("morabaraba", {}),
    ("morabaraba", {"rules": "classic"}),
]


def check(kernel: driver.Kernel, position: Any, options: dict[str, Any], move: Any) -> Any:
    """Compares one position and one move of it; returns the position that follows."""
    told = position.to_json()
    player = kernel.player(told)
    assert player == position.turn
    state = kernel.pack(told, options)
    assert kernel.unpack(state, player, False, options) == told
    moves = driver.legal_moves(state)
    named = [kernel.from_move(m, player, options) for m in moves]
    assert sorted(named) == sorted(position.legal_moves())
    assert [kernel.to_move(name, player, options) for name in named] == moves

    after = position.play(move)
    child, again = driver.play(state, kernel.to_move(move, player, options))
    me = player if again else 1 - player
    over = driver.over(child)
    assert kernel.unpack(child, me, over, options) == after.to_json(), (told, move)
    assert over == (after.turn is None)
    outcome = after.outcome()
    if outcome is not None:
        margin = driver.margin(child)
        assert outcome.winner == (None if margin == 0 else me if margin > 0 else 1 - me)
    return after


def start(game: Any, dice: random.Random) -> Any:
    """The start; in Urubugu, a set-up by lot as often as not."""
    if game.name == "urubugu" and dice.random() < 0.5:
        return game.start(game.random_setup(dice), game.random_setup(dice))
    return game.start()


@pytest.mark.parametrize(("name", "options"), RULES, ids=str)
def test_random_games(name: str, options: dict[str, Any]) -> None:
    kernel, game = driver.kernel_of(name), mbegu.game(name, **options)
    dice = random.Random(f"{name} {options}")
    position, plies = start(game, dice), 0
    for _ in range(POSITIONS):
        position = check(kernel, position, options, dice.choice(position.legal_moves()))
        plies += 1
        if position.turn is None or plies > 300:
            position, plies = start(game, dice), 0


def by_hand(name: str, dice: random.Random, **options: Any) -> Any:
    """A position set up by hand, or None where the rules refuse it or it is over."""
    game = mbegu.game(name, **options)
    seeds = dice.choice([8, 20, 48, 120, 255])

    def spread(places: int) -> list[int]:
        counts = [0] * places
        held = dice.sample(range(places), dice.randint(1, places))  # few piles are tall ones
        for _ in range(seeds):
            counts[dice.choice(held)] += 1
        return counts

    turn = dice.randint(0, 1)
    if name == "kalah":
        obj: dict[str, Any] = {"pits": spread(2 * game.pits + 2), "to_move": turn}
    elif name == "oware":
        counts = spread(14)
        counts[12:] = (min(count, 24) for count in counts[12:])
        obj = {"board": counts[:12], "score": counts[12:], "to_move": turn}
    elif name == "awale2":
        seeds = min(seeds, 64)
        counts = spread(34)
        counts[32:] = (min(count, 32) for count in counts[32:])
        obj = {"red": counts[:16], "blue": counts[16:32], "score": counts[32:], "to_move": turn}
    else:
        seeds = 64
        counts = spread(32)
        obj = {"p0": counts[:16], "p1": counts[16:], "to_move": turn}
    position = game.from_json(obj)
    return None if position.turn is None else position


SOWING = [(name, options) for name, options in RULES if name != "morabaraba"]


@settings(
    max_examples=400 * SCALE,
    deadline=None,
    derandomize=SCALE == 1,
    suppress_health_check=[HealthCheck.filter_too_much],
)
@given(rules=st.sampled_from(SOWING), seed=st.integers(0, 2**32))
def test_positions_set_up_by_hand(rules: tuple[str, dict[str, Any]], seed: int) -> None:
    name, options = rules
    dice = random.Random(seed)
    position = by_hand(name, dice, **options)
    kernel = driver.kernel_of(name)
    for _ in range(3):
        if position is None or position.turn is None:
            break
        position = check(kernel, position, options, dice.choice(position.legal_moves()))


VECTORS = Path(__file__).parents[1] / "vectors"


@pytest.mark.parametrize(("name", "options"), [r for r in RULES if "pits" not in r[1]], ids=str)
def test_positions_of_the_vectors_under_every_option(name: str, options: dict[str, Any]) -> None:
    """The vectors were chosen for their rare endings; other rules end them in other ways."""
    kernel, game = driver.kernel_of(name), mbegu.game(name, **options)
    for line in (VECTORS / f"{name}.jsonl").read_text(encoding="utf-8").splitlines():
        told = json.loads(line)["state"]
        if options.get("rules") == "classic" and any(told["ban"]):
            continue  # a ban of the contest's rules says nothing there
        try:
            position = game.from_json(told)
        except ValueError:
            continue  # over by these rules
        moves = position.legal_moves()
        for move in moves[:: 1 + len(moves) // 12]:
            check(kernel, position, options, move)


RARE: list[tuple[str, dict[str, Any], dict[str, Any], Any]] = [
    (  # the only move is a grand slam: it is legal after all
        "oware",
        {"grand_slam": "illegal", "min_seeds": 0},
        {"board": [0, 0, 0, 0, 0, 1, 1, 0, 0, 0, 0, 0], "score": [20, 20], "to_move": 0},
        5,
    ),
    (  # a chain of sown holes leaps over the hole of departure
        "awale2",
        {"chain": "sown"},
        {
            "red": [16, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 2],
            "blue": [2] + [0] * 15,
            "score": [0, 0],
            "to_move": 0,
        },
        "1R",
    ),
]


@pytest.mark.parametrize(("name", "options", "told", "move"), RARE, ids=str)
def test_rare_moves(name: str, options: dict[str, Any], told: dict[str, Any], move: Any) -> None:
    position = mbegu.game(name, **options).from_json(told)
    check(driver.kernel_of(name), position, options, move)


def test_what_the_kernels_refuse() -> None:
    board = {"board": [22] * 12, "score": [0, 0], "to_move": 0}
    with pytest.raises(ValueError, match="255"):
        driver.kernel_of("oware").pack(board, {})
    with pytest.raises(ValueError, match="255"):
        driver.kernel_of("kalah").pack({"pits": [20] * 14, "to_move": 0}, {})
    with pytest.raises(ValueError, match="1 to 10 pits"):
        driver.kernel_of("kalah").pack({"pits": [2] * 24, "to_move": 0}, {})
    with pytest.raises(ValueError, match="no kernel"):
        driver.kernel_of("chess")


def test_an_endless_turn_stops_at_the_lap_limit() -> None:
    options = {"capture": "both"}
    position = mbegu.game("urubugu", **options).from_json(
        {
            "p0": [4, 1, 4, 5, 2, 6, 2, 4, 5, 1, 6, 3, 6, 1, 10, 3],
            "p1": [0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0],
            "to_move": 0,
        }
    )
    assert any(type(event).__name__ == "LapLimit" for event in position.events(9))
    check(driver.kernel_of("urubugu"), position, options, 9)

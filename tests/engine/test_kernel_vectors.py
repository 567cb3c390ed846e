"""The kernels against the published vectors and the perft table."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from mbegu.engine.kernels import driver
from mbegu.engine.perft import perft

VECTORS = Path(__file__).parents[1] / "vectors"


def vectors(game: str) -> list[dict[str, Any]]:
    lines = (VECTORS / f"{game}.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


def after(kernel: driver.Kernel, json_state: dict[str, Any], move: Any) -> dict[str, Any]:
    player = kernel.player(json_state)
    assert player is not None
    state = kernel.pack(json_state, {})
    child, again = driver.play(state, kernel.to_move(move, player, {}))
    return kernel.unpack(child, player if again else 1 - player, driver.over(child), {})


def moves(kernel: driver.Kernel, json_state: dict[str, Any]) -> list[Any]:
    player = kernel.player(json_state)
    assert player is not None
    state = kernel.pack(json_state, {})
    return [kernel.from_move(move, player, {}) for move in driver.legal_moves(state)]


@pytest.mark.parametrize("game", ["kalah", "oware", "awale2", "urubugu"])
def test_sowing_games_agree_with_the_vectors(game: str) -> None:
    kernel = driver.kernel_of(game)
    for vector in vectors(game):
        if vector["terminal"]:
            continue
        assert sorted(moves(kernel, vector["state"])) == sorted(vector["legal"])
        for told in vector["moves"]:
            assert after(kernel, vector["state"], told["move"]) == told["state"], vector["id"]


@pytest.mark.parametrize("game", ["kalah", "oware", "awale2", "urubugu"])
def test_margins_agree_with_the_vectors(game: str) -> None:
    kernel = driver.kernel_of(game)
    for vector in vectors(game):
        player = vector["state"]["to_move"]
        for told in vector["moves"]:
            if told["terminal"]:
                state = kernel.pack(vector["state"], {})
                child, again = driver.play(state, kernel.to_move(told["move"], player, {}))
                me = player if again else 1 - player
                score = told["result"]["score"]
                assert driver.margin(child) == score[me] - score[1 - me], vector["id"]


def same_bans(state: dict[str, Any]) -> dict[str, Any]:
    return {**state, "ban": [sorted(mills) for mills in state["ban"]]}  # a ban has no order


def test_morabaraba_agrees_with_the_vectors() -> None:
    kernel = driver.kernel_of("morabaraba")
    for vector in vectors("morabaraba"):
        actions = {told["action"]: told["next"] for told in vector["actions"]}
        assert sorted(moves(kernel, vector["state"])) == sorted(actions)
        for action, told in actions.items():
            assert same_bans(after(kernel, vector["state"], action)) == same_bans(told)


STARTS: dict[str, dict[str, Any]] = {
    "kalah": {"pits": [4] * 6 + [0] + [4] * 6 + [0], "to_move": 0},
    "oware": {"board": [4] * 12, "score": [0, 0], "to_move": 0},
    "awale2": {"red": [2] * 16, "blue": [2] * 16, "score": [0, 0], "to_move": 0},
    "urubugu": {"p0": [2] * 16, "p1": [2] * 16, "to_move": 0},
    "morabaraba": vectors("morabaraba")[0]["state"],
}
TRADITIONAL = {"start_min": 2, "capture": "both", "landing": "occupied"}


@pytest.mark.parametrize(
    ("game", "options", "nodes"),
    [
        ("kalah", {}, [6, 35, 185, 942, 4_690, 23_233, 114_430, 563_055]),
        ("oware", {}, [6, 36, 190, 1_014, 5_219, 27_332, 139_157, 711_414]),
        ("awale2", {}, [16, 256, 3_840, 57_608, 806_528, 11_306_824]),
        ("urubugu", {}, [16, 138, 1_409, 11_181, 100_704]),
        ("urubugu", {"capture": "both"}, [16, 138, 1_610, 14_100]),
        ("urubugu", {"landing": "occupied"}, [16, 142, 1_671, 13_421]),
        ("urubugu", {"start_min": 2}, [16, 138, 1_101, 6_858]),
        ("urubugu", {"restart": "turn"}, [16, 180, 1_773, 16_288]),
        ("urubugu", TRADITIONAL, [16, 142, 1_356, 9_577]),
        ("morabaraba", {}, [24, 552, 12_144, 255_024, 5_100_480, 96_052_320]),
    ],
)
def test_perft(game: str, options: dict[str, Any], nodes: list[int]) -> None:
    results = [perft(game, options, STARTS[game], depth + 1) for depth in range(len(nodes))]
    assert [result.nodes for result in results] == nodes
    made = 0
    for result, count in zip(results, nodes, strict=True):
        made += count
        assert result.moves_made == made
        assert result.seconds >= 0


def test_perft_of_nothing() -> None:
    assert perft("kalah", {}, STARTS["kalah"], 0)[:2] == (1, 0)
    finished = {"pits": [0] * 6 + [24] + [0] * 6 + [24], "to_move": None}
    assert perft("kalah", {}, finished, 0)[:2] == (1, 0)
    assert perft("kalah", {}, finished, 3)[:2] == (0, 0)
    with pytest.raises(ValueError, match="depth"):
        perft("kalah", {}, STARTS["kalah"], -1)

"""Every position of tests/vectors: legal moves, successors, ends and their reasons.

What the vectors tell about a move (seeds captured, laps, holes) is compared with what its events tell,
so that the stories are checked as strictly as the positions.
"""

import json
from pathlib import Path
from typing import Any

import pytest
from replay import Told, replay

import mbegu
from mbegu.core.game import Position
from mbegu.core.outcome import Outcome, Reason

VECTORS = Path(__file__).parent.parent / "vectors"
GAMES = ["kalah", "oware", "awale2", "urubugu", "morabaraba"]
SIZE = 20  # vectors in one test


def vectors(name: str) -> list[dict[str, Any]]:
    lines = (VECTORS / f"{name}.jsonl").read_text("utf-8").splitlines()
    return [json.loads(line) for line in lines]


def batches(name: str) -> list[Any]:
    found = vectors(name)
    assert len(found) == 200
    return [
        pytest.param(name, found[start : start + SIZE], id=f"{name}-{start}")
        for start in range(0, len(found), SIZE)
    ]


def check_texts(position: Position) -> None:
    """The position by its text, and its moves by theirs."""
    game = position.game
    assert game.position(str(position)) == position
    for move in position.legal_moves():
        assert game.parse_move(game.format_move(move, position), position) == move


# ---- the four sowing games


@pytest.mark.parametrize(
    ("name", "batch"), [p for name in GAMES if name != "morabaraba" for p in batches(name)]
)
def test_sowing_games(name: str, batch: list[dict[str, Any]]) -> None:
    game = mbegu.game(name)
    for vector in batch:
        position = game.from_json(vector["state"])
        assert position.to_json() == vector["state"]
        assert position.legal_moves() == vector["legal"]
        assert (position.turn is None) == vector["terminal"]
        assert result(position.outcome()) == vector["result"]
        check_texts(position)
        assert [row["move"] for row in vector["moves"]] == vector["legal"]
        for row in vector["moves"]:
            after = position.play(row["move"])
            assert after.to_json() == row["state"], (vector["id"], row["move"])
            assert game.from_json(row["state"]) == after
            assert (after.turn is None) == row["terminal"]
            assert result(after.outcome()) == row["result"]
            check_texts(after)
            told = replay(position, row["move"])
            assert told.captured == row["captured"]
            assert told.extra_turn == row["extra_turn"]
            INFO[name](told, position, after, row["info"])


def result(outcome: Outcome | None) -> dict[str, Any] | None:
    return outcome and {"winner": outcome.winner, "score": list(outcome.scores)}


def word(outcome: Outcome | None) -> str | None:
    return outcome and outcome.reason.value


def check_kalah(told: Told, before: Position, after: Position, info: dict[str, Any]) -> None:
    holes = [f"{side}{pit or ''}" for side in "SN" for pit in (1, 2, 3, 4, 5, 6, None)]
    assert info == {
        "swept": told.swept,
        "picked": told.picked,
        "last": holes.index(told.sown[-1]),
    }
    assert told.outcome is None or told.outcome.reason is Reason.SIDE_EMPTY


def check_oware(told: Told, before: Position, after: Position, info: dict[str, Any]) -> None:
    houses = "ABCDEFabcdef"
    assert info == {
        "grand_slam": bool(told.forfeited),
        "picked": told.picked,
        "last": houses.index(told.sown[-1]),
        "houses": [houses.index(hole) for hole, _seeds in told.captures],
        "reason": word(told.outcome),
    }
    if told.outcome is not None:  # the leftovers are in the tally, not on the score
        assert told.outcome.scores == tuple(map(sum, zip(after.scores(), told.swept, strict=True)))


def check_awale2(told: Told, before: Any, after: Any, info: dict[str, Any]) -> None:
    holes = [hole for hole, _seeds in told.captures]
    # Whether the next player's holes are empty, also where a majority had ended the game first.
    theirs = range(1 - before.turn, 16, 2)
    starved = not any(after.red[hole] or after.blue[hole] for hole in theirs)
    assert info == {
        "swept": sum(told.swept),
        "starved": starved,
        "picked": told.picked,
        "last": int(told.sown[-1]),
        "holes": [int(hole) for hole in holes],
        "unsown_taken": [int(hole) for hole in holes if hole not in told.sown],
        "reason": word(told.outcome),
    }


def check_urubugu(told: Told, before: Position, after: Position, info: dict[str, Any]) -> None:
    assert info == {
        "laps": told.laps,
        "sown": len(told.sown),
        "last": int(told.sown[-1][1:]),
        "captures": [[int(cell[1:]), beads] for cell, beads in told.lap_captures],
        "ended": "won" if told.outcome else "empty",
    }
    assert told.outcome is None or told.outcome.reason is Reason.ALL_BEADS


INFO = {
    "kalah": check_kalah,
    "oware": check_oware,
    "awale2": check_awale2,
    "urubugu": check_urubugu,
}


# ---- morabaraba


@pytest.mark.parametrize(("name", "batch"), batches("morabaraba"))
def test_morabaraba(name: str, batch: list[dict[str, Any]]) -> None:
    game = mbegu.game(name)
    for vector in batch:
        position = game.from_json(vector["state"])
        assert position.to_json() == vector["state"]
        assert position.legal_moves() == [row["action"] for row in vector["actions"]]
        check_over(position, vector["state"])
        check_texts(position)
        assert played(vector["history"]) == position
        for row in vector["actions"]:
            after = position.play(row["action"])
            assert after.to_json() == row["next"], (vector["id"], row["action"])
            assert game.from_json(row["next"]) == after
            check_over(after, row["next"])
            check_texts(after)
            replay(position, row["action"])


def played(history: list[str]) -> Position:
    """The position that the actions lead to from the start."""
    position = mbegu.game("morabaraba").start()
    for action in history:
        position = position.play(action)
    return position


def check_over(position: Position, state: dict[str, Any]) -> None:
    outcome = position.outcome()
    over = state["over"]
    assert (position.turn is None) == (over is not None)
    if over is None:
        assert outcome is None
    else:
        assert outcome is not None
        assert outcome.reason.value == over["reason"]
        assert outcome.winner == {-1: 0, 1: 1, 0: None}[over["winner"]]
        assert outcome.scores == tuple(state["score"])

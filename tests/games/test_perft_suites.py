"""The perft suites of the games, by the readable rules."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import mbegu
from mbegu.core.game import Position

SUITES = Path(mbegu.__file__).parent / "games"
DEEPEST = {"oware": 6, "kalah": 6}  # the others to 4
MOST_DEPTH = 4


def suites() -> Iterator[Any]:
    """(game string, position text or "", depth, nodes) for each figure that is tried."""
    for path in sorted(SUITES.glob("*/perft.txt")):
        for line in path.read_text("utf-8").splitlines():
            if line and not line.startswith("#"):
                where, *figures = (part.strip() for part in line.split(";"))
                text, _space, position = where.partition(" ")
                for figure in figures:
                    depth, nodes = map(int, figure.split())
                    if depth <= DEEPEST.get(path.parent.name, MOST_DEPTH):
                        yield pytest.param(text, position, depth, nodes, id=f"{where}-{depth}")


def perft(position: Position, depth: int) -> int:
    moves = position.legal_moves()
    if depth == 1:
        return len(moves)
    return sum(perft(position.play(move), depth - 1) for move in moves)


@pytest.mark.parametrize(("text", "position", "depth", "nodes"), list(suites()))
def test_perft(text: str, position: str, depth: int, nodes: int) -> None:
    game = mbegu.game(text)
    assert perft(game.position(position) if position else game.start(), depth) == nodes


def test_every_game_has_a_suite() -> None:
    assert {path.parent.name for path in SUITES.glob("*/perft.txt")} == set(mbegu.game_names())

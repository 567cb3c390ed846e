"""Thoughts about many positions, to be compared: python thoughts.py COUNT NODES [BLOCKED,...] prints them.

What is blocked cannot be imported, as in an environment without it.
"""

from __future__ import annotations

import json
import random
import sys
from collections.abc import Iterator
from typing import Any

GAMES = ("oware", "kalah", "awale2", "urubugu", "morabaraba")


class Blocked:
    """Finds nothing of some packages, and says so."""

    def __init__(self, names: list[str]) -> None:
        self.names = names

    def find_spec(self, name: str, path: object = None, target: object = None) -> None:
        if name.partition(".")[0] in self.names:
            raise ImportError(f"{name} is not there")


def positions(game: Any, count: int) -> Iterator[Any]:
    """Positions of random games, of all lengths."""
    lot = random.Random(f"{game} {count}")
    while count:
        position = game.start()
        for _ply in range(lot.randrange(40)):
            if position.turn is None:
                break
            position = position.play(lot.choice(position.legal_moves()))
        if position.turn is not None:
            count -= 1
            yield position


def thoughts(name: str, count: int, nodes: int) -> list[Any]:
    """What the engine thinks of them: everything that it tells but the time."""
    import mbegu
    from mbegu.engine.engine import Engine, Limits
    from mbegu.engine.levels import LevelBot

    game = mbegu.game(name)
    engine = Engine(game, hash_mb=1)
    told: list[Any] = [engine.compiled]
    for position in positions(game, count):
        engine.new_game()
        *_before, info = engine.think(position, Limits(nodes=nodes))
        lines = [(str(line.moves), str(line.score)) for line in info.lines]
        person = LevelBot(3, seed=7).think(position, (), None)  # type: ignore[arg-type]
        told.append([str(position), info.depth, info.nodes, lines, str(person)])
    return told


if __name__ == "__main__":
    sys.meta_path.insert(0, Blocked(sys.argv[3].split(",") if len(sys.argv) > 3 else []))
    found: dict[str, Any] = {
        game: thoughts(game, int(sys.argv[1]), int(sys.argv[2])) for game in GAMES
    }
    found["imported"] = [name for name in ("numba", "llvmlite", "numpy") if name in sys.modules]
    print(json.dumps(found))

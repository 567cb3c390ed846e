"""A game without a kernel: how long level 3 thinks by the readable rules, for a game of Oware's size.

python -m benchmarks.rules_only [GAME] [--moves 40]

Oware's kernel is left aside, as if a stranger had brought nothing but the rules.
"""

from __future__ import annotations

import argparse
import random
import time

import mbegu
from mbegu.core.clock import Clock, TimeControl
from mbegu.engine import levels

GOAL = 1.0  # seconds for the slowest move
LEVEL = 3


def main() -> None:
    """Prints the median and the slowest move, in seconds of this process."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("game", nargs="?", default="oware")
    parser.add_argument("--moves", type=int, default=40)
    options = parser.parse_args()
    levels.has_kernel = levels.is_compiled = lambda _game: False
    game, lot, spent = mbegu.game(options.game), random.Random(1), []
    position = game.start()
    while len(spent) < options.moves:
        if position.turn is None:
            position = game.start()
        began = time.process_time()
        levels.LevelBot(LEVEL, seed=len(spent)).think(position, [], Clock(TimeControl()))
        spent.append(time.process_time() - began)
        position = position.play(lot.choice(position.legal_moves()))
    spent.sort()
    word = "good" if spent[-1] < GOAL else "TOO SLOW"
    middle = spent[len(spent) // 2]
    print(
        f"{game.name} by its rules, level {LEVEL}: {middle:.3f} s, slowest {spent[-1]:.3f} s, {word}"
    )


if __name__ == "__main__":
    main()

"""Random games by the readable rules, in moves a second."""

import random
import time

import mbegu

GOAL = {"oware": 20_000, "kalah": 20_000}
SECONDS = 2.0


def speed(game: mbegu.Game, seconds: float = SECONDS) -> float:
    """Legal moves and a random one of them, again and again."""
    luck = random.Random(1)
    moves, position = 0, game.start()
    start = time.perf_counter()
    while (spent := time.perf_counter() - start) < seconds:
        for _ in range(100):
            legal = position.legal_moves()
            if legal:
                position = position.play(luck.choice(legal))
                moves += 1
            else:
                position = game.start()
    return moves / spent


def run() -> None:
    """One line a game."""
    for name in mbegu.game_names():
        found = speed(mbegu.game(name))
        goal = GOAL.get(name)
        verdict = (
            "" if goal is None else f"  (goal {goal:,}: {'met' if found >= goal else 'NOT MET'})"
        )
        print(f"  {name:12} {found:10,.0f} moves/s{verdict}")


if __name__ == "__main__":
    run()

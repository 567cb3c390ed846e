"""Fits the winning chances of `mbegu.engine.chance` to games that the engine plays against itself.

python tools/fit_chances.py                        all games, 200 of each
python tools/fit_chances.py oware --games 1000     one game, more closely

Each game begins with a few moves by lot. Every later position gives a pair: the margin that the
engine expects, and the result for the player to move (1, 1/2 or 0). Positions that the engine has
solved are left out, since no curve is asked about them. The scale is the one under which the results
are most likely; its standard error counts whole games, whose positions are not independent.
"""

import argparse
import math
import random
import sys

from mbegu.core.match import Match
from mbegu.core.registry import game as find_game
from mbegu.core.registry import game_names
from mbegu.engine.engine import Engine, Limits

LONGEST = 400  # moves; a game that goes on is left out

Pairs = list[tuple[float, float]]


def play(name: str, lot: random.Random, engine: Engine, nodes: int) -> Pairs:
    """One game: what was expected, and what came of it."""
    match = Match(find_game(name))
    for _ply in range(lot.randrange(2, 11)):
        if match.turn is not None:
            match.play(lot.choice(match.position.legal_moves()))
    engine.new_game()
    expected: list[tuple[int, float]] = []
    while match.turn is not None and len(match.moves) < LONGEST:
        *_, info = engine.think(match.position, Limits(nodes=nodes), match.positions[:-1])
        score = info.lines[0].score
        if score.result is None and not score.likely:
            expected.append((match.turn, score.margin))
        match.play(info.best)
    outcome = match.outcome
    if outcome is None:
        return []
    worth = {None: 0.5, 0: 1.0, 1: 0.0}[outcome.winner]
    return [(margin, worth if player == 0 else 1 - worth) for player, margin in expected]


def fit(pairs: Pairs) -> float:
    """The slope of the likeliest logistic, by Newton's method."""
    slope = 0.2
    for _step in range(100):
        first = second = 0.0
        for margin, result in pairs:
            chance = 1 / (1 + math.exp(-slope * margin))
            first += (result - chance) * margin
            second += chance * (1 - chance) * margin * margin
        step = first / max(second, 1e-12)
        slope = min(max(slope + step, slope / 2), slope * 2)
        if abs(step) < 1e-9:
            break
    return slope


def error(games: list[Pairs], slope: float) -> float:
    """The standard error of the slope, by the sandwich over whole games."""
    curvature = variance = 0.0
    for pairs in games:
        pull = 0.0
        for margin, result in pairs:
            chance = 1 / (1 + math.exp(-slope * margin))
            pull += (result - chance) * margin
            curvature += chance * (1 - chance) * margin * margin
        variance += pull * pull
    return math.sqrt(variance) / max(curvature, 1e-12)


def main(arguments: list[str]) -> int:
    """Plays, fits, and prints a line for each game."""
    parser = argparse.ArgumentParser(description="Fit winning chances to self-play.")
    parser.add_argument(
        "names", nargs="*", metavar="GAME", help="which games; all if none is named"
    )
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--nodes", type=int, default=5_000, help="for each move")
    parser.add_argument("--seed", type=int, default=1)
    chosen = parser.parse_args(arguments)
    for name in chosen.names or sorted(game_names()):
        lot = random.Random(chosen.seed)  # noqa: S311 (games, not secrets)
        engine = Engine(find_game(name), hash_mb=4)
        games = [play(name, lot, engine, chosen.nodes) for _game in range(chosen.games)]
        pairs = [pair for game in games for pair in game]
        slope = fit(pairs)
        scale = 1 / slope
        print(
            f"{name:12} scale {scale:6.2f} ± {error(games, slope) * scale * scale:.2f}  "
            f"({len(pairs)} positions of {chosen.games} games)",
            flush=True,
        )
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

"""The search: nodes a second, the depth that a second reaches, and what a second thread is worth.

python -m benchmarks.search                      every game, a second a move over a short game
python -m benchmarks.search oware --seconds 1 --plies 60
python -m benchmarks.search kalah --solve        the exact value from the start
"""

from __future__ import annotations

import argparse
import statistics
import time

import mbegu
from mbegu.core.game import Game, Position
from mbegu.core.match import Match
from mbegu.engine.engine import Engine, Info, Limits

GAMES = ("awale2", "kalah", "morabaraba", "oware", "urubugu")


def last(
    engine: Engine, position: Position, limits: Limits, history: list[Position] | None = None
) -> Info:
    """The last word of a thought."""
    *_others, final = engine.think(position, limits, history or ())
    return final


def over_a_game(game: Game, seconds: float, plies: int, hash_mb: int) -> list[Position]:
    """Lets the engine play itself; prints the average depth and speed."""
    engine = Engine(game, hash_mb=hash_mb)
    engine.warm_up()
    match = Match(game)
    depths, speeds, solved = [], [], 0
    while match.outcome is None and len(match.moves) < plies:
        limits = Limits(movetime=seconds)
        info = last(engine, match.position, limits, match.positions[:-1])
        if info.lines[0].score.exact:
            solved += 1
        else:
            depths.append(info.depth)
        if info.seconds > seconds / 2:
            speeds.append(info.nodes / info.seconds)
        match.play(info.best)
    if depths and speeds:
        print(
            f"{game!s:12} {len(match.moves):3} plies, depth {statistics.mean(depths):5.1f} on average "
            f"({min(depths)}..{max(depths)}), {statistics.mean(speeds) / 1e6:5.1f} million nodes/s, "
            f"{solved} positions solved",
            flush=True,
        )
    return match.positions


def two_threads(game: Game, positions: list[Position], seconds: float, hash_mb: int) -> None:
    """The time to a depth with one thread and with two, on positions of the game."""
    ratios = []
    for position in positions[: len(positions) * 2 // 3 : max(len(positions) // 6, 1)]:
        if position.turn is None:
            continue
        one, two = (Engine(game, hash_mb=hash_mb, threads=threads) for threads in (1, 2))
        one.warm_up(), two.warm_up()
        depth = max(last(one, position, Limits(movetime=seconds)).depth - 1, 1)
        one.new_game()
        times = [last(engine, position, Limits(depth=depth)).seconds for engine in (one, two)]
        if times[1] > 0.02:
            ratios.append(times[0] / times[1])
    if ratios:
        print(f"{game!s:12} two threads are {statistics.geometric_mean(ratios):.2f} times as fast")


def solve(game: Game, threads: int, hash_mb: int) -> None:
    """Finds the exact value from the start."""
    engine = Engine(game, hash_mb=hash_mb, threads=threads)
    engine.warm_up()
    began = time.process_time()
    for info in engine.think(game.start(), Limits(infinite=True)):
        score = info.lines[0].score
        print(
            f"{game} depth {info.depth} margin {score.margin:+.1f} {'exact' if score.exact else ''} "
            f"{info.nodes / 1e6:.1f} million nodes, {info.seconds:.1f} s, "
            f"{time.process_time() - began:.1f} s of processors, hash {info.hashfull / 10:.0f} %",
            flush=True,
        )


def main() -> None:
    """Reads the command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("games", nargs="*", default=GAMES)
    parser.add_argument("--seconds", type=float, default=1.0, help="a move")
    parser.add_argument("--plies", type=int, default=20, help="of the game that is played")
    parser.add_argument("--hash", type=int, default=256, help="megabytes")
    parser.add_argument("--threads", type=int, default=2, help="to solve with")
    parser.add_argument("--solve", action="store_true", help="solve the game from the start")
    asked = parser.parse_args()
    for name in asked.games:
        game = mbegu.game(name)
        if asked.solve:
            solve(game, asked.threads, asked.hash)
        else:
            positions = over_a_game(game, asked.seconds, asked.plies, asked.hash)
            two_threads(game, positions, asked.seconds, asked.hash)


if __name__ == "__main__":
    main()

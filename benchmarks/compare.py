"""Two checkouts of Mbegu, one question: do they play the same, and as fast?

python -m benchmarks.compare OLD/.venv/bin/python NEW/.venv/bin/python           200 positions a game
python -m benchmarks.compare OLD NEW oware --positions 60 --nodes 5000
python -m benchmarks.compare OLD NEW oware --speed                               nodes a second of CPU time
python -m benchmarks.compare OLD NEW oware --perft                               moves a second of CPU time

Each position is thought about with one thread, an empty table and a limit of nodes, without endgame
tables: the move, the depth and the count of nodes must be equal. For speeds the two take turns, several
times, so that a busy machine is unfair to both alike; what is told is the best of each and their ratio.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from collections.abc import Callable
from functools import partial
from typing import Any

GAMES = ("oware", "kalah", "awale2", "urubugu", "morabaraba")
WORKER = '''
import json, random, sys, time
import mbegu
from mbegu.engine.engine import Engine, Limits

name, count, nodes, hash_mb, speed = sys.argv[1], *map(int, sys.argv[2:])
game, lot = mbegu.game(name), random.Random(f"compare {name}")


def begun():
    """A start; a game with set-ups gets one by lot for each player."""
    if not hasattr(game, "usual_setup") and not hasattr(game, "random_setup"):
        return game.start()
    def laid():
        counts = [0] * 16
        for _bead in range(32):
            counts[lot.randrange(16)] += 1
        return tuple(counts)
    return game.start(laid(), laid())


positions = []
while len(positions) < count:
    position = begun()
    for _ply in range(lot.randrange(4 if speed else 40)):
        if position.turn is None:
            break
        position = position.play(lot.choice(position.legal_moves()))
    if position.turn is not None and len(position.legal_moves()) > 1:
        positions.append(position)
try:
    engine = Engine(game, hash_mb=hash_mb, tables=False)
except TypeError:  # before there were any
    engine = Engine(game, hash_mb=hash_mb)
list(engine.think(positions[0], Limits(nodes=max(nodes, 20_000))))  # compiled, all of it
spent = seen = 0
for position in positions:
    engine.new_game()
    began = time.process_time()
    *_others, last = engine.think(position, Limits(nodes=nodes))
    spent, seen = spent + time.process_time() - began, seen + last.nodes
    if not speed:
        line = last.lines[0]
        told = [str(position), str(line.moves[0]), last.depth, last.nodes, getattr(line.score, "result", None)]
        print(json.dumps(told))
if speed:
    print(json.dumps(seen / spent))
'''

PERFT = """
import dataclasses, sys, time
import mbegu
from mbegu.engine.perft import perft

game, depth = mbegu.game(sys.argv[1]), int(sys.argv[2])
asked = game.name, dataclasses.asdict(game), game.start().to_json()
perft(*asked, 2)  # compiled
best = 0.0
for _round in range(4):
    began = time.process_time()
    made = perft(*asked, depth).moves_made
    best = max(best, made / (time.process_time() - began))
print(best)
"""
DEPTHS = {"oware": 9, "kalah": 9, "awale2": 6, "urubugu": 6, "morabaraba": 5}


def counted(python: str, game: str) -> float:
    """Moves a second of CPU time of one checkout's perft."""
    return float(_said([python, "-c", PERFT, game, str(DEPTHS[game])])[0])


def thought(python: str, game: str, positions: int, nodes: int) -> float:
    """Nodes a second of CPU time of one checkout's search."""
    return float(asked(python, game, positions, nodes, speed=True)[0])


def asked(python: str, game: str, positions: int, nodes: int, speed: bool) -> list[Any]:
    """What one checkout says."""
    words = [python, "-c", WORKER, game, *map(str, (positions, nodes, 16, int(speed)))]
    return [json.loads(line) for line in _said(words)]


def _said(words: list[str]) -> list[str]:
    said = subprocess.run(words, capture_output=True, text=True, check=False, timeout=900)
    if said.returncode:
        sys.exit(said.stderr)
    return said.stdout.splitlines()


def compare(pythons: list[str], game: str, positions: int, nodes: int, show: int) -> bool:
    """Prints how many positions are thought about alike; True if all are."""
    old, new = (asked(python, game, positions, nodes, speed=False) for python in pythons)
    others = [(a, b) for a, b in zip(old, new, strict=True) if a[:4] != b[:4]]
    moves = sum(a[1] != b[1] for a, b in others)
    proved = sum(b[4] is not None and a[:4] != b[:4] for a, b in others)
    print(
        f"{game}: {len(old) - len(others)} of {len(old)} alike; {moves} other moves; "
        f"{proved} of the others are decided by proof"
    )
    for a, b in others[:show]:
        print(f"  {a}\n  {b}")
    return not others


def race(pythons: list[str], rounds: int, speed_of: Callable[[str], float], what: str) -> float:
    """Prints the speeds of both, measured in turns; returns the ratio."""
    best = [0.0, 0.0]
    for number in range(rounds):
        for side in (0, 1) if number % 2 == 0 else (1, 0):
            best[side] = max(best[side], speed_of(pythons[side]))
    ratio = best[1] / best[0]
    print(f"{what}: {best[0]:,.0f} and {best[1]:,.0f} a second, ratio {ratio:.3f}", flush=True)
    return ratio


def main() -> None:
    """See the module's docstring."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("old")
    parser.add_argument("new")
    parser.add_argument("games", nargs="*", default=[])
    parser.add_argument("--positions", type=int, default=200)
    parser.add_argument("--nodes", type=int, default=3_000)
    parser.add_argument("--speed", action="store_true")
    parser.add_argument("--perft", action="store_true")
    parser.add_argument("--rounds", type=int, default=4)
    parser.add_argument("--show", type=int, default=3)
    options = parser.parse_args()
    pythons = [options.old, options.new]
    alike = True
    for game in options.games or GAMES:
        if options.perft:
            perft = partial(counted, game=game)
            alike &= race(pythons, options.rounds, perft, f"{game}, moves of perft") >= 0.98
        elif options.speed:
            nodes = partial(thought, game=game, positions=options.positions, nodes=options.nodes)
            alike &= race(pythons, options.rounds, nodes, f"{game}, nodes") >= 0.98
        else:
            alike &= compare(pythons, game, options.positions, options.nodes, options.show)
    sys.exit(0 if alike else 1)


if __name__ == "__main__":
    main()

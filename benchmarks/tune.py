"""The evaluation of a game against its score alone, or against the sources of another folder.

    python -m benchmarks.tune match oware --games 400 --nodes 5000

Both think about a fixed number of nodes a move, each opening is played twice with sides changed, and the two run in
processes of their own. `mbegu lab tune` finds the weights, and tells what each term of them is worth.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import random
import shutil
import subprocess
import sys
import tempfile
from datetime import UTC, datetime
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np

import mbegu
from mbegu.core.match import Match
from mbegu.engine.engine import Engine, Limits
from mbegu.engine.values import SEED
from mbegu.games.urubugu import Urubugu
from mbegu.lab import large_tables
from mbegu.lab.tune import Fit, evaluation_of, rendered

SCORE = {"oware": "captured", "awale2": "captured", "urubugu": "beads", "morabaraba": "shot"}
PLIES = {"oware": 240, "kalah": 400, "awale2": 300, "urubugu": 200, "morabaraba": 300}
SOURCE = Path(mbegu.__file__).parent.parent


# ---- openings -------------------------------------------------------------------------------------


def opening(game: mbegu.Game, lot: random.Random) -> mbegu.Position:
    """A position after some moves by lot; in Urubugu, where a move decides, with few moved beads."""
    while True:
        position = game.start()
        plies = lot.randint(2, 8)
        if isinstance(game, Urubugu):
            position = game.start(shifted(lot), shifted(lot))
            plies = lot.randint(0, 2)
        for _ in range(plies):
            if position.turn is not None:
                position = position.play(lot.choice(position.legal_moves()))
        if position.turn is not None:
            return position


def shifted(lot: random.Random) -> tuple[int, ...]:
    """Two beads in every cell of Urubugu, but for some that lie elsewhere."""
    beads = [2] * 16
    for _ in range(4):
        start, end = lot.sample(range(16), 2)
        if beads[start]:
            beads[start], beads[end] = beads[start] - 1, beads[end] + 1
    return tuple(beads)


# ---- weights ---------------------------------------------------------------------------------------


def weights_file(source: Path, name: str) -> Path:
    """Where the weights of a game stand, in a folder of sources."""
    return source / "mbegu" / "games" / name / "weights.py"


# ---- matches --------------------------------------------------------------------------------------


def serve(arguments: argparse.Namespace) -> None:
    """Answers positions with moves, a line each: the other end of a match."""
    game = mbegu.game(arguments.game)
    engine = Engine(game, hash_mb=4)
    engine.warm_up()
    print("ready", flush=True)
    for line in sys.stdin:
        texts = json.loads(line)
        *history, position = [game.position(text) for text in texts]
        engine.new_game()
        *_before, last = engine.think(position, Limits(nodes=arguments.nodes), history)
        print(json.dumps([last.best, last.nodes, last.seconds]), flush=True)


class Opponent:
    """A process that plays with the sources of a folder."""

    def __init__(self, source: Path, arguments: argparse.Namespace) -> None:
        command = [
            sys.executable,
            __file__,
            "serve",
            arguments.game,
            "--nodes",
            str(arguments.nodes),
        ]
        self.process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, "PYTHONPATH": str(source)},
        )
        self.nodes, self.seconds = 0, 0.0

    def ready(self) -> None:
        """Waits until everything is compiled."""
        assert self.process.stdout is not None
        assert self.process.stdout.readline() == "ready\n", "the process has failed"

    def choose(self, match: Match) -> Any:
        """Its move."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        since = match.positions[-60:] if match.game.repetition_limit else match.positions[-1:]
        print(
            json.dumps([str(position) for position in since]), file=self.process.stdin, flush=True
        )
        move, nodes, seconds = json.loads(self.process.stdout.readline())
        self.nodes += nodes
        self.seconds += seconds
        return move

    def close(self) -> None:
        """Ends it."""
        self.process.communicate()


def elo(points: float, games: int) -> float:
    """The difference of ratings that a share of the points tells of."""
    share = min(max(points / games, 0.5 / games), 1 - 0.5 / games)
    return 400 * math.log10(share / (1 - share))


def told_elo(results: list[float]) -> str:
    """Points and Elo with an interval of two standard errors, from pairs of games."""
    games, points = 2 * len(results), sum(results)
    share = points / games
    error = float(np.std([each / 2 for each in results], ddof=1)) / math.sqrt(len(results))
    low, high = elo((share - 2 * error) * games, games), elo((share + 2 * error) * games, games)
    return f"{points:g} of {games}: {elo(points, games):+.0f} Elo ({low:+.0f} to {high:+.0f})"


def match(arguments: argparse.Namespace) -> None:
    """The evaluation against the score alone, or against the sources of another folder."""
    game = mbegu.game(arguments.game)
    with tempfile.TemporaryDirectory() as folder:
        other = Path(arguments.against) if arguments.against else Path(folder) / "src"
        if not arguments.against:
            shutil.copytree(SOURCE, other, ignore=shutil.ignore_patterns("__pycache__", "server"))
            path = weights_file(other, game.name)
            told = import_module(f"mbegu.games.{game.name}.weights").WEIGHTS
            plain = {
                feature: (SEED, SEED) if SCORE.get(game.name) == feature else (0, 0)
                for feature in told
            }
            rows = getattr(import_module(f"mbegu.games.{game.name}.weights"), "PATTERNS", ())
            none = tuple(tuple((0, 0) for _pair in row) for row in rows)
            path.write_text(rendered(Fit(plain, {}, none, 0, 0.0, 0.0)), encoding="utf-8")
            module = evaluation_of(game)
            if hasattr(module, "LARGE_TABLES"):
                nothing = np.zeros(module.LARGE_TABLES[0], np.int8)
                large_tables.write(module, nothing, path)
        rivals = [Opponent(SOURCE, arguments), Opponent(other, arguments)]
        for rival in rivals:
            rival.ready()
        results: list[float] = []
        for pair in range(arguments.games // 2):
            start = opening(game, random.Random(arguments.seed * 1_000_003 + pair))
            points = 0.0
            for first in (0, 1):
                played = Match(game, start)
                while played.outcome is None and len(played.moves) < PLIES[game.name]:
                    player = played.position.turn
                    assert player is not None
                    played.play(rivals[player ^ first].choose(played))
                winner = played.outcome.winner if played.outcome else None
                points += 0.5 if winner is None else float(winner ^ first == 0)
            results.append(points)
        for rival in rivals:
            rival.close()
    speeds = [rival.nodes / max(rival.seconds, 1e-9) / 1e6 for rival in rivals]
    print(
        f"{datetime.now(UTC):%Y-%m-%d} {game.name}, {arguments.nodes} nodes: {told_elo(results)};"
        f" {speeds[0]:.2f} and {speeds[1]:.2f} million nodes/s"
    )


def main() -> None:
    """Reads what is asked for."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    tasks = parser.add_subparsers(required=True)
    for task in (match, serve):
        sub = tasks.add_parser(task.__name__, help=task.__doc__)
        sub.set_defaults(task=task)
        sub.add_argument("game", choices=sorted(PLIES))
        sub.add_argument("--nodes", type=int, default=5000, help="a move")
        sub.add_argument("--games", type=int, default=400)
        sub.add_argument("--seed", type=int, default=1)
        sub.add_argument("--threads", type=int, default=2)
        if task is match:
            sub.add_argument("--against", metavar="SRC", help="another version: its folder src")
    arguments = parser.parse_args()
    arguments.task(arguments)


if __name__ == "__main__":
    main()

"""Finds what the features of a position are worth, from games that the engine plays with itself.

    python -m benchmarks.tune fit oware --games 2000 --nodes 5000 --write
    python -m benchmarks.tune match oware --games 400 --nodes 5000

`fit` plays games of a fixed number of nodes a move from varied openings, notes the features of every
quiet position and the final margin of its game, and solves for the weights by ridge regression: a
column for each feature at the beginning and one at the end of a game. It prints each weight with
its standard error, the error of the prediction on games that were kept aside, and that of the score
alone. In Morabaraba, where whoever is ahead by one shot mostly wins and ten shots are worth no more,
the weights are those under which the results (won, drawn, lost) are most likely, by logistic
regression, and a unit of that is counted as a cow. `--write` puts the weights into the weights.py of the game's folder, from where the next
process compiles them. `match` plays the evaluation against the score alone at equal nodes, each
opening twice with sides changed; the two run in processes of their own.
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
import time
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
from numba import njit

import mbegu
from mbegu.core.match import Match
from mbegu.engine.engine import Engine, Limits
from mbegu.engine.evaluation import WHOLE, features, phase
from mbegu.engine.facts import gain, standing
from mbegu.engine.kernels.driver import kernel_of
from mbegu.engine.kernels.interface import again, play
from mbegu.engine.values import SEED
from mbegu.games.urubugu import Urubugu

SCORE = {"oware": "captured", "awale2": "captured", "urubugu": "beads", "morabaraba": "shot"}
PLIES = {"oware": 240, "kalah": 400, "awale2": 300, "urubugu": 200, "morabaraba": 300}
BY_RESULT = ("morabaraba",)  # who wins is another question there than by how much
LEAST_SHOT = (
    0.1  # to be ahead is worth something at any time, though early shots are too rare to tell
)
SLIP = 0.03  # the chance of a move by lot in the middle of a game: so that lesser positions occur
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


# ---- positions and their results ------------------------------------------------------------------


@njit(nogil=True)
def counted(state):
    """The features of a state, its phase, and what is settled already."""
    return features(state), phase(state), standing(state)


@njit(nogil=True)
def is_loud(state, move):
    """Whether a move captures or moves again."""
    child = play(state, move)
    return gain(state, child) >= 2 or again(child)


class SelfPlay:
    """An engine that plays games with itself."""

    def __init__(self, game: mbegu.Game, nodes: int) -> None:
        self.game, self.limits = game, Limits(nodes=nodes)
        self.options = {name: getattr(game, name) for name in game.options()}
        self.kernel = kernel_of(game.name)
        self.engine = Engine(game, hash_mb=4)
        self.loud = game.name == "urubugu"  # in which hardly a move is quiet

    def play(self, seed: int) -> tuple[list[list[float]], list[float]]:
        """One game: a row for each quiet position, and what came of it for the player to move."""
        lot = random.Random(seed)
        match = Match(self.game, opening(self.game, lot))
        rows, players = [], []
        self.engine.new_game()
        while match.outcome is None and len(match.moves) < PLIES[self.game.name]:
            position = match.position
            player, moves = position.turn, position.legal_moves()
            assert player is not None
            slip = lot.random() < SLIP
            if slip or len(moves) == 1:
                match.play(lot.choice(moves))
                continue
            *_before, last = self.engine.think(position, self.limits, match.positions)
            state = self.kernel.pack(position.to_json(), self.options)
            if self.loud or not is_loud(state, self.kernel.to_move(last.best, player, {})):
                values, when, settled = counted(state)
                rows.append([when, settled, *values])
                players.append(player)
            match.play(last.best)
        margins = final_margins(match)
        return rows, [margins[player] for player in players]


def final_margins(match: Match) -> tuple[float, float]:
    """What each player won by, in the unit of the evaluation."""
    outcome = match.outcome
    scores = outcome.scores if outcome else match.position.scores()
    margin = float(scores[0] - scores[1])
    if match.game.name == "urubugu":  # whoever wins has all the beads
        winner = outcome.winner if outcome else None
        margin = 0.0 if winner is None else (64.0, -64.0)[winner]
    return margin, -margin


def collect(name: str, games: int, nodes: int, seed: int, threads: int) -> tuple[Any, Any, Any]:
    """Rows, results, and the number of the game of each row."""
    game = mbegu.game(name)
    Engine(game, hash_mb=1).warm_up()
    SelfPlay(game, nodes).play(0)

    def work(which: int) -> list[tuple[list[list[float]], list[float]]]:
        player = SelfPlay(game, nodes)
        return [player.play(seed * 1_000_003 + i) for i in range(which, games, threads)]

    with ThreadPoolExecutor(threads) as pool:
        played = [each for part in pool.map(work, range(threads)) for each in part]
    rows = np.array([row for game_rows, _ in played for row in game_rows], float)
    results = np.array([result for _, game_results in played for result in game_results], float)
    numbers = np.repeat(np.arange(len(played)), [len(game_rows) for game_rows, _ in played])
    return rows, results, numbers


# ---- regression -----------------------------------------------------------------------------------


def names_of(name: str) -> tuple[str, ...]:
    """The features of a game."""
    told: tuple[str, ...] = import_module(f"mbegu.games.{name}.evaluation").FEATURES
    return told


def design(rows: Any) -> tuple[Any, Any]:
    """A column for each feature at the beginning and at the end; and what is settled."""
    early = rows[:, :1] / WHOLE
    counts = rows[:, 2:]
    return np.hstack([counts * early, counts * (1 - early)]), rows[:, 1]


def ridge(x: Any, y: Any, strength: float = 30.0) -> Any:
    """The weights that predict y, drawn a little towards none."""
    return np.linalg.solve(x.T @ x + strength * np.eye(x.shape[1]), x.T @ y)


def logistic(x: Any, y: Any, least: Any, strength: float = 5.0) -> Any:
    """The weights under which results (1, 0, -1) are likeliest, none below `least`, by Newton's method."""
    wins = (1 + np.sign(y)) / 2
    weights = np.maximum(np.zeros(x.shape[1]), least)
    for _step in range(50):
        chance = 1 / (1 + np.exp(-np.clip(x @ weights, -30, 30)))
        slope = x.T @ (wins - chance) - strength * weights
        held = (weights <= least) & (slope < 0)
        bend = (x.T * (chance * (1 - chance))) @ x + strength * np.eye(x.shape[1])
        bend[held], bend[:, held] = 0, 0
        bend[held, held] = 1
        step = np.linalg.solve(bend, np.where(held, 0, slope))
        weights = np.maximum(weights + step, least)
        if np.abs(step).max() < 1e-6:
            break
    return weights


def surprise(x: Any, y: Any, weights: Any) -> float:
    """How unlikely the results are on average, in natural logarithms: 0.69 is guessing."""
    wins = (1 + np.sign(y)) / 2
    chance = np.clip(1 / (1 + np.exp(-np.clip(x @ weights, -30, 30))), 1e-9, 1 - 1e-9)
    return float(-np.mean(wins * np.log(chance) + (1 - wins) * np.log(1 - chance)))


def errors_of(x: Any, y: Any, numbers: Any, weights: Any, by_result: bool) -> Any:
    """Standard errors that know that the positions of one game go together."""
    bend, off = np.ones(len(y)), y - x @ weights
    if by_result:
        chance = 1 / (1 + np.exp(-np.clip(x @ weights, -30, 30)))
        bend, off = chance * (1 - chance), (1 + np.sign(y)) / 2 - chance
    bread = np.linalg.inv((x.T * bend) @ x + 1e-6 * np.eye(x.shape[1]))
    scores = np.zeros((numbers.max() + 1, x.shape[1]))
    np.add.at(scores, numbers, x * off[:, None])
    return np.sqrt(np.diag(bread @ (scores.T @ scores) @ bread))


def fit(arguments: argparse.Namespace) -> None:
    """Plays, solves, tells and perhaps writes."""
    name = arguments.game
    began = time.perf_counter()
    rows, results, numbers = collect(
        name, arguments.games, arguments.nodes, arguments.seed, arguments.threads
    )
    x, settled = design(rows)
    y = results - settled
    aside = numbers % 5 == 0
    names = names_of(name)
    print(
        f"{name}: {arguments.games} games, {len(y)} positions, {time.perf_counter() - began:.0f} s"
    )
    score = rows[:, 2:3] if name in SCORE else np.zeros((len(y), 1))
    if name in BY_RESULT:
        least = np.full(x.shape[1], -np.inf)
        least[[0, len(names)]] = LEAST_SHOT
        trial, plain = logistic(x[~aside], y[~aside], least), logistic(score, y, -np.inf)
        weights = logistic(x, y, least)
        wrong = [surprise(x[aside], y[aside], trial), surprise(score[aside], y[aside], plain)]
    else:
        trial, weights = ridge(x[~aside], y[~aside]), ridge(x, y)
        off = y[aside] - x[aside] @ trial, y[aside] - score[aside, 0]
        wrong = [float(np.sqrt(np.mean(each**2))) for each in off]
    print(f"  error on games kept aside: {wrong[0]:.3f}; of the score alone: {wrong[1]:.3f}")
    spread = errors_of(x, y, numbers, weights, name in BY_RESULT)
    early = rows[:, 0] == 0
    told = {}
    for i, feature in enumerate(names):
        pairs = [(weights[j], spread[j]) for j in (i, len(names) + i)]
        told[feature] = tuple(round(SEED * weight) for weight, _ in pairs)
        print(f"  {feature:10}", *(f"{w:8.3f} ± {s:.3f}" for w, s in pairs))
    if early.all():  # the game has no phases
        told = {feature: (late, late) for feature, (_, late) in told.items()}
    if arguments.write:
        write(name, told)


def write(name: str, told: dict[str, tuple[int, int]]) -> None:
    """Puts the weights of a game into the file."""
    weights_file(SOURCE, name).write_text(rendered(told), encoding="utf-8")


def weights_file(source: Path, name: str) -> Path:
    """Where the weights of a game stand, in a folder of sources."""
    return source / "mbegu" / "games" / name / "weights.py"


def rendered(weights: dict[str, tuple[int, int]]) -> str:
    """The file of the weights."""
    lines = [
        '"""What each feature is worth at the beginning and at the end of a game, in 1/256 of its unit.',
        "",
        "Written by benchmarks/tune.py; see docs/evaluation.md.",
        '"""',
        "",
        '__all__ = ["WEIGHTS"]',
        "",
        "WEIGHTS: dict[str, tuple[int, int]] = {",
        *(f'    "{name}": {pair},' for name, pair in weights.items()),
    ]
    return "\n".join([*lines, "}", ""])


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
            path.write_text(rendered(plain), encoding="utf-8")
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
    for task in (fit, match, serve):
        sub = tasks.add_parser(task.__name__, help=task.__doc__)
        sub.set_defaults(task=task)
        sub.add_argument("game", choices=sorted(PLIES))
        sub.add_argument("--nodes", type=int, default=5000, help="a move")
        sub.add_argument("--games", type=int, default=400)
        sub.add_argument("--seed", type=int, default=1)
        sub.add_argument("--threads", type=int, default=2)
        if task is fit:
            sub.add_argument(
                "--write", action="store_true", help="put the weights into the sources"
            )
        if task is match:
            sub.add_argument("--against", metavar="SRC", help="another version: its folder src")
    arguments = parser.parse_args()
    arguments.task(arguments)


if __name__ == "__main__":
    main()

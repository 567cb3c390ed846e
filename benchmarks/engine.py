"""How fast the kernels are, side by side with OpenSpiel in the same run.

    python benchmarks/engine.py [--json] [--repeat 5]

Made moves a second by perft; random playouts on one core and on all; the time from the start of a
process to its first answer, with an empty cache and with a full one. The best of several rounds
counts, and ours and theirs take turns, so that a busy machine is unfair to neither. OpenSpiel
(`pip install open_spiel`) is left out where it is missing.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from typing import Any

from mbegu.engine.perft import perft
from mbegu.engine.playout import playouts

try:
    import pyspiel
except ImportError:
    pyspiel = None

EMPTY_BOARD = {
    "board": "." * 24,
    "turn": -1,
    "phase": "ADD",
    "in_hand": [12, 12],
    "score": [0, 0],
    "ban": [[], []],
    "quiet": 0,
    "three": 0,
    "over": None,
}
TEN_COWS = {  # ten each, all placed
    **EMPTY_BOARD,
    "board": "xoxox.oxoxo.xoxox.oxoxo.",
    "phase": "MOVE",
    "in_hand": [0, 0],
    "score": [2, 2],
}
STARTS: dict[str, dict[str, Any]] = {
    "kalah": {"pits": [4] * 6 + [0] + [4] * 6 + [0], "to_move": 0},
    "oware": {"board": [4] * 12, "score": [0, 0], "to_move": 0},
    "awale2": {"red": [2] * 16, "blue": [2] * 16, "score": [0, 0], "to_move": 0},
    "urubugu": {"p0": [2] * 16, "p1": [2] * 16, "to_move": 0},
    "morabaraba": EMPTY_BOARD,
}
PERFT = [
    ("kalah", STARTS["kalah"], 10),
    ("oware", STARTS["oware"], 10),
    ("awale2", STARTS["awale2"], 6),
    ("urubugu", STARTS["urubugu"], 6),
    ("morabaraba", EMPTY_BOARD, 6),
    ("morabaraba, ten cows", TEN_COWS, 8),
]
RIVALS = {"kalah": "mancala", "oware": "oware", "morabaraba": "nine_mens_morris"}
GAMES = 40_000
ROLLOUTS = 1_000

Figures = dict[str, dict[str, float]]


def best(figures: Figures, row: str, column: str, value: float) -> None:
    """Keeps the highest value of a cell."""
    cells = figures.setdefault(row, {})
    cells[column] = max(cells.get(column, 0.0), value)


def measure_perft(figures: Figures) -> None:
    """Million made moves a second."""
    for name, start, depth in PERFT:
        result = perft(name.partition(",")[0], {}, start, depth)
        best(figures, name, "perft", result.moves_made / result.seconds / 1e6)


def measure_playouts(figures: Figures) -> None:
    """Million moves a second of random games, on one core and on all."""
    for name, start in STARTS.items():
        for column, threads in (("one core", 1), ("all cores", None)):
            playouts(name, {}, start, 1)
            began = time.perf_counter()
            games = playouts(name, {}, start, GAMES, seed=1, threads=threads)
            seconds = time.perf_counter() - began
            best(figures, name, column, float(games.lengths.sum()) / seconds / 1e6)


def measure_openspiel(figures: Figures, lengths: dict[str, float]) -> None:
    """Million moves a second of OpenSpiel's rollouts: in C++, and driven from Python."""
    for name, theirs in RIVALS.items():
        game = pyspiel.load_game(theirs)
        moves, seconds = rollouts_in_python(game, 0.3)
        best(figures, name, "OpenSpiel Python", moves / seconds / 1e6)
        seconds = rollouts_in_cpp(game)
        best(figures, name, "OpenSpiel C++", ROLLOUTS * lengths[name] / seconds / 1e6)


def rollouts_in_python(game: Any, least: float) -> tuple[int, float]:
    """Random games for some time: the moves made and the seconds."""
    import random  # noqa: PLC0415

    dice, moves, began = random.Random(1), 0, time.perf_counter()
    while time.perf_counter() - began < least:
        state = game.new_initial_state()
        while not state.is_terminal():
            state.apply_action(dice.choice(state.legal_actions()))
            moves += 1
    return moves, time.perf_counter() - began


def rollouts_in_cpp(game: Any) -> float:
    """The seconds of ROLLOUTS games: the one simulation of a bot whose evaluator rolls out."""
    evaluator = pyspiel.RandomRolloutEvaluator(ROLLOUTS, 1)
    bot = pyspiel.MCTSBot(
        game, evaluator, 2.0, 1, 1, False, 1, False
    )  # uct_c, simulations, memory, solve, seed, verbose
    state = game.new_initial_state()
    began = time.perf_counter()
    bot.step(state)
    return time.perf_counter() - began


def mean_length(game: Any, games: int = 300) -> float:
    """The mean number of moves of a random game."""
    import random  # noqa: PLC0415

    dice, moves = random.Random(2), 0
    for _ in range(games):
        state = game.new_initial_state()
        while not state.is_terminal():
            state.apply_action(dice.choice(state.legal_actions()))
            moves += 1
    return moves / games


FIRST_ANSWER = """
import json, sys
from mbegu.engine.perft import perft
perft(sys.argv[1], {}, json.loads(sys.argv[2]), 4)
"""


def measure_starts() -> Figures:
    """Seconds from the start of a process to its first perft, cold and warm."""
    figures: Figures = {}
    with tempfile.TemporaryDirectory() as folder:
        for name, start in STARTS.items():
            for column in ("cold", "warm"):
                began = time.perf_counter()
                subprocess.run(
                    [sys.executable, "-c", FIRST_ANSWER, name, json.dumps(start)],
                    env={**os.environ, "MBEGU_CACHE": folder},
                    check=True,
                )
                figures.setdefault(name, {})[column] = time.perf_counter() - began
    return figures


def show(title: str, figures: Figures) -> None:
    """A table, a game a row."""
    columns = list(dict.fromkeys(column for cells in figures.values() for column in cells))
    print(f"\n{title}")
    print(" " * 22 + "".join(f"{column:>18}" for column in columns))
    for row, cells in figures.items():
        told = (f"{cells[column]:18.2f}" if column in cells else " " * 18 for column in columns)
        print(f"{row:22}" + "".join(told))


def main() -> None:
    """Measures all and prints it."""
    arguments = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    arguments.add_argument("--json", action="store_true", help="print figures as JSON")
    arguments.add_argument("--repeat", type=int, default=5, help="rounds, of which the best counts")
    chosen = arguments.parse_args()

    walks: Figures = {}
    games: Figures = {}
    lengths = {}
    if pyspiel is not None:
        lengths = {name: mean_length(pyspiel.load_game(game)) for name, game in RIVALS.items()}
    for _ in range(chosen.repeat):
        measure_perft(walks)
        measure_playouts(games)
        if pyspiel is not None:
            measure_openspiel(games, lengths)
    for cells in games.values():
        if "OpenSpiel C++" in cells:
            cells["one core / C++"] = cells["one core"] / cells["OpenSpiel C++"]
            cells["all cores / C++"] = cells["all cores"] / cells["OpenSpiel C++"]
    starts = measure_starts()

    if chosen.json:
        print(json.dumps({"perft": walks, "playouts": games, "start": starts}, indent=2))
        return
    show("Perft, million made moves a second", walks)
    show(f"Random playouts, million moves a second ({os.cpu_count()} cores)", games)
    show("From the start of a process to its first answer, seconds", starts)
    if pyspiel is None:
        print("\nOpenSpiel is not installed: nothing to compare with.")


if __name__ == "__main__":
    main()

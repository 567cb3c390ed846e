"""How fast the batched environment is, side by side with OpenSpiel's Python loop in the same run.

    python -m benchmarks rl [--json] [--repeat 5]

A step is: a legal action by lot, the move, what is seen after it, the mask of legal actions, reward,
end, and a new game where one has ended. OpenSpiel's loop plays random games with `legal_actions` and
`apply_action`, from Python and, by its own random bots, inside its C++. Ours and theirs take turns and the best of several rounds counts, so that a busy
machine is unfair to neither. "a core" and OpenSpiel are by the processor time of one thread: what one
core alone would do however many others want it; their ratio is that of one core to one core.

Limits: 20 million Oware or Kalah steps a second on two cores, 30 times OpenSpiel's Python loop.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import time
from typing import Any

from mbegu.rl.batch import BatchEnv

try:
    import pyspiel
except ImportError:
    pyspiel = None

GAMES = ("oware", "kalah", "awale2", "urubugu", "morabaraba")
RIVALS = {"oware": "oware", "kalah": "mancala"}
SIZE = 16_384
STEPS = 120
LIMITS = {"both cores": 20.0, "times OpenSpiel": 30.0}

Figures = dict[str, dict[str, float]]


def best(figures: Figures, row: str, column: str, value: float) -> None:
    """Keeps the highest value of a cell."""
    cells = figures.setdefault(row, {})
    cells[column] = max(cells.get(column, 0.0), value)


def ours(env: BatchEnv) -> tuple[float, float]:
    """Million steps a second by the clock, and by the time of this thread."""
    clock, own = time.perf_counter(), time.thread_time()
    for _step in range(STEPS):
        env.step(env.sample())
    steps = STEPS * env.size / 1e6
    return steps / (time.perf_counter() - clock), steps / (time.thread_time() - own)


def theirs(game: Any, seconds: float) -> float:
    """Million moves a second of random games, driven from Python, by the time of this thread."""
    dice, moves, began = random.Random(1), 0, time.thread_time()
    while time.thread_time() - began < seconds:
        state = game.new_initial_state()
        while not state.is_terminal():
            state.apply_action(dice.choice(state.legal_actions()))
            moves += 1
    return moves / (time.thread_time() - began) / 1e6


def inside(game: Any, seconds: float) -> float:
    """The same, played by OpenSpiel's own bots inside its C++: no Python in between."""
    bots = [pyspiel.make_uniform_random_bot(player, player + 1) for player in (0, 1)]
    moves, number, began = 0, 0, time.thread_time()
    while time.thread_time() - began < seconds:
        state, number = game.new_initial_state(), number + 1
        pyspiel.evaluate_bots(state, bots, number)
        moves += len(state.history())
    return moves / (time.thread_time() - began) / 1e6


def main() -> None:
    """Measures all and prints it."""
    arguments = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    arguments.add_argument("--json", action="store_true", help="print figures as JSON")
    arguments.add_argument("--repeat", type=int, default=5, help="rounds, of which the best counts")
    chosen = arguments.parse_args()
    figures: Figures = {}
    alone = {name: BatchEnv(name, SIZE, threads=1) for name in GAMES}
    both = {name: BatchEnv(name, SIZE) for name in GAMES}
    for _round in range(chosen.repeat):
        for name in GAMES:
            best(figures, name, "a core", ours(alone[name])[1])
            best(figures, name, "both cores", ours(both[name])[0])
            if pyspiel is not None and name in RIVALS:
                rival = pyspiel.load_game(RIVALS[name])
                best(figures, name, "OpenSpiel Python", theirs(rival, 0.4))
                best(figures, name, "OpenSpiel C++", inside(rival, 0.4))
    for cells in figures.values():
        if "OpenSpiel Python" in cells:
            cells["times OpenSpiel"] = cells["a core"] / cells["OpenSpiel Python"]
            cells["times C++"] = cells["a core"] / cells["OpenSpiel C++"]
    load = os.getloadavg()[0]
    if chosen.json:
        print(json.dumps({"million steps a second": figures, "load": load}, indent=2))
        return
    print(f"{SIZE} games at once, million steps a second ({os.cpu_count()} cores, load {load:.1f})")
    columns = (
        "a core", "both cores", "OpenSpiel Python", "times OpenSpiel", "OpenSpiel C++", "times C++"
    )  # fmt: skip
    print(" " * 12 + "".join(f"{column:>18}" for column in columns))
    for name, cells in figures.items():
        told = (f"{cells[c]:18.2f}" if c in cells else " " * 18 for c in columns)
        print(f"{name:12}" + "".join(told))
    for column, limit in LIMITS.items():
        found = max(figures[name].get(column, 0.0) for name in RIVALS)
        print(f"{column}: {found:.1f}, at least {limit:g}: {'ok' if found >= limit else 'NOT MET'}")


if __name__ == "__main__":
    main()

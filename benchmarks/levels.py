"""How strong the levels are: they play each other, and their ratings are fitted.

    python -m benchmarks.levels [GAME...] [--openings 16] [--nodes 1000000] [--write]

Every level plays the next and the next but one, each opening twice with sides changed. Ratings are
those of Bradley and Terry, in Elo, a draw counting half; level 1 is 0. The errors are two standard
deviations of ratings fitted to the same pairs of games drawn again by lot. Level 10 thinks for a
second a move when people play it; here it searches `--nodes`, so that it does not matter how busy
the machine is; all its cores play. `--write` keeps the ratings in src/mbegu/games/*/levels.json and writes docs/levels.md
from it.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import random
import time
from collections.abc import Sequence
from concurrent.futures import Executor, ProcessPoolExecutor
from contextlib import suppress
from datetime import UTC, datetime
from functools import cache, partial
from pathlib import Path
from typing import Any

import numpy as np

import mbegu
from benchmarks.tune import PLIES, opening
from mbegu.core.clock import Clock
from mbegu.core.game import Move, Position
from mbegu.core.match import Match
from mbegu.engine.engine import Engine, Limits
from mbegu.engine.levels import FULL_HASH_MB, LEVELS, LevelBot, Strength, strength_of

DOCUMENT = Path(__file__).parent.parent / "docs" / "levels.md"
SCALE = 400 / np.log(10)
AGAIN = 200  # times the games are drawn again
ARBITER_NODES = 100_000
WANTED = (100, 300)  # Elo of a step
QUICK = 20_000  # nodes a move: such games take no time

Results = dict[tuple[int, int], list[float]]
"""For two levels the points of the lower one in each pair of games, from 0 to 2."""


class Full:
    """The last level, with nodes in the place of time."""

    def __init__(self, game: mbegu.Game, nodes: int, seed: int) -> None:
        self.engine = Engine(game, hash_mb=FULL_HASH_MB, seed=seed)
        self.limits = Limits(nodes=nodes)

    def think(self, position: Position, history: Sequence[Position], _clock: Clock) -> Move:
        """Its move."""
        *_before, final = self.engine.think(position, self.limits, history)
        return final.best


@cache
def arbiter(game: mbegu.Game) -> Engine:
    """Who tells whether an opening is decided."""
    return Engine(game, hash_mb=4)


@cache
def fair_opening(game: mbegu.Game, seed: int) -> Position:
    """An opening in which nobody has a forced win that is soon found; in Urubugu most have one."""
    lot = random.Random(seed)
    while True:
        position = opening(game, lot)
        arbiter(game).new_game()
        *_before, final = arbiter(game).think(position, Limits(nodes=ARBITER_NODES))
        score = final.lines[0].score
        if not (score.result or score.likely):
            return position


def play_pair(name: str, levels: tuple[int, int], nodes: int, seed: int) -> float:
    """The points of the first level in two games from one opening."""
    game = mbegu.game(name)
    start = fair_opening(game, seed)
    points = 0.0
    for first in (0, 1):
        seeds = [seed * 4 + 2 * first + i for i in (0, 1)]
        bots = [
            Full(game, nodes, each) if level == LEVELS[-1] else LevelBot(level, each)
            for level, each in zip(levels, seeds, strict=True)
        ]
        match = Match(game, start)
        while match.outcome is None and len(match.moves) < PLIES[game.name]:
            player = match.position.turn
            assert player is not None
            bot = bots[player ^ first]
            match.play(bot.think(match.position, match.positions[:-1], Clock()))
        winner = match.outcome.winner if match.outcome else None
        points += 0.5 if winner is None else float(winner ^ first == 0)
    return points


def fit(results: Results) -> Any:
    """The ratings of all levels, the first one 0, by Newton's method."""
    count = len(LEVELS)
    ratings = np.zeros(count)
    pairs = [  # with one draw more: no rating is infinite
        (a - 1, b - 1, sum(points) + 0.5, 2 * len(points) + 1) for (a, b), points in results.items()
    ]
    for _ in range(60):
        gradient, curvature = np.zeros(count), 1e-3 * np.eye(count)
        for a, b, points, games in pairs:
            expected = 1 / (1 + np.exp(ratings[b] - ratings[a]))
            bend = games * expected * (1 - expected)
            gradient[a] += points - games * expected
            gradient[b] -= points - games * expected
            curvature[[a, b], [a, b]] += bend
            curvature[[a, b], [b, a]] -= bend
        step = np.linalg.solve(curvature, gradient)
        ratings += np.clip(step, -1, 1)
    return (ratings - ratings[0]) * SCALE


def openings_of(game: mbegu.Game, levels: tuple[int, int], openings: int) -> int:
    """How many openings two levels play twice: the last ones take long, the others no time."""
    if levels[1] == LEVELS[-1]:
        return openings
    thoughts = [strength_of(game, level) for level in levels]
    quick = all(each.depth is not None or (each.nodes or 0) <= QUICK for each in thoughts)
    return (12 if quick else 3) * openings


def rate(pool: Executor, name: str, openings: int, nodes: int, seed: int) -> dict[str, Any]:
    """Plays all the games of one game, and tells how it went."""
    game = mbegu.game(name)
    results: Results = {}
    for apart in (1, 2):
        for low in range(1, len(LEVELS) + 1 - apart):
            began = time.perf_counter()
            levels = (low, low + apart)
            seeds = range(1000 * seed, 1000 * seed + openings_of(game, levels, openings))
            results[levels] = list(pool.map(partial(play_pair, name, levels, nodes), seeds))
            share = sum(results[levels]) / (2 * len(results[levels]))
            spent = time.perf_counter() - began
            print(f"  {name} {low} against {low + apart}: {share:.0%} ({spent:.0f} s)", flush=True)
    ratings = fit(results)
    lot = np.random.default_rng(seed)
    drawn = [
        fit({pair: list(lot.choice(points, len(points))) for pair, points in results.items()})
        for _ in range(AGAIN)
    ]
    steps = np.diff(drawn, axis=1)
    return {
        "date": f"{datetime.now(UTC):%Y-%m-%d}",
        "machine": machine(),
        "openings": openings,
        "seed": seed,
        "games": sum(2 * len(points) for points in results.values()),
        "nodes": nodes,
        "elo": [round(each) for each in ratings],
        "error": [round(2 * each) for each in np.std(drawn, axis=0)],
        "step_error": [round(2 * each) for each in np.std(steps, axis=0)],
    }


# ---- writing it down ------------------------------------------------------------------------------


def told_strength(strength: Strength) -> str:
    """How a level thinks, in words."""
    if strength.depth is not None:
        return f"{strength.depth} ahead, overlooks {strength.miss / 10.24:.0f} %, errs by {strength.blur:g}"
    if strength.nodes is not None:
        return f"{strength.nodes:,} nodes" + (
            f", errs by {strength.blur:g}" if strength.blur else ""
        )
    return "all it can in a second"


INTRODUCTION = """# How strong the levels are

The computer plays at ten levels. The lower ones think as people do: they look so many moves ahead, they *overlook* a move the
more easily the more holes it changes (the percentage is for eight holes; an own first move has half the chance, and in Morabaraba
every move counts as four holes), and they *err* in judging a position, by at most so many seeds, beads or cows. The upper ones search so many positions (nodes). Up to level 9 a level is as strong on every
machine; level 10 thinks for a second, or as the clock allows.

The levels of each game played each other: every level the next and the next but one, from varied openings, each opening twice with sides
changed. These are their ratings in Elo, with an error of two standard deviations: 100 Elo more win 64 % of the
points, 200 more 76 %, 300 more 85 %. Level 1 is 0; ratings of different games cannot be compared. A step should be from 100 to
300 Elo; those that are not are marked with one star, and with two where 100 or 300 is beyond the error as well. Level 10 played with
fewer nodes than a second allows, so its last step may be more than the table says. The strengths were chosen in earlier games,
from other openings than those of the table. All players count nodes here, so the machine decides how long it takes, and nothing else.
"""


def made_by(name: str, rated: dict[str, Any]) -> str:
    """When, where and how a table was made; runs before these things were kept do not tell all of it."""
    command = f"`python -m benchmarks.levels {name} --nodes {rated['nodes']}"
    if "machine" not in rated:
        return f"{rated['date']}, {command} … --write`; the machine and the number of openings were not recorded"
    lot = f"--openings {rated['openings']} --seed {rated['seed']}"
    return f"{rated['date']}, {rated['machine']}, {command} {lot} --write`"


def machine() -> str:
    """What plays: how many processors, and of which kind."""
    model = platform.processor() or platform.machine()
    with suppress(OSError, IndexError):
        model = Path("/proc/cpuinfo").read_text().split("model name\t: ")[1].partition("\n")[0]
    return f"{os.cpu_count()} processors ({model})"


def document(told: dict[str, Any]) -> str:
    """docs/levels.md."""
    parts = [INTRODUCTION]
    for name in sorted(told):
        game, rated = mbegu.game(name), told[name]["ratings"]
        parts.append(f"## {game.title}\n")
        if "note" in told[name]:
            parts.append(f"{told[name]['note']}\n")
        rows = ["| level | rating | step | thinks |", "|---|---|---|---|"]
        for level in LEVELS:
            elo, error = rated["elo"][level - 1], rated["error"][level - 1]
            step = ""
            if level > 1:
                gained = elo - rated["elo"][level - 2]
                within = rated["step_error"][level - 2]
                off = max(WANTED[0] - gained, gained - WANTED[1])
                star = "" if off <= 0 else " *" if off <= within else " **"
                step = f"{gained:+} ± {within}{star}"
            rating = "0" if level == 1 else f"{elo} ± {error}"
            rows.append(
                f"| {level} | {rating} | {step} | {told_strength(strength_of(game, level))} |"
            )
        parts.append("\n".join(rows) + "\n")
        parts.append(
            f"{rated['games']:,} games; level 10 had {rated['nodes']:,} nodes a move. {made_by(name, rated)}.\n"
        )
    return "\n".join(parts)


def rendered(told: dict[str, Any]) -> str:
    """levels.json, a line for each level or list."""
    parts = []
    for name, each in told.items():
        if isinstance(each, list):
            lines = ",\n".join(f"  {json.dumps(level)}" for level in each)
            parts.append(f' "{name}": [\n{lines}\n ]')
        elif isinstance(each, dict):
            lines = ",\n".join(f'  "{key}": {json.dumps(value)}' for key, value in each.items())
            parts.append(f' "{name}": {{\n{lines}\n }}')
        else:
            parts.append(f' "{name}": {json.dumps(each)}')
    return "{\n" + ",\n".join(parts) + "\n}\n"


def table_of(name: str) -> Path:
    """The file beside the game's rules."""
    return Path(mbegu.__file__).parent / "games" / name / "levels.json"


def keep(name: str, rated: dict[str, Any]) -> None:
    """Writes the ratings of one game into its table, and the document anew."""
    told = {
        each: json.loads(table_of(each).read_text(encoding="utf-8")) for each in mbegu.game_names()
    }
    told[name]["ratings"] = rated
    table_of(name).write_text(rendered(told[name]), encoding="utf-8")
    DOCUMENT.write_text(document(told), encoding="utf-8")


def main() -> None:
    """Reads what is asked for."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("game", nargs="*", help="all of them if none is named")
    parser.add_argument(
        "--openings",
        type=int,
        default=16,
        help="that level 10 and another play twice; others get 3 or 12 times as many",
    )
    parser.add_argument("--nodes", type=int, default=1_000_000, help="a move of level 10")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--write", action="store_true", help="keep the ratings, write the document")
    arguments = parser.parse_args()
    with ProcessPoolExecutor() as pool:
        for name in arguments.game or sorted(PLIES):
            rated = rate(pool, name, arguments.openings, arguments.nodes, arguments.seed)
            steps = np.diff(rated["elo"]).tolist()
            print(name, rated["elo"], "steps", steps, "±", rated["step_error"])
            if arguments.write:
                keep(name, rated)


if __name__ == "__main__":
    main()

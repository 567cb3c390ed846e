"""The engine against other players, in real time.

    python -m benchmarks.contest morabaraba --games 48 --seconds 0.5 --keep results.jsonl --minutes 4
    python -m benchmarks.contest urubugu --games 40 --seconds 0.2 --keep urubugu.jsonl

Each opening, a few moves by lot, is played twice with sides changed. In Morabaraba the opponents are
such as students write for a contest: they look a fixed number of plies ahead, by alpha-beta over all
moves, and what they count is named in `EYES`. In the other games they are the greedy bot and level 5,
in turn, from openings in which nobody has a forced win that is soon found.

Results are kept in a file, a line each: the next call goes on where the last one stopped. A game that
the minutes cut off is played again from its beginning. At the end stand the points with a 95 %
interval (Wilson's).
"""

# mypy: allow-untyped-defs, allow-untyped-calls
# Compiled functions have no annotations: Numba infers their types.

from __future__ import annotations

import argparse
import json
import math
import random
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from numba import int64, njit

import mbegu
from benchmarks.levels import fair_opening
from mbegu.arena.bots import Greedy
from mbegu.core.clock import Clock
from mbegu.core.match import Match
from mbegu.engine.engine import Engine, Limits
from mbegu.engine.kernels.driver import kernel_of
from mbegu.engine.kernels.interface import again, first, legal, margin, play, rest, some
from mbegu.engine.levels import LevelBot
from mbegu.games.morabaraba.evaluation import _gaps, _lines, _mills, _ready, _steps
from mbegu.games.morabaraba.kernel import _closing
from mbegu.games.morabaraba.state import BOARD, HAND, SCORE

EYES = ("shots", "and mills and open lines", "and mobility", "and double mills")
OPPONENTS = [(depth, eye) for depth in (3, 4, 5, 6) for eye in (1, 2, 3)]  # plies, what is counted
OPENING = 4  # moves of Morabaraba by lot
GREAT = 1_000_000
WON = 100_000


@njit(nogil=True)
def worth(state, eye):
    """What a position is worth to an opponent."""
    me, op = state.me, state.op
    empty = BOARD & ~(me | op)
    shots = int64((state.mine >> SCORE) & HAND) - int64((state.his >> SCORE) & HAND)
    mills = _mills(me) - _mills(op)
    gaps, his_gaps = _gaps(me, empty), _gaps(op, empty)
    lines = _lines(gaps) - _lines(his_gaps)
    steps = _steps(me, empty) - _steps(op, empty)
    double = _ready(gaps, me & _closing(me)) - _ready(his_gaps, op & _closing(op))
    if eye == 0:
        return 100 * shots
    if eye == 1:
        return 100 * shots + 30 * mills + 10 * lines
    if eye == 2:
        return 100 * shots + 20 * mills + 12 * lines + 4 * steps
    return 100 * shots + 14 * mills + 8 * lines + 5 * steps + 25 * double


@njit(nogil=True)
def alpha_beta(state, depth, alpha, beta, eye):
    """The value of a position, so many plies ahead."""
    moves = legal(state)
    if not some(state, moves):
        ahead = margin(state)
        return WON + depth if ahead > 0 else -WON - depth if ahead < 0 else 0
    if depth <= 0:
        return worth(state, eye)
    best = -GREAT
    while some(state, moves):
        child = play(state, first(state, moves))
        moves = rest(state, moves)
        if again(child):
            value = alpha_beta(child, depth - 1, alpha, beta, eye)
        else:
            value = -alpha_beta(child, depth - 1, -beta, -alpha, eye)
        best = max(best, value)
        alpha = max(alpha, value)
        if alpha >= beta:
            break
    return best


@njit(nogil=True)
def values(state, depth, eye, out):
    """Writes each move and its exact value; returns how many there are."""
    count = 0
    moves = legal(state)
    while some(state, moves):
        move = first(state, moves)
        moves = rest(state, moves)
        child = play(state, move)
        value = alpha_beta(child, depth - 1, -GREAT, GREAT, eye)
        out[count, 0], out[count, 1] = move, value if again(child) else -value
        count += 1
    return count


def reply(match: Match, depth: int, eye: int, lot: random.Random) -> Any:
    """An opponent's move: one of the best, by lot."""
    kernel = kernel_of("morabaraba")
    position = match.position
    out = np.zeros((128, 2), np.int64)
    count = values(kernel.pack(position.to_json(), {}), depth, eye, out)
    best = out[:count, 1].max()
    move = lot.choice([int(move) for move, value in out[:count] if value == best])
    assert position.turn is not None
    return kernel.from_move(move, position.turn, {})


def opponent(
    game: mbegu.Game, number: int, lot: random.Random
) -> tuple[str, Callable[[Match], Any]]:
    """Who plays the engine in this pair of games: a name, and how it moves."""
    if game.name == "morabaraba":
        depth, eye = OPPONENTS[number % len(OPPONENTS)]
        return f"depth {depth}, {EYES[eye]}", lambda match: reply(match, depth, eye, lot)
    bot: Greedy | LevelBot = LevelBot(5, number) if number % 2 else Greedy(number)
    name = "level 5" if number % 2 else "greedy"
    return name, lambda match: bot.choose(match.position, Clock())


def begin(game: mbegu.Game, number: int, lot: random.Random) -> Match:
    """A match after an opening."""
    if game.name != "morabaraba":
        return Match(game, fair_opening(game, number))
    match = Match(game)
    for _move in range(OPENING):
        match.play(lot.choice(match.position.legal_moves()))
    return match


def contest(number: int, engine: Engine, seconds: float, until: float) -> dict[str, Any] | None:
    """Plays a game; None if it is not over in time."""
    side = number % 2
    lot = random.Random(number // 2)
    name, answer = opponent(engine.game, number // 2, lot)
    match = begin(engine.game, number // 2, lot)
    engine.new_game()
    while match.outcome is None:
        if time.monotonic() > until:
            return None
        if match.position.turn == side:
            *_others, info = engine.think(
                match.position, Limits(movetime=seconds, practical=True), match.positions[:-1]
            )
            match.play(info.best)
        else:
            match.play(answer(match))
    winner = match.outcome.winner
    points = 0.5 if winner is None else float(winner == side)
    game = {"game": number, "side": side, "against": name, "points": points}
    return {**game, "plies": len(match.moves), "reason": match.outcome.reason.name}


def interval(points: float, games: int) -> tuple[float, float]:
    """Wilson's interval, 95 %."""
    share, z = points / games, 1.96
    middle = (share + z * z / (2 * games)) / (1 + z * z / games)
    half = z / (1 + z * z / games) * math.sqrt(share * (1 - share) / games + (z / games / 2) ** 2)
    return middle - half, middle + half


def main() -> None:
    """Reads the command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("name", nargs="?", default="morabaraba", metavar="GAME")
    parser.add_argument("--games", type=int, default=48)
    parser.add_argument("--seconds", type=float, default=0.5, help="a move of the engine")
    parser.add_argument("--keep", type=Path, default=Path("contest.jsonl"), metavar="FILE")
    parser.add_argument("--minutes", type=float, default=60.0, help="that this call may take")
    parser.add_argument(
        "--part", default="0/1", metavar="K/N", help="every N-th game from the K-th on"
    )
    asked = parser.parse_args()
    until = time.monotonic() + 60 * asked.minutes
    engine = Engine(mbegu.game(asked.name))
    engine.warm_up()
    part, parts = (int(word) for word in asked.part.split("/"))
    for number in range(part, asked.games, parts):
        if number in {game["game"] for game in kept(asked.keep)}:
            continue
        game = contest(number, engine, asked.seconds, until)
        if game is None:
            break
        with asked.keep.open("a") as file:
            file.write(json.dumps(game) + "\n")
    tell(kept(asked.keep))


def kept(file: Path) -> list[dict[str, Any]]:
    """The games that have been played."""
    return [json.loads(line) for line in file.read_text().splitlines()] if file.exists() else []


def tell(games: list[dict[str, Any]]) -> None:
    """The points, in all and against each opponent that was not beaten every time."""
    if not games:
        return
    points = sum(game["points"] for game in games)
    low, high = interval(points, len(games))
    print(f"{points:g} of {len(games)} points, {points / len(games):.1%} ({low:.1%} to {high:.1%})")
    spoiled = Counter((game["against"], game["side"]) for game in games if game["points"] < 1)
    for (against, side), count in sorted(spoiled.items()):
        print(f"  not won: {count} against {against}, as the {('first', 'second')[side]} player")


if __name__ == "__main__":
    main()

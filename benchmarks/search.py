"""The search: nodes a second, the depth that a second reaches, what a second thread is worth, and
how late a thought ends.

python -m benchmarks.search                      every game: all of these, over a short game
python -m benchmarks.search oware --plies 240    the average depth over a whole game, a second a move
python -m benchmarks.search --only threads       the time to a depth with one thread and with two
python -m benchmarks.search --only nodes         what 2, 4 and 8 threads are worth, by nodes to a depth
python -m benchmarks.search --only stop          how much longer a move takes than its time
python -m benchmarks.search kalah --solve        the exact value from the start
"""

from __future__ import annotations

import argparse
import os
import random
import statistics
import time
from dataclasses import dataclass

import mbegu
from benchmarks.tune import opening
from mbegu.core.game import Game, Position
from mbegu.core.match import Match
from mbegu.engine.engine import MOST_DEPTH, Engine, Info, Limits
from mbegu.engine.thread_data import NODES
from mbegu.games.urubugu import Urubugu

GAMES = ("awale2", "kalah", "morabaraba", "oware", "urubugu")
PARTS = ("game", "threads", "nodes", "stop")
MANY = (2, 4, 8)  # threads
DEPTH_GOAL = {"oware": 22}  # on average over a game at a second a move
THREADS_GOAL = 1.5
LATE_GOAL_MS = 10.0
TRIES = 40  # openings tried for each that is wanted; most of Urubugu's are decided at once
BEADS, ROW = 32, 8  # of a player of Urubugu: beads, and cells in a row


def last(
    engine: Engine, position: Position, limits: Limits, history: list[Position] | None = None
) -> Info:
    """The last word of a thought."""
    *_others, final = engine.think(position, limits, history or ())
    return final


def load() -> str:
    """How busy the machine is: figures of a busy one say little."""
    return f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} processors"


# ---- a game ---------------------------------------------------------------------------------------


def over_a_game(game: Game, seconds: float, plies: int, hash_mb: int) -> None:
    """Lets the engine play itself; prints the average depth and speed.

    Positions that are decided do not count: there the depth says nothing.
    """
    engine = ready(game, 1, hash_mb)
    match = Match(game)
    depths, speeds, shares, solved = [], [], [], 0
    while match.outcome is None and len(match.moves) < plies:
        began = time.process_time()
        info = last(engine, match.position, Limits(movetime=seconds), match.positions[:-1])
        score = info.lines[0].score
        if score.result is not None or score.likely or info.depth == MOST_DEPTH:
            solved += 1
        else:
            depths.append(info.depth)
        if info.seconds > seconds / 2:
            speeds.append(info.nodes / info.seconds)
            shares.append((time.process_time() - began) / info.seconds)
        match.play(info.best)
    if not depths or not speeds:
        return
    goal = DEPTH_GOAL.get(game.name)
    print(
        f"{game!s:12} {len(match.moves):3} plies at {seconds:g} s: depth {statistics.mean(depths):.1f} on "
        f"average ({min(depths)}..{max(depths)}{f', goal {goal}' if goal else ''}), "
        f"{statistics.mean(speeds) / 1e6:.1f} million nodes/s, {solved} positions decided; "
        f"{statistics.mean(shares):.0%} of a processor, {load()}",
        flush=True,
    )


# ---- threads --------------------------------------------------------------------------------------


def ready(game: Game, threads: int, hash_mb: int) -> Engine:
    """An engine that is compiled and has its memory at hand."""
    engine = Engine(game, hash_mb=hash_mb, threads=threads)
    engine.warm_up()
    engine.new_game()  # writes to the whole table: the first touch of memory takes time
    return engine


@dataclass(frozen=True)
class Reached:
    """What it took to reach a depth."""

    seconds: float
    leader: int  # nodes of the first thread
    speed: float  # nodes in a second of a processor
    decided: bool
    nodes: int  # of all threads
    busiest: int  # nodes of the thread that visited most


def reach(engine: Engine, position: Position, depth: int) -> Reached:
    """Thinks to a depth, with an empty memory."""
    engine.new_game()
    began = time.process_time()
    info = last(engine, position, Limits(depth=depth))
    spent = max(time.process_time() - began, 1e-9)
    each = [int(thread.words[NODES]) for thread in engine._main_engine().thread_data]
    decided = info.lines[0].score.exact
    return Reached(info.seconds, each[0], info.nodes / spent, decided, info.nodes, max(each))


def lasting(game: Game, lot: random.Random) -> Position:
    """An opening that is not decided at once; in Urubugu with all beads in one row, where few can
    be taken soon."""
    if not isinstance(game, Urubugu):
        return opening(game, lot)
    setups = []
    for _player in range(2):
        cells = lot.choices(range(ROW), k=BEADS)
        setups.append([cells.count(cell) for cell in range(2 * ROW)])
    return game.start(*setups)


def worthwhile(engine: Engine, position: Position, seconds: float) -> tuple[int, Reached]:
    """The depth that takes a thread some such time, and what it takes; less if the game is decided."""
    depth = 2
    while True:
        reached = reach(engine, position, depth)
        if reached.decided or reached.seconds >= seconds / 4 or depth == MOST_DEPTH:
            return depth, reached
        depth += 1


def two_threads(game: Game, seconds: float, count: int, hash_mb: int) -> None:
    """The time to a depth with one thread and with two, over openings by lot.

    Beside the time stands what it would be on two processors that do nothing else: the ratio of
    the nodes that the first thread visited, times that of the nodes in a second of a processor.
    """
    one, two = (ready(game, threads, hash_mb) for threads in (1, 2))
    lot = random.Random(1)
    times: list[float] = []
    undisturbed: list[float] = []
    for _try in range(TRIES * count):
        position = lasting(game, lot)
        if position.turn is None:
            continue
        depth, alone = worthwhile(one, position, seconds)
        if alone.seconds < seconds / 4:
            continue  # decided soon: there is little to share
        shared = reach(two, position, depth)
        times.append(alone.seconds / shared.seconds)
        undisturbed.append(alone.leader / shared.leader * shared.speed / alone.speed)
        if len(times) == count:
            break
    if not times:
        print(f"{game!s:12} every opening is decided too soon to measure two threads", flush=True)
        return
    mean = statistics.geometric_mean
    print(
        f"{game!s:12} two threads reach a depth {mean(times):.2f} times as soon as one (goal "
        f"{THREADS_GOAL}), {mean(undisturbed):.2f} times if undisturbed; {len(times)} openings, {load()}",
        flush=True,
    )


def many_threads(game: Game, seconds: float, count: int, hash_mb: int) -> None:
    """What more threads are worth on a machine that has as many processors and memory that keeps up, counted in nodes.

    At best all threads share the nodes evenly; at worst everybody waits for the thread that visited most. On a
    machine with fewer processors than threads some hardly get a turn, so the truth lies between the two.
    """
    one = ready(game, 1, hash_mb)
    crews = {threads: ready(game, threads, hash_mb) for threads in MANY}
    lot = random.Random(3)
    found = {threads: list[Reached]() for threads in (1, *MANY)}
    for _try in range(TRIES * count):
        position = lasting(game, lot)
        if position.turn is None:
            continue
        depth, alone = worthwhile(one, position, seconds)
        if alone.seconds < seconds / 4:
            continue
        found[1].append(alone)
        for threads, engine in crews.items():
            found[threads].append(reach(engine, position, depth))
        if len(found[1]) == count:
            break
    for threads in MANY if found[1] else ():
        pairs = list(zip(found[1], found[threads], strict=True))
        more = statistics.geometric_mean(shared.nodes / alone.nodes for alone, shared in pairs)
        least = statistics.geometric_mean(alone.nodes / shared.busiest for alone, shared in pairs)
        print(
            f"{game!s:12} {threads} threads need {more:.2f} times the nodes of one: they are worth {least:.2f} to "
            f"{threads / more:.2f}; {len(pairs)} openings, {load()}",
            flush=True,
        )


# ---- stopping -------------------------------------------------------------------------------------


def lateness(game: Game, count: int, hash_mb: int) -> None:
    """How much longer than its time a move takes, from the call to the answer.

    A loop that does nothing but look at the clock, for as long and in turn with the moves, tells how
    much of it is the machine's doing.
    """
    engine = ready(game, 1, hash_mb)
    lot = random.Random(2)
    late: list[float] = []
    machine: list[float] = []
    for i in range(count):
        seconds = (0.02, 0.05, 0.1)[i % 3]
        position = opening(game, lot)
        began = time.perf_counter()
        last(engine, position, Limits(movetime=seconds))
        late.append(1000 * max(time.perf_counter() - began - seconds, 0.0))
        began = now = time.perf_counter()
        while now < began + seconds:
            now = time.perf_counter()
        machine.append(1000 * (now - began - seconds))
    print(
        f"{game!s:12} ends {spread(late)} (goal {LATE_GOAL_MS:g}); a loop that only looks at the clock "
        f"{spread(machine)}; {count} moves, {load()}",
        flush=True,
    )


def spread(late: list[float]) -> str:
    """The worst, and what nearly all and half of them keep to."""
    late = sorted(late)
    return (
        f"{late[-1]:.1f} ms late at worst, {late[len(late) * 99 // 100 - 1]:.1f} ms in 99 of 100, "
        f"{statistics.median(late):.1f} ms in half of them"
    )


# ---- solving --------------------------------------------------------------------------------------


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
    parser.add_argument("--only", choices=PARTS, help="one part of it")
    parser.add_argument("--seconds", type=float, default=1.0, help="a move")
    parser.add_argument("--plies", type=int, default=20, help="of the game that is played")
    parser.add_argument("--openings", type=int, default=24, help="for the threads")
    parser.add_argument("--moves", type=int, default=200, help="that are timed to the end")
    parser.add_argument("--hash", type=int, default=256, help="megabytes")
    parser.add_argument("--threads", type=int, default=2, help="to solve with")
    parser.add_argument("--solve", action="store_true", help="solve the game from the start")
    asked = parser.parse_args()
    parts = (asked.only,) if asked.only else PARTS
    for name in asked.games:
        game = mbegu.game(name)
        if asked.solve:
            solve(game, asked.threads, asked.hash)
            continue
        if "game" in parts:
            over_a_game(game, asked.seconds, asked.plies, asked.hash)
        if "threads" in parts:
            two_threads(game, asked.seconds, asked.openings, asked.hash)
        if "nodes" in parts:
            many_threads(game, asked.seconds, asked.openings, asked.hash)
        if "stop" in parts:
            lateness(game, asked.moves, asked.hash)


if __name__ == "__main__":
    main()

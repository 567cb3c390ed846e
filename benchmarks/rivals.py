"""Two checkouts of Mbegu play each other at equal CPU time a move: which one is stronger?

python -m benchmarks.rivals OLD/src oware --games 400 --out oware.jsonl      plays, or goes on
python -m benchmarks.rivals OLD/src oware --out oware.jsonl --games 0        only tells

The sources that run this play against those of the folder. Time is CPU time of the player's own process, so a
busy machine is unfair to nobody; each opening is played twice with sides changed. Every pair of games is a line
of the file, with what was moved and what it took: stop it when you like, the same command goes on. Openings are by
lot, but for those in which a short search sees more than a small lead. In Urubugu most set-ups are decided by
what 0.02 s see, and whoever has the won side wins it; so there all beads begin in the front rows, by lot, and
an opening counts if a long search finds no forced win. `--nodes 1600 1000` counts nodes instead, of these
sources and of the old ones: for games in which so little decides that a clock is too coarse. Endgame tables
are used by whoever knows of them;
`MBEGU_TABLES=` takes them away.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import subprocess
import sys
from pathlib import Path
from typing import Any

import mbegu
from benchmarks.tune import PLIES, SOURCE, opening, told_elo
from mbegu.core.match import Match
from mbegu.engine.engine import Engine, Limits
from mbegu.games.urubugu import Urubugu

LEAD = {"oware": 3.0, "kalah": 4.0, "awale2": 5.0, "morabaraba": 1.0}  # Urubugu: no forced win
LOOK = {"urubugu": 1_000_000}  # nodes to find a lead
SHORT_LOOK = 30_000  # elsewhere
FOREVER = 1e9  # seconds
BEADS, FRONT = 32, range(8, 16)  # of a player of Urubugu: beads, and cells of the front row
WORKER = '''
import json, sys, threading, time
import mbegu
from mbegu.engine.engine import Engine, Limits

game, seconds, nodes = mbegu.game(sys.argv[1]), float(sys.argv[2]), int(sys.argv[3])
engine = Engine(game, hash_mb=16)
engine.warm_up()
list(engine.think(game.start(), Limits(nodes=20_000)))
print("ready", flush=True)


def watch(began, done):
    """Ends a thought when its CPU time is over."""
    while not done.wait(0.001):
        if time.process_time() - began > seconds:
            engine.stop()


past = []
for line in sys.stdin:
    known, texts = json.loads(line)
    past[known:] = [game.position(text) for text in texts]
    *history, position = past
    done, began = threading.Event(), time.process_time()
    watcher = threading.Thread(target=watch, args=(began, done))
    watcher.start()
    # Less than the time from which an engine takes its time to solve the game.
    limits = Limits(nodes=nodes) if nodes else Limits(movetime=19)
    *_before, last = engine.think(position, limits, history)
    done.set()
    watcher.join()
    spent = time.process_time() - began
    print(json.dumps([last.best, last.depth, last.nodes, spent]), flush=True)
'''


class Rival:
    """A process that plays with the sources of a folder, and keeps its own count of CPU time."""

    def __init__(self, source: Path, game: str, seconds: float, nodes: int) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-c", WORKER, game, str(seconds), str(nodes)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, "PYTHONPATH": str(source)},
        )
        self.moves = self.depths = self.nodes = 0
        self.spent = 0.0
        self.match: Match | None = None
        self.known = 0  # positions of the match that it was told

    def told(self) -> Any:
        """The next line."""
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        if not line:
            sys.exit("a player has ended; its last words are above")
        return line

    def choose(self, match: Match) -> Any:
        """Its move."""
        assert self.process.stdin is not None
        if match is not self.match:
            self.match, self.known = match, 0
        texts = [str(position) for position in match.positions[self.known :]]
        print(json.dumps([self.known, texts]), file=self.process.stdin, flush=True)
        self.known += len(texts)
        move, depth, nodes, spent = json.loads(self.told())
        self.moves, self.depths = self.moves + 1, self.depths + depth
        self.nodes, self.spent = self.nodes + nodes, self.spent + spent
        return move

    def figures(self) -> list[float]:
        """Moves, depths, nodes, CPU seconds since it was asked last."""
        told = [self.moves, self.depths, self.nodes, round(self.spent, 3)]
        self.moves = self.depths = self.nodes = 0
        self.spent = 0.0
        return told

    def close(self) -> None:
        """Ends it."""
        self.process.communicate()


def in_front(lot: random.Random) -> tuple[int, ...]:
    """A set-up of Urubugu with all beads in the front row."""
    beads = [0] * 16
    for _ in range(BEADS):
        beads[lot.choice(FRONT)] += 1
    return tuple(beads)


def balanced(
    game: mbegu.Game, lot: random.Random, engine: Engine, look: int | None = None
) -> mbegu.Position:
    """An opening that a short search does not call decided."""
    look = look or LOOK.get(game.name, SHORT_LOOK)
    while True:
        is_urubugu = isinstance(game, Urubugu)
        position = game.start(in_front(lot), in_front(lot)) if is_urubugu else opening(game, lot)
        engine.new_game()
        *_before, last = engine.think(position, Limits(nodes=look))
        score = last.lines[0].score
        decided = score.result is not None or score.likely
        if not decided and abs(score.margin) <= LEAD.get(game.name, 1e9):
            return position


def played(game: mbegu.Game, start: mbegu.Position, rivals: list[Rival], first: int) -> Match:
    """One game; `first` tells which rival is player 0."""
    match = Match(game, start)
    while match.outcome is None and len(match.moves) < PLIES[game.name]:
        player = match.position.turn
        assert player is not None
        match.play(rivals[player ^ first].choose(match))
    return match


def pair_of(game: mbegu.Game, start: mbegu.Position, rivals: list[Rival]) -> dict[str, Any]:
    """Both games of an opening, from the view of the new sources."""
    points, games = 0.0, []
    for first in (0, 1):
        match = played(game, start, rivals, first)
        winner = match.outcome.winner if match.outcome else None
        points += 0.5 if winner is None else float(winner ^ first == 0)
        games.append(list(match.moves))
    figures = [rival.figures() for rival in rivals]
    return {"start": str(start), "points": points, "games": games, "figures": figures}


def known(file: Path) -> dict[int, dict[str, Any]]:
    """The pairs that were played; a line that was cut off is not one."""
    pairs = dict[int, dict[str, Any]]()
    for line in file.read_text(encoding="utf-8").splitlines() if file.exists() else ():
        try:
            told = json.loads(line)
        except ValueError:
            continue
        pairs[told["pair"]] = told
    return pairs


def play(options: argparse.Namespace) -> None:
    """Plays what is missing."""
    game = mbegu.game(options.game)
    pairs = known(options.out)
    missing = [number for number in range(options.games // 2) if number not in pairs]
    if not missing:
        return
    judge = Engine(game, hash_mb=4, tables=False)
    seconds = FOREVER if options.nodes else options.seconds
    rivals = [
        Rival(source, options.game, seconds, nodes)
        for source, nodes in zip((SOURCE, Path(options.old)), options.nodes or (0, 0), strict=True)
    ]
    for rival in rivals:
        assert rival.told() == "ready\n"
    for number in missing:
        start = balanced(game, random.Random(f"{options.game} {number}"), judge, options.look)
        told = {
            "pair": number,
            "seconds": options.seconds,
            "nodes": options.nodes,
            **pair_of(game, start, rivals),
        }
        with options.out.open("a", encoding="utf-8") as file:
            file.write(json.dumps(told) + "\n")
    for rival in rivals:
        rival.close()


def tell(options: argparse.Namespace) -> None:
    """The result so far."""
    pairs = list(known(options.out).values())
    if len(pairs) < 2:
        print(f"{options.game}: {len(pairs)} pairs")
        return
    results = [pair["points"] for pair in pairs]
    sums = [[sum(pair["figures"][side][i] for pair in pairs) for i in range(4)] for side in (0, 1)]
    both = "; ".join(
        f"{side}: {spent / moves * 1000:.1f} ms a move, depth {depths / moves:.1f}, "
        f"{nodes / spent / 1e6:.2f} million nodes/s"
        for side, (moves, depths, nodes, spent) in zip(("new", "old"), sums, strict=True)
    )
    print(f"{options.game}: {told_elo(results)}; {both}")


def main() -> None:
    """See the module's docstring."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("old", help="the folder src of the other sources")
    parser.add_argument("game")
    parser.add_argument("--games", type=int, default=400)
    parser.add_argument("--seconds", type=float, default=0.05, help="of CPU time a move")
    parser.add_argument(
        "--nodes", type=int, nargs=2, metavar=("NEW", "OLD"), help="a move, instead"
    )
    parser.add_argument("--look", type=int, help="nodes with which an opening is judged")
    parser.add_argument("--out", type=Path, required=True)
    options = parser.parse_args()
    play(options)
    tell(options)


if __name__ == "__main__":
    main()

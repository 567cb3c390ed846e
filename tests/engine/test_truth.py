"""A living engine goes through short endings of every game, and nothing that it claims is false.

Its table keeps what it has seen of earlier positions and games, and it is given the history, as on a server.
Every "exact", every result and every "wins in N" is put to an oracle that knows the rules only. That are
more than two thousand positions in a run.

MBEGU_TEST_SCALE=100 plays a hundred times as many endings.
"""

from __future__ import annotations

import os
import random
from collections import Counter
from collections.abc import Callable, Iterator

import pytest
from oracle import Oracle, TooLarge

import mbegu
from mbegu.core.game import Game, Position
from mbegu.engine.analysis import analyse
from mbegu.engine.compiled_engine import CompiledEngine
from mbegu.engine.engine import Engine, Limits, Line, Score
from mbegu.engine.jit import compiled
from mbegu.engine.protocol import score_words
from mbegu.engine.repetition import USELESS, proofs
from mbegu.engine.thread_data import AGE, BASE, DANGER, SINCE
from mbegu.engine.transposition import EXACT, SOLVED, pack_entry

SCALE = int(os.environ.get("MBEGU_TEST_SCALE", "1"))
SEED = int(os.environ.get("MBEGU_TEST_SEED", "1"))
NODES = (60, 300, 300, 2_000, 2_000, 12_000)
GHI = """
    0-0-1-0-0-0-0-0-1-0-0-1-24-21-N 1-0-1-0-0-0-0-0-1-0-0-0-24-21-S 1-0-0-1-0-0-0-0-1-0-0-0-24-21-N
    1-0-0-1-0-0-0-0-0-1-0-0-24-21-S 0-1-0-1-0-0-0-0-0-1-0-0-24-21-N 0-1-0-1-0-0-0-0-0-0-1-0-24-21-S
    0-1-0-0-1-0-0-0-0-0-1-0-24-21-N 0-1-0-0-1-0-0-0-0-0-0-1-24-21-S 0-1-0-0-0-1-0-0-0-0-0-1-24-21-N
""".split()

Endings = Callable[[Game, random.Random], Position]


# ---- endings --------------------------------------------------------------------------------------


def few_seeds(least: int, most: int) -> Endings:
    """Oware with a handful of seeds on the board."""

    def ending(game: Game, lots: random.Random) -> Position:
        while True:
            seeds, board = lots.randint(least, most), [0] * 12
            for _seed in range(seeds):
                board[lots.randrange(12)] += 1
            south = lots.randint(max(24 - seeds, 0), 24)
            north = 48 - seeds - south
            text = "-".join(map(str, [*board, south, north]))
            position = game.position(f"{text}-{lots.choice('SN')}")
            if north <= 24 and position.turn is not None:
                return position

    return ending


def last_moves(back: int) -> Endings:
    """A game by lot, some plies before its end."""

    def ending(game: Game, lots: random.Random) -> Position:
        while True:
            line = [game.start()]
            while line[-1].turn is not None and len(line) < 600:
                line.append(line[-1].play(lots.choice(line[-1].legal_moves())))
            if line[-1].turn is None and len(line) > 2:
                return line[-min(lots.randint(2, back), len(line))]

    return ending


def few_cows(game: Game, lots: random.Random) -> Position:
    """Morabaraba with three or four cows a side, and a counter that is about to run out."""
    points = sorted({point for mill in MILLS for point in mill})
    while True:
        herd = lots.sample(points, 8)
        dark, light = herd[: lots.choice((3, 4))], herd[4 : 4 + lots.choice((3, 4))]
        score = f"{12 - len(light)}/{12 - len(dark)}"
        classic = "classic" in str(game)
        quiet = 0 if classic else lots.randint(45, 49)
        three = lots.randint(6, 9) if min(len(dark), len(light)) == 3 else 0
        text = f"0/0 {','.join(dark)} {','.join(light)} {lots.choice('xo')} {score} - - {quiet} {three}"
        try:
            position = game.position(text)
        except mbegu.MbeguError:
            continue
        if position.turn is not None:
            return position


MILLS = [
    mill.split("-")
    for mill in (
        "a1-a4-a7 b2-b4-b6 c3-c4-c5 d1-d2-d3 d5-d6-d7 e3-e4-e5 f2-f4-f6 g1-g4-g7 a1-d1-g1 b2-d2-f2"
    ).split()
]

# game, how endings are made, how many, how many plies of each are played, positions the oracle looks at
KINDS: dict[str, tuple[str, Endings, int, int, int]] = {
    "oware, 2 to 5 seeds": ("oware(min_seeds=0)", few_seeds(2, 5), 24, 20, 1_000),
    "oware, illegal slams": (
        "oware(min_seeds=0,grand_slam=illegal)",
        few_seeds(2, 5),
        40,
        16,
        800,
    ),
    "oware, slams taken": ("oware(min_seeds=3,grand_slam=take)", few_seeds(3, 6), 40, 16, 800),
    "oware, 6 to 8 seeds": ("oware", few_seeds(6, 8), 12, 10, 1_000),
    "kalah": ("kalah(pits=4,seeds=3)", last_moves(14), 40, 8, 2_000),
    "kalah, empty captures": (
        "kalah(pits=3,seeds=3,empty_capture=True)",
        last_moves(14),
        50,
        8,
        4_000,
    ),
    "kalah, six pits": ("kalah", last_moves(10), 40, 6, 1_500),
    "awale2": ("awale2", last_moves(8), 20, 6, 1_500),
    "urubugu": ("urubugu", last_moves(5), 8, 4, 150),
    "morabaraba": ("morabaraba", few_cows, 8, 4, 600),
    "morabaraba, classic": ("morabaraba(rules=classic)", few_cows, 6, 4, 600),
}


def walk(
    game: Game, endings: Endings, count: int, plies: int, lots: random.Random
) -> Iterator[tuple[Position, list[Position]]]:
    """Positions of many games with their history."""
    for _ending in range(count):
        path = [endings(game, lots)]
        oracle = Oracle(game, 0)
        for _ply in range(plies):
            if oracle.final(path) is not None:
                break
            yield path[-1], path[:-1]
            path.append(path[-1].play(lots.choice(path[-1].legal_moves())))


# ---- claims ---------------------------------------------------------------------------------------


class Claims:
    """Holds what an engine says against the oracle; counts what was claimed and what was checked."""

    def __init__(self, game: Game, patience: int) -> None:
        self.oracle = Oracle(game, patience)
        self.counts: Counter[str] = Counter()

    def check(self, position: Position, history: list[Position], lines: tuple[Line, ...]) -> None:
        for rank, line in enumerate(lines):
            score = line.score
            assert score.result is None or score.likely == 0
            assert score.win is None or (score.win > 0) == (score.result == 1)
            assert not score.exact or score.result is not None
            assert ("mate" in score_words(score)) == (score.win is not None)
            for kind, holds in self.told(position, history, rank, line):
                self.counts[kind] += 1
                try:
                    true = holds()
                except TooLarge:
                    self.counts[kind + " unchecked"] += 1
                    continue
                path = " ".join(map(str, history[-30:]))
                assert true, f"{kind}: {position.game} {position} rank {rank} {line} after {path}"

    def told(
        self, position: Position, history: list[Position], rank: int, line: Line
    ) -> Iterator[tuple[str, Callable[[], bool]]]:
        """What a line claims, and how one finds out whether it is true."""
        me, score = position.turn, line.score
        assert me is not None
        after, then = position.play(line.moves[0]), [*history, position]
        here, past = (position, history) if rank == 0 else (after, then)
        forces = self.oracle.forces
        if score.exact:
            margin = round(score.margin)
            assert margin == score.margin
            yield "exact", lambda: forces(after, then, me, margin)
            yield "exact", lambda: not forces(here, past, me, margin + 1)
        if score.result == 0:
            yield "draw", lambda: forces(after, then, me, 0)
            yield "draw", lambda: not forces(here, past, me, 1)
        elif score.result == 1:
            yield "win", lambda: forces(after, then, me, 1)
        elif score.result == -1:
            yield "loss", lambda: not forces(here, past, me, 0)
        yield from self.distance(score, (after, then), (here, past), me)

    def distance(
        self,
        score: Score,
        after: tuple[Position, list[Position]],
        here: tuple[Position, list[Position]],
        me: int,
    ) -> Iterator[tuple[str, Callable[[], bool]]]:
        win, forces = score.win, self.oracle.forces
        if win is not None and win > 0:
            yield "wins in", lambda: forces(*after, me, 1, win - 1)
        elif win is not None:
            plies = -win if here != after else -win - 1
            yield "loses in", lambda: forces(*here, 1 - me, 1, plies)
        settled, margin = score.settled, abs(round(score.margin))
        if settled is not None and settled > 0:
            yield "settled in", lambda: forces(*after, me, margin, settled - 1)
        elif settled is not None:
            plies = -settled if here != after else -settled - 1
            yield "settled in", lambda: forces(*here, 1 - me, margin, plies)


@pytest.mark.parametrize("kind", KINDS)
def test_nothing_that_a_living_engine_claims_is_false(kind: str) -> None:
    name, endings, count, plies, patience = KINDS[kind]
    game, lots = mbegu.game(name), random.Random(f"{SEED} {kind}")
    engine, claims = Engine(game, hash_mb=1), Claims(game, patience)
    positions = 0
    for position, history in walk(game, endings, count * SCALE, plies, lots):
        limits = Limits(nodes=lots.choice(NODES), lines=lots.choice((1, 1, 3)))
        for info in engine.think(position, limits, history):
            if info.final or lots.random() < 0.1:
                claims.check(position, history, info.lines)
        positions += 1
    print(f"{kind}: {positions} positions, {dict(sorted(claims.counts.items()))}")
    assert positions >= count
    checked = sum(n if " un" not in what else -n for what, n in claims.counts.items())
    assert checked >= count, "hardly anything was claimed that could be checked"


# ---- what once was wrong --------------------------------------------------------------------------


def test_a_proof_does_not_survive_a_history_that_spoils_it() -> None:
    game = mbegu.game("oware(min_seeds=0)")
    *history, position = map(game.position, GHI)
    oracle = Oracle(game, 100_000)
    assert oracle.forces(position, history, 1, -4)
    assert not oracle.forces(position, history, 1, -3)
    engine = Engine(game)
    first = analyse(history[0], nodes=300_000, engine=engine).result().best
    assert first.exact
    assert first.margin == -6
    last = analyse(position, nodes=300_000, history=history, engine=engine).result().best
    assert last.margin == -4


@compiled
def believed(state, found, ply, thread):  # type: ignore[no-untyped-def]
    return proofs(state, found, ply, thread)


@compiled
def written(age, side):  # type: ignore[no-untyped-def]
    return pack_entry(age, 5, EXACT, EXACT, SOLVED, 0, side, 512)


def test_in_danger_a_proof_is_good_for_this_past_and_this_player_alone() -> None:
    """With the players exchanged the board is the same to the table, but the past is another one."""
    game = mbegu.game("oware(min_seeds=0)")
    engine = Engine(game, hash_mb=1)._main_engine()
    assert isinstance(engine, CompiledEngine)
    state = engine.pack(game.position("1-0-0-0-0-0-1-0-0-0-0-0-23-23-S"))
    thread = engine.thread_data[0]
    thread.words[AGE], thread.words[BASE], thread.words[DANGER] = 7, 4, 1

    def told(age: int, side: int, ply: int) -> int:
        return int(believed(state, written(age, side), ply, thread.address))

    assert told(7, 0, 2) == told(7, 1, 3) == EXACT
    assert told(7, 1, 2) == told(7, 0, 3) == told(6, 0, 2) == USELESS
    thread.words[SINCE + 3] = 5  # something was taken after the root
    assert told(7, 0, 3) == told(6, 0, 3) == EXACT
    thread.words[DANGER] = 0
    assert told(6, 0, 2) == told(7, 1, 2) == EXACT

"""What an engine claims after everything that may happen to it, held against a second opinion.

It is asked in the middle of other thoughts, stopped, given a clock, two threads, many lines or a few of the
moves, and lives through one game after another. MBEGU_TEST_SCALE multiplies the games.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from oracle import Oracle, TooLarge
from second import Second
from test_truth import GHI, SCALE, SEED, Claims, few_cows, few_seeds, walk

import mbegu
from mbegu.core.game import Game, Move, Position
from mbegu.core.record import Record
from mbegu.engine.annotate import annotate
from mbegu.engine.compiled_engine import CompiledEngine
from mbegu.engine.deepening import IterativeDeepening
from mbegu.engine.engine import Engine, Limits, Line, Score
from mbegu.engine.values import SEED as ONE
from mbegu.engine.values import WON
from mbegu.engine.verdict import Found, Known, Past
from mbegu.server.think.jobs import EngineWorker

Endings = Callable[[Game, random.Random], Position]
PATIENCE = 1_500


def spread(lots: random.Random, count: int, places: int) -> list[int]:
    board = [0] * places
    for _piece in range(count):
        board[lots.randrange(places)] += 1
    return board


def legal(make: Callable[[Game, random.Random], Position]) -> Endings:
    """The first that is a position in which somebody is to move."""

    def ending(game: Game, lots: random.Random) -> Position:
        while True:
            try:
                position = make(game, lots)
            except mbegu.MbeguError:
                continue
            if position.turn is not None:
                return position

    return ending


@legal
def few_beads(game: Game, lots: random.Random) -> Position:
    """Urubugu with a handful of beads, which go round for long."""
    south, north = (",".join(map(str, spread(lots, lots.randint(1, 5), 16))) for _side in "SN")
    return game.position(f"{south}/{north} {lots.choice('01')}")


@legal
def few_of_two_colours(game: Game, lots: random.Random) -> Position:
    """Two-colour Awale with so few seeds that the next captures end it."""
    count = lots.randint(8, 10)
    seeds = iter(spread(lots, count, 32))
    holes = "-".join(f"{red}R{next(seeds)}B" for red in seeds)
    odd = lots.randint(32 - count, 32)
    return game.position(f"{holes}-{odd}-{64 - count - odd}-{lots.choice('OE')}")


@legal
def few_stones(game: Game, lots: random.Random) -> Position:
    """Kalah with up to ten stones outside the stores."""
    pits, all_of_them = game.pits, 2 * game.pits * game.seeds  # type: ignore[attr-defined]
    board = spread(lots, lots.randint(2, 10), 2 * pits)
    south = lots.randint(0, all_of_them - sum(board))
    both = [*board[:pits], south, *board[pits:], all_of_them - sum(board) - south]
    return game.from_json({"pits": both, "to_move": lots.randrange(2)})


# game, how endings are made, how many, and how many plies of each are played
KINDS: dict[str, tuple[str, Endings, int, int]] = {
    "oware": ("oware(min_seeds=0)", few_seeds(2, 6), 4, 24),
    "oware, illegal slams": ("oware(min_seeds=0,grand_slam=illegal)", few_seeds(2, 6), 4, 20),
    "kalah": ("kalah(pits=3,seeds=3)", few_stones, 16, 8),
    "kalah, two pits": ("kalah(pits=2,seeds=4,empty_capture=True)", few_stones, 16, 8),
    "awale2": ("awale2(chain=sown,starve_first=False)", few_of_two_colours, 6, 8),
    "urubugu": ("urubugu", few_beads, 4, 14),
    "urubugu, two to start": ("urubugu(start_min=2)", few_beads, 24, 8),
    "urubugu, traditional": (
        "urubugu(start_min=2,capture=both,landing=occupied)",
        few_beads,
        24,
        8,
    ),
    "morabaraba": ("morabaraba", few_cows, 4, 4),
    "morabaraba, classic": ("morabaraba(rules=classic)", few_cows, 4, 4),
}


class Life:
    """An engine that is never given a new game, and what is asked of it."""

    def __init__(self, game: Game, lots: random.Random) -> None:
        self.game, self.lots = game, lots
        self.engine = Engine(game, hash_mb=1, threads=2, tables=False)
        self.claims = Claims(game, 0)
        self.claims.oracle = Second(game, PATIENCE)  # type: ignore[assignment]

    def ponder(self, position: Position, history: list[Position]) -> None:
        """Thinks about an answer until somebody says stop."""
        after = position.play(self.lots.choice(position.legal_moves()))
        path = [*history, position, after]
        if Oracle(self.game, 0).final(path) is not None:
            return
        enough = self.lots.randint(1, 8)
        thought = self.engine.think(after, Limits(infinite=True, lines=2), path[:-1])
        for number, info in enumerate(thought):
            if number == enough:
                self.engine.stop()
            if info.final:
                self.claims.check(after, path[:-1], info.lines)

    def live(self, position: Position, history: list[Position]) -> None:
        lots, moves = self.lots, position.legal_moves()
        if lots.random() < 0.3:
            self.ponder(position, history)
        if lots.random() < 0.3:  # what was found out about some moves is no proof about all
            some = tuple(lots.sample(moves, lots.randint(1, len(moves))))
            for _info in self.engine.think(position, Limits(nodes=500, searchmoves=some), history):
                pass
        limits = lots.choice(
            (Limits(nodes=lots.choice((5, 60, 300, 3_000)), lines=lots.choice((1, 50))),
             Limits(remaining=0.1, lines=lots.choice((1, 3))))
        )  # fmt: skip
        for info in self.engine.think(position, limits, history):
            if info.final or lots.random() < 0.1:
                self.claims.check(position, history, info.lines)


@pytest.mark.parametrize("kind", KINDS)
def test_nothing_that_it_claims_is_false_whatever_it_was_asked(kind: str) -> None:
    name, endings, count, plies = KINDS[kind]
    game, lots = mbegu.game(name), random.Random(f"{SEED} {kind}")
    life = Life(game, lots)
    for position, history in walk(game, endings, count * SCALE, plies, lots):
        if not history:
            life.claims.oracle = Second(game, PATIENCE)  # type: ignore[assignment]
        life.live(position, history)
    counts = life.claims.counts
    print(f"{kind}: {dict(sorted(counts.items()))}")
    assert sum(n if " un" not in what else -n for what, n in counts.items()) >= count


# ---- the two solvers ------------------------------------------------------------------------------


def questions(
    kind: str, seed: int
) -> Iterator[tuple[Position, list[Position], int, int, int | None]]:
    name, endings, count, plies = KINDS[kind]
    game, lots = mbegu.game(name), random.Random(f"{seed} {kind}")
    for position, history in walk(game, endings, count, plies, lots):
        margin = lots.randint(-6, 6)
        yield position, history, lots.randrange(2), margin, lots.choice((None, None, 1, 3, 6))


@pytest.mark.parametrize("kind", KINDS)
def test_the_two_solvers_agree(kind: str) -> None:
    game = mbegu.game(KINDS[kind][0])
    first, second, both = Oracle(game, 300), Second(game, 600, 20), 0
    for question in questions(kind, 1):
        try:
            assert first.forces(*question) == second.forces(*question), question
        except TooLarge:
            continue
        both += 1
    assert both >= 2


# ---- what is proved -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "margin"),
    [
        ("0-0-1-1-0-2-1-0-0-1-0-0-22-20-N", -4),
        ("0-0-0-0-0-0-0-2-1-0-2-1-23-19-N", 0),
        ("2-0-0-1-0-1-0-0-2-1-0-0-20-21-S", 4),
        ("0-1-1-1-1-1-1-0-0-0-0-1-22-19-S", 8),
    ],
)
def test_an_ending_whose_value_does_not_depend_on_circles_is_proved(text: str, margin: int) -> None:
    game = mbegu.game("oware")
    position = game.position(text)
    *_before, last = Engine(game, tables=False).think(position, Limits(nodes=250_000))
    score = last.lines[0].score
    assert (score.exact, score.margin) == (True, margin)


def test_with_a_clock_a_thought_ends_early_for_a_proof_alone() -> None:
    game = mbegu.game("oware")
    engine = Engine(game, hash_mb=1)._main_engine()
    assert isinstance(engine, CompiledEngine)
    position = game.start()
    state = engine.pack(position)
    thought = IterativeDeepening(engine, position, state, Past(), Limits(remaining=1e8), None)
    thought.count, thought.lines = 6, [Found(WON + 4 * ONE - 24, 0, (2,))]
    assert not thought._enough(1), "a win that is only seen is no reason to stop"
    thought.proofs.by_move[2] = Known(low=1)
    assert thought._enough(1)


@pytest.mark.parametrize("left", [1, 2, 3, 5, 8])
def test_nothing_is_claimed_beyond_the_longest_match(left: int) -> None:
    """Two-colour Awale is a draw after a thousand moves, whatever would come then."""
    game, lots = mbegu.game("awale2"), random.Random(left)
    engine, start, claimed = Engine(game, hash_mb=1), game.start(), 0
    for _ending in range(12):
        position = few_of_two_colours(game, lots)
        history = [start] * (1000 - left)
        *_before, last = engine.think(position, Limits(nodes=3_000, lines=50), history)
        for line in last.lines:
            if line.score.result is None:
                continue
            claimed += 1
            assert line.score.result != 0
            assert line.score.win is not None
            assert abs(line.score.win) <= left
            assert not line.score.exact
    assert claimed or left == 1


# ---- others who ask -------------------------------------------------------------------------------


def going_round(game: Game, lots: random.Random) -> tuple[Record, int]:
    """A record that goes on after a position has come back, and the ply of the move that led there."""
    while True:
        path, moves, end = [few_seeds(2, 4)(game, lots)], list[Move](), None
        while path[-1].turn is not None and len(moves) < 60 and end != len(moves) - 4:
            moves.append(lots.choice(path[-1].legal_moves()))
            path.append(path[-1].play(moves[-1]))
            if end is None and path[-1] in path[:-1]:
                end = len(moves) - 1
        if end is not None and end > 6 and end == len(moves) - 4:
            return Record.of(path[0], moves), end


def test_an_annotation_knows_where_the_match_was_over() -> None:
    game, lots = mbegu.game("oware(min_seeds=0)"), random.Random(SEED)
    engine, claims = Engine(game, hash_mb=1, tables=False), Claims(game, 0)
    for _record in range(4 * SCALE):
        record, end = going_round(game, lots)
        positions = record.positions()
        claims.oracle = Second(game, PATIENCE)  # type: ignore[assignment]
        found = annotate(record, Limits(nodes=2_000), engine=engine)
        for judged in found.judgements[: end + 1]:
            best, played = (
                Line(Score(line.margin, line.win, line.exact, line.result, line.likely), line.moves)
                for line in (judged.best, judged.played)
            )
            claims.check(positions[judged.ply], positions[: judged.ply], (best, played))
        last, outcome = found.judgements[end].played, game.repetition_outcome(positions[end + 1])
        mover = positions[end].turn
        assert last.exact
        assert last.margin == (outcome.scores[0] - outcome.scores[1]) * (1 if mover == 0 else -1)
        assert end + 1 not in {judged.ply for judged in found.judgements}
    assert claims.counts["win"] + claims.counts["loss"] >= 8


def test_the_worker_of_a_server_knows_the_game_before() -> None:
    """It serves many rooms with one engine, which has seen the first position of this game."""
    worker = EngineWorker()
    *history, position = GHI

    def asked(text: str, before: list[str]) -> dict[str, Any]:
        question = ("oware(min_seeds=0)", text, before, 2, 0.3)
        *_before, last = worker.think(1, "analyse", question)
        return dict(last["lines"][0])

    assert asked(history[0], [])["margin"] == -6
    told = asked(position, history)
    assert told["margin"] == -4

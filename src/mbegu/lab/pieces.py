"""The kinds of experiments: into which pieces each is cut, and how a piece is done.

A piece gives the same rows wherever and whenever it is done: its dice follow from the experiment's
seed and its own number, nothing in it looks at a clock, and it uses one thread.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from importlib.metadata import entry_points
from itertools import combinations
from typing import Any, ClassVar

import numpy as np
import pyarrow as pa

from mbegu.arena.openings import openings
from mbegu.core.clock import Clock
from mbegu.core.errors import MbeguError
from mbegu.core.game import Game, Move, Position
from mbegu.core.i18n import N_, _
from mbegu.core.match import Match
from mbegu.engine.engine import Engine, Limits
from mbegu.engine.levels import LevelBot
from mbegu.engine.playout import playouts
from mbegu.lab.design import Experiment, Field, InvalidExperiment
from mbegu.lab.kind import Kind, Piece, chunks, dice, numbers, options_of, words
from mbegu.lab.urubugu.forced import Forced
from mbegu.lab.urubugu.kinds import Counters, SettingsCompared

__all__ = ["KINDS", "Kind", "Piece", "dice", "options_of"]


class Random(Kind):
    """Games in which both draw their moves by lot."""

    name = "random"
    title = N_("Games of random moves")
    budget: ClassVar = {
        "games": Field(100_000, N_("how many games"), 1, 10**9),
        "piece": Field(20_000, N_("games of one piece"), 1, 10**6),
        "plies": Field(1_000, N_("a game of so many moves is a draw"), 1, 10**6),
    }
    schema = pa.schema(
        [
            ("game", pa.int64()),
            ("margin", pa.int16()),  # of the one who began
            ("plies", pa.int32()),
            ("ending", pa.string()),
        ]
    )
    ENDINGS = ("rules", "repetition", "plies")  # as mbegu.engine.playout numbers them

    def parts(self, experiment: Experiment) -> Iterator[dict[str, Any]]:
        for first, count in chunks(experiment.budget["games"], experiment.budget["piece"]):
            yield {"first": first, "games": count}

    def run_piece(self, experiment: Experiment, piece: Piece) -> pa.Table:
        game = experiment.rules
        first, count = piece.what["first"], piece.what["games"]
        seed = int(dice(experiment, piece).generate_state(1, np.uint64)[0])
        played = playouts(
            game.name,
            options_of(game),
            game.start().to_json(),
            count,
            seed=seed,
            threads=1,
            max_plies=experiment.budget["plies"],
        )
        columns = [
            numbers(np.arange(first, first + count)),
            numbers(played.margins),
            numbers(played.lengths),
            words(played.endings, self.ENDINGS),
        ]
        return pa.Table.from_arrays(columns, schema=self.schema)


class Levels(Kind):
    """Every two levels play a match; each opening twice, with sides changed."""

    name = "levels"
    title = N_("Levels against each other")
    population: ClassVar = {
        "levels": Field([1, 2, 3, 4], N_("which levels meet"), 1, 9, many=True),
        "opening": Field(4, N_("moves by lot before they begin to think"), 0, 60),
    }
    budget: ClassVar = {
        "games": Field(20, N_("games of each pair; an even number"), 2, 10**6),
        "piece": Field(2, N_("games of one piece; an even number"), 2, 10**4),
    }
    schema = pa.schema(
        [
            ("first", pa.int8()),  # the level that begins
            ("second", pa.int8()),
            ("opening", pa.int32()),
            ("points", pa.float32()),  # of the first
            ("margin", pa.int16()),
            ("plies", pa.int32()),
            ("reason", pa.string()),
        ]
    )

    def check(self, experiment: Experiment) -> None:
        """Pairs of games need even numbers."""
        levels = experiment.population["levels"]
        if len(set(levels)) < len(levels) or len(levels) < 2:
            raise InvalidExperiment(_("population.levels: name two levels or more, each once"))
        for key in ("games", "piece"):
            if experiment.budget[key] % 2:
                raise InvalidExperiment(
                    _("budget.{key} must be even: each opening is played twice").format(key=key)
                )
        super().check(experiment)

    def parts(self, experiment: Experiment) -> Iterator[dict[str, Any]]:
        for one, other in combinations(experiment.population["levels"], 2):
            for first, count in chunks(experiment.budget["games"], experiment.budget["piece"]):
                yield {"levels": [one, other], "opening": first // 2, "games": count}

    def run_piece(self, experiment: Experiment, piece: Piece) -> pa.Table:
        game, rows = experiment.rules, []
        seeds = dice(experiment, piece).generate_state(piece.what["games"] // 2)
        plies = experiment.population["opening"]
        begin = openings(game, f"random:{plies}" if plies else "start", experiment.seed)
        for offset, seed in enumerate(seeds):
            opening = piece.what["opening"] + offset
            one, other = piece.what["levels"]
            for pair in ((one, other), (other, one)):
                match = play_levels(game, pair, begin(opening).moves, int(seed))
                outcome = match.outcome
                assert outcome is not None
                points = 0.5 if outcome.winner is None else float(outcome.winner == 0)
                rows.append(
                    {
                        "first": pair[0],
                        "second": pair[1],
                        "opening": opening,
                        "points": points,
                        "margin": outcome.scores[0] - outcome.scores[1],
                        "plies": len(match.moves),
                        "reason": outcome.reason.value,
                    }
                )
        return self.table(rows)


PLY_LIMIT = 2_000  # of a game for which the rules know no end


def play_levels(game: Game, levels: tuple[int, int], opening: tuple[Move, ...], seed: int) -> Match:
    """A game between two levels after some first moves."""
    match = Match(game)
    for move in opening:
        match.play(move)
    bots = [LevelBot(level, seed + player) for player, level in enumerate(levels)]
    while (player := match.turn) is not None:
        match.play(bots[player].think(match.position, match.positions[:-1], Clock()))
        if len(match.moves) >= PLY_LIMIT and match.outcome is None:
            match.offer_draw(0)
            match.offer_draw(1)
    return match


class Openings(Kind):
    """What each first move is worth, by search."""

    name = "openings"
    title = N_("The value of first moves")
    population: ClassVar = {
        "plies": Field(1, N_("how many moves an opening has"), 1, 3),
    }
    budget: ClassVar = {
        "nodes": Field(1_000_000, N_("positions to look at for each opening"), 100, 10**12),
        "hash": Field(64, N_("megabytes of memory for each search"), 1, 4096),
    }
    schema = pa.schema(
        [
            ("opening", pa.string()),
            ("value", pa.float64()),  # the expected final margin of the one who begins
            ("wins", pa.int32()),  # plies to a forced win of the one who begins, below 0 to a loss
            ("exact", pa.bool_()),
            ("depth", pa.int32()),
            ("nodes", pa.int64()),
            ("line", pa.string()),
            ("position", pa.string()),
        ]
    )

    def parts(self, experiment: Experiment) -> Iterator[dict[str, Any]]:
        start = experiment.rules.start()
        yield from _openings(start, experiment.population["plies"], [])

    def run_piece(self, experiment: Experiment, piece: Piece) -> pa.Table:
        game = experiment.rules
        position = game.start()
        first = position.turn
        words = list[str]()
        for move in piece.what["moves"]:
            words.append(game.format_move(move, position))
            position = position.play(move)
        row: dict[str, Any] = {"opening": " ".join(words), "position": str(position)}
        if position.turn is None:
            scores = position.scores()
            row |= {"value": scores[0] - scores[1], "exact": True, "depth": 0, "nodes": 0}
            return self.table([row])
        engine = Engine(game, hash_mb=experiment.budget["hash"])
        *_before, info = engine.think(position, Limits(nodes=experiment.budget["nodes"]))
        best, sign = info.lines[0], 1 if position.turn == first else -1
        win = best.score.win
        row |= {
            "value": sign * best.score.margin,
            "wins": None if win is None else sign * win,
            "exact": best.score.exact,
            "depth": info.depth,
            "nodes": info.nodes,
            "line": " ".join(_told(position, best.moves)),
        }
        return self.table([row])


def _openings(position: Position, plies: int, before: list[Move]) -> Iterator[dict[str, Any]]:
    if not plies or position.turn is None:
        yield {"moves": before}
        return
    for move in position.legal_moves():
        yield from _openings(position.play(move), plies - 1, [*before, move])


def _told(position: Position, moves: tuple[Move, ...]) -> Iterator[str]:
    """A line of play in its notation, as far as it is legal."""
    for move in moves:
        try:
            after = position.play(move)
        except MbeguError:
            return
        yield position.game.format_move(move, position)
        position = after


def _installed() -> Iterator[Kind]:
    """Kinds of other packages, by their entry points; one that cannot be loaded is told and left out."""
    for point in entry_points(group="mbegu.kinds"):
        try:
            yield point.load()()
        except Exception as error:
            warnings.warn(f"mbegu.kinds: {point.value}: {error}", stacklevel=2)


KINDS: dict[str, Kind] = {
    kind.name: kind
    for kind in (
        *_installed(), Random(), Levels(), Openings(), Counters(), SettingsCompared(), Forced()
    )
}  # fmt: skip

"""Analysis: what the engine thinks of a position, in numbers and words that people understand.

    for analysis in mbegu.analyse(position, time=5, lines=3):
        print(analysis.depth, analysis.best.margin, analysis.best.chance, *analysis.best.words)

Importing this module is cheap; the first analysis loads the engine.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from mbegu.core.errors import MbeguError
from mbegu.core.game import Move, Position
from mbegu.core.i18n import _
from mbegu.core.typography import numeral
from mbegu.engine.chance import winning_chance
from mbegu.engine.engine import (
    MOST_SECONDS,
    Engine,
    EngineError,
    Info,
    Limits,
    Score,
    check_within,
)

__all__ = [
    "Analysis",
    "AnalysisLine",
    "AnalysisStream",
    "analyse",
    "analysis_of",
    "tell_chance",
    "tell_score",
    "words_of",
]

DEFAULT_SECONDS = 5.0


@dataclass(frozen=True, slots=True)
class AnalysisLine:
    """A first move and how the game would go on, seen by the player to move.

    `margin` is the expected final margin and `chance` the winning chance from 0 to 1, in which a
    draw counts half; 0 and 1 are told only of what is proved. `result` is 1, 0 or -1 if a win, a draw
    or a loss is proved, else None. `win` says within how many moves, of both players, that win can be
    forced, below zero the loss; None where that is not known. `exact` says that the margin is proved, and
    `settled` within how many moves the winner can have all of it, if that is known.
    `likely` is 1 or -1 where the search sees a win or a loss that it has not proved. The first line
    speaks for the position. A word may tell several moves (a1xf2).
    """

    margin: float
    chance: float
    win: int | None
    exact: bool
    moves: tuple[Move, ...]
    words: tuple[str, ...]
    result: int | None = None
    likely: int = 0
    settled: int | None = None

    @property
    def move(self) -> Move:
        """The first move."""
        return self.moves[0]

    def to_json(self) -> dict[str, Any]:
        """As plain data."""
        return {
            "margin": round(self.margin, 3),
            "chance": round(self.chance, 4),
            "win": self.win,
            "exact": self.exact,
            "result": self.result,
            "likely": self.likely,
            "settled": self.settled,
            "moves": list(self.moves),
            "words": list(self.words),
        }


@dataclass(frozen=True, slots=True)
class Analysis:
    """How far an analysis has come: its lines, best first. The last one is `final`."""

    position: Position
    depth: int
    nodes: int
    seconds: float
    lines: tuple[AnalysisLine, ...]
    hashfull: int = 0
    final: bool = False

    @property
    def best(self) -> AnalysisLine:
        """The best line so far."""
        return self.lines[0]

    @property
    def player(self) -> int:
        """The player to move, from whose side everything is seen."""
        assert self.position.turn is not None
        return self.position.turn

    @property
    def nodes_per_second(self) -> int:
        """How fast the engine thought."""
        return int(self.nodes / max(self.seconds, 1e-6))

    def to_json(self) -> dict[str, Any]:
        """As plain data."""
        return {
            "game": str(self.position.game),
            "position": str(self.position),
            "turn": self.player,
            "depth": self.depth,
            "nodes": self.nodes,
            "seconds": round(self.seconds, 3),
            "nodes_per_second": self.nodes_per_second,
            "hashfull": self.hashfull,
            "lines": [line.to_json() for line in self.lines],
        }


class AnalysisStream(Iterator[Analysis]):
    """An analysis that is going on: iterate for its updates, or ask for its result."""

    def __init__(
        self,
        engine: Engine,
        position: Position,
        limits: Limits,
        history: Sequence[Position],
        pulse: float | None = None,
    ) -> None:
        self._engine, self._position = engine, position
        self._infos = engine.think(position, limits, history, pulse=pulse)
        self._last: Analysis | None = None
        self._stopped = False

    def __repr__(self) -> str:
        """For whoever types `mbegu.analyse(position)` at a prompt and sees nothing happen."""
        return f"<analysis of {self._position!r}: iterate over it, or call result()>"

    def __next__(self) -> Analysis:
        """The next update; the last one is final."""
        self._last = analysis_of(self._position, next(self._infos))
        if self._stopped:
            self.stop()  # said before the engine had begun, it was not heard
        return self._last

    def result(self) -> Analysis:
        """Thinks to the end, if it has not, and returns the last update."""
        for _update in self:
            pass
        if self._last is None:
            raise EngineError(_("this analysis was closed before it had anything to tell"))
        return self._last

    def stop(self) -> None:
        """Ends the analysis, from any thread; a final update follows."""
        self._stopped = True
        if self._last is None or not self._last.final:  # else the engine may be at another thought
            self._engine.stop()

    def close(self) -> None:
        """Ends the analysis; nothing follows."""
        close = getattr(self._infos, "close", None)
        if close is not None:
            close()


def analyse(
    position: Position,
    *,
    time: float | None = None,
    depth: int | None = None,
    nodes: int | None = None,
    lines: int = 1,
    threads: int = 1,
    hash_mb: int = 64,
    history: Sequence[Position] = (),
    engine: Engine | None = None,
    pulse: float | None = None,
) -> AnalysisStream:
    """Analyses a position: iterate over what this returns for live updates.

    `time` is in seconds, and runs from the first update that is asked for. Of several limits the
    first that is reached ends the analysis; without any it lasts five seconds, with `time=math.inf`
    until `stop` is called or the loop is left. `history` are the positions before this one, for rules
    of repetition. An `engine` keeps its memory from one analysis to the next; `threads` and `hash_mb`
    are for a new one. With a `pulse` there is an update at least every so many seconds, if only of
    the nodes that were visited.
    """
    if time is not None and math.isnan(time):
        raise EngineError(_("the time must be a number of seconds"))
    endless = time is not None and math.isinf(time) and time > 0
    if time is not None and not endless:
        check_within("time", time, 0, MOST_SECONDS)
    if time is None and depth is None and nodes is None:
        time = DEFAULT_SECONDS
    limits = Limits(
        depth=depth,
        nodes=nodes,
        movetime=None if endless else time,
        infinite=endless and depth is None and nodes is None,
        lines=lines,
    )
    limits.check()
    limits = replace(limits, depth=_whole(depth), nodes=_whole(nodes), lines=int(lines))
    if engine is None:
        engine = Engine(position.game, hash_mb=hash_mb, threads=threads)
    return AnalysisStream(engine, position, limits, history, pulse)


def _whole(limit: float | None) -> int | None:
    """1e6 is a number of nodes too."""
    return None if limit is None else int(limit)


def analysis_of(position: Position, info: Info) -> Analysis:
    """What the engine tells, in the terms of an analysis."""
    lines = []
    for line in info.lines:
        score, game = line.score, position.game.name
        chance = winning_chance(game, score.margin, result=score.result, likely=score.likely)
        words = words_of(position, line.moves)
        told = (score.margin, chance, score.win, score.exact, line.moves, words)
        known = (score.result, score.likely, score.settled)
        lines.append(AnalysisLine(*told, *known))
    return Analysis(
        position, info.depth, info.nodes, info.seconds, tuple(lines), info.hashfull, info.final
    )


def words_of(position: Position, moves: Sequence[Move]) -> tuple[str, ...]:
    """A line in the words of the game's notation, as far as the rules allow it."""
    words = []
    while moves and position.turn is not None:
        try:
            word, count = position.game.format_turn(moves, position)
            for move in moves[:count]:
                position = position.play(move)
        except MbeguError:
            break
        words.append(word)
        moves = moves[count:]
    return tuple(words)


def tell_chance(chance: float) -> str:
    """A winning chance from 0 to 1 in hundredths: `73%`."""
    return _("{percent}%").format(percent=round(100 * chance))


def tell_score(score: AnalysisLine | Score) -> str:
    """A margin and what is known of the result: `+3.2`, `+7 (wins in 9)`, `+2.0 (probably wins)`.

    A whole number is the exact margin, and then the moves are those within which all of it can be forced.
    """
    digits = 0 if score.exact else 1
    margin = numeral(round(score.margin, digits) + 0.0, f"+.{digits}f")  # adding zero: never -0.0
    count = score.settled if score.exact else score.win
    return _known(score, count).format(margin=margin, count=abs(count or 0))


def _known(score: AnalysisLine | Score, count: int | None) -> str:
    """The sentence for what is proved, and for what is not."""
    wins = (score.result or 0) > 0
    if count is not None:
        return _("{margin} (wins in {count})") if wins else _("{margin} (loses in {count})")
    if score.exact:
        return _("{margin} (proved)")
    if score.result:
        return _("{margin} (wins for certain)") if wins else _("{margin} (loses for certain)")
    if score.likely:
        return _("{margin} (probably wins)") if score.likely > 0 else _("{margin} (probably loses)")
    return "{margin}"

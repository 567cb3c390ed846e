"""Annotates a record: marks mistakes, tells them in words, and shows the better line.

A move is judged by the winning chance that it gives away, the chance after the best move less the
chance after the move played, both seen by the player who moved:

    0.10 or more    inaccuracy  ?!
    0.20 or more    mistake     ?
    0.30 or more    blunder     ??

A forced win that is let slip is a missed win, and marked at least as an inaccuracy. What people have
written in the record stays.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from mbegu.core.game import Move, Position
from mbegu.core.i18n import _
from mbegu.core.outcome import Outcome
from mbegu.core.record import Record, Step
from mbegu.engine.analysis import AnalysisLine, analysis_of, tell_chance
from mbegu.engine.engine import Engine, Limits
from mbegu.engine.explain import explain

__all__ = ["BLUNDER", "INACCURACY", "MISTAKE", "Annotation", "Judgement", "annotate"]

INACCURACY, MISTAKE, BLUNDER = 0.10, 0.20, 0.30
GOOD_MARKS = (1, 2, 3, 4, 5, 6)  # the glyphs that judge a move
LINE_LENGTH = 8  # moves of a better line


@dataclass(frozen=True, slots=True)
class Judgement:
    """A move, the chance that its player had and has after it, and what would have been better."""

    ply: int
    player: int
    move: Move
    best: AnalysisLine
    played: AnalysisLine
    missed_win: bool

    @property
    def loss(self) -> float:
        """The winning chance given away."""
        return max(self.best.chance - self.played.chance, 0.0)

    @property
    def glyph(self) -> int | None:
        """The number of the mark, if the move deserves one."""
        if self.best.move == self.move:
            return None
        if self.loss >= BLUNDER:
            return 4
        if self.loss >= MISTAKE:
            return 2
        return 6 if self.loss >= INACCURACY or self.missed_win else None


@dataclass(frozen=True, slots=True)
class Annotation:
    """A record with its marks, the judgements behind them, and the first player's chance over time.

    `chances` and `margins` have one number for each position, the start included.
    """

    record: Record
    judgements: tuple[Judgement, ...]
    chances: tuple[float, ...]
    margins: tuple[float, ...]


def annotate(
    record: Record,
    limits: Limits,
    *,
    engine: Engine | None = None,
    progress: Callable[[int, int], None] = lambda done, all_of_them: None,
) -> Annotation:
    """Judges every move within the limits; `progress` hears how many positions are done.

    The game is read from its end to its beginning, so that what the engine has found out about the
    later positions helps it with the earlier ones.
    """
    positions = record.positions()
    engine = engine or Engine(record.game)
    lines: list[AnalysisLine | None] = [None] * len(positions)
    judgements: list[Judgement] = []
    for ply in reversed(range(len(positions))):
        position = positions[ply]
        if position.turn is not None and _ended(positions[: ply + 1]) is None:
            best = _best(engine, position, limits, positions[:ply])
            lines[ply] = best
            if ply < len(record.steps):
                move = record.steps[ply].move
                after = lines[ply + 1]
                played = _after(position, move, positions[: ply + 2], after)
                if best.move != move and _worse(best, played):
                    # The two were seen from different places: look again from the same one.
                    only = replace(limits, searchmoves=(move,))
                    played = _best(engine, position, only, positions[:ply])
                missed = _wins(best) and not _wins(played)
                judgements.append(
                    Judgement(ply, position.turn, move, best, played, missed_win=missed)
                )
        progress(len(positions) - ply, len(positions))
    judgements.reverse()
    steps = list(record.steps)
    for judgement in judgements:
        steps[judgement.ply] = _marked(steps[judgement.ply], positions[judgement.ply], judgement)
    chances, margins = _course(positions, lines)
    return Annotation(replace(record, steps=tuple(steps)), tuple(judgements), chances, margins)


def _best(
    engine: Engine, position: Position, limits: Limits, history: Sequence[Position]
) -> AnalysisLine:
    for info in engine.think(position, limits, history):
        last = info
    return analysis_of(position, last).best


def _ended(path: Sequence[Position]) -> Outcome | None:
    """How a match that has gone this way is over, if it is."""
    position, game = path[-1], path[-1].game
    limit, cap = game.repetition_limit, game.ply_cap
    outcome = position.outcome()
    if outcome is None and limit and path.count(position) >= limit:
        return game.repetition_outcome(position)
    if outcome is None and cap and len(path) > cap:
        return game.ply_cap_outcome(position)
    return outcome


def _after(
    position: Position, move: Move, path: Sequence[Position], line: AnalysisLine | None
) -> AnalysisLine:
    """What a move was worth to its player, by what was found in the position after it."""
    player = position.turn
    assert player is not None
    if line is None:
        outcome = _ended(path)
        assert outcome is not None
        margin = float(outcome.scores[player] - outcome.scores[1 - player])
        chance = 0.5 if outcome.winner is None else float(outcome.winner == player)
        result = 0 if outcome.winner is None else 1 if outcome.winner == player else -1
        return AnalysisLine(margin, chance, result or None, True, (move,), (), result)
    same = path[-1].turn == player
    sign = 1 if same else -1
    return AnalysisLine(
        sign * line.margin,
        line.chance if same else 1 - line.chance,
        _one_ply_earlier(line.win, sign),
        line.exact,
        (move, *line.moves),
        (),
        None if line.result is None else sign * line.result,
        sign * line.likely,
        _one_ply_earlier(line.settled, sign),
    )


def _one_ply_earlier(plies: int | None, sign: int) -> int | None:
    """A distance, below zero for a loss, as it was before the move."""
    if plies is None:
        return None
    return (plies + 1 if plies > 0 else plies - 1) * sign


def _worse(best: AnalysisLine, played: AnalysisLine) -> bool:
    return best.chance - played.chance >= INACCURACY or _wins(best)


def _wins(line: AnalysisLine) -> bool:
    return line.result == 1


def _marked(step: Step, position: Position, judgement: Judgement) -> Step:
    """The step with a mark, a comment and the better line; unchanged if nothing is wrong with it."""
    glyph = judgement.glyph
    if glyph is None:
        return step
    better = tuple(Step(move) for move in _legal(position, judgement.best.moves[:LINE_LENGTH]))
    comment = _comment(position, judgement)
    if comment not in step.comment:
        comment = f"{step.comment} {comment}" if step.comment else comment
    else:
        comment = step.comment
    judged = any(mark in GOOD_MARKS for mark in step.glyphs)
    known = [[each.move for each in variation] for variation in step.variations]
    shown = [each.move for each in better] in known
    return Step(
        step.move,
        comment,
        step.glyphs if judged else (*step.glyphs, glyph),
        step.variations if shown else (*step.variations, better),
    )


def _legal(position: Position, moves: Sequence[Move]) -> list[Move]:
    found = list[Move]()
    for move in moves:
        if position.turn is None or position.forbids(move) is not None:
            break
        found.append(move)
        position = position.play(move)
    return found


def _comment(position: Position, judgement: Judgement) -> str:
    best, played = judgement.best, judgement.played
    kind = {
        4: _("Blunder"),
        2: _("Mistake"),
        6: _("Inaccuracy"),
    }[judgement.glyph or 6]
    if judgement.missed_win:
        kind = _("{kind}, a missed win").format(kind=kind)
    word = best.words[0] if best.words else position.game.format_move(best.move, position)
    told = _("{kind}: winning chance {before} before, {after} after.").format(
        kind=kind, before=tell_chance(best.chance), after=tell_chance(played.chance)
    )
    why = explain(position, best.move, (best,))
    if why:
        return told + " " + _("Better is {move}: {why}.").format(move=word, why=why)
    return told + " " + _("Better is {move}.").format(move=word)


def _course(
    positions: Sequence[Position], lines: Sequence[AnalysisLine | None]
) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """The first player's chance and margin in each position."""
    chances, margins = [], []
    for ply, (position, line) in enumerate(zip(positions, lines, strict=True)):
        if line is not None:
            mine = position.turn == 0
            chances.append(line.chance if mine else 1 - line.chance)
            margins.append(line.margin if mine else -line.margin)
            continue
        outcome = _ended(positions[: ply + 1])
        assert outcome is not None
        chances.append(0.5 if outcome.winner is None else float(outcome.winner == 0))
        margins.append(float(outcome.scores[0] - outcome.scores[1]))
    return tuple(chances), tuple(margins)

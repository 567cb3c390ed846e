"""Explains a move in words: what it wins, what it saves, what it threatens, and what it leads to.

The engine chooses the move; the reasons are read off the rules, by asking what each player could
take if it were his turn, before the move and after it.

    >>> from mbegu.core.registry import game
    >>> oware = game("oware")
    >>> explain(oware.position("0-3-0-6-1-2-0-0-2-1-0-3-0-0-S"), 3)
    'captures 5; threatens to capture 2'
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import reduce
from typing import Any

from mbegu.core.errors import MbeguError
from mbegu.core.events import Capture, Mill, Shoot
from mbegu.core.game import Game, Move, Position
from mbegu.core.i18n import _
from mbegu.core.story import tell_shots
from mbegu.core.typography import numeral
from mbegu.engine.analysis import AnalysisLine, analyse, tell_chance
from mbegu.engine.engine import Engine

__all__ = ["Hint", "explain", "hint"]

HINT_SECONDS, HINT_NODES, HINT_LINES = 0.5, 150_000, 3
MOST_NAMED = 3  # holes or mills in one sentence


@dataclass(frozen=True, slots=True)
class Hint:
    """A good move and why."""

    move: Move
    why: str
    line: AnalysisLine


def hint(
    position: Position, history: Sequence[Position] = (), engine: Engine | None = None
) -> Hint:
    """The engine's move after half a second at most, explained."""
    analysis = analyse(
        position,
        time=HINT_SECONDS,
        nodes=HINT_NODES,
        lines=HINT_LINES,
        hash_mb=16,
        history=history,
        engine=engine,
    ).result()
    best = analysis.best
    why = explain(position, best.move, analysis.lines)
    quiet = _("a quiet move; winning chance {chance}").format(chance=tell_chance(best.chance))
    return Hint(best.move, why or quiet, best)


def explain(position: Position, move: Move, lines: Sequence[AnalysisLine] = ()) -> str:
    """Why one might play this move, as clauses joined by semicolons; "" if there is no more to say.

    `lines` are those of an analysis of the position: they tell how the turn goes on, whether a win
    is forced, and how much better the move is than the others.
    """
    position.check(move)
    line = next((line for line in lines if line.move == move), None)
    others = [other for other in lines if other.move != move]
    turn = _Turn.of(position, (move,) if line is None else line.moves)
    safety, price = _dangers(turn)
    reasons = [
        *_results(turn, line, is_best=bool(lines) and lines[0] is line),
        *_gains(position.game, turn),
        *safety,
        *_temptation(turn, position, move),
        *_comparison(position, line, others),
    ]
    # What a move costs is no reason for it: it is told only beside one.
    return _joined(reasons + price if reasons else reasons)


def _joined(clauses: list[str]) -> str:
    if not clauses:
        return ""
    return reduce(lambda one, more: _("{one}; {more}").format(one=one, more=more), clauses)


# ---- what a turn does -----------------------------------------------------------------------------


@dataclass
class _Turn:
    """Everything that one player does until the other is to move, or the game is over."""

    before: Position
    after: Position
    player: int
    moves: list[Move] = field(default_factory=list)
    captured: int = 0
    mills: list[tuple[str, ...]] = field(default_factory=list)
    shots: list[str] = field(default_factory=list)

    @classmethod
    def of(cls, position: Position, moves: Sequence[Move]) -> _Turn:
        """The first move, and those of the same player that follow it in the line."""
        assert position.turn is not None
        turn = cls(position, position, position.turn)
        for move in moves:
            if turn.moves and turn.after.turn != turn.player:
                break
            try:
                for event in turn.after.events(move):
                    if isinstance(event, Capture):
                        turn.captured += _taken(position.game, event, turn.player)
                    elif isinstance(event, Mill):
                        turn.mills.append(event.points)
                    elif isinstance(event, Shoot):
                        turn.shots.append(event.point)
                turn.after = turn.after.play(move)
            except MbeguError:
                break
            turn.moves.append(move)
        return turn

    @property
    def complete(self) -> bool:
        """Whether it is the other player's turn now."""
        return self.after.turn == 1 - self.player


def _taken(game: Game, capture: Capture, player: int) -> int:
    """What a capture of his brings a player: nothing, where the other one has it."""
    return capture.seeds if game.board.taker(capture.to, player) == player else 0


@dataclass
class _Reach:
    """What a player could take with one move."""

    most: int = 0  # seeds
    holes: dict[str, int] = field(default_factory=dict)  # of the other player
    mills: set[tuple[str, ...]] = field(default_factory=set)


def _reach(position: Position, player: int) -> _Reach | None:
    """What the player could take if it were his turn; None where one cannot ask."""
    position_then = position.as_if(player)
    if position_then is None:
        return None
    reach = _Reach()
    for move in position_then.legal_moves():
        taken = 0
        for event in position_then.events(move):
            if isinstance(event, Capture) and _taken(position.game, event, player):
                taken += event.seeds
                if position.game.board.owner(event.hole) == 1 - player:
                    reach.holes[event.hole] = max(reach.holes.get(event.hole, 0), event.seeds)
            elif isinstance(event, Mill):
                reach.mills.add(event.points)
        reach.most = max(reach.most, taken)
    return reach


# ---- clauses --------------------------------------------------------------------------------------


def _results(turn: _Turn, line: AnalysisLine | None, is_best: bool) -> list[str]:
    outcome = turn.after.outcome()
    if outcome is not None and outcome.winner == turn.player:
        return [_("wins the game")]
    if outcome is not None and outcome.winner is None:
        return [_("ends the game in a draw")]
    if line is not None and line.result == 1:
        return [_winning(line)]
    if line is not None and line.result == -1:
        return [_losing(line, is_best)]
    if line is not None and line.likely > 0:
        return [_("probably wins")]
    return []


def _winning(line: AnalysisLine) -> str:
    margin = round(line.margin)
    if line.settled is not None:
        return _("wins by {margin}, within {count} moves").format(margin=margin, count=line.settled)
    if line.win is not None:
        return _("wins by force, within {count} moves").format(count=line.win)
    if line.exact:
        return _("is proved to win by {margin}").format(margin=margin)
    return _("is proved to win")


def _losing(line: AnalysisLine, is_best: bool) -> str:
    """The best line speaks for the position, another one for its own move only."""
    if not is_best:
        return _("loses by force")
    if line.settled is not None:
        return _("every move loses, by {margin} or more, within {count} moves").format(
            margin=round(-line.margin), count=-line.settled
        )
    if line.win is not None:
        return _("every move loses, within {count} moves at the latest").format(count=-line.win)
    return _("every move loses")


def _gains(game: Game, turn: _Turn) -> list[str]:
    clauses = []
    if turn.captured:
        clauses.append(_("captures {count}").format(count=turn.captured))
    if turn.mills:
        clauses.append(_("makes the mill {mills}").format(mills=_mills(turn.mills)))
    if turn.shots and not turn.mills:
        clauses.append(tell_shots(game, turn.shots, besides=False))
    elif turn.shots:
        clauses[-1] += " " + tell_shots(game, turn.shots, besides=True)
    again = len(turn.moves) - 1 - len(turn.shots if turn.mills else [])
    if again > 0:
        then, position = [], turn.before
        for move in turn.moves:
            then.append(game.format_move(move, position))
            position = position.play(move)
        clauses.append(_("moves again: {moves}").format(moves=" ".join(then[1:])))
    elif turn.after.turn == turn.player and not turn.mills:
        clauses.append(_("moves again"))
    return clauses


def _dangers(turn: _Turn) -> tuple[list[str], list[str]]:
    """What the other player can no longer take and this one threatens now; and what the other
    one can take instead."""
    other = 1 - turn.player
    if not turn.complete:
        return [], []
    before, after = _reach(turn.before, other), _reach(turn.after, other)
    if before is None or after is None:
        return [], []
    game, side = turn.before.game, turn.before.game.side(other)
    clauses: list[str] = []
    price: list[str] = []
    stopped = before.mills - after.mills
    if stopped:
        clauses.append(_("stops the mill {mills}").format(mills=_mills(stopped)))
    saved = [hole for hole in before.holes if hole not in after.holes]
    if saved:
        names = [game.hole_name(hole, turn.player) for hole in saved[:MOST_NAMED]]
        clauses.append(_("leaves {holes} safe").format(holes=", ".join(names)))
    elif 0 < after.most < before.most:
        clauses.append(
            _("{side} can capture {after} now, and could have captured {before}").format(
                side=side, after=after.most, before=before.most
            )
        )
    if after.most and (saved or after.most > before.most):
        price.append(_("{side} can then capture {count}").format(side=side, count=after.most))
    if after.mills - before.mills:
        price.append(
            _("{side} can then make the mill {mills}").format(
                side=side, mills=_mills(after.mills - before.mills)
            )
        )
    return clauses + _threats(turn), price


def _threats(turn: _Turn) -> list[str]:
    """What this player could take next that he could not take before."""
    then, now = _reach(turn.after, turn.player), _reach(turn.before, turn.player)
    if then is None or now is None:
        return []
    if then.mills - now.mills:
        return [_("threatens the mill {mills}").format(mills=_mills(then.mills - now.mills))]
    new = {hole: seeds for hole, seeds in then.holes.items() if hole not in now.holes}
    if new and then.most > now.most - turn.captured and then.most > 1:
        return [_("threatens to capture {count}").format(count=then.most)]
    return []


def _temptation(turn: _Turn, position: Position, move: Move) -> list[str]:
    """Why not the move that takes the most at once?"""
    if len(turn.moves) > 1 or turn.after.turn is None:
        return []
    turns = [_Turn.of(position, (other,)) for other in position.legal_moves() if other != move]
    most = max(turns, key=lambda other: other.captured, default=None)
    if most is None or most.captured <= turn.captured or not most.complete:
        return []
    reply = _reach(most.after, 1 - turn.player)
    if reply is None or reply.most < most.captured:
        return []
    return [
        _("{move} captures {count}, but then {side} captures {reply}").format(
            move=position.game.format_move(most.moves[0], position),
            count=most.captured,
            side=position.game.side(1 - turn.player),
            reply=reply.most,
        )
    ]


def _comparison(
    position: Position, line: AnalysisLine | None, others: Sequence[AnalysisLine]
) -> list[str]:
    """How much better the move is than the next best."""
    if line is None or line.result in (1, -1) or not others:
        return []
    second = max(others, key=lambda other: (other.chance, other.margin))
    word = position.game.format_move(second.move, position)
    if second.result == -1 and len(others) == len(position.legal_moves()) - 1:
        return [_("every other move loses by force")]
    if second.result == -1:
        return [_("{move} would lose by force").format(move=word)]
    difference = line.margin - second.margin
    if second.result is not None or difference < 0.5:
        return []
    return [
        _("worth {difference} more than {move}").format(
            difference=numeral(difference, ".1f"), move=word
        )
    ]


def _mills(mills: Any) -> str:
    return ", ".join(["-".join(mill) for mill in sorted(mills)][:MOST_NAMED])

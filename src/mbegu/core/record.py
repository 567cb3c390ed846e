r"""Records: a game with its players, moves, comments and variations, and our text for all games.

    [Game "oware"]
    [Rules "oware-abapa@1"]
    [Player0 "Amina"]
    [Player1 "greedy"]
    [Result "*"]

    1. C {A quiet start.} f (1... a 2. F) 2. F $1 *

`str(record)` writes this text and `parse_record` (in reader.py) reads it again: an exact round trip.
docs/records.md describes the format.
"""

import dataclasses
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any, ClassVar

from mbegu.core.errors import InvalidRecord, MbeguError, shorten
from mbegu.core.game import Game, Move, Position
from mbegu.core.i18n import _
from mbegu.core.movetext import escape, fill
from mbegu.core.outcome import AnyReason, Outcome, Reason, find_reason
from mbegu.core.record_steps import GLYPHS, MAX_GLYPH, MAX_NESTING, RESULTS, Step, too_deep
from mbegu.core.record_writer import braced, checked_turn, finished, movetext
from mbegu.core.registry import game as find_game

__all__ = ["GLYPHS", "MAX_NESTING", "RESULTS", "Record", "Step"]

_TAG_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]*")
_QUOTE = '"'

# What a person or a clock decides, not the position.
MATCH_REASONS = (
    Reason.REPETITION,
    Reason.PLY_CAP,
    Reason.RESIGNATION,
    Reason.AGREEMENT,
    Reason.TIMEOUT,
    Reason.FORFEIT,
    Reason.ABANDONED,
)


@dataclass(frozen=True)
class Record:
    """A game as it is kept. Immutable: `append` and `ended` return a new one."""

    start: Position
    steps: tuple[Step, ...] = ()
    players: tuple[str, str] = ("?", "?")
    date: str = ""  # 2026.11.15
    time_control: str = ""
    result: str = "*"
    score: tuple[int, int] | None = None
    termination: AnyReason | None = None
    comment: str = ""  # before the first move
    tags: tuple[tuple[str, str], ...] = ()  # Event, Site, Round...
    errors: tuple[InvalidRecord, ...] = field(default=(), compare=False, repr=False)

    OWN_TAGS: ClassVar[tuple[str, ...]] = (
        "Game",
        "Rules",
        "Player0",
        "Player1",
        "Date",
        "SetUp",
        "TimeControl",
        "Result",
        "Score",
        "Termination",
    )

    def __post_init__(self) -> None:
        """Refuses what could not be written."""
        if self.result not in RESULTS:
            raise InvalidRecord(bad_result(self.result))
        names = set[str]()
        for name, _value in self.tags:
            twice = name in names
            names.add(name)
            if not _TAG_NAME.fullmatch(name) or name in self.OWN_TAGS or twice:
                raise InvalidRecord(
                    _("{name} cannot be the name of an extra tag").format(name=shorten(name))
                )

    @classmethod
    def of(cls, start: Position, moves: Iterable[Move] = (), **fields: Any) -> "Record":
        """A record of plain moves.

        >>> from mbegu.core.registry import game
        >>> Record.of(game("oware").start(), [2, 11]).moves
        [2, 11]
        """
        return cls(start, tuple(Step(move) for move in moves), **fields)

    # ---- what happened

    @property
    def game(self) -> Game:
        """The game, with its options."""
        return self.start.game

    @property
    def moves(self) -> list[Move]:
        """The moves that were played, without comments and variations."""
        return [step.move for step in self.steps]

    def positions(self) -> list[Position]:
        """Every position, from the start to the final one; IllegalMove if the rules forbid a move."""
        found = [self.start]
        for step in self.steps:
            found.append(found[-1].play(step.move))
        return found

    @property
    def final(self) -> Position:
        """The position after the last move."""
        position = self.start
        for step in self.steps:
            position = position.play(step.move)
        return position

    @property
    def outcome(self) -> Outcome | None:
        """How the game ended, as the record states it; None while it goes on."""
        if self.result == "*":
            return None
        by_rules = self.final.outcome()
        if by_rules is not None and by_rules.result == self.result:
            return by_rules
        if self.termination is None:
            return None
        winner = {"1-0": 0, "0-1": 1}.get(self.result)
        score = self.final.scores() if self.score is None else self.score
        return Outcome(winner, score, self.termination)

    def check(self) -> None:
        """Raises InvalidRecord when the rules forbid a move or contradict the result."""
        try:
            final = self.final
            str(self)  # plays the variations too
        except InvalidRecord:
            raise
        except MbeguError as error:
            raise InvalidRecord(str(error)) from error
        complaint = contradiction(final, self.result, self.score, self.termination)
        if complaint:
            raise InvalidRecord(complaint)

    # ---- changes

    def append(self, move: Move, comment: str = "") -> "Record":
        """The record with one more move, which must be legal; the rules may end the game with it."""
        position = self.final.play(move)
        longer = dataclasses.replace(
            self,
            steps=(*self.steps, Step(move, comment)),
            result="*",
            score=None,
            termination=None,
        )
        outcome = position.outcome()
        return longer if outcome is None else longer.ended(outcome)

    def ended(self, outcome: Outcome) -> "Record":
        """The record with this end."""
        return dataclasses.replace(
            self, result=outcome.result, score=outcome.scores, termination=outcome.reason
        )

    # ---- text

    def __str__(self) -> str:
        """The record as our text, with a newline at the end."""
        lines = [f'[{name} "{escape(value, _QUOTE)}"]' for name, value in self._all_tags()]
        atoms = [*braced(self.comment, 0)] if self.comment else []
        atoms += movetext(self.start, self.steps, checked_turn, braced)
        return finished([*lines, "", *fill([*atoms, self.result])])

    def _all_tags(self) -> Iterator[tuple[str, str]]:
        game = self.game
        yield "Game", str(game)
        yield "Rules", game.id
        yield "Player0", self.players[0]
        yield "Player1", self.players[1]
        if self.date:
            yield "Date", self.date
        if self.start != game.start():
            yield "SetUp", str(self.start)
        if self.time_control:
            yield "TimeControl", self.time_control
        yield "Result", self.result
        if self.score is not None:
            yield "Score", f"{self.score[0]}-{self.score[1]}"
        if self.termination is not None:
            yield "Termination", self.termination.value
        yield from self.tags

    # ---- JSON

    def to_json(self) -> dict[str, Any]:
        """The record as plain data; what is empty is left out of the steps only."""
        return {
            "game": str(self.game),
            "rules": self.game.id,
            "players": list(self.players),
            "date": self.date,
            "setup": None if self.start == self.game.start() else str(self.start),
            "time_control": self.time_control,
            "result": self.result,
            "score": None if self.score is None else list(self.score),
            "termination": None if self.termination is None else self.termination.value,
            "comment": self.comment,
            "tags": [list(pair) for pair in self.tags],
            "steps": _steps_to_json(self.steps),
        }

    @classmethod
    def from_json(cls, obj: Any) -> "Record":
        """The record of such data, checked like a text."""
        texts = {
            key: _json(obj, key, str, default)
            for key, default in (
                ("game", ""),
                ("rules", ""),
                ("date", ""),
                ("time_control", ""),
                ("result", "*"),
                ("comment", ""),
            )
        }
        setup = _json(obj, "setup", str | None, None)
        word = _json(obj, "termination", str | None, None)
        score = _json(obj, "score", list | None, None)
        players = _pair(_json(obj, "players", list, ["?", "?"]), "players", str)
        pairs = [_pair(pair, "tags", str) for pair in _json(obj, "tags", list, [])]
        steps = _steps_from_json(_json(obj, "steps", list, []), 0)
        try:
            game = find_game(texts["game"])
            if texts["rules"] and texts["rules"] != game.id:
                raise InvalidRecord(other_rules(texts["rules"], game))
            start = game.start() if setup is None else game.position(setup)
        except InvalidRecord:
            raise
        except MbeguError as error:
            raise InvalidRecord(str(error)) from error
        record = cls(
            start,
            steps,
            (players[0], players[1]),
            texts["date"],
            texts["time_control"],
            texts["result"],
            None if score is None else _pair(score, "score", int),
            None if word is None else read_reason(word),
            texts["comment"],
            tuple(pairs),
        )
        record.check()
        return record


def _json(obj: Any, key: str, kind: Any, default: Any) -> Any:
    """A value of a JSON object, checked."""
    value = obj.get(key, default) if isinstance(obj, dict) else None
    if not isinstance(obj, dict) or not isinstance(value, kind):
        raise InvalidRecord(
            _("{key} cannot be {value} in a record").format(key=key, value=shorten(value))
        )
    return value


def _pair(value: Any, key: str, kind: type) -> Any:
    if not isinstance(value, list) or [type(part) for part in value] != [kind, kind]:
        raise InvalidRecord(
            _("{key} cannot be {value} in a record").format(key=key, value=shorten(value))
        )
    return tuple(value)


def _steps_to_json(steps: Iterable[Step]) -> list[dict[str, Any]]:
    found = []
    for step in steps:
        obj: dict[str, Any] = {"move": step.move}
        if step.comment:
            obj["comment"] = step.comment
        if step.glyphs:
            obj["glyphs"] = list(step.glyphs)
        if step.variations:
            obj["variations"] = [_steps_to_json(variation) for variation in step.variations]
        found.append(obj)
    return found


def _steps_from_json(objs: list[Any], depth: int) -> tuple[Step, ...]:
    if depth > MAX_NESTING:
        raise InvalidRecord(too_deep())
    steps = []
    for obj in objs:
        move = _json(obj, "move", int | str, None)
        glyphs = _json(obj, "glyphs", list, [])
        if isinstance(move, bool) or any(
            type(glyph) is not int or not 0 <= glyph <= MAX_GLYPH for glyph in glyphs
        ):
            raise InvalidRecord(_("{step} is not a step of a record").format(step=shorten(obj)))
        variations = []
        for inner in _json(obj, "variations", list, []):
            if not isinstance(inner, list) or not inner:
                raise InvalidRecord(_("a variation needs a move"))
            variations.append(_steps_from_json(inner, depth + 1))
        comment = _json(obj, "comment", str, "")
        steps.append(Step(move, comment, tuple(glyphs), tuple(variations)))
    return tuple(steps)


# ---- what is wrong, in words


def read_reason(word: str) -> AnyReason:
    """The reason that a word of a record names."""
    try:
        return find_reason(word)
    except KeyError:
        words = ", ".join(reason.value for reason in Reason)
        raise InvalidRecord(
            _("{word} is not why a game ends; write one of {words}").format(
                word=shorten(word), words=words
            )
        ) from None


def bad_result(text: str) -> str:
    """Says what a result may be."""
    return _("{result} is not a result; write one of {results}").format(
        result=shorten(text), results=", ".join(RESULTS)
    )


def other_rules(rules: str, game: Game) -> str:
    """Says that a record was played by rules that this version does not know."""
    return _("played by {theirs}; this version knows {ours}").format(
        theirs=shorten(rules), ours=game.id
    )


# ---- does the end agree with the rules?


def contradiction(
    final: Position, result: str, score: tuple[int, int] | None, termination: AnyReason | None
) -> str | None:
    """What is wrong with the end that a record states; None when the rules agree."""
    outcome = final.outcome()
    if outcome is None and termination is Reason.REPETITION:
        outcome = final.game.repetition_outcome(final)
    elif outcome is None and termination is Reason.PLY_CAP:
        outcome = final.game.ply_cap_outcome(final)
    if outcome is not None:
        ours = f"{outcome.scores[0]}-{outcome.scores[1]}"
        if (
            result != outcome.result
            or (termination or outcome.reason) is not outcome.reason
            or (score or outcome.scores) != outcome.scores
        ):
            return _("by the rules this game ended {result} with {score}: {reason}").format(
                result=outcome.result, score=ours, reason=outcome.reason.value
            )
        return None
    if result == "*":
        if termination not in (None, Reason.ABANDONED, Reason.ABORTED):
            return _("* says that the game goes on, but the Termination tag says that it ended")
        return None
    if termination not in MATCH_REASONS:
        return _(
            "by the rules this game is not over: write * for a game that goes on, or a Termination tag "
            "with one of {reasons}"
        ).format(reasons=", ".join(reason.value for reason in MATCH_REASONS))
    if termination is Reason.AGREEMENT and result != "1/2-1/2":
        return _("an agreement is a draw: 1/2-1/2")
    if termination is Reason.RESIGNATION and result == "1/2-1/2":
        return _("a resignation is not a draw: 1-0 or 0-1")
    return None

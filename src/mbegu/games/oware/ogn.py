"""OGN, the notation of Aualé for Oware: read and written with the same Record.

    [Variant "Oware Abapa"]
    [Event "?"]
    ...
    [South "Amina"]
    [North "greedy"]
    [Result "*"]

    1. C f 2. F { A quiet start. } c+3 *

What Aualé does with a file decides how we write one. It takes every letter from A to f outside tags,
comments and variations for a move; a comment ends at the first `}` and a variation at the first `)`,
and there are no escapes. So brackets in comments are replaced, a variation within a variation becomes
one beside it, and the remark before the first move, for which Aualé has no place, is a tag. It keeps
tags that it does not know: those carry the rest of our record.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from mbegu.core.errors import InvalidMove, InvalidRecord, shorten
from mbegu.core.game import Game, Move, Position
from mbegu.core.i18n import _
from mbegu.core.movetext import UNSAFE, Lines, Token, fill
from mbegu.core.notation import Notation
from mbegu.core.outcome import AnyReason, Reason
from mbegu.core.printable import one_line
from mbegu.core.reader import LineReader, RecordReader, Score, no_result, only, value_of
from mbegu.core.record import Record, bad_result
from mbegu.core.record_steps import RESULTS, SCORE, Step
from mbegu.core.record_writer import finished, movetext
from mbegu.core.registry import game as find_game

__all__ = ["OGN", "format_ogn", "parse_ogn", "read_ogn"]

VARIANT = "Oware Abapa"
VARIANTS = ("abapa", "oware abapa", "oware", "?")
AUALE = "oware(min_seeds=0)"
"""Aualé plays on with fewer than six seeds."""

ROSTER = ("Variant", "Event", "Site", "Date", "Round", "South", "North", "Result")
OWN_TAGS = (*ROSTER, "FEN", "Game", "Rules", "TimeControl", "Score", "Termination", "Comment")
FREE = ("Event", "Site", "Round")  # extra tags of a record that Aualé always writes

_FEN = re.compile(r"(?:[1-4]?\d-){14}[SN]")
_MOVE = re.compile(r"([A-Fa-f])(?:\+(\d{1,3}))?")


# ---- reading


def read_ogn(
    lines: Lines,
    source: str = "",
    strict: bool = True,
    *,
    errors: list[InvalidRecord] | None = None,
) -> Iterator[Record]:
    """The games of an OGN file, one at a time; see `read_records`."""
    return OgnReader(lines, source, strict, errors).records()


def parse_ogn(text: str, source: str = "") -> Record:
    """The one game of an OGN text."""
    return only(read_ogn(text, source), source)


class OgnReader(RecordReader):
    """Reads what Aualé writes, and what we write for it."""

    escapes = False
    example = f'[Variant "{VARIANT}"]'

    def start(self, tags: dict[str, Token]) -> Position:
        """The position of the FEN tag, in the game of the Game tag or as Aualé plays it."""
        variant = tags.get("Variant")
        if variant is not None and variant.value.lower() not in VARIANTS:
            self.stop(
                variant,
                _("the variant {variant} is not known; this version knows {ours}").format(
                    variant=shorten(variant.value), ours=VARIANT
                ),
            )
        game = self.game(tags) if "Game" in tags else find_game(AUALE)
        if game.name != "oware":
            self.stop(tags["Game"], _("OGN is a notation for Oware, not for {game}").format(
                game=game.name
            ))  # fmt: skip
        return self.set_up(game, tags.get("FEN"))

    def fields(self, tags: dict[str, Token]) -> dict[str, Any]:
        """Aualé writes ? for what nobody filled in."""
        extra = [
            (name, tag.value)
            for name, tag in tags.items()
            if name not in OWN_TAGS + Record.OWN_TAGS or (name in FREE and tag.value != "?")
        ]
        date = value_of(tags, "Date")
        return {
            "players": (value_of(tags, "South", "?"), value_of(tags, "North", "?")),
            "date": "" if date == "?" else date,
            "time_control": value_of(tags, "TimeControl"),
            "comment": value_of(tags, "Comment"),
            "tags": tuple(extra),
        }

    def is_result(self, word: str) -> bool:
        """Aualé closes a game with its score."""
        return word in RESULTS or SCORE.fullmatch(word) is not None

    def parse_word(self, word: str, position: Position) -> Sequence[Move]:
        """A house, with the seeds that it captures: `c+3`."""
        found = _MOVE.fullmatch(word)
        if found is None:
            raise InvalidMove(
                _("{move} is not a move; write a house like C, or c+3 when it captures").format(
                    move=shorten(word)
                )
            )
        moves = position.game.parse_turn(found[1], position)
        captures = _captures(moves[0], position)
        if found[2] is not None and int(found[2]) not in captures:
            raise InvalidMove(
                _("{move}: this move captures {count}").format(move=word, count=captures[0])
            )
        return moves

    def remark(self, text: str) -> str:
        """Aualé keeps the words of a comment, not its spaces."""
        return one_line(text)

    def end(
        self, tags: dict[str, Token], main: LineReader, closing: Token | None, place: Token
    ) -> tuple[str, Score | None, AnyReason | None]:
        """Aualé's Result is the score, it leaves out a closing *, and it does not say why."""
        tag = tags.get("Result")
        stated = None if tag is None else _result(tag.value)
        if tag is not None and stated is None:
            self.complain(tag, bad_result(tag.value))
        closed = None if closing is None else _result(closing.text)
        if closed is None and stated is not None and stated[0] != "*":
            self.complain(place, no_result())
        if closed is not None and stated is not None and closed != stated:
            assert closing is not None
            assert tag is not None
            self.complain(
                closing,
                _("the record closes with {closing}, but its Result tag says {stated}").format(
                    closing=closing.text, stated=tag.value
                ),
            )
        result, shown = closed or stated or ("*", None)
        score, termination = self.score(tags), self.termination(tags)
        if main.lost:
            return result, score or shown, termination
        final = main.position
        if "Termination" not in tags:
            termination = self._why(main, result)
        outcome = final.outcome()
        if outcome is None and termination is Reason.REPETITION:
            outcome = final.game.repetition_outcome(final)
        if shown is not None and score is None:
            # At 25 seeds Aualé counts what was captured; we add what lies on each side.
            known = outcome is not None and shown == final.scores()
            score = outcome.scores if outcome is not None and known else shown
        self.judge(main, closing or tag or place, result, score, termination)
        return result, score, termination

    def _why(self, main: LineReader, result: str) -> AnyReason | None:
        """Why the game ended, where nothing but the result says so."""
        outcome = main.position.outcome()
        if outcome is not None:
            return outcome.reason
        if result == "*":
            return None
        came_back = main.came_back()
        if came_back and main.position.game.repetition_outcome(main.position).result == result:
            return Reason.REPETITION
        return Reason.AGREEMENT if result == "1/2-1/2" else Reason.RESIGNATION


def _result(text: str) -> tuple[str, Score | None] | None:
    """A result, and the score if that is what stands for it."""
    if text in RESULTS:
        return text, None
    found = SCORE.fullmatch(text)
    if found is None:
        return None
    south, north = int(found[1]), int(found[2])
    return "1/2-1/2" if south == north else ("1-0", "0-1")[south < north], (south, north)


def _captures(move: Move, position: Position) -> tuple[int, int]:
    """What a move captures, and what Aualé counts when the game ends with it."""
    player = position.turn
    assert player is not None
    after = position.play(move)
    before = position.scores()[player]
    swept = position.game.repetition_outcome(after).scores[player]
    return after.scores()[player] - before, swept - before


# ---- writing


def format_ogn(record: Record) -> str:
    """A game of Oware in Aualé's notation."""
    game = record.game
    if game.name != "oware" or getattr(game, "grand_slam", "") != "forfeit":
        raise InvalidRecord(
            _("OGN is a notation for Oware as Aualé plays it, not for {game}").format(
                game=shorten(str(game))
            )
        )
    lines = [f'[{name} "{_quoted(value)}"]' for name, value in _tags(record, game)]
    atoms = movetext(record.start, _flat(record.steps), _turn, _remark)
    return finished([*lines, "", *fill([*atoms, record.result])])


def _tags(record: Record, game: Game) -> Iterator[tuple[str, str]]:
    extra = dict(record.tags)
    taken = [name for name in extra if name in OWN_TAGS and name not in FREE]
    if taken:
        raise InvalidRecord(
            _("the tag {name} has a meaning of its own in OGN").format(name=taken[0])
        )
    yield "Variant", VARIANT
    yield "Event", extra.pop("Event", "?")
    yield "Site", extra.pop("Site", "?")
    yield "Date", _plain(record.date) or "?"
    yield "Round", extra.pop("Round", "?")
    yield "South", record.players[0]
    yield "North", record.players[1]
    yield "Result", record.result
    if record.start != game.start():
        if not _FEN.fullmatch(str(record.start)):
            raise InvalidRecord(
                _("Aualé cannot begin with the position {position}").format(
                    position=shorten(str(record.start))
                )
            )
        yield "FEN", str(record.start)
    if game != find_game(AUALE):
        yield "Game", str(game)
        yield "Rules", game.id
    if _plain(record.time_control):
        yield "TimeControl", record.time_control
    if record.score is not None:
        yield "Score", f"{record.score[0]}-{record.score[1]}"
    if record.termination is not None:
        yield "Termination", record.termination.value
    if _plain(record.comment):
        yield "Comment", record.comment
    yield from extra.items()


def _plain(text: str) -> str:
    """A text on one line, without the spaces that Aualé would not keep."""
    return one_line(UNSAFE.sub(" ", text))


def _quoted(value: str) -> str:
    return _plain(value).replace("\\", "\\\\").replace('"', '\\"')


def _turn(moves: Sequence[Move], position: Position) -> tuple[str, int]:
    word, captured = position.game.format_move(moves[0], position), _captures(moves[0], position)[0]
    return f"{word}+{captured}" if captured else word, 1


def _remark(comment: str, depth: int) -> list[str]:
    signs = str.maketrans("{}()" if depth else "{}", "[][]" if depth else "()")
    text = _plain(comment).translate(signs)
    return ["{", *text.split(" "), "}"] if text else []


def _flat(steps: Iterable[Step]) -> list[Step]:
    """The same tree with variations of the game only, none within another."""
    return [
        Step(step.move, step.comment, step.glyphs, tuple(_beside(step.variations)))
        for step in steps
    ]


def _beside(variations: Iterable[tuple[Step, ...]]) -> Iterator[tuple[Step, ...]]:
    for variation in variations:
        yield tuple(Step(step.move, step.comment, step.glyphs) for step in variation)
        for index, step in enumerate(variation):
            lead = tuple(Step(earlier.move) for earlier in variation[:index])
            for inner in _beside(step.variations):
                yield (*lead, *inner)


OGN = Notation("ogn", "Variant", read_ogn, format_ogn)

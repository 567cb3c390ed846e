"""Reads records: a file of any size, one game at a time, strictly.

Every error is an InvalidRecord that names its line and column and says what would be right.

>>> parse_record('[Game "oware"] 1. A f 2. a *')
Traceback (most recent call last):
mbegu.core.errors.InvalidRecord: 1:26: a: this house belongs to North; South is to move
"""

import dataclasses
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NoReturn

from mbegu.core.errors import InvalidGame, InvalidRecord, MbeguError, shorten
from mbegu.core.game import Game, Move, Position
from mbegu.core.i18n import _
from mbegu.core.movetext import Lines, Scanner, Token
from mbegu.core.outcome import AnyReason
from mbegu.core.record import Record, bad_result, contradiction, other_rules, read_reason
from mbegu.core.record_steps import (
    MARKED,
    MARKS,
    MAX_GLYPH,
    MAX_NESTING,
    RESULTS,
    SCORE,
    Step,
    too_deep,
)
from mbegu.core.registry import game as find_game

__all__ = ["RecordReader", "parse_record", "read_records"]

Score = tuple[int, int]


def read_records(
    lines: Lines,
    source: str = "",
    strict: bool = True,
    *,
    errors: list[InvalidRecord] | None = None,
) -> Iterator[Record]:
    """The records of an open file, of other lines or of a text, one at a time.

    Strict: the first error is raised. Not strict: a record keeps what could be read of it and its
    `errors`; one whose game cannot be known is skipped. `errors` collects those of the whole file.
    """
    return RecordReader(lines, source, strict, errors).records()


def parse_record(text: str, source: str = "") -> Record:
    """The one record of a text."""
    return only(read_records(text, source), source)


def only(records: Iterator[Record], source: str) -> Record:
    """The one record of a reading."""
    record = next(records, None)
    if record is None:
        raise InvalidRecord(_("there is no record here"), source)
    if next(records, None) is not None:
        raise InvalidRecord(_("there is more than one record here"), source)
    return record


class _Node:
    """A step that is still being read."""

    __slots__ = ("comments", "glyphs", "move", "variations")

    def __init__(self, move: Move) -> None:
        self.move = move
        self.comments: list[str] = []
        self.glyphs: list[int] = []
        self.variations: list[tuple[Step, ...]] = []

    def step(self) -> Step:
        return Step(self.move, _joined(self.comments), tuple(self.glyphs), tuple(self.variations))


class LineReader:
    """A line of play that is still being read: the game itself or a variation."""

    __slots__ = (
        "before",
        "comments",
        "lost",
        "nodes",
        "opened",
        "position",
        "start",
        "word",
        "words",
    )

    def __init__(self, position: Position, words: int, opened: Token, lost: bool = False) -> None:
        self.start = self.position = position
        self.words, self.opened = words, opened
        self.nodes: list[_Node] = []
        self.comments: list[str] = []  # before the first move
        self.before = position  # where the last word begins,
        self.word = 0  # and its first node
        self.lost = lost  # after an error: what follows has no position

    def steps(self) -> tuple[Step, ...]:
        """What was read, finished."""
        return tuple(node.step() for node in self.nodes)

    def came_back(self) -> bool:
        """Whether the position at the end has occurred before."""
        position = self.start
        for node in self.nodes:
            if position == self.position:
                return True
            position = position.play(node.move)
        return False


class RecordReader:
    """Reads records of our format; Aualé's notation overrides what it writes differently."""

    escapes = True
    example = '[Game "oware"]'

    def __init__(
        self,
        lines: Lines,
        source: str = "",
        strict: bool = True,
        errors: list[InvalidRecord] | None = None,
    ) -> None:
        self.errors: list[InvalidRecord] = [] if errors is None else errors
        self.strict = strict
        self.scanner = Scanner(
            lines, source, strict=strict, errors=self.errors, escapes=self.escapes
        )

    def records(self) -> Iterator[Record]:
        """One record after the other."""
        ahead: Token | None = None
        while True:
            self.scanner.size = 0
            known = len(self.errors)
            try:
                token = ahead or self.scanner.token()
                if token.kind == "end":
                    return
                record, ahead = self._record(token)
            except InvalidRecord as error:
                if self.strict:
                    raise
                self.errors.append(error)
                self.scanner.skip_record()
                ahead = None
                continue
            found = tuple(self.errors[known:])
            yield dataclasses.replace(record, errors=found) if found else record

    # ---- one record

    def _record(self, token: Token) -> tuple[Record, Token | None]:
        """A record, and the token that was read too far, if any."""
        remarks: list[str] = []
        tags: dict[str, Token] = {}
        last = token.line
        while token.kind in ("tag", "comment"):
            if token.kind == "comment":
                remarks.append(self.remark(token.text))
            elif token.text in tags:
                if token.line > last + 1:
                    break  # the next record: this one is cut off
                self.complain(token, _("the tag {name} stands here twice").format(name=token.text))
            else:
                tags[token.text] = token
            last = token.line
            token = self.scanner.token()
        if not tags:
            self.stop(
                token,
                _("a record begins with tags such as {example}, not with {found}").format(
                    example=self.example, found=_shown(token)
                ),
            )
        start = self.start(tags)
        main, closing, ahead = self._moves(start, token)
        place = closing or ahead or token
        result, score, termination = self.end(tags, main, closing, place)
        fields = self.fields(tags)
        comment = _joined([fields.pop("comment", ""), *remarks, *main.comments])
        record = Record(
            start,
            main.steps(),
            result=result,
            score=score,
            termination=termination,
            comment=comment,
            **fields,
        )
        return record, ahead

    def start(self, tags: dict[str, Token]) -> Position:
        """The position in which the record begins."""
        if "Game" not in tags:
            self.stop(
                next(iter(tags.values())),
                _("the tag Game is missing: write {example}").format(example=self.example),
            )
        game = self.game(tags)
        return self.set_up(game, tags.get("SetUp"))

    def game(self, tags: dict[str, Token]) -> Game:
        """The game of the Game tag, by the rules of the Rules tag."""
        tag = tags["Game"]
        try:
            game = find_game(tag.value)
        except InvalidGame as error:
            self.stop(tag, str(error))
        rules = tags.get("Rules")
        if rules is not None and rules.value != game.id:
            self.complain(rules, other_rules(rules.value, game))
        return game

    def set_up(self, game: Game, tag: Token | None) -> Position:
        """The start of the game, or the position of a tag."""
        if tag is None:
            return game.start()
        try:
            return game.position(tag.value)
        except MbeguError as error:
            self.stop(tag, str(error))

    def _moves(
        self, start: Position, token: Token
    ) -> tuple[LineReader, Token | None, Token | None]:
        """The main line, the closing result and the token that was read too far."""
        lines = [LineReader(start, 0, token)]
        while True:
            line = lines[-1]
            if token.kind == "word" and self.is_result(token.text):
                self._close_all(lines)
                return lines[0], token, None
            if token.kind in ("end", "tag"):
                self._close_all(lines)
                return lines[0], None, token
            if token.kind == "word":
                self._word(line, token)
            elif token.kind == "number":
                self._number(line, token)
            elif token.kind == "comment":
                remark = self.remark(token.text)
                if not line.lost:
                    (line.nodes[-1].comments if line.nodes else line.comments).append(remark)
            elif token.kind == "glyph":
                self._glyph(line, token, token.text)
            elif token.kind == "open":
                if len(lines) > MAX_NESTING:
                    self.stop(token, too_deep())
                if not line.nodes and not line.lost:
                    self.complain(token, _("a variation follows the move that it replaces"))
                lost = line.lost or not line.nodes
                lines.append(LineReader(line.before, line.words - 1, token, lost))
            elif len(lines) == 1:
                self.complain(token, _("no variation is open here: ( is missing"))
            else:
                self._close(lines, token)
            token = self.scanner.token()

    def _close(self, lines: list[LineReader], token: Token) -> None:
        """The end of a variation."""
        variation = lines.pop()
        line = lines[-1]
        if variation.nodes:
            # A remark before its first move is kept with that move.
            variation.nodes[0].comments[:0] = variation.comments
            line.nodes[line.word].variations.append(variation.steps())
        elif not variation.lost:
            self.complain(token, _("a variation needs a move"))

    def _close_all(self, lines: list[LineReader]) -> None:
        """Variations that are still open at the end of the record."""
        while len(lines) > 1:
            opened = lines[-1].opened
            self.complain(opened, _("this variation is not closed: ) is missing"))
            self._close(lines, opened)

    def _number(self, line: LineReader, token: Token) -> None:
        right = f"{line.words // 2 + 1}" + ("..." if line.words % 2 else ".")
        if token.text + token.value != right and not line.lost:
            self.complain(
                token,
                _("the move number here is {right}, not {found}").format(
                    right=right, found=shorten(token.text + token.value)
                ),
            )

    def _glyph(self, line: LineReader, token: Token, number: str) -> None:
        if line.lost:
            return
        if not line.nodes:
            self.complain(token, _("a glyph follows the move that it is about"))
        elif len(number) > 3 or int(number) > MAX_GLYPH:
            self.complain(
                token,
                _("{glyph} is not a glyph: they go from $0 to {most}").format(
                    glyph=shorten(f"${number}"), most=f"${MAX_GLYPH}"
                ),
            )
        else:
            line.nodes[-1].glyphs.append(int(number))

    def _word(self, line: LineReader, token: Token) -> None:
        if line.lost:
            return
        word, mark = token.text, ""
        if word in MARKS:
            self._glyph(line, token, str(MARKS[word]))
            return
        marked = MARKED.fullmatch(word)
        if marked and marked[2] in MARKS:
            word, mark = marked[1], marked[2]
        position = line.position
        outcome = position.outcome() if position.turn is None else None
        if outcome is not None:
            self.complain(
                token,
                _("{move} comes after the end: the game ended {result} ({reason})").format(
                    move=shorten(word), result=outcome.result, reason=outcome.reason.value
                ),
            )
            line.lost = True
            return
        try:
            moves = self.parse_word(word, position)
            after = position
            for move in moves:
                after = after.play(move)
        except MbeguError as error:
            self.complain(token, str(error))
            line.lost = True
            return
        line.before, line.word = position, len(line.nodes)
        line.nodes += [_Node(move) for move in moves]
        line.position = after
        line.words += 1
        if mark:
            line.nodes[-1].glyphs.append(MARKS[mark])

    # ---- the end

    def fields(self, tags: dict[str, Token]) -> dict[str, Any]:
        """What the tags say besides the game and its end."""
        own = Record.OWN_TAGS
        return {
            "players": (value_of(tags, "Player0", "?"), value_of(tags, "Player1", "?")),
            "date": value_of(tags, "Date"),
            "time_control": value_of(tags, "TimeControl"),
            "tags": tuple((name, tag.value) for name, tag in tags.items() if name not in own),
        }

    def end(
        self, tags: dict[str, Token], main: LineReader, closing: Token | None, place: Token
    ) -> tuple[str, Score | None, AnyReason | None]:
        """The result, the score and the reason; complains where they contradict each other."""
        stated = tags.get("Result")
        if stated is not None and stated.value not in RESULTS:
            self.complain(stated, bad_result(stated.value))
            stated = None
        if closing is None:
            self.complain(place, no_result())
        elif stated is not None and stated.value != closing.text:
            self.complain(
                closing,
                _("the record closes with {closing}, but its Result tag says {stated}").format(
                    closing=closing.text, stated=stated.value
                ),
            )
        last_word = closing.text if closing is not None else "*"
        result = last_word if stated is None or closing is not None else stated.value
        score, termination = self.score(tags), self.termination(tags)
        self.judge(main, closing or place, result, score, termination)
        return result, score, termination

    def judge(
        self,
        main: LineReader,
        place: Token,
        result: str,
        score: Score | None,
        termination: AnyReason | None,
    ) -> None:
        """Complains where the rules contradict the end that the record states."""
        if not main.lost:
            complaint = contradiction(main.position, result, score, termination)
            if complaint:
                self.complain(place, complaint)

    def score(self, tags: dict[str, Token]) -> Score | None:
        """What the Score tag says."""
        tag = tags.get("Score")
        found = SCORE.fullmatch(tag.value) if tag is not None else None
        if found:
            return int(found[1]), int(found[2])
        if tag is not None:
            self.complain(
                tag,
                _("{score} is not a score; write it like 26-22").format(score=shorten(tag.value)),
            )
        return None

    def termination(self, tags: dict[str, Token]) -> AnyReason | None:
        """What the Termination tag says."""
        tag = tags.get("Termination")
        if tag is None:
            return None
        try:
            return read_reason(tag.value)
        except InvalidRecord as error:
            self.complain(tag, error.message)
            return None

    # ---- what Aualé's notation does otherwise

    def is_result(self, word: str) -> bool:
        """Whether a word closes the record."""
        return word in RESULTS

    def parse_word(self, word: str, position: Position) -> Sequence[Move]:
        """The moves that a word tells."""
        return position.game.parse_turn(word, position)

    def remark(self, text: str) -> str:
        """A comment as it is kept."""
        return text

    # ---- errors

    def complain(self, token: Token, message: str) -> None:
        """An error at a token; the reading goes on if it is not strict."""
        line, column = (token.line, token.column) if token.line else self.scanner.here
        self.scanner.fail(message, line, column)

    def stop(self, token: Token, message: str) -> NoReturn:
        """An error at a token after which the record cannot be read."""
        line, column = (token.line, token.column) if token.line else self.scanner.here
        self.scanner.stop(message, line, column)


def value_of(tags: dict[str, Token], name: str, default: str = "") -> str:
    """The value of a tag, if it is there."""
    return tags[name].value if name in tags else default


def no_result() -> str:
    """Says that a record is cut off."""
    return _("the record stops without its result; it closes with one of {results}").format(
        results=", ".join(RESULTS)
    )


def _shown(token: Token) -> str:
    return _("the end of the file") if token.kind == "end" else shorten(token.text)


def _joined(remarks: Iterable[str]) -> str:
    return " ".join(remark for remark in remarks if remark)

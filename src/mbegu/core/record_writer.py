"""A record on its way out: moves, comments and variations as words between which a line may break."""

import re
from collections.abc import Callable, Sequence

from mbegu.core.errors import InvalidRecord, shorten
from mbegu.core.game import Move, Position
from mbegu.core.i18n import _
from mbegu.core.movetext import MAX_LINE, MAX_RECORD, escape
from mbegu.core.record_steps import MARKED, MARKS, MAX_NESTING, RESULTS, Step, too_deep

__all__ = ["braced", "checked_turn", "finished", "movetext"]

_WORD = re.compile(r'[^][\s{}();"$]+')
_NUMBERED = re.compile(r"\d+\.")
_BREAK = re.compile(r"(?<=[^ ]) (?=[^ ])")
_LOOKAHEAD = 8  # moves that one word may tell

Turn = Callable[[Sequence[Move], Position], tuple[str, int]]
Remark = Callable[[str, int], list[str]]


def movetext(
    position: Position,
    steps: Sequence[Step],
    turn: Turn,
    remark: Remark,
    *,
    words: int = 0,
    depth: int = 0,
) -> list[str]:
    """The moves as atoms, between which a line may break.

    A word may tell several moves (a1xf2). Glyphs and comment after a word belong to its last move,
    variations replace it from its first: a word is cut where that would not fit.
    """
    if depth > MAX_NESTING:
        raise InvalidRecord(too_deep())
    atoms: list[str] = []
    interrupted = True
    at = 0
    while at < len(steps):
        end = at + 1
        while end < min(len(steps), at + _LOOKAHEAD) and not (
            steps[end - 1].comment or steps[end - 1].glyphs or steps[end].variations
        ):
            end += 1
        word, count = turn([step.move for step in steps[at:end]], position)
        number = words // 2 + 1
        if words % 2 == 0:
            word = f"{number}. {word}"
        elif interrupted:
            word = f"{number}... {word}"
        first, last = steps[at], steps[at + count - 1]
        atoms.append(word)
        atoms += [f"${glyph}" for glyph in last.glyphs]
        said = remark(last.comment, depth) if last.comment else []
        atoms += said
        for variation in first.variations:
            inner = movetext(position, variation, turn, remark, words=words, depth=depth + 1)
            if not inner:
                raise InvalidRecord(_("a variation needs a move"))
            inner[0] = f"({inner[0]}"
            inner[-1] = f"{inner[-1]})"
            atoms += inner
        interrupted = bool(said or first.variations)
        for step in steps[at : at + count]:
            position = position.play(step.move)
        at += count
        words += 1
    return atoms


def checked_turn(moves: Sequence[Move], position: Position) -> tuple[str, int]:
    """The next word, checked: a game that comes from elsewhere may write what we could not read."""
    word, count = position.game.format_turn(moves, position)
    marked = MARKED.fullmatch(word)
    if (
        not _WORD.fullmatch(word)
        or word in RESULTS
        or _NUMBERED.match(word)
        or (marked and marked[2] in MARKS)
    ):
        raise InvalidRecord(
            _("a record cannot hold {word} as a move of {game}").format(
                word=shorten(word), game=position.game.name
            )
        )
    return word, count


def braced(comment: str, depth: int) -> list[str]:
    """A comment in braces. It breaks only at single spaces, which the reader gives back."""
    return _BREAK.split("{" + escape(comment, "{}") + "}")


def finished(lines: Sequence[str]) -> str:
    """The lines as a text, if a reader would take it."""
    text = "\n".join(lines) + "\n"
    if len(text) > MAX_RECORD or any(len(line) >= MAX_LINE for line in lines):
        raise InvalidRecord(
            _("this record is too long: {size} characters, {line} in one line").format(
                size=len(text), line=max(map(len, lines))
            )
        )
    return text

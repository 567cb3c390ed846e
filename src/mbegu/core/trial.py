"""A game of another package is tried before anybody sees it: its card, its board, and its first moves.

What a screen, a record or a browser would stumble over is found here, and said in one line. Whether the
rules are right is another question: `mbegu game check` asks it.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from math import isfinite
from typing import Any

from mbegu.core.board import check_places
from mbegu.core.errors import InvalidGame, shorten
from mbegu.core.game import Game, Position
from mbegu.core.guard import check_outcome, check_scores, must_go_on
from mbegu.core.i18n import _
from mbegu.core.printable import printable
from mbegu.core.story import tell
from mbegu.core.symmetry import Symmetry

__all__ = ["try_game"]

MOST_WORDS = {"title": 100, "id": 100, "summary": 1000}  # characters; of all other texts:
MANY_WORDS = 100_000
SIDE = 60
MOST_MOVES = 10_000
LONGEST_MOVE = 1000
GREATEST_MOVE = 2**53  # browsers round greater numbers
PLIES = 2


def try_game(name: str, found: type[Game]) -> None:
    """Raises InvalidGame, or whatever the game's own code raises, if it cannot be shown."""
    _try_card(name, found)
    game = found.with_options([])
    for symmetry in game.symmetries():
        if not isinstance(symmetry, Symmetry):
            raise _wrong("symmetries()", symmetry)
    position = game.start()
    for _ply in range(PLIES):
        _try_position(position)
        moves = position.legal_moves()
        if not moves:
            break
        _try_moves(position, moves)
        position = position.play(moves[0])


# ---- the card ----------------------------------------------------------------------------------------


def _try_card(name: str, found: type[Game]) -> None:
    if found.name != name:
        raise InvalidGame(
            _("its card calls it {own}, its entry point {name}").format(own=found.name, name=name)
        )
    for part in ("title", "summary", "people", "sides", "rulebook", "id"):
        if not getattr(found, part, ""):
            raise InvalidGame(_("its card has no {part}").format(part=part))
    for part in ("title", "summary", "people", "rulebook", "id", "strategy"):
        _check_text(part, getattr(found, part), MOST_WORDS.get(part, MANY_WORDS))
    _check_texts("sides", found.sides, SIDE)
    if len(found.sides) != 2:
        raise InvalidGame(_("its card has {number} sides, not two").format(number=len(found.sides)))
    _check_texts("aliases", found.aliases, MOST_WORDS["title"])
    for part in ("repetition_limit", "ply_cap"):
        limit = getattr(found, part)
        if limit is not None and (type(limit) is not int or limit < 1):
            raise _wrong(part, limit)
    _try_options(found)
    _try_presets(found)
    if not isinstance(found.notations(), Sequence):
        raise _wrong("notations()", found.notations())
    _check_text("page()", found.page(), 10 * MANY_WORDS)


def _try_options(found: type[Game]) -> None:
    """Each can be told, and what it is unless chosen is one of its values."""
    for name, option in found.options().items():
        _check_texts(name, (option.help, option.label, *option.choices), MOST_WORDS["summary"])
        _check_words(name, option.words)
        option.read(option.default)


def _try_presets(found: type[Game]) -> None:
    """Each stands for options that there are, with values that they may have."""
    for part in ("presets", "preset_words"):
        if not isinstance(getattr(found, part), Mapping):
            raise _wrong(part, getattr(found, part))
    _check_words("preset_words", found.preset_words)
    for preset, chosen in found.presets.items():
        if not isinstance(chosen, Mapping):
            raise _wrong(f"presets: {preset}", chosen)
        found.with_options(chosen.items())


def _check_words(part: str, words: Mapping[Any, Any]) -> None:
    """What people call something, and a line about it."""
    for name, told in words.items():
        if not isinstance(told, tuple | list) or len(told) != 2:
            raise _wrong(f"{part}: {shorten(name)}", told)
        _check_texts(part, (name, *told), MOST_WORDS["summary"])


def _wrong(part: str, value: object) -> InvalidGame:
    return InvalidGame(_("{part} cannot be {value}").format(part=part, value=shorten(value)))


def _too_long(part: str, length: int, most: int) -> InvalidGame:
    return InvalidGame(
        _("{part} has {number} characters; {most} can be shown").format(
            part=part, number=length, most=most
        )
    )


def _check_text(part: str, text: object, most: int) -> None:
    """A text that can be shown: no control characters, and not without end."""
    if not isinstance(text, str):
        raise _wrong(part, text)
    if len(text) > most:
        raise _too_long(part, len(text), most)
    if printable(text, lines=True) != text.expandtabs(4):
        raise _wrong(part, text)


def _check_texts(part: str, texts: object, most: int) -> None:
    if not isinstance(texts, tuple | list):
        raise _wrong(part, texts)
    for text in texts:
        _check_text(part, text, most)


# ---- the board and the first positions -------------------------------------------------------------------


def _try_position(position: Position) -> None:
    if not isinstance(position, Position):
        raise InvalidGame(_("{value} is not a Position").format(value=shorten(position)))
    if position.turn is not None and (
        type(position.turn) is not int or position.turn not in (0, 1)
    ):
        raise _wrong("turn", position.turn)
    game, lying = position.game, position.places()
    check_places(game.board, lying)
    _check_board(game)
    for text in (str(position), position.diagram(), game.side(0), game.side(1)):
        _check_text("a text", text, MANY_WORDS)
    if "\n" in str(position) or not str(position).strip():
        raise _wrong("str(position)", str(position))
    hash(position)
    plain = {"to_json()": position.to_json(), "marks()": position.marks()}
    for part, told in plain.items():
        if not isinstance(told, dict):
            raise _wrong(part, told)
        _check_plain(part, told)
    check_scores(position.scores())
    check_outcome(position.outcome())
    if position.outcome() is None:
        must_go_on(position)


def _check_board(game: Game) -> None:
    board = game.board
    for place in (*board.places, *board.stores):
        if not (_is_number(place.row) and _is_number(place.column)):
            raise _wrong(f"{place.name}: row, column", (place.row, place.column))
        if place.owner is not None and (type(place.owner) is not int or place.owner not in (0, 1)):
            raise _wrong(f"{place.name}: owner", place.owner)
        _check_texts(place.name, (place.name, place.label, place.key, place.role), SIDE)
    words = (board.piece, board.pieces, board.score, board.hole)
    _check_texts("a word of the board", (*board.kinds, *words), SIDE)
    _check_plain("board", board.to_json())


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and isfinite(value)


def _check_plain(part: str, told: Any) -> None:
    """Plain data, as a browser can read it."""
    try:
        length = len(json.dumps(told, allow_nan=False))
    except (TypeError, ValueError) as error:
        raise InvalidGame(
            _("{part} is no plain data: {why}").format(part=part, why=error)
        ) from error
    if length > MANY_WORDS:
        raise _too_long(part, length, MANY_WORDS)


def _try_moves(position: Position, moves: Iterable[object]) -> None:
    """Moves are a list of plain data with a word for each, and at least the first can be told."""
    if not isinstance(moves, Sequence):
        raise InvalidGame(
            _("legal_moves() gives {value}, not a list").format(value=type(moves).__name__)
        )
    if len(moves) > MOST_MOVES:
        raise InvalidGame(
            _("there are {number} moves; {most} can be shown").format(
                number=len(moves), most=MOST_MOVES
            )
        )
    for move in moves:
        if type(move) is int and abs(move) < GREATEST_MOVE:
            continue
        if not isinstance(move, str) or len(move) > LONGEST_MOVE:
            raise InvalidGame(
                _("a move is a number or a text, not {move}").format(move=shorten(move))
            )
    for move in moves:
        word = position.game.format_move(move, position)
        _check_text("format_move()", word, LONGEST_MOVE)
        if not word.strip():
            raise _wrong("format_move()", word)
    _check_text("a sentence", tell(position, moves[0]), MANY_WORDS)

"""Opening books: positions near the start, and what long searches think of every move there.

    book = open_book(mbegu.game("oware"))
    book.best(position)                    # a move, or None where the book is silent

A book grows by *drop-out expansion* (Lincke): the leaf is searched next that both sides reach with the
least loss. A move costs what it gives away against the best one, and each ply a little, so that the book
is deep where play is good and wide where moves are close. What a deeper search finds is carried back to
the start.

Positions that differ by a symmetry of the board are one in a book (`Game.symmetries`): what was searched of
one is told of all.

A book is a JSON file that tells its rules and how it was made. It never answers for other rules.
"""

from __future__ import annotations

import json
import logging
import os
import time
from collections.abc import Callable, Collection, Hashable, Iterator
from concurrent.futures import FIRST_COMPLETED, Executor, Future, wait
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cache, lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any, TypeGuard

from mbegu.core.errors import MbeguError, system_words
from mbegu.core.folders import data_folder
from mbegu.core.game import Game, Move, Position
from mbegu.core.i18n import _
from mbegu.core.registry import game as find_game
from mbegu.core.symmetry import likeness
from mbegu.engine.engine import Engine, Limits
from mbegu.engine.kernels.door import has_kernel, kernel_module

__all__ = ["Book", "BookError", "build", "kind_of", "open_book", "read_book"]

log = logging.getLogger("mbegu.engine")

FORMAT, VERSION = "mbegu-book", 1
PLY = 0.25  # what a ply costs, in the game's unit
SURE = 1000.0  # added to the margin of what is proved
SAVE_EVERY = 10  # positions
HASH_MB = 128


class BookError(MbeguError):
    """A file that is no book, or not of these rules."""


@dataclass
class Book:
    """For each position (as text) the moves (as words), best first, and what each is worth to the mover."""

    game: Game
    positions: dict[str, dict[str, float]] = field(default_factory=dict)
    made: dict[str, Any] = field(default_factory=dict)
    texts: dict[Hashable, str] = field(default_factory=dict, repr=False, compare=False)  # by kind
    sorted_in: int = field(default=0, repr=False, compare=False)  # so many positions

    def known_as(self, position: Position) -> str | None:
        """The text under which a position stands in the book, or one that is like it."""
        if str(position) in self.positions:
            return str(position)
        if self.sorted_in != len(self.positions):
            self.texts = dict(self._sorted())
            self.sorted_in = len(self.positions)
        return self.texts.get(kind_of(position))

    def _sorted(self) -> Iterator[tuple[Hashable, str]]:
        for text in self.positions:
            with suppress(MbeguError):  # a book that somebody has written
                yield kind_of(self.game.position(text)), text

    def moves(self, position: Position) -> dict[str, float] | None:
        """What each move of a position is worth to the mover; None if the book does not know."""
        text = self.known_as(position) if position.game == self.game else None
        if text is None or text == str(position):
            return None if text is None else self.positions[text]
        like, values = self.game.position(text), dict[Hashable, float]()
        for word, value in self.positions[text].items():
            try:
                kind = kind_of(like.play(self.game.parse_move(word, like)))
            except MbeguError:  # a book that somebody has written
                return None
            values[kind] = max(value, values.get(kind, value))  # such moves are worth the same
        found = {
            self.game.format_move(move, position): values.get(kind_of(position.play(move)))
            for move in position.legal_moves()
        }
        return {word: value for word, value in found.items() if value is not None}

    def best(self, position: Position) -> Move | None:
        """The best move of a position; None if the book does not know it, or nothing of what follows.

        At its edge a book has looked at all moves once. Whoever thinks for a second about the best one knows more.
        """
        moves = self.moves(position)
        if not moves:
            return None
        word = max(moves, key=lambda word: moves[word])
        try:
            move = self.game.parse_move(word, position)
            after = position.play(move)
        except MbeguError:  # a book that somebody has written
            return None
        proved = abs(moves[word]) > SURE / 2
        return move if proved or self.known_as(after) is not None else None

    def to_json(self) -> dict[str, Any]:
        """As plain data."""
        facts = {
            "format": FORMAT,
            "version": VERSION,
            "game": str(self.game),
            "rules": self.game.id,
        }
        return facts | {"made": self.made, "positions": self.positions}

    def write(self, path: Path) -> None:
        """Writes it beside, and renames it."""
        partial = path.with_name(path.name + ".partial")
        path.parent.mkdir(parents=True, exist_ok=True)
        partial.write_text(json.dumps(self.to_json(), indent=0) + "\n", encoding="utf-8")
        partial.replace(path)


@lru_cache(maxsize=20_000)
def kind_of(position: Position) -> Hashable:
    """What a position has in common with those that a symmetry of the board makes of it: its likeness, and what
    lies beside the board, first of whoever is to move."""
    board, lying = position.game.board, position.places()
    held = [[lying[store.name] for store in board.stores if store.owner == who] for who in (0, 1)]
    first, scores = position.turn or 0, position.scores()
    sides = [(scores[who], tuple(held[who])) for who in (first, 1 - first)]
    return likeness(position), tuple(sides)


def read_book(path: Path, game: Game) -> Book:
    """Reads a book, and refuses one of other rules."""
    try:
        facts = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        why = system_words(error)
        raise BookError(_("{path} cannot be read: {why}").format(path=path, why=why)) from None
    except ValueError:
        facts = None
    if not isinstance(facts, dict) or (facts.get("format"), facts.get("version")) != (
        FORMAT,
        VERSION,
    ):
        raise BookError(_("{path} is not a book of Mbegu").format(path=path))
    if (facts.get("game"), facts.get("rules")) != (str(game), game.id):
        raise BookError(
            _("{path} is a book of {other}, not of {game}").format(
                path=path, other=facts.get("game"), game=game
            )
        )
    positions, made = facts.get("positions"), facts.get("made")
    if not isinstance(made, dict) or not _are_moves(positions):
        raise BookError(_("{path} is damaged: build the book again").format(path=path))
    return Book(game, positions, made)


def _are_moves(positions: Any) -> TypeGuard[dict[str, dict[str, float]]]:
    """Whether every position has moves with numbers; what is no move is found out when it is asked for."""
    return isinstance(positions, dict) and all(
        isinstance(moves, dict)
        and moves
        and all(isinstance(value, int | float) for value in moves.values())
        for moves in positions.values()
    )


def book_path(game: Game) -> Path:
    """Where the book of a game stands that somebody has built."""
    return data_folder() / "books" / f"{game}.json"


@cache
def open_book(game: Game) -> Book | None:
    """The book that was built here, or else the one that came with the game; None without any."""
    if os.environ.get("MBEGU_BOOKS") == "":
        return None
    for path in (book_path(game), shipped_book(game.name)):
        if path is not None and path.exists():
            try:
                return read_book(path, game)
            except BookError as error:
                # A book that came with the game is of its usual rules; that is no news.
                said = log.warning if path == book_path(game) else log.debug
                said("%s", _("{trouble}; thinking goes on without it").format(trouble=error))
    return None


def shipped_book(name: str) -> Path | None:
    """Where the book lies that comes with a game, beside its kernel."""
    if not has_kernel(name):
        return None
    spec = find_spec(kernel_module(name))
    return None if spec is None or spec.origin is None else Path(spec.origin).with_name("book.json")


# ---- building ---------------------------------------------------------------------------------------


def build(
    game: Game,
    path: Path,
    positions: int,
    nodes: int,
    *,
    threads: int = 1,
    pool: Executor | None = None,
    at_once: int = 1,
    tell: Callable[[int], None] | None = None,
) -> Book:
    """Searches so many positions with so many nodes each; a book that is there grows.

    With a pool so many positions are searched at once, each by one thread of whoever works there."""
    book = read_book(path, game) if path.exists() else Book(game)
    if pool is None:
        found = _one_by_one(book, positions, nodes, threads)
    else:
        found = _by_others(book, positions, nodes, pool, at_once)
    spent = float(book.made.get("seconds", 0))
    try:
        for leaf, moves, depth, seconds in found:
            spent += seconds
            book.positions[leaf] = moves
            _carry_back(book)
            book.made = _provenance(book, nodes, depth, spent)
            if len(book.positions) % SAVE_EVERY == 0:
                book.write(path)
            if tell is not None:
                tell(len(book.positions))
    finally:
        book.write(path)
    return book


Searched = tuple[dict[str, float], int, float]  # moves, depth, seconds of a processor


def _one_by_one(
    book: Book, positions: int, nodes: int, threads: int
) -> Iterator[tuple[str, *Searched]]:
    engine = Engine(book.game, hash_mb=HASH_MB, threads=threads)
    while len(book.positions) < positions and (leaf := _next_leaf(book)) is not None:
        yield str(leaf), *_searched(engine, leaf, nodes)


def _by_others(
    book: Book, positions: int, nodes: int, pool: Executor, at_once: int
) -> Iterator[tuple[str, *Searched]]:
    """The nearest leaves at once: what the first of them would tell about the others comes a little later."""
    under_way: dict[Future[Searched], str] = {}
    while True:
        while len(under_way) < min(at_once, positions - len(book.positions)):
            leaf = _next_leaf(book, under_way.values())
            if leaf is None:
                break
            piece = str(book.game), str(leaf), nodes
            under_way[pool.submit(search_piece, *piece)] = str(leaf)
        if not under_way:
            return
        done, _others = wait(under_way, return_when=FIRST_COMPLETED)
        for future in done:
            yield under_way.pop(future), *future.result()


@cache
def _engine_of(game: str) -> Engine:
    """One for all pieces that a process gets."""
    return Engine(find_game(game), hash_mb=HASH_MB)


def search_piece(game: str, position: str, nodes: int) -> Searched:
    """One position of a book, wherever it is searched: the answer is always the same."""
    engine = _engine_of(game)
    engine.new_game()
    return _searched(engine, engine.game.position(position), nodes)


def _provenance(book: Book, nodes: int, depth: int, seconds: float) -> dict[str, Any]:
    from mbegu import __version__  # noqa: PLC0415 - at the top it would be a circle

    count = len(book.positions)
    mean = book.made.get("depth", 0.0) * (count - 1) + depth
    return {
        "positions": count,
        "nodes": nodes,  # for each position, all its moves together
        "depth": round(mean / count, 2),  # the mean of all
        "seconds": round(seconds, 1),  # of a processor
        "engine": f"mbegu {__version__}",
        "date": time.strftime("%Y-%m-%d", time.gmtime()),
    }


def _searched(engine: Engine, position: Position, nodes: int) -> Searched:
    """What every move is worth, best first; the depth of the search, and the time it took."""
    moves, began = position.legal_moves(), time.process_time()
    *_before, last = engine.think(position, Limits(nodes=nodes, lines=len(moves)))
    found = {}
    for line in last.lines:
        sure = SURE * (line.score.result or 0)
        word = position.game.format_move(line.moves[0], position)
        found[word] = round(line.score.margin + sure, 2) + 0.0  # no minus before a zero
    return found, last.depth, time.process_time() - began


def _next_leaf(book: Book, busy: Collection[str] = ()) -> Position | None:
    """The position outside the book that is reached with the least loss, but for those in work."""
    best: tuple[float, Position] | None = None
    cheapest: dict[str, float] = {}
    waiting: list[tuple[float, Position]] = [(0.0, book.game.start())]
    in_work = {kind_of(book.game.position(text)) for text in busy}
    while waiting:
        cost, position = waiting.pop()
        text = str(position)
        if position.turn is None or cost >= cheapest.get(text, float("inf")):
            continue
        cheapest[text] = cost
        moves = book.moves(position)
        if moves is None:
            is_free = kind_of(position) not in in_work
            if is_free and (best is None or cost < best[0]):
                best = cost, position
            continue
        top = max(moves.values())
        for word, value in moves.items():
            further = cost + PLY + top - value
            if best is None or further < best[0]:
                child = position.play(book.game.parse_move(word, position))
                waiting.append((further, child))
    return None if best is None else best[1]


def _carry_back(book: Book) -> None:
    """Lets every move be worth what the book knows of the position after it."""
    known: dict[str, float] = {}
    _value(book, book.game.start(), known, set())


def _value(book: Book, position: Position, known: dict[str, float], path: set[str]) -> float | None:
    text = book.known_as(position)
    if text is None or text in path:
        return None
    if text in known:
        return known[text]
    if text != str(position):
        position = book.game.position(text)
    moves = book.positions[text]
    for word in moves:
        child = position.play(book.game.parse_move(word, position))
        value = _value(book, child, known, path | {text})
        if value is not None:
            moves[word] = value if child.turn == position.turn else 0.0 - value
    book.positions[text] = dict(sorted(moves.items(), key=lambda item: -item[1]))
    known[text] = max(moves.values())
    return known[text]

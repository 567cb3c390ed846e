"""Opening books: they grow where good play leads, go on where they were, and know their rules."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

import mbegu
from mbegu.cli.book import book as cli_book
from mbegu.core.clock import Clock, TimeControl
from mbegu.core.registry import OURS
from mbegu.engine import book as books
from mbegu.engine.book import (
    Book,
    BookError,
    build,
    kind_of,
    open_book,
    read_book,
    search_piece,
)
from mbegu.engine.levels import LevelBot
from mbegu.work.executor import executor

GAME = mbegu.game("kalah(pits=2,seeds=2)")


def test_the_next_leaf_is_reached_with_the_least_loss() -> None:
    start = GAME.start()
    book = Book(GAME, {str(start): {"a": 1.0, "b": 0.9}})
    words = [GAME.format_move(move, start) for move in start.legal_moves()]
    book.positions[str(start)] = dict(zip(words, (1.0, 0.9), strict=True))
    first = start.play(GAME.parse_move(words[0], start))
    second = start.play(GAME.parse_move(words[1], start))
    assert books._next_leaf(book) == first
    book.positions[str(first)] = {"x": 0.0}
    book.positions[str(first)] = {
        GAME.format_move(move, first): -5.0 for move in first.legal_moves()
    }
    assert books._next_leaf(book) == second  # a tenth is less than another ply


def test_what_is_found_deeper_is_carried_back() -> None:
    start = GAME.start()
    words = [GAME.format_move(move, start) for move in start.legal_moves()]
    book = Book(GAME, {str(start): dict(zip(words, (1.0, 0.9), strict=True))})
    child = start.play(GAME.parse_move(words[0], start))
    replies = [GAME.format_move(move, child) for move in child.legal_moves()]
    assert book.best(start) is None  # nothing is known of what follows
    book.positions[str(child)] = dict.fromkeys(replies, 3.0)
    books._carry_back(book)
    sign = 1 if child.turn == start.turn else -1
    assert book.positions[str(start)][words[0]] == sign * 3.0
    best = max(book.positions[str(start)], key=lambda word: book.positions[str(start)][word])
    assert best == (words[0] if sign > 0 else words[1])
    assert (book.best(start) is None) == (sign < 0)


def test_a_book_grows_and_goes_on(tmp_path: Path) -> None:
    path = tmp_path / "book.json"
    small = build(GAME, path, 3, 200)
    assert len(small.positions) == 3
    large = build(GAME, path, 6, 200)
    assert set(small.positions) <= set(large.positions)
    again = read_book(path, GAME)
    assert again.positions == large.positions
    assert again.made["positions"] == 6
    assert again.made["nodes"] == 200
    for text, moves in again.positions.items():
        position = GAME.position(text)
        assert {GAME.parse_move(word, position) for word in moves} == set(position.legal_moves())


def test_a_book_is_searched_by_others(tmp_path: Path) -> None:
    """No position twice, as many as were asked for, and what each is worth does not depend on who searched it."""
    with executor(2) as pool:
        book = build(GAME, tmp_path / "book.json", 7, 300, pool=pool, at_once=2)
    assert len(book.positions) == 7
    assert str(GAME.start()) in book.positions
    edge = [text for text in book.positions if _is_edge(book, text)]
    for text in edge:
        assert book.positions[text] == search_piece(str(GAME), text, 300)[0]
    assert edge


def _is_edge(book: Book, text: str) -> bool:
    position = GAME.position(text)
    return not any(str(position.play(move)) in book.positions for move in position.legal_moves())


def turned(game: mbegu.Game, position: mbegu.Position, moves: list[str]) -> mbegu.Position:
    """The position after some more moves."""
    for word in moves:
        position = position.play(game.parse_move(word, position))
    return position


def test_what_is_known_of_a_position_is_known_of_those_like_it(tmp_path: Path) -> None:
    """A first cow of Morabaraba has four kinds of points: corners and middles of sides, in the middle ring or not."""
    game = mbegu.game("morabaraba")
    book = build(game, tmp_path / "book.json", 4, 3_000)
    kinds = [kind_of(game.position(text)) for text in book.positions]
    assert len(set(kinds)) == 4, "none of them is like another"
    known = next(text for text in book.positions if text != str(game.start()))
    like = [
        child
        for move in game.start().legal_moves()
        if kind_of(child := game.start().play(move)) == kind_of(game.position(known))
    ]
    assert len(like) in {4, 8}
    for child in like:
        moves = book.moves(child)
        assert moves is not None
        assert len(moves) == len(child.legal_moves()) == 23
        assert max(moves.values()) == max(book.positions[known].values())
        assert set(moves.values()) <= set(book.positions[known].values())
    assert book.moves(turned(game, game.start(), ["a1", "d1", "g1", "g4"])) is None


def test_a_board_turned_round_has_the_same_best_move() -> None:
    """North in Oware sees what South saw; with other scores it is another position."""
    game = mbegu.game("oware")
    south, north = "4-0-0-5-6-0-0-1-1-2-3-6-10-10-S", "0-1-1-2-3-6-4-0-0-5-6-0-10-10-N"
    here = game.position(south)
    words = [game.format_move(move, here) for move in here.legal_moves()]
    after = here.play(game.parse_move(words[1], here))
    book = Book(game, {south: dict.fromkeys(words, 0.0) | {words[1]: 3.0}})
    book.positions[str(after)] = {
        game.format_move(move, after): 0.0 for move in after.legal_moves()
    }
    there = game.position(north)
    best = book.best(there)
    assert best is not None
    assert game.format_move(best, there) == words[1].swapcase()
    assert book.best(game.position(north.replace("-10-10-", "-12-8-"))) is None
    assert book.best(game.position("4-0-0-5-6-0-0-1-1-2-3-6-10-10-N")) is None


def test_zero_has_no_sign() -> None:
    start = GAME.start()
    word = GAME.format_move(start.legal_moves()[0], start)
    child = start.play(start.legal_moves()[0])
    answer = GAME.format_move(child.legal_moves()[0], child)
    book = Book(GAME, {str(start): {word: 1.0}, str(child): {answer: 0.0}})
    books._carry_back(book)
    assert str(book.positions[str(start)][word]) == "0.0"


def test_what_is_proved_is_shown_with_a_mark(tmp_path: Path) -> None:
    path = tmp_path / "book.json"
    moves = dict(zip("ABCDEF", (1008.0, 2.5, 0.0, -3.0, -1004.0, -5.0), strict=True))
    game = mbegu.game("kalah")
    Book(
        game,
        {str(game.start()): moves},
        {"positions": 1, "nodes": 9, "seconds": 1, "engine": "", "date": ""},
    ).write(path)
    said = CliRunner().invoke(cli_book, ["show", "kalah", "--book", str(path)]).output
    assert "A +8.00✓  B +2.50  C +0.00  D -3.00  E -4.00✓" in said.replace("−", "-")


def test_a_book_of_other_rules_or_none_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "book.json"
    build(GAME, path, 1, 100)
    with pytest.raises(BookError, match="not of"):
        read_book(path, mbegu.game("kalah(pits=3,seeds=2)"))
    for text in ("", "[]", json.dumps({"format": "another"})):
        path.write_text(text, encoding="utf-8")
        with pytest.raises(BookError, match="not a book"):
            read_book(path, GAME)
    facts = Book(GAME).to_json()
    positions: Any
    for positions in (None, [], {"x": []}, {"x": {}}, {"x": {"a": "1"}}):
        path.write_text(json.dumps({**facts, "positions": positions}), encoding="utf-8")
        with pytest.raises(BookError, match="damaged"):
            read_book(path, GAME)
    strange = Book(GAME, {str(GAME.start()): {"zz": 2000.0}, "no position": {"zz": 1.0}})
    assert strange.best(GAME.start()) is None
    assert strange.best(GAME.start().play(GAME.start().legal_moves()[0])) is None


def test_only_the_strongest_level_plays_by_the_book(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    start = GAME.start()
    worst = min(start.legal_moves(), key=str)
    words = {GAME.format_move(move, start): float(move == worst) for move in start.legal_moves()}
    monkeypatch.setattr(books, "book_path", lambda game: tmp_path / "book.json")
    after = start.play(worst)
    replies = {GAME.format_move(move, after): 0.0 for move in after.legal_moves()}
    Book(GAME, {str(start): words, str(after): replies}).write(tmp_path / "book.json")
    open_book.cache_clear()
    try:
        clock = Clock(TimeControl(per_move=0.1))
        assert LevelBot(10, seed=1).think(start, [], clock) == worst
        monkeypatch.setenv("MBEGU_BOOKS", "")
        open_book.cache_clear()
        assert open_book(GAME) is None
    finally:
        open_book.cache_clear()


@pytest.mark.parametrize("name", OURS)
def test_every_game_comes_with_a_book(name: str) -> None:
    game = mbegu.game(name)
    path = books.shipped_book(name)
    assert path is not None
    book = read_book(path, game)
    assert book.made["positions"] == len(book.positions) >= 50
    assert book.made["nodes"] >= 1_000_000
    assert book.best(game.start()) is not None
    for text, moves in book.positions.items():
        position = game.position(text)
        assert {game.parse_move(word, position) for word in moves} == set(position.legal_moves())

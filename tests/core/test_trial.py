"""A stranger's game is tried before anybody sees it, and watched while it is played: what no screen could show is said in one line."""

import dataclasses
import json
import math
from collections.abc import Callable
from importlib.metadata import EntryPoint
from typing import Any

import pytest
from nim import Nim, NimPosition
from rows_of_three import BOARD, Rows

import mbegu
from mbegu.core import registry
from mbegu.core.board import Board
from mbegu.core.errors import BrokenGame, InvalidGame
from mbegu.core.errors import told as told_of
from mbegu.core.events import Capture
from mbegu.core.game import Game, Position
from mbegu.core.lesson import LessonStep
from mbegu.core.match import Match
from mbegu.core.options import option
from mbegu.core.outcome import Outcome, Reason
from mbegu.core.trial import try_game
from mbegu.server.play import catalogue
from mbegu.server.play.views import card

EVIL = "<b>\x1b]0;owned\x07"


def game(base: type[Game] = Nim, **card: Any) -> type[Game]:
    """A stranger's game with another card."""
    return dataclasses.dataclass(frozen=True)(type("Stranger", (base,), card))


def with_option(field: Any) -> type[Game]:
    """Nim with one more option."""
    body = {"__annotations__": {"heaps": int}, "heaps": field}
    return game(**body)


def with_position(**methods: Any) -> type[Game]:
    """Nim, with positions that answer otherwise."""
    kind = type("Odd", (NimPosition,), {"__slots__": (), **methods})
    return game(start=lambda self: kind(self, self.stones, 0))


def with_board(board: Board) -> type[Game]:
    """Three in a row, on this board."""
    return game(Rows, board=property(lambda _self: board))


def with_place(**changes: Any) -> type[Game]:
    """Three in a row, with another first place."""
    first, *others = BOARD.places
    places = (dataclasses.replace(first, **changes), *others)
    return with_board(dataclasses.replace(BOARD, places=places))


def asking(answer: object) -> Callable[..., Any]:
    return lambda *_asked, **_more: answer


UNFIT: dict[str, tuple[type[Game], str]] = {
    "a title that a terminal obeys": (game(title=EVIL), "title cannot be “<b>�]0;owned�”"),
    "a title without end": (
        game(title="Z" * 10**6),
        "title has 1000000 characters; 100 can be shown",
    ),
    "a number for a summary": (game(summary=7), "summary cannot be “7”"),
    "three sides": (game(sides=("a", "b", "c")), "its card has 3 sides, not two"),
    "aliases that are none": (game(aliases=7), "aliases cannot be “7”"),
    "presets without words": (game(preset_words=7), "preset_words cannot be “7”"),
    "presets of no option": (
        game(presets={"short": {"heaps": 3}}, preset_words={}),
        "nim has no option “heaps”; its options: ",
    ),
    "presets that no option allows": (
        game(presets={"short": {"stones": -1}}, preset_words={}),
        "option stones: “-1” is not one of ",
    ),
    "a preset that is none": (game(presets={"short": 7}), "presets: short cannot be “7”"),
    "words that are no pair": (
        game(preset_words={"short": "Short"}),
        "preset_words: “short” cannot be “Short”",
    ),
    "an option that is not what it may be": (
        with_option(option(3, "Stones in the heap")),
        "option heaps: “3” is not one of 0..0",
    ),
    "an option without words": (
        with_option(option("a", "Which", words={"a": "only one"})),
        "heaps: “a” cannot be “only one”",
    ),
    "a limit in words": (game(ply_cap="many"), "ply_cap cannot be “many”"),
    "a limit of nothing": (game(repetition_limit=0), "repetition_limit cannot be “0”"),
    "a page without end": (
        game(page=classmethod(asking("x" * 10**7))),
        "page() has 10000000 charac",
    ),
    "notations that are none": (
        game(notations=classmethod(asking(7))),
        "notations() cannot be “7”",
    ),
    "symmetries that are none": (game(symmetries=asking((7,))), "symmetries() cannot be “7”"),
    "a place nowhere": (with_place(row=math.nan), "a3: row, column cannot be “(nan, 0)”"),
    "a number for a label": (with_place(label=5), "a3 cannot be “5”"),
    "a third owner": (with_place(owner=2), "a3: owner cannot be “2”"),
    "no words for a piece": (
        with_board(dataclasses.replace(BOARD, hole=EVIL)),
        "a word of the board cannot be “<b>�]0;owned�”",
    ),
    "a third player": (with_position(turn=7), "turn cannot be “7”"),
    "JSON that is none": (
        with_position(to_json=asking({"nim": {1}})),
        "to_json() is no plain data",
    ),
    "JSON without end": (
        with_position(to_json=asking({"heap": "x" * 10**6})),
        "to_json() has 1000012 characters; 100000 can be shown",
    ),
    "a text of two lines": (
        with_position(__str__=asking("12\n0")),
        "str(position) cannot be “12�0”",
    ),
    "no text": (with_position(__str__=asking(" ")), "str(position) cannot be “ ”"),
    "a text that is none": (with_position(__str__=asking(12)), "“12” is not a text"),
    "not a number": (with_position(marks=asking({"a": math.nan})), "marks() is no plain data"),
    "a score in words": (
        with_position(scores=asking(("a", "b"))),
        "a score is two numbers up to 30000, not “(",
    ),
    "a score that looks like a win": (
        with_position(scores=asking((10**30, 0))),
        "up to 30000, not",
    ),
    "a board in numbers": (with_position(diagram=asking(7)), "“7” is not a text"),
    "moves without end": (
        with_position(legal_moves=asking([1] * 10**5)),
        "there are 100000 moves; 10000 can be shown",
    ),
    "a move that browsers round": (
        with_position(legal_moves=asking([2**60])),
        "a move is a number",
    ),
    "no moves and no end": (with_position(legal_moves=asking([])), "and there are no moves"),
    "a move without a word": (game(format_move=asking("")), "format_move() cannot be “”"),
    "a place that a terminal obeys": (game(hole_name=asking(EVIL)), "a sentence cannot be “"),
    "a start that is none": (game(start=asking(5)), "“5” is not a Position"),
}


@pytest.mark.parametrize("case", UNFIT)
def test_what_nobody_could_show_is_named(case: str) -> None:
    kind, why = UNFIT[case]
    with pytest.raises(InvalidGame) as said:
        try_game("nim" if issubclass(kind, Nim) else "rows", kind)
    assert why in str(said.value)
    assert len(str(said.value)) < 200


@pytest.mark.parametrize(("name", "kind"), [("nim", Nim), ("rows", Rows)])
def test_an_honest_game_is_let_in(name: str, kind: type[Game]) -> None:
    try_game(name, kind)
    assert json.loads(json.dumps(card(kind), allow_nan=False))["name"] == name


class Rude(BaseException):
    """Nothing that anybody expects, and without words."""

    def __str__(self) -> str:
        raise RuntimeError


def raising(error: BaseException) -> Callable[..., Any]:
    def asked(*_asked: object) -> Any:
        raise error

    return asked


def end(winner: Any, reason: Any = Reason.NO_MOVES) -> Callable[[NimPosition], Any]:
    return lambda position: None if position.heap else Outcome(winner, (0, 0), reason)


LATE: dict[str, tuple[type[Game], str]] = {
    "a winner in words": (with_position(outcome=end("First")), "a winner is 0, 1 or None, not"),
    "a reason that nobody knows": (with_position(outcome=end(0, "because")), "is no Outcome"),
    "nobody to move, and no end": (with_position(outcome=asking(None)), "outcome() tells no end"),
    "a limit that fails": (game(ply_cap=2, ply_cap_outcome=raising(KeyError(3))), "KeyError: 3"),
    "a name that fails": (game(format_move=raising(Rude())), "Rude:"),
    "a word that fails": (game(parse_turn=raising(KeyError(3))), "KeyError: 3"),
    "words that fail": (game(format_turn=raising(KeyError(3))), "KeyError: 3"),
}


@pytest.mark.parametrize("case", LATE)
def test_what_fails_later_is_named_then(case: str) -> None:
    kind, why = LATE[case]
    match = Match(kind.with_options([]))

    def whole_game() -> None:
        while match.outcome is None:
            match.game.format_move(3, match.position)
            match.game.parse_turn("3", match.position)
            match.game.format_turn((3,), match.position)
            match.play(3)

    with pytest.raises(BrokenGame, match="nim cannot be used: its rules fail at “") as said:
        whole_game()
    assert why in str(said.value)


def test_a_text_that_fails_later_is_named_once() -> None:
    """Of a position whose text is what fails, the text is not told."""
    kind = with_position(__str__=raising(KeyError("heap")))
    with pytest.raises(BrokenGame, match=r"nim cannot be used: its rules fail at \?: KeyError"):
        str(kind.with_options([]).start())
    with pytest.raises(BrokenGame, match="nim cannot be used: KeyError"):
        str(game(__str__=raising(KeyError("stones"))).with_options([]))


def test_a_story_that_nobody_hears_to_its_end() -> None:
    story = Nim().start()._story(2)
    assert next(story) == Capture("heap", 2, "First")
    story.close()


def test_what_is_said_of_a_failure_is_one_short_line() -> None:
    assert told_of(RuntimeError("one\ntwo\x1b[31m")) == "RuntimeError: one two?[31m"
    assert len(told_of(RuntimeError("x" * 10**7))) <= 400
    assert told_of(Rude()) == "Rude: "[:-1]


@pytest.mark.parametrize("value", ["", "!!!", "strangers", "strangers:", ":Nim", "a b:c d"])
def test_an_entry_point_that_is_none(value: str) -> None:
    point = EntryPoint("kalah", value, "mbegu.games")
    assert not registry._is_ours(point)
    with pytest.raises(InvalidGame, match=r"is not written like package\.module:Class|ModuleNotF"):
        registry._load(point)


def test_where_nobody_guards_a_game_its_package_is_found_at_fault(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    known_as(monkeypatch, nim=game(__module__=__name__))
    with pytest.raises(KeyError) as said:
        raising(KeyError("lost"))()
    told = registry.at_fault(said.value)
    assert told is not None
    assert told.startswith("nim cannot be used: KeyError: 'lost' (core/test_trial.py, line ")
    with pytest.raises(InvalidGame) as ours:
        mbegu.game("no game")
    ours.value.__traceback__ = ours.tb.tb_next  # without this test, which is the stranger here
    assert registry.at_fault(ours.value) is None, "what no stranger has raised is ours to mend"


def known_as(monkeypatch: pytest.MonkeyPatch, **kinds: type[Game]) -> None:
    """As if packages brought these games, for a moment."""
    load, claims = registry._load, registry._claims()

    class Point:
        def __init__(self, name: str) -> None:
            self.name, self.module, self.value, self.dist = name, "strangers", name, None

    points = {name: (Point(name),) for name in kinds}
    monkeypatch.setattr(registry, "_claims", lambda: {**points, **claims})
    monkeypatch.setattr(
        registry, "_load", lambda point: kinds[point.name] if point.name in kinds else load(point)
    )
    monkeypatch.setattr(registry, "_trouble", registry._trouble.__wrapped__)
    monkeypatch.setattr(registry, "game_class", registry.game_class.__wrapped__)


def test_nobody_takes_an_alias_of_ours(monkeypatch: pytest.MonkeyPatch) -> None:
    known_as(monkeypatch, nim=game(aliases=("wari", "heap")), zim=game(name="zim", aliases=7))
    assert registry.game_class("wari").name == "oware"
    assert registry.game_class("heap").name == "nim"  # though another's aliases are none
    with pytest.raises(InvalidGame, match="zim cannot be used: aliases cannot be “7”"):
        mbegu.game("zim")


def test_a_game_may_ask_for_itself_while_it_is_tried(monkeypatch: pytest.MonkeyPatch) -> None:
    def start(self: Game) -> Position:
        asked = registry.game("nim")
        assert isinstance(asked, Nim)
        return NimPosition(asked, 12, 0)

    known_as(monkeypatch, nim=game(start=start))
    assert registry.trouble("nim") is None


@pytest.mark.parametrize("error", [KeyboardInterrupt(), GeneratorExit(), SystemExit(3), Rude()])
def test_a_game_that_would_end_the_program_is_left_out(
    monkeypatch: pytest.MonkeyPatch, error: BaseException
) -> None:
    known_as(monkeypatch, nim=game(start=raising(error)))
    said = registry.trouble("nim")
    assert said is not None
    assert said.startswith(f"nim cannot be used: {type(error).__name__}")


def test_a_game_that_never_comes_back_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    import threading

    known_as(monkeypatch, nim=game(start=lambda _self: threading.Event().wait()))
    monkeypatch.setattr(registry, "PATIENCE", 0.05)
    assert registry.trouble("nim") == "nim cannot be used: its rules take longer than 0.05 seconds"
    assert "oware" in [found.name for found in registry.usable_games()]


def test_a_lesson_that_breaks_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    steps = (LessonStep("nim", "Take", "text", "no position", (1,), "", ""),)
    monkeypatch.setattr(catalogue, "lesson", lambda _name: steps)
    known_as(monkeypatch, nim=Nim)
    monkeypatch.setattr(catalogue, "game_class", registry.game_class)
    with pytest.raises(InvalidGame, match="nim cannot be used: "):
        catalogue.told_lesson.__wrapped__("nim", "en")

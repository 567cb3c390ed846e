"""The full screen without a screen: touching, typing, previews, films, drawings."""

import os
import random
import re
import subprocess
import sys
import time
from pathlib import Path
from queue import SimpleQueue

import pytest
from hypothesis import given
from hypothesis import strategies as st
from nim import Nim
from rows_of_three import Rows

import mbegu
from mbegu.arena.bots import Random
from mbegu.core.clock import Clock
from mbegu.core.game import Game, Move, Position
from mbegu.core.i18n import speaking
from mbegu.core.match import Match
from mbegu.terminal.advice import _build_beside, choose_move
from mbegu.terminal.seats import Seat
from mbegu.terminal.tui.ascii import in_ascii
from mbegu.terminal.tui.canvas import Canvas
from mbegu.terminal.tui.film import film
from mbegu.terminal.tui.help import SHEET, help_text, key_row
from mbegu.terminal.tui.layout import Laying
from mbegu.terminal.tui.scene import State, compose, too_small
from mbegu.terminal.tui.session import Session
from mbegu.terminal.words import spoken

HUMANS = (Seat("human"), Seat("human"))
GAMES = [mbegu.game(name) for name in mbegu.game_names()]
ALL = [
    *GAMES,
    mbegu.game("kalah(pits=10,seeds=9)"),
    mbegu.game("kalah(pits=1,seeds=3)"),
    Rows(),
    Nim(),
]


def session_of(game: str | Game, position: str | None = None) -> Session:
    rules = mbegu.game(game) if isinstance(game, str) else game
    start = None if position is None else rules.position(position)
    return Session(Match(rules, start), HUMANS)


def typed(session: Session, text: str) -> Session:
    for sign in text:
        moves = session.type(sign)
        assert moves is not None, f"{sign} of {text} is no move"
        for move in moves:
            session.play(move)
            session.skip()
    return session


@pytest.mark.parametrize(
    ("game", "text", "moves"),
    [
        ("oware", "cF", [2, 11]),
        ("kalah", "cd", [2, 3]),
        ("awale2", "3r2B", ["3R", "2B"]),
        ("urubugu", "54", [5, 4]),
        (
            "morabaraba",
            "a1g7d1d2g1d2",
            ["ADD a1", "ADD g7", "ADD d1", "ADD d2", "ADD g1", "STEAL d2"],
        ),
    ],
)
def test_moves_are_typed_by_their_names(game: str, text: str, moves: list[object]) -> None:
    assert typed(session_of(game), text).match.moves == moves


def test_a_number_that_may_go_on_waits_for_enter() -> None:
    session = session_of("urubugu")
    assert session.type("1") == []
    assert session.match.moves == []
    assert session.enter() == [1]
    session.let_go()
    assert session.type("1") == []
    assert session.type("2") == [12]


def test_what_is_no_move_is_not_taken() -> None:
    session = session_of("oware")
    assert session.type("z") is None
    assert session.type("u") is None, "a key for a command"


def test_a_colour_is_asked_for_and_typed() -> None:
    session = session_of("awale2")
    assert session.touch("3") == []
    assert "[3R] / 3B" in session.message
    assert session.type("b") == ["3B"]


def test_a_colour_is_chosen_without_typing() -> None:
    session = session_of("awale2")
    session.cursor = "3"
    assert "3R: " in session.preview().told
    assert "3B: " in session.preview().told
    assert session.enter() == []
    red = session.preview()
    assert session.pick(1)
    assert "3R / [3B]" in session.message
    assert session.preview().last != red.last
    assert session.enter() == ["3B"]
    assert not session.pick(1), "nothing is begun any more"


@pytest.mark.parametrize("language", ["en", "fr", "rn", "sw"])
def test_the_last_row_tells_the_way_out_in_every_language(language: str) -> None:
    with speaking(language):
        drawn = compose(session_of("oware"), State(keys=key_row()), 80, 24).text()
        for word in ("help", "quit"):
            assert spoken(word) in drawn.splitlines()[-1]


@pytest.mark.parametrize("language", ["en", "fr", "rn", "sw"])
@pytest.mark.parametrize("chance", [0.0, 0.44, 1.0])
def test_who_stands_better_is_told_in_two_words_apart(language: str, chance: float) -> None:
    """The names of some languages are long, and their panel is no wider."""
    with speaking(language):
        for game in GAMES:
            drawn = compose(session_of(game), State(chance=chance), 80, 24).text()
            told = next(line for line in drawn.splitlines() if line.count("%") == 2)
            shares = re.search(r"(\S+) \d+\s?% +\d+\s?% (\S+)$", told.rstrip())
            assert shares, told
            assert all(game.side(k).startswith(shares[k + 1]) for k in (0, 1)), told


@pytest.mark.parametrize("language", ["en", "fr", "rn", "sw"])
def test_what_a_key_does_is_told_in_a_column_of_its_own(language: str) -> None:
    """On the smallest screen no line of the sheet comes back to its margin in the middle of a sentence."""
    with speaking(language):
        keys = help_text(mbegu.game("oware").start()).split("\n\n")[1].splitlines()[1:]
    assert max(map(len, keys)) <= SHEET
    assert all(line.startswith("  ") for line in keys)


def test_the_help_has_a_move_for_an_example_also_at_the_end() -> None:
    over = mbegu.game("oware").position("0-0-0-0-0-0-0-0-0-0-0-0-25-23-.")
    assert "(A)" in help_text(over)


def test_a_cow_goes_by_two_touches() -> None:
    session = session_of("morabaraba", "0/0 a1,d2,g1,g7 b2,c4,d6,f4 x 8/8 - - 0 0")
    assert session.touch("a1") == []
    assert session.open_places() == {
        choice.end for choice in session.choices() if choice.start == "a1"
    }
    end = sorted(session.open_places())[0]
    assert session.touch(end) == [f"MOVE a1 {end}"]
    session.let_go()
    assert session.touch("a1") == []
    session.let_go()
    assert session.touch("b2") == []
    assert "b2 is not your cow" in session.message


def test_why_not_is_told_where_one_touches() -> None:
    session = session_of("oware", "0-0-1-0-0-5-0-0-0-0-0-0-20-20-S")
    assert session.touch("C") == []
    assert session.message == "North has no seeds: you must feed"


def test_the_preview_shows_where_it_lands_and_what_it_takes() -> None:
    session = session_of("oware", "0-3-0-6-1-2-0-0-2-1-0-3-0-0-S")
    session.cursor = "D"
    preview = session.preview()
    assert (preview.last, preview.captures) == ("d", ("d", "c"))
    assert "Captured: d (2), c (3)." in preview.told


@pytest.mark.parametrize("game", ALL, ids=str)
def test_a_film_ends_in_the_position_and_keeps_the_pieces(game: Game) -> None:
    lot, position = random.Random(5), game.start()
    for _ply in range(40):
        if position.turn is None:
            break
        move = lot.choice(position.legal_moves())
        frames, after = film(position, move), position.play(move)
        assert frames[-1].lying == after.places()
        if game.name not in ("rows", "nim"):  # whose events say less than happens
            for frame in frames:
                laid = sum(sum(what.counts) for what in frame.lying.values())
                assert laid + frame.hand == sum(
                    sum(what.counts) for what in position.places().values()
                )
            before_last = {name: what.counts for name, what in frames[-2].lying.items()}
            if after.turn is not None:
                places = [place.name for place in game.board.places]
                assert [before_last[name] for name in places] == [
                    after.places()[name].counts for name in places
                ]
        position = after


def test_laps_are_counted() -> None:
    position = mbegu.game("urubugu").start()
    frames = film(position, 5)
    assert frames[0].lap == 1
    assert "laps: " in Session(Match(mbegu.game("urubugu")), HUMANS).play(5)
    assert max(frame.lap for frame in frames) > 2


@pytest.mark.parametrize("game", ALL, ids=str)
@pytest.mark.parametrize("plain", [False, True])
def test_every_board_fits_80_by_24(game: Game, plain: bool) -> None:
    assert not too_small(game.board, 80, 24)
    lot, session = random.Random(2), session_of(game)
    for _ply in range(12):
        canvas = compose(session, State(plain=plain), 80, 24)
        for name in session.places():
            assert canvas.middle(name) is not None, name
        text = canvas.text()
        assert "window is too small" not in text
        if plain:
            assert in_ascii(text).isascii()
        if session.match.turn is None:
            break
        for place in game.board.places:
            count = sum(session.position.places()[place.name].counts)
            x, y = canvas.middle(place.name) or (0, 0)
            assert canvas.at(x, y) == place.name
            if game.board.family in ("two_rows", "four_rows"):
                above = "".join(text for text, _tone in canvas.runs(y - 1)) + "".join(
                    text for text, _tone in canvas.runs(y)
                )
                assert str(count) in above
        session.play(lot.choice(session.position.legal_moves()))
        session.skip()


@pytest.mark.parametrize("game", ALL, ids=str)
def test_a_tiny_window_gets_one_clear_line(game: Game) -> None:
    canvas = compose(session_of(game), State(), 30, 8)
    words = " ".join(canvas.text().split())
    assert words == "This window is too small for the board (30×8; 80×24 will do). q leaves."


def test_what_can_be_played_is_marked_without_colours() -> None:
    session = session_of("oware", "0-3-0-6-1-2-0-0-2-1-0-3-0-0-S")
    text = compose(session, State(), 80, 24).text()
    for house in "BDEF":
        assert f"[{house}]" in text
    assert "[A]" not in text
    session.play(3)
    session.skip()
    assert "D *" in compose(session, State(), 80, 24).text()


def test_undo_comes_back_to_the_human_and_new_begins_again() -> None:
    session = Session(Match(mbegu.game("kalah")), (Seat("human"), Seat("x", Random(1))))
    session.play(0)
    session.play(session.position.legal_moves()[0])
    session.undo()
    assert session.match.moves == []
    session.play(0)
    session.new()
    assert session.match.moves == []


def test_a_set_up_never_holds_more_than_there_is() -> None:
    laying = Laying(mbegu.game("urubugu"), 1)  # type: ignore[arg-type]
    assert laying.left == 0
    laying.put(99)
    assert laying.left == 0
    laying.put(0)
    laying.go(-1, 0)
    laying.add(2)
    assert laying.left == 0
    assert sum(laying.setup()) == 32


@given(
    st.lists(st.tuples(st.integers(-3, 30), st.integers(-3, 12), st.text(max_size=9)), max_size=20)
)
def test_nothing_is_written_outside_of_a_canvas(texts: list[tuple[int, int, str]]) -> None:
    canvas = Canvas(20, 8)
    for x, y, text in texts:
        canvas.put(x, y, text)
        canvas.box(x, y, 4, 3)
    assert all(sum(len(text) for text, _tone in canvas.runs(y)) == 20 for y in range(8))
    assert canvas.runs(8) == []


def test_the_strongest_level_has_a_table_made_after_its_move(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked = SimpleQueue[Game]()
    monkeypatch.setattr("mbegu.terminal.advice._build_beside", asked.put)

    class Level:
        def __init__(self, level: int) -> None:
            self.level = level

        def choose(self, position: Position, clock: Clock) -> Move:
            return position.legal_moves()[0]

    oware, kalah = mbegu.game("oware"), mbegu.game("kalah")
    assert choose_move(Level(9), kalah.start(), Clock()) == 0
    assert choose_move(Level(10), oware.start(), Clock()) == 0
    assert asked.get(timeout=10) == oware
    assert asked.empty()


def test_a_table_is_made_by_a_process_of_its_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun = list[list[str]]()

    class Child:
        pid = os.getpid()

        def __init__(self, command: list[str], **_settings: object) -> None:
            begun.append(command)

        def terminate(self) -> None:
            """It has ended."""

    monkeypatch.setattr("mbegu.terminal.advice.subprocess.Popen", Child)
    monkeypatch.setattr("mbegu.terminal.advice.LOW", os.getpriority(os.PRIO_PROCESS, 0))
    for folder, game, count in (
        (str(tmp_path), "oware", 1),
        ("", "oware", 1),
        (str(tmp_path), "urubugu", 1),
    ):
        monkeypatch.setenv("MBEGU_TABLES", folder)
        _build_beside.__wrapped__(mbegu.game(game))
        assert len(begun) == count, (folder, game)
    assert begun[0][1:] == ["-m", "mbegu.terminal.builder", "oware", str(os.getpid())]


def test_what_makes_a_table_ends_with_whoever_began_it(tmp_path: Path) -> None:
    """Also with one who is killed: closing a window must leave nothing behind."""
    script = (
        "import os, subprocess, sys, time\n"
        "builder = [sys.executable, '-m', 'mbegu.terminal.builder', 'morabaraba', str(os.getpid())]\n"
        "child = subprocess.Popen(builder)\n"
        "print(child.pid, flush=True)\ntime.sleep(60)"
    )
    environment = {**os.environ, "MBEGU_TABLES": str(tmp_path)}
    with subprocess.Popen(
        [sys.executable, "-c", script], env=environment, stdout=subprocess.PIPE, text=True
    ) as player:
        assert player.stdout is not None
        builder = int(player.stdout.readline())
        player.kill()
    until = time.monotonic() + 60
    while is_running(builder) and time.monotonic() < until:
        time.sleep(0.1)
    assert not is_running(builder)
    assert not list(tmp_path.glob("*.mbt")), "it went on to the end"


def is_running(process: int) -> bool:
    """Whether it is there, and no mere entry that nobody has read."""
    try:
        state = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state != "Z"

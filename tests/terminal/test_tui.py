"""The full screen, played by keys and mouse through Textual's pilot."""

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path

import pytest
from rows_of_three import Rows
from textual.pilot import Pilot

import mbegu
from mbegu.core.clock import TimeControl
from mbegu.core.errors import BrokenGame
from mbegu.core.game import Game
from mbegu.core.i18n import speaking
from mbegu.core.match import Match
from mbegu.core.outcome import Reason
from mbegu.terminal.keeping import latest
from mbegu.terminal.seats import Seat
from mbegu.terminal.tui.app import TableApp
from mbegu.terminal.tui.canvas import Canvas
from mbegu.terminal.tui.looks import LOOKS
from mbegu.terminal.tui.scene import State, _bar, compose
from mbegu.terminal.tui.screens import Choose, Read
from mbegu.terminal.tui.session import Session
from mbegu.terminal.tui.setup import SetUp
from mbegu.terminal.tui.wishes import Wishes

HUMANS = ("human", "human")


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("MBEGU_DATA", str(tmp_path / "data"))
    monkeypatch.setattr("mbegu.terminal.advice.Adviser.chance", lambda *_arguments: 0.25)
    with speaking("en"):
        yield


Play = Callable[[Pilot[int], TableApp], Awaitable[None]]


def run(
    wishes: Wishes, play: Play, size: tuple[int, int] = (80, 24), **settings: int | str
) -> TableApp:
    """Opens the table, plays, and closes it."""

    async def go() -> TableApp:
        app = TableApp(wishes, **{"speed": 5, **settings})  # type: ignore[arg-type]
        async with app.run_test(size=size) as pilot:
            await pilot.pause()
            await play(pilot, app)
            await pilot.pause()
        return app

    return asyncio.run(asyncio.wait_for(go(), 60))


def wishes(game: str | Game = "oware", names: tuple[str, str] = HUMANS) -> Wishes:
    rules = mbegu.game(game) if isinstance(game, str) else game
    return Wishes(rules, names, position=rules.start(), seed=1)


def shown(app: TableApp) -> str:
    return app._table.canvas.text()


KEYS = {
    "oware": (["c", "f"], [2, 11]),
    "kalah": (["right", "enter"], [0]),
    "awale2": (["3", "r"], ["3R"]),
    "urubugu": (["1", "2"], [12]),
    "morabaraba": (["down", "enter", "tab", "enter"], 2),
}


@pytest.mark.parametrize("game", KEYS)
def test_each_game_is_played_by_keys_alone(game: str) -> None:
    keys, moves = KEYS[game]

    async def play(pilot: Pilot[int], app: TableApp) -> None:
        await pilot.press(*keys)
        assert app.session is not None
        found = app.session.match.moves
        assert (len(found) if isinstance(moves, int) else found) == moves

    run(wishes(game), play)


def test_a_stranger_s_game_too() -> None:
    async def play(pilot: Pilot[int], app: TableApp) -> None:
        await pilot.press("b", "2", "a", "1", "enter")
        assert app.session is not None
        assert app.session.match.moves[:2] == ["b2", "a1"]
        assert "pebble" in app.session.message

    run(wishes(Rows()), play)


class Long(Rows):
    """The same game, of players with long names."""

    sides = ("Abambali", "Abatiriki")


@pytest.mark.parametrize("chance", [0.25, 1.0])
def test_chances_stand_beside_long_names(chance: float) -> None:
    session = Session(Match(Long()), (Seat("human"), Seat("human")))
    canvas = Canvas(19, 2)
    _bar(canvas, 0, 0, 19, session, State(chance=chance))
    first, second = f"{chance:.0%}", f"{1 - chance:.0%}"
    assert f" {first} {second} " in f"{canvas.text()} ".replace("  ", " ")


def test_the_mouse_plays_and_shows_what_a_move_would_do() -> None:
    async def play(pilot: Pilot[int], app: TableApp) -> None:
        spot = app._table.canvas.middle("D")
        assert spot is not None
        await pilot.hover(offset=spot)
        assert app.session is not None
        assert app.session.cursor == "D"
        assert "South sows D (4), last seed in b." in shown(app)
        await pilot.click(offset=spot)
        assert app.session.match.moves == [3]
        help_ = app._table.canvas.middle("key:?")
        assert help_ is not None
        await pilot.click(offset=help_)
        await pilot.pause()
        assert isinstance(app.screen, Read)

    run(wishes(), play)


@pytest.mark.parametrize(("keys", "move"), [(["enter"], "1R"), (["right", "enter"], "1B")])
def test_arrows_and_enter_choose_a_colour(keys: list[str], move: str) -> None:
    async def play(pilot: Pilot[int], app: TableApp) -> None:
        await pilot.press("enter", *keys)
        assert app.session is not None
        assert app.session.match.moves == [move]

    run(wishes("awale2"), play)


def test_the_mouse_chooses_a_colour() -> None:
    async def play(pilot: Pilot[int], app: TableApp) -> None:
        hole = app._table.canvas.middle("3")
        assert hole is not None
        await pilot.click(offset=hole)
        assert "[3R] / 3B" in shown(app)
        blue = app._table.canvas.middle("pick:1")
        assert blue is not None
        await pilot.hover(offset=blue)
        assert "3R / [3B]" in shown(app)
        blue = app._table.canvas.middle("pick:1")
        assert blue is not None
        await pilot.click(offset=blue)
        assert app.session is not None
        assert app.session.match.moves == ["3B"]

    run(wishes("awale2"), play)


def test_the_film_runs_pauses_steps_and_is_skipped() -> None:
    async def play(pilot: Pilot[int], app: TableApp) -> None:
        session = app.session
        assert session is not None
        await pilot.press("1", "2")
        assert session.reel, "twelve laps are not over at once"
        await pilot.press("space")
        assert app.state.paused
        left = len(session.reel)
        assert "lap 1" in shown(app)
        await pilot.pause(0.3)
        assert len(session.reel) == left
        await pilot.press(".", ".")
        assert len(session.reel) == left - 2
        await pilot.press("+")
        assert app.state.speed == 3
        await pilot.press("escape")
        assert not session.reel
        assert "Captured" in shown(app) or "sows 12" in shown(app)

    run(wishes("urubugu"), play, speed=2)


def test_a_bot_answers_and_undo_takes_both_back() -> None:
    async def play(pilot: Pilot[int], app: TableApp) -> None:
        session = app.session
        assert session is not None
        await pilot.press("c")
        for _wait in range(100):
            if len(session.match.moves) == 2:
                break
            await pilot.pause(0.05)
        assert len(session.match.moves) == 2
        await pilot.press("u")
        assert session.match.moves == []

    run(wishes(names=("human", "greedy")), play)


def test_an_own_bot_plays_and_a_broken_one_is_told(tmp_path: Path) -> None:
    good = tmp_path / "good.py"
    good.write_text(
        "class Last:\n    def choose(self, position, clock):\n        return position.legal_moves()[-1]\n"
    )
    bad = tmp_path / "bad.py"
    bad.write_text("class Bad:\n    def choose(self, position, clock):\n        return 99\n")

    async def until(pilot: Pilot[int], done: Callable[[], bool]) -> None:
        for _wait in range(400):
            if done():
                return
            await pilot.pause(0.05)
        pytest.fail("nothing happened")

    async def play(pilot: Pilot[int], app: TableApp) -> None:
        await pilot.press("c")
        await until(pilot, lambda: len(app.session.match.moves) == 2)  # type: ignore[union-attr]
        assert app.session is not None
        assert app.session.match.moves == [2, 11]

    async def fail(pilot: Pilot[int], app: TableApp) -> None:
        await pilot.press("c")
        await until(pilot, lambda: app.session.match.outcome is not None)  # type: ignore[union-attr]
        assert app.session is not None
        assert app.session.match.outcome is not None
        assert app.session.match.outcome.reason is Reason.FORFEIT
        assert "bad has failed" in shown(app)

    run(wishes(names=("human", str(good))), play)
    run(wishes(names=("human", str(bad))), fail)


def test_the_menu_leads_to_a_game() -> None:
    async def play(pilot: Pilot[int], app: TableApp) -> None:
        assert isinstance(app.screen, Choose)
        for _name, words in app.screen._options:
            assert all(line.startswith(" " * 12) for line in words.splitlines()[1:]), words
        await pilot.press("down", "enter")  # Kalah
        await pilot.pause()
        await pilot.press("end", "enter")  # against the last of the list
        await pilot.pause()
        await pilot.press("enter")  # and I begin
        await pilot.pause(0.2)
        assert app.session is not None
        assert app.session.match.game.name == "kalah"
        assert [seat.name for seat in app.session.seats] == ["human", "minimax"]

    run(Wishes(), play)


def test_the_set_up_editor() -> None:
    async def play(pilot: Pilot[int], app: TableApp) -> None:
        screen = app.screen
        assert isinstance(screen, SetUp)
        assert "South lays the beads" in screen._table.canvas.text()
        assert "Esc: back" in screen._table.canvas.text(), (
            "in two lines, because 80 columns are few"
        )
        assert "└────" in screen._table.canvas.text(), "nothing is written over the board"
        assert "─" not in next(
            line for line in screen._table.canvas.text().splitlines() if "still to lay" in line
        )
        await pilot.press("-", "-", "enter")
        assert app.screen is screen, "two beads are still in the hand"
        await pilot.press("right", "+", "+", "enter")
        await pilot.pause(0.2)
        assert app.session is not None
        cells = app.session.position.places()
        assert [cells[name].counts[0] for name in ("S1", "S2", "S3")] == [0, 4, 2]

    game = mbegu.game("urubugu")
    run(Wishes(game, ("human", "greedy"), lay=(True, False)), play)


def test_commands_are_typed_in_any_of_the_languages(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    file = Path("p.txt")

    async def play(pilot: Pilot[int], app: TableApp) -> None:
        assert app.session is not None
        await pilot.press("c", ":")
        await pilot.pause()
        await pilot.press(*f"sauver {file}", "enter")
        await pilot.pause(0.2)
        assert file.exists()
        await pilot.press(":")
        await pilot.pause()
        await pilot.press(*"annuler", "enter")
        await pilot.pause(0.2)
        assert app.session.match.moves == []
        await pilot.press(":")
        await pilot.pause()
        await pilot.press(*f"load {file}", "enter")
        await pilot.pause(0.2)
        assert app.session.match.moves == [2]

    with speaking("fr"):
        run(wishes(), play)


def test_looks_help_rules_evaluation_and_hint() -> None:
    async def play(pilot: Pilot[int], app: TableApp) -> None:
        seen = {app.look.name}
        for _press in LOOKS:
            await pilot.press("t")
            seen.add(app.look.name)
        assert seen == set(LOOKS)
        await pilot.pause(0.2)
        assert "South 25%" in shown(app)
        await pilot.press("v")
        assert "South 25%" not in shown(app)
        for key in ("?", "r"):
            await pilot.press(key)
            await pilot.pause()
            assert isinstance(app.screen, Read)
            await pilot.press("escape")
            await pilot.pause()
        app.adviser.advice = lambda _match: (3, "it is quiet")  # type: ignore[method-assign]
        await pilot.press("h")
        await pilot.pause(0.3)
        assert "Try D." in shown(app)
        assert "Why: it is quiet." in shown(app)

    run(wishes(), play)


def test_a_game_that_was_left_goes_on() -> None:
    async def leave(pilot: Pilot[int], app: TableApp) -> None:
        await pilot.press("c", "f", "ctrl+c")

    app = run(wishes(), leave)
    assert app.return_value == 130
    kept = latest()
    assert kept.match.moves == [2, 11]

    async def go_on(pilot: Pilot[int], app: TableApp) -> None:
        assert app.session is not None
        assert app.session.match.moves == [2, 11]
        await pilot.press("d", "q")

    assert run(Wishes.of_kept(kept), go_on).return_value == 0
    assert latest().match.moves == [2, 11, 3]


def test_time_runs_out() -> None:
    async def play(pilot: Pilot[int], app: TableApp) -> None:
        await pilot.press("c")
        assert app.session is not None
        app.session.match.clock.set([1.0, -1.0])
        await pilot.pause(0.7)
        assert "has run out of time" in shown(app)

    chosen = wishes()
    chosen.control = TimeControl.parse("60")
    run(chosen, play)


def test_a_window_that_becomes_too_small_and_large_again() -> None:
    async def play(pilot: Pilot[int], app: TableApp) -> None:
        await pilot.resize_terminal(30, 10)
        await pilot.pause()
        assert "This window is too small" in shown(app)
        await pilot.resize_terminal(120, 40)
        await pilot.pause()
        assert "[C]" in shown(app)
        await pilot.press("c")
        assert app.session is not None
        assert app.session.match.moves == [2]

    run(wishes(), play)


def test_computers_play_to_the_end_before_a_watcher() -> None:
    async def play(pilot: Pilot[int], app: TableApp) -> None:
        for _wait in range(600):
            if app.session is not None and app.session.match.outcome is not None:
                return
            await pilot.pause(0.02)
        pytest.fail("the game did not end")

    app = run(wishes("kalah(pits=3,seeds=2)", ("random", "greedy")), play)
    assert app.session is not None
    assert app.session.match.outcome is not None


def test_a_long_sentence_goes_on_in_the_next_line() -> None:
    """Kalah's end takes more than 78 signs: nothing of it is lost."""
    kalah = mbegu.game("kalah")
    start = kalah.position("<6,0,0,0,0,0,0,0,1,4,4,4,4,4,4> S")
    last = Wishes(kalah, HUMANS, position=start, seed=1)

    async def play(pilot: Pilot[int], app: TableApp) -> None:
        await pilot.press("f", "escape")
        await pilot.pause()
        told = " ".join(shown(app).split())
        assert "A player's pits are empty; each side keeps its stones." in told

    run(last, play)


def test_a_game_that_fails_ends_the_screen_with_one_line(
    capsys: pytest.CaptureFixture[str],
) -> None:
    async def go() -> TableApp:
        app = TableApp(Wishes(mbegu.game("oware"), HUMANS), speed=5)

        def failing() -> None:
            raise BrokenGame("nim cannot be used: its rules fail")

        app.call_later(failing)
        await app.run_async(headless=True, size=(80, 24))
        return app

    assert asyncio.run(go()).return_code == 2
    said = capsys.readouterr().err
    assert "nim cannot be used: its rules fail" in said
    assert "Traceback" not in said


def test_what_is_due_stands_after_a_colon_of_the_language() -> None:
    session = Session(Match(mbegu.game("morabaraba")), (Seat("human"), Seat("human")))
    with speaking("fr"):
        text = compose(session, State(), 80, 24).text()
    assert "trait à Sombre\N{NO-BREAK SPACE}: posez une vache" in text

"""Games in lines of text: what may be typed, and what is answered."""

import re
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import mbegu
from mbegu.arena.bots import Greedy, Random
from mbegu.core.clock import Clock, TimeControl
from mbegu.core.i18n import _, speaking
from mbegu.core.match import Match
from mbegu.core.outcome import Reason
from mbegu.engine import compiling
from mbegu.terminal.keeping import Keeper
from mbegu.terminal.line import COMMANDS, LineGame, Seat
from mbegu.terminal.seats import close_seats, make_seat

HUMAN = Seat("human")


class Talk:
    """Types the given lines, then ends the input; keeps everything that was said."""

    def __init__(self, *lines: str) -> None:
        self.lines: Iterator[str] = iter(lines)
        self.said: list[str] = []

    def ask(self, prompt: str) -> str:
        self.said.append(prompt)
        try:
            return next(self.lines)
        except StopIteration:
            raise EOFError from None

    def say(self, text: str) -> None:
        self.said.append(text)

    @property
    def text(self) -> str:
        return "\n".join(self.said)


def played(
    *lines: str,
    game: str = "oware",
    seats: tuple[Seat, Seat] = (HUMAN, HUMAN),
    position: str | None = None,
    clock: Clock | None = None,
) -> tuple[Talk, LineGame]:
    talk, rules = Talk(*lines), mbegu.game(game)
    start = None if position is None else rules.position(position)
    line_game = LineGame(Match(rules, start, clock=clock), seats, talk.ask, talk.say)
    try:
        line_game.run()
    except EOFError:
        talk.say("(end of input)")
    return talk, line_game


def test_two_humans_take_turns() -> None:
    talk, line_game = played("C", "f", "q")
    assert line_game.match.moves == [2, 11]
    assert "C: South sows C (4), last seed in a." in talk.text
    assert "f: North sows f (4), last seed in D." in talk.text
    assert talk.said.count("South> ") == 2
    assert talk.said.count("North> ") == 1


def test_the_board_is_shown_as_the_players_know_it() -> None:
    talk, _ = played("q")
    assert mbegu.game("oware").start().diagram() in talk.said


def test_the_shift_key_is_forgiven() -> None:
    _, line_game = played("c", "F", "q")
    assert line_game.match.moves == [2, 11]


@pytest.mark.parametrize(
    ("typed", "answer"),
    [
        ("Z", "“Z” is not a house: South plays A to F"),
        ("CC", "is not a house"),
        ("\x1b[A", "is not a house"),
        ("save", "save needs the name of a file"),
        ("load", "load needs the name of a file"),
        ("load /nowhere/at/all", "/nowhere/at/all"),
        ("undo", "there is no move to take back"),
        ("moves please", "is not a house"),
    ],
)
def test_bad_input_says_why_and_asks_again(typed: str, answer: str) -> None:
    talk, line_game = played(typed, "C", "q")
    assert answer in talk.text
    assert line_game.match.moves == [2]


def test_an_illegal_move_names_the_rule() -> None:
    talk, line_game = played("A", "q", position="0-0-1-0-0-5-0-0-0-0-0-0-20-20-S")
    assert "A: this house is empty" in talk.text
    talk, line_game = played("C", "F", "q", position="0-0-1-0-0-5-0-0-0-0-0-0-20-20-S")
    assert "C: North has no seeds: you must feed" in talk.text
    assert line_game.match.moves == [5]


def test_empty_lines_are_ignored() -> None:
    talk, line_game = played("", "   ", "q")
    assert line_game.match.moves == []
    assert talk.said.count("South> ") == 3


def test_help_lists_every_command() -> None:
    talk, _ = played("?", "q")
    for name, command in COMMANDS.items():
        assert f"  {name} " in talk.text
        assert command.help in talk.text
    assert "Type a move, like A, or:" in talk.text


def test_moves_board_and_rules() -> None:
    talk, _ = played("moves", "board", "rules", "q")
    assert "  A B C D E F" in talk.said
    assert "  4-4-4-4-4-4-4-4-4-4-4-4-0-0-S" in talk.said
    assert "Grand slam." in talk.text


def test_hint_names_a_good_move_and_its_story() -> None:
    talk, _ = played("hint", "q", position="0-3-0-6-1-2-0-0-2-1-0-3-0-0-S")
    assert "Try D. South sows D (6), last seed in d. Captured: d (2), c (3)." in talk.text
    assert "Why: captures 5" in talk.text


def test_hint_without_an_engine(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_arguments: object) -> None:
        raise ImportError("no module named numba")

    monkeypatch.setattr("mbegu.terminal.advice.hint", broken)
    talk, _ = played("hint", "q", position="0-3-0-6-1-2-0-0-2-1-0-3-0-0-S")
    assert "Try D." in talk.text
    assert "Why" not in talk.text


def test_hint_says_once_that_it_compiles(monkeypatch: pytest.MonkeyPatch) -> None:
    """The opponent is still being compiled, and then what only hints need."""
    listeners: list[Callable[[str], None]] = []
    begun, told = threading.Event(), threading.Event()
    monkeypatch.setattr(compiling, "_announcement", None)
    monkeypatch.setattr("mbegu.engine.cache.on_compile", listeners.append)

    def compile_opponent() -> None:
        listeners[0]("person")
        begun.set()
        assert told.wait(10)

    def compile_search(*_arguments: object) -> None:
        listeners[0]("search")
        raise ImportError("no more than that is needed here")

    elsewhere: list[str] = []
    compiling.announce_compiling(elsewhere.append)
    compiling.compile_behind(compile_opponent)
    assert begun.wait(10)
    monkeypatch.setattr("mbegu.terminal.advice.hint", compile_search)
    threading.Timer(0.05, told.set).start()
    talk, _ = played("hint", "q")
    assert talk.text.count("Compiling the engine") == 1
    assert elsewhere == []


def test_undo_comes_back_to_the_human() -> None:
    talk, line_game = played("C", "undo", "q", seats=(HUMAN, Seat("random", Random(1))))
    assert line_game.match.moves == []
    assert talk.said.count("South> ") == 3


def test_undo_over_extra_turns() -> None:
    _, line_game = played("d", "undo", "q", game="kalah", seats=(HUMAN, Seat("greedy", Greedy(1))))
    assert line_game.match.moves == []


def test_resign_then_undo() -> None:
    talk, line_game = played("C", "resign", "q")
    assert line_game.match.outcome is not None
    assert line_game.match.outcome.reason is Reason.RESIGNATION
    assert "South wins: North has resigned." in talk.text
    assert "The game is over" in talk.said[-1]
    _, line_game = played("C", "resign", "undo", "D", "q")
    assert line_game.match.moves == [3]


def test_after_the_end_moves_are_refused() -> None:
    talk, _ = played("resign", "C", "hint", "moves", "q")
    assert talk.text.count("the game is over") >= 2


def test_new_begins_again() -> None:
    _, line_game = played("C", "new", "q")
    assert line_game.match.moves == []


def test_computers_play_to_the_end() -> None:
    for name in mbegu.game_names():
        talk, line_game = played(
            game=name, seats=(Seat("random", Random(1)), Seat("greedy", Greedy(2)))
        )
        assert line_game.match.outcome is not None
        assert "(end of input)" not in talk.text


def test_one_word_may_tell_a_move_and_its_shot() -> None:
    talk, line_game = played(
        "g1xa4", "q", game="morabaraba", position="10/10 a1,d1 a4,b4 x 0/0 - - 4 0"
    )
    assert line_game.match.moves == ["ADD g1", "STEAL a4"]
    assert "Dark shoots the cow on a4." in talk.text


def test_an_end_by_repetition_is_told() -> None:
    bots = (Seat("random", Random(3)), Seat("random", Random(4)))
    talk, line_game = played(
        game="oware(min_seeds=0)", position="1-0-0-0-0-0-1-0-0-0-0-0-20-20-S", seats=bots
    )
    outcome = line_game.match.outcome
    assert outcome is not None
    if outcome.reason is Reason.REPETITION:
        assert "The position has come back." in talk.text
    assert "wins:" in talk.text or "draw:" in talk.text


def test_save_and_load(tmp_path: Path) -> None:
    file = tmp_path / "game.txt"
    talk, _ = played("C", "f", f"save {file}", "q")
    assert f"saved in {file}" in talk.text
    _, line_game = played(f"load {file}", "D", "q")
    assert line_game.match.moves == [2, 11, 3]


def test_a_file_is_not_overwritten_by_accident(tmp_path: Path) -> None:
    file = tmp_path / "game.txt"
    file.write_text("dear diary")
    talk, _ = played("C", f"save {file}", "q")
    assert file.read_text() == "dear diary"
    assert str(file) in talk.text
    talk, _ = played("C", f"save! {file}", "q")
    assert "saved in" in talk.text
    assert '[Game "oware"]' in file.read_text()


@pytest.mark.parametrize("content", [b"", b"\xff\xfe\x00", b"[Game", b"hello", b'[Game "chess"]\n'])
def test_load_refuses_other_files(tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "game.txt"
    file.write_bytes(content)
    talk, line_game = played("C", f"load {file}", "q")
    assert line_game.match.moves == [2], "the game at hand goes on"
    assert str(file) in talk.text


def test_time_runs_out_at_the_prompt() -> None:
    now = iter(range(0, 100000, 20))
    clock = Clock(TimeControl.parse("60"), lambda: float(next(now)))
    talk, line_game = played(*["C", "f"] * 20, "q", clock=clock)
    assert line_game.match.outcome is not None
    assert line_game.match.outcome.reason is Reason.TIMEOUT
    assert "has run out of time" in talk.text
    assert "South [0:" in talk.text or "South [1:" in talk.text


def test_a_mill_asks_for_its_shot() -> None:
    talk, _ = played("g1", "a4", "q", game="morabaraba", position="10/10 a1,d1 a4,b4 x 0/0 - - 4 0")
    assert "Dark: a mill: shoot a cow of your opponent> " in talk.said
    assert "Dark shoots the cow on a4." in talk.text


def test_the_last_move_step_by_step() -> None:
    talk, _ = played("slow", "5", "slow", "q", game="urubugu")
    assert "nothing has been played yet" in talk.text
    steps = [line for line in talk.said if line[:6].strip(" .").isdigit()]
    assert len(steps) == len(list(mbegu.game("urubugu").start().events(5)))


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("fr", ("coups", "ANNULER", "regles")),
        ("rn", ("ibinwa", "subiza", "amategeko")),
        ("sw", ("hatua", "rudisha", "kanuni")),
    ],
)
def test_commands_in_the_language_of_the_player(language: str, words: tuple[str, ...]) -> None:
    moves, undo, rules = words
    with speaking(language):
        talk, line_game = played("C", undo, moves, rules, "?", "undo", "q")
        assert line_game.match.moves == []
        assert "  A B C D E F" in talk.said
        assert _(mbegu.game("oware").rulebook) in talk.said
        assert f"  {undo.lower()} " in talk.text, "the help names the word"


def test_load_refuses_another_game(tmp_path: Path) -> None:
    file = tmp_path / "urubugu.txt"
    played("5", f"save {file}", "q", game="urubugu")
    talk, line_game = played("C", f"load {file}", "q")
    assert "holds a game of urubugu, not of oware" in talk.text
    assert line_game.match.moves == [2], "the game at hand goes on"


def test_the_own_board_stays_on_a_small_screen() -> None:
    """Two boards of Urubugu do not fit on 24 rows: the second one waits for a key."""
    asked = []
    for rows in (24, 60, None):
        talk = Talk("5", "", "q")
        seats = (HUMAN, Seat("random", Random(1)))
        game = LineGame(Match(mbegu.game("urubugu")), seats, talk.ask, talk.say, rows=rows)
        game.run()
        asked.append(any("Enter" in line for line in talk.said))
    assert asked == [True, False, False]


@pytest.mark.parametrize("name", mbegu.game_names())
def test_every_game_has_colours_and_the_same_board(name: str) -> None:
    position = mbegu.game(name).start()
    for _ply in range(3):
        position = position.play(position.legal_moves()[0])
    coloured = position.diagram(colour=True)
    assert "\x1b[" in coloured
    assert re.sub(r"\x1b\[[0-9;]*m", "", coloured) == position.diagram()


def test_a_game_is_kept_and_forgotten(tmp_path: Path) -> None:
    keeper = Keeper(tmp_path / "kept" / "1-99999999.json")
    talk = Talk("C", "f", "q")
    LineGame(Match(mbegu.game("oware")), (HUMAN, HUMAN), talk.ask, talk.say, keeper=keeper).run()
    assert keeper.path.exists()
    talk = Talk("C", "resign", "q")
    LineGame(Match(mbegu.game("oware")), (HUMAN, HUMAN), talk.ask, talk.say, keeper=keeper).run()
    assert not keeper.path.exists()


CONTEST_AI = Path(__file__).parent.parent / "compat" / "maic" / "inside" / "ais" / "first.py"


def test_an_ai_of_the_contest_plays_a_whole_game() -> None:
    """It keeps count of the moves itself, and so must be told each of them."""
    seats = (make_seat(str(CONTEST_AI)), Seat("random", Random(1)))
    try:
        talk, line_game = played(game="morabaraba", seats=seats)
    finally:
        close_seats(seats)
    assert "has failed" not in talk.text
    assert line_game.match.outcome is not None
    assert len(line_game.match.moves) > 20


def test_an_own_bot_knows_when_a_move_is_taken_back(tmp_path: Path) -> None:
    """One process for a game; a game that goes on otherwise is a new one for it."""
    file = tmp_path / "counting.py"
    file.write_text(
        "class Counting:\n"
        "    def __init__(self): self.asked = 0\n"
        "    def choose(self, position, clock):\n"
        "        self.asked += 1\n"
        "        return position.legal_moves()[min(self.asked, 3) - 1]\n"
    )
    seats = (HUMAN, make_seat(str(file)))
    try:
        _, line_game = played("C", "D", "undo", "E", "q", seats=seats)
    finally:
        close_seats(seats)
    first = mbegu.game("oware").start().play(2)
    moves = line_game.match.moves
    assert moves[1] == first.legal_moves()[0], "asked for the first time"
    assert len(moves) == 4
    position = line_game.match.positions[3]
    assert moves[3] == position.legal_moves()[0], "asked anew after a move was taken back"


@pytest.mark.parametrize("language", ["en", "fr", "rn", "sw"])
def test_what_may_be_typed_stands_in_two_columns(language: str) -> None:
    with speaking(language):
        talk, _game = played("?", "save")
        whats = [_(command.help) for command in COMMANDS.values()]
    found = [said.rindex(what) for what in whats for said in talk.said if said.endswith(f" {what}")]
    assert len(found) == len(whats)
    assert len(set(found)) == 1, talk.text
    assert talk.said[-3].startswith("  "), "what was wrong is indented"

"""One game: clocks, policies, verdicts, records; and the ways in which bots come in."""

import sys
from functools import partial
from pathlib import Path

import pytest

import mbegu
from mbegu.arena import runner
from mbegu.arena.faults import BotFault, Fault
from mbegu.arena.program import Program
from mbegu.arena.referee import Conditions, Opening, Played, play_game
from mbegu.arena.roster import BotSpec, find_bot, with_own_names
from mbegu.arena.runner import BotProcess
from mbegu.core.clock import Clock
from mbegu.core.errors import MbeguError
from mbegu.core.outcome import Reason

pytestmark = pytest.mark.usefixtures("cage")
OWARE = mbegu.game("oware")
END = Opening("0-1-1-1-1-1-1-1-1-1-1-1-20-17-S")
FIRST = "return position.legal_moves()[0]"


def play(
    first: str | BotSpec,
    second: str | BotSpec,
    control: str = "5/move",
    game: mbegu.Game = OWARE,
    *,
    policy: str = "strict",
    opening: Opening | None = None,
    seed: int = 1,
    nodes: int | None = None,
) -> Played:
    specs = [find_bot(bot) if isinstance(bot, str) else bot for bot in (first, second)]
    with BotProcess(specs[0]) as a, BotProcess(specs[1]) as b:
        conditions = Conditions(control, nodes, policy)
        return play_game(game, (a, b), conditions, seed=seed, opening=opening)


@pytest.mark.parametrize("name", mbegu.game_names())
def test_every_game(name: str) -> None:
    game = mbegu.game(name)
    played = play("greedy", "random", game=game)
    assert played.verdict.word in ("win", "draw")
    record = mbegu.parse_record(played.record)
    record.check()
    assert record.players == ("greedy", "random")
    assert len(record.moves) == played.plies
    assert Played.from_json(played.to_json()) == played
    assert play("greedy", "random", game=game).record == played.record  # the same seed


def test_timeout_is_told(write_bot) -> None:
    path = write_bot(
        "import time; print('thinking', file=sys.stderr)\ntime.sleep(9)", top="import sys"
    )
    played = play("random", path, "0.2/move")
    assert (played.result, played.verdict.word, played.verdict.player) == ("1-0", "timeout", 1)
    assert "thinking" in played.verdict.stderr
    record = mbegu.parse_record(played.record)
    assert record.termination is Reason.TIMEOUT
    assert "timeout" in record.steps[-1].comment
    assert record.time_control == "0.2/move"


class Clockwork(BotProcess):
    """A bot whose thoughts take no time but are said to: `now` is the only clock that anybody reads."""

    now = 0.0
    thinks, waits, late = 0.05, 0.0, 0.0  # of it: without a processor; and until we hear the answer

    def choose(self, position, moves, clock, patience=0.0):
        left = clock.remaining(position.turn)
        assert left is not None
        if left < self.thinks - self.waits:
            raise BotFault(Fault.TIMEOUT, "", "")
        self.thought, self.forgiven = self.thinks, self.waits
        Clockwork.now += self.thinks + self.late
        return position.legal_moves()[0]


def play_clockwork(monkeypatch: pytest.MonkeyPatch, control: str, **said: float) -> Played:
    """A game of such a bot against one that answers at once."""
    monkeypatch.setattr("mbegu.arena.referee.Clock", partial(Clock, now=lambda: Clockwork.now))
    with Clockwork(find_bot("random")) as one, Clockwork(find_bot("random")) as other:
        vars(one).update(said)
        other.thinks = 0.0
        return play_game(OWARE, (one, other), Conditions(control), seed=1)


def test_a_bank_is_used_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """Three thoughts of 0.05 s are within a bank of 0.18 s, a fourth is not."""
    played = play_clockwork(monkeypatch, "0.18+0")
    assert (played.verdict.word, played.verdict.player, played.plies) == ("timeout", 0, 6)
    assert play_clockwork(monkeypatch, "0.18+0.1").verdict.player is None


def test_who_computes_longer_than_the_bank_has_used_it_up(write_bot) -> None:
    """However busy the host is: what a real bot has computed is never given back."""
    path = write_bot(
        f"""
        until = time.process_time() + 0.05
        while time.process_time() < until:
            pass
        {FIRST}
    """,
        top="import time",
    )
    played = play(path, "random", "0.18+0")
    assert (played.verdict.word, played.verdict.player) == ("timeout", 0)
    assert played.plies <= 6


def test_what_a_busy_host_takes_is_given_back(monkeypatch: pytest.MonkeyPatch) -> None:
    """A bot that had no processor for a while has as much time as before."""
    played = play_clockwork(monkeypatch, "0.12+0", thinks=0.05, waits=0.05)
    assert played.plies > 4
    assert played.verdict.player is None


def test_the_clock_of_a_bot_stands_while_we_are_busy(monkeypatch: pytest.MonkeyPatch) -> None:
    """An answer that lies there until the referee has a processor again is not the bot's time."""
    played = play_clockwork(monkeypatch, "0.12+0", thinks=0.001, late=0.3)
    assert played.plies > 4
    assert played.verdict.player is None
    played = play_clockwork(monkeypatch, "0.18+0", thinks=0.05, late=0.3)
    assert (played.verdict.word, played.plies) == ("timeout", 6), "the thoughts themselves count"


def test_the_clock_that_a_bot_sees(write_bot) -> None:
    path = write_bot(f"""
        left = clock.remaining(position.turn)
        assert 7.0 < left <= 9.0, left
        assert str(clock.control) == "9+0", clock.control
        {FIRST}
    """)
    assert play(path, "random", "9+0").verdict.player is None


def test_illegal_is_told_with_the_rule(write_bot) -> None:
    path = write_bot("return 7")
    played = play(path, "random")
    assert (played.result, played.verdict.word) == ("0-1", "illegal")
    assert "North" in played.verdict.detail or "South" in played.verdict.detail
    assert played.verdict.position == str(OWARE.start())
    record = mbegu.parse_record(played.record)
    assert record.termination is Reason.FORFEIT
    assert "illegal" in record.comment


def test_the_contests_policy(write_bot) -> None:
    """An illegal move is drawn by lot, and so is everything after the bank is empty."""
    illegal = write_bot("return 99", "illegal")
    played = play(illegal, "random", "5+0", policy="maic")
    assert played.verdict.word in ("win", "draw")
    assert "illegal" in played.notes[0]
    again = play(illegal, "random", "5+0", policy="maic")
    assert again.record == played.record  # the lot has a seed
    slow = write_bot(f"import time; time.sleep(0.3)\n{FIRST}", "slow")
    played = play(slow, "random", "0.2+0", policy="maic")
    assert played.verdict.word in ("win", "draw")
    assert len(played.notes) == 1
    assert "time is used up" in played.notes[0]
    crash = write_bot("raise RuntimeError", "crash")
    assert play(crash, "random", "5+0", policy="maic").verdict.word == "crash"


def test_both_fail(write_bot) -> None:
    path = write_bot(FIRST, top="raise RuntimeError('no')")
    played = play(path, path)
    assert played.result == "1/2-1/2"
    assert played.verdict.at_start
    mbegu.parse_record(played.record).check()


def test_openings() -> None:
    moves = (2, 8, 5)
    played = play("random", "random", opening=Opening(moves=moves))
    assert tuple(mbegu.parse_record(played.record).moves[:3]) == moves
    text = str(OWARE.start().play(2).play(8))
    played = play("random", "random", opening=Opening(text))
    assert str(mbegu.parse_record(played.record).start) == text


def test_bots_lay_their_beads(write_bot) -> None:
    urubugu = mbegu.game("urubugu")
    lays = write_bot(FIRST, "lays", more="\ndef setup(self):\n    return [32] + [0] * 15\n")
    wrong = write_bot(FIRST, "wrong", more="\ndef setup(self):\n    return [1] * 16\n")
    played = play(lays, "random", game=urubugu, opening=Opening(bots_set_up=True))
    start = mbegu.parse_record(played.record).start
    assert start == urubugu.start([32] + [0] * 15, None)
    played = play("random", wrong, game=urubugu, opening=Opening(bots_set_up=True))
    assert (played.result, played.verdict.word, played.verdict.player) == ("1-0", "illegal", 1)
    assert "32" in played.verdict.detail
    for answer, says in (("itertools.repeat(2)", "not 100"), ("5", "int: 5")):
        more = f"\ndef setup(self):\n    return {answer}\n"
        path = write_bot(FIRST, "odd", top="import itertools", more=more)
        played = play(path, "random", game=urubugu, opening=Opening(bots_set_up=True))
        assert (played.verdict.word, played.verdict.player) == ("illegal", 0)
        assert says in played.verdict.detail


def test_numpy_numbers_are_moves(write_bot) -> None:
    path = write_bot(
        "return np.array(position.legal_moves())[np.int8(0)]", top="import numpy as np"
    )
    assert play(path, "random").verdict.player is None


def test_two_files_of_one_name(tmp_path: Path) -> None:
    for folder, move in (("a", 0), ("b", -1)):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "bot.py").write_text(
            f"class B:\n    def choose(self, position, clock):\n        return position.legal_moves()[{move}]\n"
        )
    specs = with_own_names([find_bot(str(tmp_path / folder / "bot.py")) for folder in "ab"])
    assert [spec.name for spec in specs] == ["bot", "bot (2)"]
    moves = mbegu.parse_record(play(specs[0], specs[1]).record).moves
    assert moves[:2] == [0, 11]


# ---- programs


def program(folder: Path, text: str, **more: object) -> str:
    (folder / "engine.py").write_text(text)
    lines = [f'command = ["{sys.executable}", "{folder}/engine.py"]']
    lines += [f"{key} = {value}" for key, value in more.items()]
    (folder / "engine.toml").write_text("\n".join(lines))
    return str(folder / "engine.toml")


TALKER = """
import sys
name = sys.stdin.readline().strip()
print("id name Talker")
print(name + "ok", flush=True)
for line in sys.stdin:
    word, *rest = line.split()
    sys.stderr.write(line)
    if word == "isready":
        print("readyok", flush=True)
    elif word == "go":
        print("info depth 1\\nbestmove MOVE", flush=True)
"""


def test_a_program_is_asked_by_its_protocol(tmp_path: Path) -> None:
    path = program(tmp_path, TALKER.replace("MOVE", "Z"), options="{ Hash = 8 }")
    played = play("random", path, "3+1", opening=Opening(moves=(2,)))
    assert (played.verdict.word, played.verdict.player) == ("illegal", 1)
    said = played.verdict.stderr
    assert "setoption name Hash value 8" in said
    assert "uginewgame" in said
    assert "position startpos moves C" in said
    assert "go p1time 3000 p2time 2" in said or "go p1time 3000 p2time 3000" in said


def test_a_program_that_never_answers_at_once_plays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(runner.COMPILE_SECONDS, "program", 20.0)
    slow = TALKER.replace('        print("ready', '        time.sleep(0.6)\n        print("ready')
    path = program(tmp_path, slow.replace("import sys", "import sys, time").replace("MOVE", "Z"))
    played = play("random", path, "3+1", opening=Opening(moves=(2,)))
    assert (played.verdict.word, played.verdict.player) == ("illegal", 1)


def test_uci_and_nodes(tmp_path: Path) -> None:
    path = program(tmp_path, TALKER.replace("MOVE", "Z"), protocol='"uci"')
    opening = Opening(moves=(2, 8))
    played = play(path, "random", "-", opening=opening, nodes=500)
    assert "position startpos moves Cc" in played.verdict.stderr
    assert "go nodes 500" in played.verdict.stderr


def test_an_engine_that_never_answers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = program(tmp_path, "import time\ntime.sleep(60)\n")
    with monkeypatch.context() as hasty:
        hasty.setattr("mbegu.arena.runner.START_SECONDS", 0.7)
        played = play(path, "random")
    assert (played.verdict.word, played.verdict.at_start) == ("timeout", True)
    assert played.verdict.detail.startswith("it was not ready after 0.7 seconds; it did not answer")
    talker = TALKER.replace('print("info depth 1\\nbestmove MOVE", flush=True)', "pass")
    played = play(program(tmp_path, talker), "random", "0.3/move")
    assert (played.verdict.word, played.verdict.at_start) == ("timeout", False)
    assert played.seconds[0] > 0.29  # the time that it took in vain is told


def test_an_engine_that_answers_before_it_is_asked(tmp_path: Path) -> None:
    path = program(tmp_path, TALKER.replace("MOVE", "A\\nbestmove B"))
    played = play(path, "random", "5/move")
    assert (played.verdict.word, played.verdict.player) == ("protocol", 0)
    assert "two answers" in played.verdict.detail
    assert played.plies == 2


def test_an_engine_that_ends_or_reaches_out(tmp_path: Path) -> None:
    played = play(program(tmp_path, "import sys\nsys.exit(3)\n"), "random")
    assert played.verdict.word == "crash"
    assert "3" in played.verdict.detail
    played = play(
        program(
            tmp_path, "import os\nos.kill(os.getpid(), 9)\nimport ctypes\nctypes.string_at(0)\n"
        ),
        "random",
    )
    assert "SIGSEGV" in played.verdict.detail
    hostile = "import socket\nsocket.create_connection(('127.0.0.1', 9))\n"
    played = play(program(tmp_path, hostile), "random")
    assert played.verdict.word == "crash"
    assert "PermissionError" in played.verdict.stderr


def test_a_program_that_dies_is_quoted(tmp_path: Path) -> None:
    """Some say on stdout why they cannot start, and some at the top of a long story."""
    text = """
import sys
print("Could not allocate class space", flush=True)
for line in range(40):
    print("story", line, file=sys.stderr, flush=True)
sys.exit(1)
"""
    verdict = play(program(tmp_path, text), "random").verdict
    assert verdict.word == "crash"
    assert "with code 1; it said:\n  Could not allocate class space" in verdict.detail
    assert "story 0\n" in verdict.stderr
    assert verdict.stderr.endswith("story 39")
    assert len(verdict.stderr.splitlines()) < 15


def test_time_is_kept_back_for_an_answer_and_more_for_a_late_one() -> None:
    asked = object.__new__(Program)
    order = {"player": 0, "left": [1.0, 1.0], "control": "1/move"}
    asked.overrun = 0.0
    assert asked._movetime(order) == 0.875
    asked.overrun = 0.2
    assert round(asked._movetime(order) or 0, 9) == 0.7
    asked.overrun = 9.0
    assert asked._movetime(order) == 0.5
    assert asked._movetime({**order, "control": "9+1"}) is None


def test_a_shot_told_with_its_move(tmp_path: Path) -> None:
    """a1xf2 is one word of the program and two moves of the game."""
    script = """
import sys
sys.path.insert(0, {src!r})
import mbegu
game = mbegu.game("morabaraba")
print("ugiok", flush=True)
for line in sys.stdin:
    words = line.split()
    if words[0] == "isready":
        print("readyok", flush=True)
    elif words[0] == "position":
        position, *_ = [game.start()]
        for word in words[3:]:
            for move in game.parse_turn(word, position):
                position = position.play(move)
    elif words[0] == "go":
        first = position.legal_moves()[0]
        after = position.play(first)
        turn = [first]
        if after.turn == position.turn:
            turn.append(after.legal_moves()[0])
        print("bestmove", game.format_turn(turn, position)[0], flush=True)
"""
    src = str(Path(mbegu.__file__).parent.parent)
    path = program(tmp_path, script.format(src=src), read=f'["{src}"]')
    played = play(path, "random", game=mbegu.game("morabaraba"), control="-")
    assert played.verdict.player is None, played.verdict
    assert any(str(move).startswith("STEAL") for move in mbegu.parse_record(played.record).moves)


# ---- what is wrong with a bot before it plays


@pytest.mark.parametrize(
    ("name", "text", "says"),
    [
        ("missing.py", None, "No such file"),
        ("syntax.py", "def f(:\n", "syntax.py:1: this is not Python"),
        ("empty.py", "", "found: none"),
        (
            "several.py",
            "class A:\n def choose(s,p,c): 0\nclass B:\n def choose(s,p,c): 0\n",
            "found: A, B",
        ),
        (
            "above.py",
            "class A:\n def choose(s,p,c): 0\nclass B(A):\n def worth(s): 0\n",
            "found: A, B",
        ),
        ("nul.py", "\0", "this is not Python"),
        ("broken.toml", "command = [", "this is not TOML"),
        ("nothing.toml", "", "needs its command line"),
        ("ghost.toml", 'command = ["no-such-program"]', "there is no program"),
        ("odd.toml", 'command = ["python"]\nprotocol = "xboard"', "is not a protocol"),
        ("key.toml", 'comand = ["python"]', "means nothing here"),
        ("type.toml", "command = 3", "needs its command line"),
    ],
)
def test_what_is_wrong_is_said(tmp_path: Path, name: str, text: str | None, says: str) -> None:
    path = tmp_path / name
    if text is not None:
        path.write_text(text)
    with pytest.raises(MbeguError) as caught:
        find_bot(str(path))
    assert says in str(caught.value)
    assert name in str(caught.value)
    assert "\n" not in str(caught.value)


def test_no_such_bot() -> None:
    with pytest.raises(MbeguError, match="no bot is called"):
        find_bot("nobody")


def test_a_list_is_shown_as_a_list(write_bot) -> None:
    played = play(write_bot("return [position.legal_moves()[0]]"), "random")
    assert played.verdict.word == "protocol"
    assert "[0]" in played.verdict.detail


def test_an_error_is_told_from_the_bots_own_line_on(write_bot, tmp_path: Path) -> None:
    told = play(write_bot("return 1 / 0"), "random").verdict.detail
    assert "bot.py" in told
    assert "worker.py" not in told
    path = tmp_path / "short.py"
    path.write_text("class Bot:\n    def choose(self, position): pass\n")
    told = play(str(path), "random").verdict.detail
    assert told.strip().startswith("TypeError: ")
    assert "takes 2 positional arguments but 3 were given" in told

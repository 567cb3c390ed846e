"""Bots that try everything a bot may not do: none escapes, each has its own verdict."""

import os
import re
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

import mbegu
from mbegu.arena.referee import Conditions, Played, play_game
from mbegu.arena.roster import find_bot
from mbegu.arena.runner import BotFault, BotProcess, Fault
from mbegu.core.clock import Clock, TimeControl

pytestmark = pytest.mark.usefixtures("cage")
FOLDER = Path(__file__).parent / "bots"
NAMES = sorted(path.stem for path in FOLDER.glob("*.py"))
GAME = mbegu.game("oware")
SMALL = 256 << 20


@pytest.fixture(scope="module")
def other() -> Iterator[BotProcess]:
    with BotProcess(find_bot("random")) as process:
        yield process


def play(path: Path, other: BotProcess, control: str = "0.4/move") -> Played:
    with BotProcess(find_bot(str(path)), memory=SMALL) as hostile:
        return play_game(GAME, (hostile, other), Conditions(control), seed=1)


def test_there_are_many() -> None:
    assert len(NAMES) >= 75


@pytest.mark.parametrize("name", NAMES)
def test_verdict(name: str, other: BotProcess, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MY_SECRET_TOKEN", "do not tell")
    path = FOLDER / f"{name}.py"
    before = {file: (file.stat().st_mtime, file.stat().st_mode) for file in FOLDER.iterdir()}
    expected = re.search(r"# verdict: (\w+)", path.read_text())
    assert expected is not None
    # Whoever only plays has time enough, also on a busy computer; and so has who eats memory, to eat all of it.
    played = play(path, other, "10/move" if expected[1] in ("win", "memory") else "0.4/move")
    verdict = played.verdict
    if expected[1] == "win":  # it does nothing worse than play
        assert verdict.player is None, verdict
    else:
        assert (verdict.word, verdict.player) == (expected[1], 0), verdict
        assert verdict.sentence
        assert played.result == "0-1"
    after = {file: (file.stat().st_mtime, file.stat().st_mode) for file in FOLDER.iterdir()}
    assert {k: v for k, v in after.items() if k.suffix} == {
        k: v for k, v in before.items() if k.suffix
    }
    assert not Path("/tmp/mbegu-hostile-was-here").exists()
    mbegu.parse_record(played.record).check()  # whatever happened, the rules accept the record


def test_nothing_is_sent(tmp_path: Path, other: BotProcess) -> None:
    """A real ear on this host hears nothing."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.settimeout(0.2)
        text = (FOLDER / "tcp_connect.py").read_text()
        path = tmp_path / "caller.py"
        path.write_text(text.replace("PORT = 9", f"PORT = {server.getsockname()[1]}"))
        assert play(path, other).verdict.word == "cage"
        with pytest.raises(TimeoutError):
            server.accept()


def test_others_files_cannot_be_read(tmp_path: Path, other: BotProcess) -> None:
    secret = tmp_path / "elsewhere" / "secret.txt"
    secret.parent.mkdir()
    secret.write_text("the password")
    path = tmp_path / "bots" / "reader.py"
    path.parent.mkdir()
    path.write_text(
        f"class B:\n    def choose(self, position, clock):\n        print(open({str(secret)!r}).read())\n"
    )
    assert play(path, other).verdict.word == "cage"
    # The folder of its name is there to be read.
    (path.parent / "reader").mkdir()
    (path.parent / "reader" / "book.txt").write_text("0")
    path.write_text(
        "import os\n\n\nclass B:\n    def choose(self, position, clock):\n"
        "        open(os.path.join(os.path.dirname(__file__), 'reader', 'book.txt')).read()\n"
        "        open('scratch.txt', 'w').write('mine')\n"
        "        return position.legal_moves()[0]\n"
    )
    assert play(path, other).verdict.player is None


def alive(pid: int) -> bool:
    try:
        os.killpg(pid, 0)
    except ProcessLookupError:
        return False
    return True


def test_late_is_noticed_and_the_group_is_gone() -> None:
    bot = BotProcess(find_bot(str(FOLDER / "ignore_signals.py")))
    position, clock = GAME.start(), Clock(TimeControl.parse("0.2/move"))
    bot.new_game(GAME, position, 0, 1)
    group = bot._process.pid  # type: ignore[union-attr]
    assert alive(group)
    clock.start(0)
    began = time.monotonic()
    with pytest.raises(BotFault) as caught:
        bot.choose(position, [], clock)
    took = time.monotonic() - began
    assert caught.value.fault is Fault.TIMEOUT
    assert took > 0.19, "not before its time; how long after it is told by the benchmark"
    until = time.monotonic() + 20
    while alive(group) and time.monotonic() < until:
        time.sleep(0.005)  # the last one waits to be buried by the system
    assert not alive(group)


REFEREE = """
import sys

import mbegu
from mbegu.arena.referee import play_game
from mbegu.arena.roster import find_bot
from mbegu.arena.runner import BotProcess

bot = BotProcess(find_bot(sys.argv[1]))
bot.new_game(mbegu.game("oware"), mbegu.game("oware").start(), 0, 1)
print(bot._process.pid, bot._thinker(), flush=True)
play_game(mbegu.game("oware"), (bot, BotProcess(find_bot("random"))))
"""


def test_no_bot_outlives_a_referee_that_is_killed(write_bot) -> None:
    spin = "ctypes.CDLL(None).prctl(1, 0, 0, 0, 0)\nprint('here')\nwhile True:\n    pass"
    path = write_bot(spin, top="import ctypes")
    command = [sys.executable, "-c", REFEREE, path]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as referee:
        assert referee.stdout is not None
        outside, inside = map(int, referee.stdout.readline().split())
        assert Path(f"/proc/{inside}").exists()
        time.sleep(0.3)  # it takes back that it dies with the other one, if it can
        referee.kill()
    until = time.monotonic() + 20
    while (alive(outside) or Path(f"/proc/{inside}").exists()) and time.monotonic() < until:
        time.sleep(0.01)
    assert not alive(outside)
    assert not Path(f"/proc/{inside}").exists()


def test_scratch_folders_are_removed(tmp_path: Path) -> None:
    with BotProcess(find_bot(str(FOLDER / "fill_disk.py")), scratch_in=str(tmp_path)) as bot:
        bot.new_game(GAME, GAME.start(), 0, 1)
        assert len(list(tmp_path.iterdir())) == 1
        with pytest.raises(BotFault):
            bot.choose(GAME.start(), [], Clock(TimeControl.parse("5/move")))
        assert not list(tmp_path.iterdir())
    assert not list(tmp_path.iterdir())


def test_a_seed_says_nothing_about_the_other_one(write_bot) -> None:
    """Whoever knows his own seed, and how seeds are made, cannot foretell the other's moves."""
    path = write_bot("return position.legal_moves()[0]", top="import sys")
    text = (
        Path(path).read_text()
        + "\n    def __init__(self, seed):\n        print(seed, file=sys.stderr)\n"
    )
    Path(path).write_text(text)
    found = list[tuple[int, int]]()
    for seed in range(4):
        with BotProcess(find_bot(path)) as one, BotProcess(find_bot(path)) as two:
            play_game(GAME, (one, two), Conditions("9/move"), seed=seed)
            found.append((int(one.stderr().split()[0]), int(two.stderr().split()[0])))
    assert len({seed for pair in found for seed in pair}) == 8
    for first, second in found:
        assert first ^ second > 2**32  # nor do their neighbours
        assert abs(first - second) > 2**32

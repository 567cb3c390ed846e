"""Where we may not make namespaces but bubblewrap may: the same bots, the same verdicts."""

import re
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import mbegu
from mbegu.arena import cage, runner
from mbegu.arena.pool import Job, play_job
from mbegu.arena.referee import Conditions, play_game
from mbegu.arena.roster import find_bot
from mbegu.arena.runner import BotProcess
from mbegu.core.errors import MbeguError

HOSTILE = Path(__file__).parent / "bots"
OWARE = mbegu.game("oware")
REFUSED = "Operation not permitted"
NAMES = [
    "exit_at_once", "fork_bomb", "kill_everybody", "late", "segfault", "tcp_connect",
]  # fmt: skip


@pytest.fixture(autouse=True)
def refuse(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A host that refuses namespaces to everybody but bubblewrap."""
    if shutil.which("bwrap") is None:
        pytest.skip("BUBBLEWRAP IS MISSING, SO IT WAS NOT TESTED: apt-get install bubblewrap")
    tried = cage._try
    monkeypatch.setattr(cage, "_try", lambda wall: REFUSED if wall == "namespaces" else tried(wall))
    cage.bubblewrap.cache_clear()
    runner.missing_layers.cache_clear()
    if not cage.bubblewrap():
        pytest.skip("bubblewrap is there, but it is refused as well")
    yield
    cage.bubblewrap.cache_clear()
    runner.missing_layers.cache_clear()


@pytest.mark.parametrize("name", NAMES)
def test_verdict(name: str) -> None:
    path = HOSTILE / f"{name}.py"
    expected = re.search(r"# verdict: (\w+)", path.read_text())
    assert expected is not None
    control = "10/move" if expected[1] == "win" else "0.4/move"
    with BotProcess(find_bot(str(path))) as hostile, BotProcess(find_bot("random")) as other:
        verdict = play_game(OWARE, (hostile, other), Conditions(control), seed=1).verdict
    assert (verdict.word if verdict.player == 0 else "win") == expected[1], verdict


def test_threads_without_end_are_counted(write_bot) -> None:
    """No limit of the system holds them here: all programs of this user would count together."""
    path = write_bot(
        "import threading\n"
        "threading.stack_size(65536)\n"
        "forever = threading.Event()\n"
        "while True:\n"
        "    threading.Thread(target=forever.wait, daemon=True).start()"
    )
    with BotProcess(find_bot(path)) as hostile, BotProcess(find_bot("random")) as other:
        verdict = play_game(OWARE, (hostile, other), Conditions("20/move"), seed=1).verdict
    assert (verdict.word, verdict.player) in (("cage", 0), ("crash", 0)), verdict
    assert "threads" in verdict.detail or "thread" in verdict.detail


def test_some_threads_are_allowed(write_bot) -> None:
    path = write_bot(
        "import threading\n"
        "threads = [threading.Thread(target=len, args=('x',)) for _n in range(20)]\n"
        "for thread in threads:\n    thread.start()\n"
        "for thread in threads:\n    thread.join()\n"
        "return position.legal_moves()[0]"
    )
    with BotProcess(find_bot(path)) as bot, BotProcess(find_bot("random")) as other:
        verdict = play_game(OWARE, (bot, other), Conditions("10/move"), seed=1).verdict
    assert verdict.player is None, verdict


def test_it_is_really_in_a_network_of_its_own(write_bot) -> None:
    """Seen from outside: another network, another process table, and the scratch folder is there."""
    path = write_bot("open('mine.txt', 'w').write('x')\nreturn position.legal_moves()[0]")
    with BotProcess(find_bot(path)) as bot:
        bot.new_game(OWARE, OWARE.start(), 0, 1)
        inside = bot._thinker()
        for space in ("net", "pid", "ipc"):
            ours = Path(f"/proc/self/ns/{space}").readlink()
            assert Path(f"/proc/{inside}/ns/{space}").readlink() != ours
        with BotProcess(find_bot("random")) as other:
            assert play_game(OWARE, (bot, other), seed=1).verdict.player is None


def test_a_program_too(tmp_path: Path) -> None:
    (tmp_path / "engine.py").write_text(
        "import socket\nsocket.create_connection(('127.0.0.1', 9))\n", encoding="utf-8"
    )
    (tmp_path / "engine.toml").write_text(
        f'command = ["{sys.executable}", "{tmp_path}/engine.py"]', encoding="utf-8"
    )
    spec = find_bot(str(tmp_path / "engine.toml"))
    with BotProcess(spec) as bot, BotProcess(find_bot("random")) as other:
        verdict = play_game(OWARE, (bot, other), seed=1).verdict
    assert verdict.word == "crash"
    assert "PermissionError" in verdict.stderr


def test_without_bubblewrap_a_bot_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "which", lambda name: None)
    cage.bubblewrap.cache_clear()
    with pytest.raises(MbeguError, match="namespaces: Operation not permitted"):
        BotProcess(find_bot(str(HOSTILE / "late.py")))
    job = Job(
        "0|key|of|no|use", "oware", (find_bot(str(HOSTILE / "late.py")), find_bot("random")), 1
    )
    with pytest.raises(MbeguError, match=r"^late would not be safely locked up on this host"):
        play_job(job)

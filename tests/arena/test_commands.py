"""The commands of the arena as a user calls them."""

import base64
import contextlib
import csv
import io
import json
import os
import re
import signal
import sqlite3
import subprocess
import sys
import time
import zlib
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path

import pytest

import mbegu
from mbegu.arena.check import examine
from mbegu.cli import main
from mbegu.core.errors import MbeguError
from mbegu.work.executor import executor, local_cluster

pytestmark = pytest.mark.usefixtures("cage")
HOSTILE = Path(__file__).parent / "hostile" / "bots"
COMMAND = [sys.executable, "-m", "mbegu"]


def run(*arguments: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    """A command in this process, which has imported everything already: much sooner done."""
    out, err = io.StringIO(), io.StringIO()
    with contextlib.chdir(cwd), redirect_stdout(out), redirect_stderr(err):
        code = main(arguments)
    return subprocess.CompletedProcess(arguments, code, out.getvalue(), err.getvalue())


def ok(*arguments: str, cwd: Path) -> str:
    done = run(*arguments, cwd=cwd)
    assert done.returncode == 0, done.stdout + done.stderr
    assert (
        "\nTraceback" not in f"\n{done.stderr}"
    )  # of ours: that of a bot stands indented in a note
    return done.stdout


def refused(*arguments: str, cwd: Path) -> str:
    done = run(*arguments, cwd=cwd)
    assert done.returncode == 2, done.stdout + done.stderr
    assert done.stderr.count("\n") == 1, done.stderr
    return done.stderr


# ---- bot


@pytest.mark.parametrize("name", mbegu.game_names())
def test_a_new_bot_runs(name: str, tmp_path: Path) -> None:
    ok("bot", "new", name, "my_bot.py", cwd=tmp_path)
    text = ok("bot", "check", "my_bot.py", "--games", "2", cwd=tmp_path)
    assert f"my_bot.py plays {mbegu.game(name)}." in text
    assert "✗" not in text
    assert "Fit to play." in text
    if name == "oware":
        assert "exists" in refused("bot", "new", name, "my_bot.py", cwd=tmp_path)


def test_what_a_bot_says_does_nothing_to_the_terminal(write_bot, tmp_path: Path) -> None:
    say = "sys.stderr.write(chr(27) + ']0;mine' + chr(7))\nraise ValueError(chr(27) + '[2Jtwo\\nlines')"
    path = write_bot(say, top="import sys")
    told = list(examine(path, mbegu.game("oware"), games=1))[-1].trouble
    assert "ValueError: ?[2Jtwo\n" in told
    assert "?]0;mine?" in told
    assert all(sign.isprintable() or sign == "\n" for sign in told)


@pytest.mark.parametrize(
    ("bot", "says"),
    [
        ("crash_on_third_move", "RuntimeError: enough"),
        ("illegal_move", "Answer with one of position.legal_moves()"),
        ("none_answer", "choose must return a move"),
        ("crash_on_import", "a_package_that_nobody_has"),
        ("tcp_connect", "It has no network"),
    ],
)
def test_check_says_what_is_wrong(bot: str, says: str, tmp_path: Path) -> None:
    done = run("bot", "check", str(HOSTILE / f"{bot}.py"), cwd=tmp_path)
    assert done.returncode == 1
    assert says in done.stdout
    assert "Not yet fit to play." in done.stdout


def test_a_program_that_never_answers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("mbegu.arena.runner.START_SECONDS", 0.5)
    (tmp_path / "deaf.toml").write_text('command = ["sleep", "60"]')
    *_before, last = examine(str(tmp_path / "deaf.toml"), mbegu.game("oware"))
    assert "answers ugiok" in last.trouble


def test_list_and_doctor(tmp_path: Path) -> None:
    (tmp_path / "broken.py").write_text("def")
    text = ok("bot", "list", ".", cwd=tmp_path)
    assert "random" in text
    assert "no bot: broken.py:1" in text
    assert "seccomp" in ok("arena", "doctor", cwd=tmp_path)


# ---- match


def test_a_match(tmp_path: Path) -> None:
    arguments = ["match", "kalah", "greedy", "random", "--games", "6", "--openings", "random:2"]
    text = ok(*arguments, "--workers", "2", "--save", "a.txt", cwd=tmp_path)
    assert "greedy" in text
    seed = text.rpartition("seed: ")[2].strip()  # it was drawn: nobody could have known it
    assert int(seed) > 2**16
    records = list(mbegu.open_records(tmp_path / "a.txt"))
    assert len(records) == 6
    for first, second in zip(records[::2], records[1::2], strict=True):
        assert first.players == second.players[::-1]
        assert first.moves[:2] == second.moves[:2]
    for record in records:
        record.check()
    ok(*arguments, "--seed", seed, "--save", "b.txt", cwd=tmp_path)
    assert (tmp_path / "a.txt").read_text() == (tmp_path / "b.txt").read_text()


def test_faults_are_told_and_the_match_goes_on(tmp_path: Path) -> None:
    bot = str(HOSTILE / "crash_on_third_move.py")
    done = run("match", "oware", bot, "random", "--games", "4", cwd=tmp_path)
    assert done.returncode == 0
    assert "RuntimeError: enough" in done.stderr
    assert "in the position" in done.stderr
    assert "Faults of crash_on_third_move: crash × 4" in done.stdout


def test_sprt_stops(tmp_path: Path) -> None:
    arguments = ["match", "oware", "greedy", "random", "--games", "1000", "--sprt", "0", "100"]
    text = ok(*arguments, cwd=tmp_path)
    assert "a difference of 100 is accepted" in text


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["oware", "nobody", "random"], "no bot is called"),
        (["oware", "missing.py", "random"], "No such file"),
        (["oware", "random", "random", "--time", "soon"], "is not a time control"),
        (["oware", "random", "random", "--time", "5+0", "--movetime", "1"], "not both"),
        (["oware", "random", "random", "--openings", "sideways"], "is not an opening"),
        (["oware", "random", "random", "--openings", "setups"], "oware has no set-ups"),
        (["oware", "random", "random", "--sprt", "5", "1"], "the lower one first"),
        (["oware", "random", "random", "--save", "/no/such/folder/x"], "cannot be saved"),
        (["chess", "random", "random"], "no game is called"),
    ],
)
def test_what_is_wrong_is_said(arguments: list[str], says: str, tmp_path: Path) -> None:
    assert says in refused("match", *arguments, cwd=tmp_path)


@pytest.mark.parametrize("workers", ["1", "2"])
def test_ctrl_c(workers: str, tmp_path: Path) -> None:
    command = [*COMMAND, "match", "oware", "random", "random", "--games", "500"]
    command += ["--workers", workers, "--save", "games.txt"]
    environment = {**os.environ, "TMPDIR": str(tmp_path)}
    process = subprocess.Popen(
        command, cwd=tmp_path, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        text=True, start_new_session=True,
    )  # fmt: skip
    assert process.stderr is not None
    assert process.stderr.readline().startswith("50/500")  # it plays, and has long to go
    os.killpg(process.pid, signal.SIGINT)
    said, complained = process.communicate(timeout=200)
    assert process.returncode == 130, complained
    assert "Traceback" not in complained
    assert "Elo difference" in said
    assert list(mbegu.open_records(tmp_path / "games.txt"))
    assert [path.name for path in tmp_path.iterdir()] == ["games.txt"]


# ---- tournament

PLAN = """
game = "oware"
games = 2
nodes = 50
openings = "random:3"
seed = 5
[[bot]]
bot = "random"
[[bot]]
bot = "greedy"
[[bot]]
name = "Amina"
bot = "amina.py"
[[bot]]
bot = "missing.py"
"""


SMALL = PLAN.replace('"oware"', '"kalah(pits=3,seeds=3)"')  # short games


def plan(folder: Path, text: str = PLAN, name: str = "cup.toml") -> Path:
    (folder / "amina.py").write_text(
        "class A:\n    def choose(self, position, clock):\n        return position.legal_moves()[-1]\n"
    )
    (folder / name).write_text(text)
    return folder / name


def table(folder: Path) -> list[dict[str, str]]:
    with (folder / "table.csv").open() as file:
        return list(csv.DictReader(file))


def test_one_worker_or_two_or_killed_in_between(tmp_path: Path) -> None:
    plan(tmp_path)
    ok("tournament", "cup.toml", "--folder", "one", cwd=tmp_path)
    # Killed again and again, as a power cut would.
    games = tmp_path / "two" / "results.db"
    for _cut in range(2):
        process = subprocess.Popen(
            [*COMMAND, "tournament", "cup.toml", "--workers", "2", "--folder", "two"],
            cwd=tmp_path, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            env={**os.environ, "TMPDIR": str(tmp_path)},
        )  # fmt: skip
        before = played(games)
        until = time.monotonic() + 200
        while played(games) < before + 2 and time.monotonic() < until:
            time.sleep(0.02)
        process.kill()
        process.wait()
    assert 0 < played(games) <= 12
    kept = keys(games)
    ok("tournament", "cup.toml", "--workers", "2", "--folder", "two", cwd=tmp_path)
    assert kept <= keys(games)
    assert played(games) == 6 + 6
    for name in ("table.csv", "records.txt"):
        assert (tmp_path / "one" / name).read_text() == (tmp_path / "two" / name).read_text()
    for record in mbegu.open_records(tmp_path / "two" / "records.txt"):
        record.check()
    # Once more: nothing is played again.
    done = run("tournament", "cup.toml", "--folder", "two", cwd=tmp_path)
    assert "round" not in done.stderr
    assert "missing.py" in done.stderr
    # A changed bot is noticed.
    (tmp_path / "amina.py").write_text((tmp_path / "amina.py").read_text().replace("-1", "0"))
    said = run("tournament", "cup.toml", "--folder", "two", cwd=tmp_path)
    assert said.returncode == 2
    assert "changed since then: Amina" in said.stderr
    page = (tmp_path / "two" / "report.html").read_text()
    assert "Amina" in page
    assert "missing.py" in page
    check_page(page)


def test_a_cluster_gives_the_same_table(tmp_path: Path) -> None:
    """A real scheduler and two workers, processes of their own."""
    plan(tmp_path, SMALL)
    ok("tournament", "cup.toml", "--folder", "here", "--workers", "2", cwd=tmp_path)
    with local_cluster(workers=2) as cluster:
        arguments = ["--cluster", cluster.address, "--folder", "there"]
        ok("tournament", "cup.toml", *arguments, cwd=tmp_path)
    for name in ("table.csv", "records.txt"):
        assert (tmp_path / "here" / name).read_text() == (tmp_path / "there" / name).read_text()


def test_no_cluster(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    plan(tmp_path)
    said = run("tournament", "cup.toml", "--cluster", "somewhere", cwd=tmp_path)
    assert said.returncode == 2
    assert "somewhere is not a cluster: write its address like tcp://host:8786" in said.stderr
    monkeypatch.setattr("mbegu.work.executor.CONNECT_SECONDS", 0.3)
    with pytest.raises(MbeguError, match=r"no cluster answers at tcp://127\.0\.0\.1:9: "):
        executor(cluster="tcp://127.0.0.1:9").__enter__()
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(MbeguError, match=r"of the extra cluster: .*\[cluster\]"):
        executor(cluster="tcp://127.0.0.1:9").__enter__()


def check_page(page: str) -> None:
    """Nothing from outside, and data that JavaScript can read."""
    outside = set(re.findall(r"https?://[^\"' <\\]+", page)) - {"http://www.w3.org/2000/svg"}
    assert not outside
    found = re.search(r'octet-stream">([A-Za-z0-9+/=]*)</script>', page)
    assert found is not None
    data = json.loads(zlib.decompress(base64.b64decode(found[1])))
    for game in data["games"]:
        assert len(game["frames"]) == len(game["moves"]) + 1
        for frame in game["frames"]:
            picture = "".join(data["pieces"][piece] for piece in data["frames"][frame])
            assert picture.startswith("<svg")
            assert picture.rstrip().endswith("</svg>")


def played(path: Path) -> int:
    return len(keys(path))


def keys(path: Path) -> set[str]:
    if not path.exists():
        return set()
    with sqlite3.connect(f"file:{path}?mode=ro", uri=True) as db:
        try:
            found = {key for (key,) in db.execute("SELECT key FROM games")}
        except sqlite3.OperationalError:
            found = set()
    db.close()
    return found


@pytest.mark.parametrize("form", ["double-round-robin", "swiss", "gauntlet", "knock-out"])
def test_formats(form: str, tmp_path: Path) -> None:
    plan(tmp_path, SMALL + f'[[bot]]\nbot = "random"\nname = "<b>{form}</b>|"\n')
    text = (tmp_path / "cup.toml").read_text()
    (tmp_path / "cup.toml").write_text(f'format = "{form}"\nsanity = false\n{text}')
    ok("tournament", "cup.toml", cwd=tmp_path)
    rows = table(tmp_path / "cup-results")
    assert len(rows) == 4
    games = sum(int(row["games"]) for row in rows) / 2
    expected = {"double-round-robin": 24, "swiss": 2 * 2 * 3, "gauntlet": 6}
    assert games == expected.get(form, games)
    page = (tmp_path / "cup-results" / "report.html").read_text()
    assert "<b><b>" not in page  # a name cannot write into the page
    check_page(page)


def test_hostile_bots_do_not_stop_a_tournament(tmp_path: Path) -> None:
    names = ["fork_bomb", "crash_on_import", "exit_at_once", "forged_answer", "endless_loop"]
    bots = "".join(f'[[bot]]\nbot = "{HOSTILE}/{name}.py"\n' for name in names)
    head = 'game = "oware"\nmovetime = 0.2\nopenings = "random:2"\nmemory = 256\n'
    (tmp_path / "cup.toml").write_text(head + bots + '[[bot]]\nbot = "greedy"\n')
    text = ok("tournament", "cup.toml", "--workers", "2", cwd=tmp_path)
    rows = table(tmp_path / "cup-results")
    assert rows[0]["bot"] == "greedy"
    assert rows[0]["wins"] == "8"
    assert "crash_on_import was left out" in text
    faults = json.loads((tmp_path / "cup-results" / "faults.json").read_text())
    words = {fault["players"][fault["player"]]: fault["word"] for fault in faults}
    assert words == {
        "fork_bomb": "cage",
        "crash_on_import": "crash",
        "exit_at_once": "crash",
        "forged_answer": "protocol",
        "endless_loop": "timeout",
    }


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("game = ", "this is not TOML"),
        ("", "say which game"),
        ('game = "chess"', "no game is called"),
        ('game = "oware"\nformat = "league"', "format cannot be"),
        ('game = "oware"\ngames = "many"', "games cannot be"),
        ('game = "oware"\nbots = 3', "means nothing here"),
        ('game = "oware"\ntime = "1+1"\nmovetime = 2', "not both"),
        ('game = "oware"\n[[bot]]\nbot = "greedy"', "needs two bots"),
        ('game = "oware"\n[[bot]]\nname = "x"', "needs a line like"),
        ('game = "oware"\n[[bot]]\nname = "x"\nbot = "*"', "are 2 bots"),
        ('game = "oware"\n[[bot]]\nbot = "none/*.py"', "none/*.py"),
        ('game = "oware"\npolicy = "kind"', "is not a policy"),
    ],
)
def test_a_wrong_plan(text: str, says: str, tmp_path: Path) -> None:
    (tmp_path / "cup.toml").write_text(text)
    (tmp_path / "mine.py").write_text("")
    assert says in refused("tournament", "cup.toml", cwd=tmp_path)


def test_an_unwritable_folder(tmp_path: Path) -> None:
    plan(tmp_path)
    (tmp_path / "file").write_text("")
    assert (
        "cannot be used" in run("tournament", "cup.toml", "--folder", "file/x", cwd=tmp_path).stderr
    )


# ---- maic

AI = """
from morabaraba.morabaraba_player import MorabarabaPlayer
from morabaraba.morabaraba_rules import MorabarabaRules


class AI(MorabarabaPlayer):
    name = "Alpha"

    def __init__(self, color):
        super().__init__(color)
        self.position = color.value

    def play(self, state, remain_time):
        return MorabarabaRules.random_play(state, self.position)
"""


def test_the_contests_command_line(tmp_path: Path) -> None:
    (tmp_path / "one.py").write_text(AI)
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "one.py").write_text(AI)
    arguments = ["-ai0", "one", "-ai1", "other/one.py", "-t", "5", "-s", "0", "--save", "game.txt"]
    text = ok("maic", *arguments, cwd=tmp_path)
    assert "Action performed successfully by -1" in text
    assert "-1 Dark: Alpha (one)" in text
    assert " 1 Light: Alpha (one (2))" in text
    assert "Alpha (one) wins." in text or "Alpha (one (2)) wins." in text or "No winners." in text
    (record,) = mbegu.open_records(tmp_path / "game.txt")
    record.check()
    assert record.players == ("one", "one (2)")
    assert "give both AIs" in refused("maic", "-ai0", "one.py", cwd=tmp_path)
    assert "morabaraba only" in refused("match", "oware", "one.py", "random", cwd=tmp_path)
    (tmp_path / "bad.trace").write_bytes(b"cos\nsystem\n(S'id'\ntR.")
    assert "bad.trace" in refused("maic", "convert", "bad.trace", cwd=tmp_path)


def test_the_contests_command_line_says_what_went_wrong(tmp_path: Path) -> None:
    (tmp_path / "good.py").write_text(AI)
    crash = AI.replace(
        "return", "print(chr(27) + '[2J', file=__import__('sys').stderr)\n        return 1 //"
    )
    (tmp_path / "bad.py").write_text(crash.replace("Alpha", "\\x1b[31mRed"))
    text = ok("maic", "-ai0", "bad", "-ai1", "good", cwd=tmp_path)
    assert "-1 Dark: ?[31mRed (bad)" in text
    assert "crash" in text
    assert "TypeError" in text
    assert ", in play" in text
    assert "\x1b[2J" not in text
    assert "Alpha (good) wins." in text
    wild = AI.replace("self.position)\n", "self.position) if state.mill else self.wild()\n")
    wild += """
    def wild(self):
        from morabaraba.morabaraba_action import MorabarabaAction, MorabarabaActionType

        return MorabarabaAction(MorabarabaActionType.ADD, to=(3, 3))
"""
    (tmp_path / "wild.py").write_text(wild)
    lines = ok("maic", "-ai0", "random", "-ai1", "wild.py", cwd=tmp_path).splitlines()
    note = next(n for n, line in enumerate(lines) if line.startswith("2. wild: illegal"))
    assert lines[note + 1].startswith("Action performed successfully by 1 ")  # told when it happens

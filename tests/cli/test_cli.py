"""The command as a user calls it: a process, its output, its exit code."""

import io
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import mbegu
from mbegu.cli import main
from mbegu.terminal.screen import paragraphs, reflowed, wrapped


def run(*arguments: str, stdin: str = "", **env: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "mbegu", *arguments],
        input=stdin,
        capture_output=True,
        text=True,
        timeout=60,
        env={**os.environ, "MBEGU_LANG": "en", **env},
    )


def ok(*arguments: str, stdin: str = "", **env: str) -> str:
    done = run(*arguments, stdin=stdin, **env)
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    return done.stdout


def refused(*arguments: str, stdin: str = "") -> str:
    done = run(*arguments, stdin=stdin)
    assert done.returncode == 2, (done.stdout, done.stderr)
    assert "Traceback" not in done.stderr
    assert done.stderr.count("\n") == 1, "one clear line"
    return done.stderr


def test_version_and_help() -> None:
    assert ok("--version") == f"mbegu {mbegu.__version__}\n"
    text = ok("--help")
    for command in ("play", "games", "rules", "show", "replay", "perft", "completion"):
        assert f"  {command} " in text
        assert "--help" in ok(command, "--help")


@pytest.mark.parametrize("group", [[], ["admin"]])
def test_a_group_by_itself_shows_what_it_can_do(group: list[str]) -> None:
    done = run(*group)
    assert (done.returncode, done.stderr) == (2, "")
    assert done.stdout.splitlines()[0].startswith(" ".join(["Usage: mbegu", *group]))
    assert "\nCommands:\n" in done.stdout


def test_memory_that_is_gone_is_told_in_a_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fail(*_anything: object, **_more: object) -> None:
        raise MemoryError

    monkeypatch.setattr("mbegu.cli._run", fail)
    assert main(["games"]) == 2
    assert capsys.readouterr().err == "mbegu: there is too little memory for this\n"


def test_what_a_strangers_code_raises_where_nobody_guards_it_is_told_in_a_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def broken(_arguments: object) -> object:
        raise KeyError("lost")

    monkeypatch.setattr("mbegu.cli._run", broken)
    monkeypatch.setattr(
        "mbegu.core.registry.at_fault", lambda error: f"nim cannot be used: {error}"
    )
    assert main(["games"]) == 2
    assert capsys.readouterr().err == "mbegu: nim cannot be used: 'lost'\n"
    monkeypatch.setattr("mbegu.core.registry.at_fault", lambda _error: None)
    with pytest.raises(KeyError):  # our own mistake
        main(["games"])


def test_help_imports_nothing_heavy() -> None:
    code = (
        "import sys; from mbegu.cli import main; main(['--help']);"
        "print(sorted({'numba', 'numpy', 'starlette', 'textual', 'sqlalchemy'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "[]"


def test_games_and_rules() -> None:
    text = ok("games")
    for name in mbegu.game_names():
        assert f"{name}" in text
        game = mbegu.game(name)
        rules = ok("rules", name)
        assert game.rulebook in rules
        assert " ".join(game.people.split()) in " ".join(rules.split())
    assert "grand_slam=forfeit" in text


def test_perft() -> None:
    assert ok("perft", "oware", "4", "--readable") == "1,014\n"
    report = json.loads(ok("perft", "kalah", "3", "--json", "--readable"))
    assert (report["nodes"], report["depth"], report["game"]) == (185, 3, "kalah(pits=6,seeds=4)")
    assert report["moves_made"] == 6 + 35 + 185
    assert report["seconds"] > 0
    position = "0-0-0-0-0-1-0-0-0-0-0-1-20-20-S"
    assert ok("perft", "oware(min_seeds=0)", "1", "--position", position, "--readable") == "1\n"
    divided = ok("perft", "oware", "2", "--divide", "--readable").splitlines()
    assert divided == ["A: 6", "B: 6", "C: 6", "D: 6", "E: 6", "F: 6", "36"]
    assert ok("perft", "oware", "0", "--readable") == "1\n"


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["nonsense"], "nonsense"),
        (["play", "chess"], "no game is called “chess”"),
        (["play", "kalah(pits=99)"], "pits: “99” is not one of 1..10"),
        (["play", "oware", "--position", "4-4"], "is not an Oware position"),
        (["play", "oware", "--vs", "god"], "'god' is not one of"),
        (["play", "oware", "--time", "soon"], "is not a time control"),
        (["play", "oware", "--setup0", "random"], "has no set-ups"),
        (["play", "urubugu", "--setup0", "2," * 15 + "1"], "exactly 32 beads, not 31"),
        (["play", "urubugu", "--setup1", ",".join("2" * 17)], "16 cells, not 17"),
        (["play", "urubugu", "--setup0", "-2," * 15 + "2"], "“-2” is not a number of beads"),
        (["play", "urubugu", "--setup0", "a," * 15 + "2"], "“a” is not a number of beads"),
        (["play", "oware", "--load", "/nowhere"], "/nowhere"),
        (["perft", "oware", "-1"], "-1"),
        (["perft", "oware", "deep"], "deep"),
        (["perft", "oware"], "DEPTH"),
        (["show", "/nowhere"], "/nowhere"),
        (["replay", "/nowhere"], "/nowhere"),
        (["show", "/"], "/"),
        (["rules"], "GAME"),
        (["completion", "tcsh"], "tcsh"),
    ],
)
def test_bad_usage_is_one_line_and_exit_code_2(arguments: list[str], words: str) -> None:
    assert words in refused(*arguments)


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"\x00\x01\x02binary", "game.txt"),
        (b"\xff\xfe", "game.txt"),
        (b'[Game "oware"]\n[Rules "oware-abapa@1"]\n[Result "*"]\n\n1. A', "game.txt:"),
        (b'[Game "oware"]\n[Rules "oware-abapa@1"]\n[Result "*"]\n\n1. Z *', "game.txt:5:4: "),
    ],
)
def test_bad_files_are_named_with_the_place(tmp_path: Path, content: bytes, words: str) -> None:
    file = tmp_path / "game.txt"
    file.write_bytes(content)
    assert words in refused("show", str(file))
    assert words in refused("replay", str(file))


def test_a_game_through_a_pipe(tmp_path: Path) -> None:
    file = tmp_path / "game.txt"
    text = ok("play", "oware", "--vs", "human", stdin=f"C\nf\nsave {file}\nq\n")
    assert "South sows C (4), last seed in a." in text
    shown = ok("show", str(file))
    assert "1. C f *" in shown
    assert "5-5-1-6-5-5-5-4-4-4-4-0-0-0-S" in shown
    assert "4-4-4-4-4-4-4-4-4-4-4-4-0-0-S" in ok("show", str(file), "--ply", "0")
    assert "no ply 9" in refused("show", str(file), "--ply", "9")
    assert json.loads(ok("show", str(file), "--json"))["game"] == "oware"
    again = ok("replay", str(file))
    assert "2. f: North sows f (4), last seed in D." in again
    loaded = ok("play", "--load", str(file), "--vs", "human", stdin="moves\nq\n")
    assert "  A B C D E F" in loaded
    assert "holds a game of oware" in refused("play", "kalah", "--load", str(file))


def test_the_input_may_end_at_any_time() -> None:
    assert "The input has ended" in ok("play", "oware", "--vs", "greedy", stdin="C\n")
    assert "The input has ended" in ok("play", stdin="")
    assert "The input has ended" in ok("play", "urubugu", "--setup0", "ask", stdin="1,2\n")


def test_the_game_is_asked_for() -> None:
    text = ok("play", "--vs", "human", stdin="chess\n2\nq\n")
    assert "no game is called “chess”" in text
    assert mbegu.game(mbegu.game_names()[1]).start().diagram() in text


def test_setups() -> None:
    beads = "32" + ",0" * 15
    text = ok("play", "urubugu", "--vs", "human", "--setup0", beads, stdin="board\nq\n")
    assert f"  {beads}/{','.join('2' * 16)} 0" in text
    asked = ok(
        "play", "urubugu", "--vs", "human", "--setup1", "ask", stdin=f"31\n{beads}\nboard\nq\n"
    )
    assert "a set-up has 16 cells, not 1" in asked
    assert f"  {','.join('2' * 16)}/{beads} 0" in asked
    one, two = (
        ok(
            "play",
            "urubugu",
            "--vs",
            "human",
            "--setup0",
            "random",
            "--seed",
            seed,
            stdin="board\nq\n",
        )
        for seed in ("1", "2")
    )
    assert one != two


def test_computers_play_each_other_and_a_seed_repeats_it() -> None:
    arguments = ("play", "oware", "--first", "random", "--second", "greedy", "--seed")
    assert ok(*arguments, "5") == ok(*arguments, "5") != ok(*arguments, "6")


def test_levels_play_by_name_or_number() -> None:
    games = [
        run("play", "oware", "--vs", level, "--seed", "4", stdin="C\nboard\nq\n")
        for level in ("2", "level2")
    ]
    for done in games:  # the first time it compiles, and says so on standard error
        assert done.returncode == 0, done.stderr
        assert "South: human, North: level 2" in done.stdout
        assert "North sows" in done.stdout
    assert games[0].stdout == games[1].stdout
    assert games[1].stderr == "", "compiled already"
    assert "'11' is not one of" in refused("play", "oware", "--vs", "11")


@pytest.mark.parametrize(
    ("options", "players"),
    [
        (("--first", "human", "--vs", "greedy"), "South: human, North: greedy"),
        (("--second", "human", "--vs", "greedy"), "South: greedy, North: human"),
        (("--first", "greedy"), "South: greedy, North: human"),
        (("--second", "greedy"), "South: human, North: greedy"),
    ],
)
def test_vs_takes_the_seat_that_is_left(options: tuple[str, ...], players: str) -> None:
    assert players in ok("play", "oware", *options, stdin="q\n")


def test_players_that_cannot_be_seated() -> None:
    both = ("play", "oware", "--first", "human", "--second", "greedy")
    assert "none left for --vs" in refused(*both, "--vs", "random")
    assert "not both" in refused(*both, "--start", "me")
    assert "not both" in refused("play", "oware", "--first", "human", "--start", "lot")


def test_french_numbers_names_and_signs(tmp_path: Path) -> None:
    bad = tmp_path / "bad.py"
    bad.write_text("class Bad:\n    def choose(self, position, clock):\n        return 99\n")
    told = ok("play", "oware", "--vs", "random", stdin="q\n", MBEGU_LANG="fr")
    assert "Sud\u00a0: humain, Nord\u00a0: hasard" in told
    done = run("match", "oware", str(bad), "random", "--games", "2", MBEGU_LANG="fr")
    assert "Partie 1\u00a0: bad\u00a0: coup interdit." in done.stderr
    assert "?" not in done.stderr
    assert re.search(r"bad +0 sur 2 .*\d,\d s", done.stdout)
    assert "trop peu de parties" in done.stdout
    refusal = run("play", "oware", "--position", "x y", MBEGU_LANG="fr").stderr
    assert "«\u00a0x y\u00a0»" in refusal


def test_who_starts() -> None:
    play = ("play", "oware", "--vs", "greedy", "--start")
    assert "North> " in ok(*play, "other", stdin="q\n")
    starts = {"South> " in ok(*play, "lot", "--seed", str(s), stdin="q\n") for s in range(6)}
    assert starts == {True, False}


def test_a_pipe_has_no_colours() -> None:
    assert "\x1b" not in ok("play", "awale2", "--vs", "human", stdin="1R\nq\n")
    assert "\x1b" not in ok("games")


def test_a_reader_may_close_the_pipe() -> None:
    program = subprocess.Popen(
        [sys.executable, "-m", "mbegu", "perft", "oware", "0"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert program.stdout is not None
    assert program.stderr is not None
    program.stdout.close()
    assert program.stderr.read() == b""
    program.stderr.close()
    assert program.wait() == 0


def test_click_speaks_the_language_of_the_moment() -> None:
    told = ok("--lang", "fr", "rules", "--help")
    assert told.startswith("Utilisation\N{NO-BREAK SPACE}: mbegu rules ")
    assert "Montrer ce message et terminer." in told
    assert "Options" in ok("rules", "--help")
    assert "L’option '--lagn' n’existe pas." in refused("--lang", "fr", "rules", "--lagn")
    many = refused("--lang", "fr", "rules", "oware", "kalah", "awale2")
    assert "Des arguments de trop (kalah awale2)" in many


def test_completion_scripts() -> None:
    for shell in ("bash", "zsh", "fish"):
        assert "_MBEGU_COMPLETE" in ok("completion", shell)
    answer = run("", COMP_WORDS="mbegu play ur", COMP_CWORD="2", _MBEGU_COMPLETE="bash_complete")
    assert "urubugu" in answer.stdout


class Screen(io.StringIO):
    """A stream that says it is a terminal."""

    def isatty(self) -> bool:
        return True


def test_prose_fills_the_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    """The rules were written in lines of a hundred; on eighty columns no word is left alone on a line."""
    monkeypatch.setenv("COLUMNS", "31")
    told = (
        "Sow around twelve houses, and\ncapture.\n\nThe end. Who has more:\n- wins\n  by counting"
    )
    assert reflowed(told, Screen()).split("\n") == [
        "Sow around twelve houses, and",
        "capture.",
        "",
        "The end. Who has more:",
        "- wins",
        "  by counting",
    ]
    monkeypatch.setenv("COLUMNS", "25")
    assert reflowed(told, Screen()).split("\n")[:2] == ["Sow around twelve", "houses, and capture."]
    assert reflowed(told, io.StringIO()) == told
    for name in mbegu.game_names():
        rules = paragraphs(mbegu.game(name).rulebook)
        assert rules.count("\n\n") == rules.count("\n") / 2, "a paragraph is one line"


@pytest.mark.parametrize("encoding", ["latin-1", "cp1252", "cp850", "ascii"])
def test_a_pipe_that_is_not_utf_8(encoding: str) -> None:
    """As on Windows: what its encoding lacks is told by the nearest sign, and never by a traceback."""
    settings = {"PYTHONUTF8": "0", "PYTHONIOENCODING": encoding}
    command = [sys.executable, "-m", "mbegu", "--lang", "rn", "rules", "urubugu"]
    done = subprocess.run(command, capture_output=True, env={**os.environ, **settings}, timeout=60)
    assert done.returncode == 0, done.stderr
    assert b"Urubugu" in done.stdout
    wrong = [*command[:3], "rules", "nœud…"]
    done = subprocess.run(wrong, capture_output=True, env={**os.environ, **settings}, timeout=60)
    assert (done.returncode, done.stdout) == (2, b"")
    assert b"Traceback" not in done.stderr


@pytest.mark.skipif(os.name == "nt", reason="a shell of Unix")
def test_streams_that_are_closed() -> None:
    command = f"{sys.executable} -m mbegu games >&-; echo $?; {sys.executable} -m mbegu rules x 2>&-; echo $?"
    done = subprocess.run(["sh", "-c", command], capture_output=True, text=True, timeout=60)
    assert (done.stdout, done.stderr) == ("0\n2\n", "")


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="this system has no /dev/full")
@pytest.mark.parametrize("arguments", [["games"], ["games", "--json"], ["--help"]])
def test_a_disk_that_is_full_is_said_in_a_line(arguments: list[str]) -> None:
    with open("/dev/full", "w") as full:
        done = subprocess.run(
            [sys.executable, "-m", "mbegu", *arguments],
            stdout=full, stderr=subprocess.PIPE, text=True, timeout=60,
        )  # fmt: skip
    assert done.returncode == 2
    assert done.stderr == "mbegu: output cannot be written: No space left on device\n"


def test_lines_end_between_words_with_colours_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "31")
    told = "    \x1b[1moware\x1b[0m: sow around twelve houses, capture twos"
    assert wrapped(told, Screen()).split("\n") == [
        "    \x1b[1moware\x1b[0m: sow around twelve",
        "      houses, capture twos",
    ]
    board = "\x1b[91m[ 4]\x1b[0m \x1b[94m[ 4]\x1b[0m \x1b[91m[ 4]\x1b[0m"
    assert wrapped(board, Screen()) == board
    assert wrapped(told, io.StringIO()) == told


def test_a_language_that_nobody_speaks_is_told_and_english_goes_on() -> None:
    told = run("games", MBEGU_LANG="xx")
    assert told.returncode == 0
    assert "MBEGU_LANG=“xx”: Mbegu does not speak that; there are: en, fr, rn, sw" in told.stderr
    assert "twelve houses" in told.stdout
    assert not run("games", MBEGU_LANG="fr_BI.UTF-8").stderr


def test_lists_and_checks_as_json(tmp_path: Path) -> None:
    assert json.loads(ok("tables", "list", "--out", str(tmp_path), "--json")) == []
    told = json.loads(ok("game", "check", "kalah", "--games", "1", "--json"))
    assert told["ready"] is True
    assert all(part["trouble"] == "" for part in told["parts"])

"""Programs of other people, in Java and elsewhere: nobody needs to know what they need."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import mbegu
from mbegu.arena.java import class_path, heap_words, is_java
from mbegu.arena.referee import Conditions, Played, play_game
from mbegu.arena.roster import find_bot
from mbegu.arena.runner import BotProcess
from mbegu.core.errors import MbeguError
from mbegu.core.i18n import speaking

pytestmark = pytest.mark.usefixtures("cage")
SOURCE = Path(__file__).parent / "java" / "Sower.java"
MIB = 1 << 20


def play(path: str, game: str, control: str, start_seconds: float | None = None) -> Played:
    """One game of a caged program against our own random bot."""
    conditions = Conditions(control)
    with (
        BotProcess(find_bot(path), start_seconds=start_seconds) as program,
        BotProcess(find_bot("random")) as random,
    ):
        return play_game(mbegu.game(game), (program, random), conditions, seed=3)


def test_flags_that_a_command_may_overrule() -> None:
    assert heap_words(["-jar", "a.jar"], 4096 * MIB)[0] == "-Xmx2048m"
    assert "-XX:+UseSerialGC" in heap_words(["-jar", "a.jar"], 4096 * MIB)
    assert "-XX:+UseSerialGC" not in heap_words(["-XX:+UseZGC", "-jar", "a.jar"], 4096 * MIB)


def test_a_class_path_is_seen_from_the_folder_of_the_bot(tmp_path: Path) -> None:
    words, places = class_path(["-cp", "a.jar:lib/*", "Main", "-cp"], str(tmp_path))
    assert words == ["-cp", f"{tmp_path}/a.jar:{tmp_path}/lib/*", "Main", "-cp"]
    assert places == [f"{tmp_path}/a.jar", f"{tmp_path}/lib"]


def test_java_is_known_by_its_own_name(tmp_path: Path) -> None:
    (tmp_path / "java").touch()
    (tmp_path / "engine").symlink_to(tmp_path / "java")
    assert is_java(str(tmp_path / "engine"))
    assert not is_java(sys.executable)


@pytest.mark.skipif(not shutil.which("javac"), reason="there is no Java compiler here")
def test_a_java_engine_plays_caged_and_in_time(tmp_path: Path) -> None:
    """It is 30 ms late each time, and starts slowly: both are found out before the clock runs."""
    subprocess.run(["javac", "-d", str(tmp_path / "classes"), str(SOURCE)], check=True)
    bot = tmp_path / "sower.toml"
    bot.write_text('command = ["java", "-cp", "classes", "Sower"]\nprotocol = "uci"\n')
    played = play(str(bot), "kalah", "0.15/move")
    assert played.verdict.word in ("win", "draw"), played.verdict


LATE = """
import sys, time
print("banner", flush=True)
for line in sys.stdin:
    words = line.split()
    sys.stderr.write(line)
    if words[0] == "isready":
        print("readyok", flush=True)
    elif words[0] == "ugi":
        print("ugiok", flush=True)
    elif words[0] == "go":
        time.sleep(float(words[2]) / 1000 + 0.2)
        print("bestmove Z", flush=True)
"""


def program(folder: Path, text: str) -> str:
    (folder / "engine.py").write_text(text)
    (folder / "engine.toml").write_text(f'command = ["{sys.executable}", "engine.py"]')
    return str(folder / "engine.toml")


def test_how_late_a_program_answers_is_known_before_its_first_move(tmp_path: Path) -> None:
    said = play(program(tmp_path, LATE), "oware", "1/move").verdict.stderr
    asked = [int(line.split()[2]) for line in said.splitlines() if line.startswith("go")]
    assert asked[:2] == [100, 100]  # two rehearsals, and then a new game
    assert said.index("go") < said.rindex("uginewgame")
    assert 500 <= asked[2] < 710  # more than 0.2 s are kept back of this second


def test_what_a_program_says_instead_of_being_ready(tmp_path: Path) -> None:
    text = "import time\nprint('Where is my book?', flush=True)\ntime.sleep(60)\n"
    verdict = play(program(tmp_path, text), "oware", "1/move", start_seconds=3).verdict
    assert verdict.word == "timeout"
    assert verdict.detail == "it was not ready after 3 seconds; it said:\n  Where is my book?"


BOOKISH = """
import sys
for name in sys.argv[1:]:
    open(name.rpartition("=")[2]).close()
for line in sys.stdin:
    print({"ugi": "ugiok", "isready": "readyok"}.get(line.strip(), ""), flush=True)
"""


@pytest.mark.parametrize(
    ("words", "read"),
    [(["-Dbook=book.txt"], ""), (["map.bin"], ""), (["sub/x", "book.txt"], 'read = ["."]')],
    ids=["a setting", "in the folder of its name", "all that lies beside"],
)
@pytest.mark.parametrize("caged", [True, False])
def test_a_program_opens_its_files_by_their_names(
    tmp_path: Path, words: list[str], read: str, caged: bool
) -> None:
    """It runs in a folder of its own, and was written to run where its files lie."""
    (tmp_path / "engine").mkdir()
    (tmp_path / "sub").mkdir()
    for name in ("book.txt", "engine/map.bin", "sub/x"):
        (tmp_path / name).touch()
    (tmp_path / "engine.py").write_text(BOOKISH)
    command = [sys.executable, "engine.py", *words]
    (tmp_path / "engine.toml").write_text(f"command = {command}\n{read}\n")
    with BotProcess(find_bot(str(tmp_path / "engine.toml")), trust=not caged) as started:
        assert started.name == "engine"


def test_what_ended_a_program_is_told_without_our_own_lines(tmp_path: Path) -> None:
    verdict = play(
        program(tmp_path, "print('no book'); raise SystemExit(3)"), "oware", "1/move"
    ).verdict
    assert verdict.word == "crash"
    assert "the program ended with code 3; it said:\n  no book" in verdict.detail
    assert "Traceback" not in verdict.detail


def test_both_ends_of_a_long_story(tmp_path: Path) -> None:
    text = "import sys\nprint('the cause', file=sys.stderr)\n" + (
        "for line in range(9999): print('at', line, file=sys.stderr)\nsys.exit(1)\n"
    )
    verdict = play(program(tmp_path, text), "oware", "1/move").verdict
    assert verdict.stderr.startswith("the cause\n")
    assert verdict.stderr.endswith("at 9998")


def test_words_that_are_files_and_words_that_are_not(tmp_path: Path) -> None:
    for name in ("engine", "book.txt"):
        (tmp_path / name).touch()
    bot = tmp_path / "ours.toml"
    bot.write_text(f'command = ["{sys.executable}", "engine", "book.txt", "--book", "none.txt"]')
    spec = find_bot(str(bot))
    assert spec.command[1:] == ("engine", str(tmp_path / "book.txt"), "--book", "none.txt")
    assert str(tmp_path / "engine") in spec.read


BROKEN = """
import sys
for line in sys.stdin:
    word = line.split()[0]
    if word == "go":
        ANSWER
    print({"ugi": "id name Sower\\nugiok", "isready": "readyok"}.get(word, ""), flush=True)
"""


def test_what_a_program_said_without_what_all_of_them_say(tmp_path: Path) -> None:
    """And in the language of whoever looks at it."""
    answer = "print('out of seeds'); raise SystemExit(5)"
    with speaking("fr"):
        detail = play(
            program(tmp_path, BROKEN.replace("ANSWER", answer)), "oware", "5+0"
        ).verdict.detail
    assert (
        detail
        == "le programme s’est terminé avec le code 5\N{NO-BREAK SPACE}; il a dit\N{NO-BREAK SPACE}:\n  out of seeds"
    )


def test_a_program_is_told_a_move_in_its_own_words(tmp_path: Path) -> None:
    path = program(tmp_path, BROKEN.replace("ANSWER", "print('bestmove Z')"))
    assert "a legal one was A" in play(path, "oware", "5+0").verdict.detail


def test_a_program_that_waits_for_the_other_protocol(tmp_path: Path) -> None:
    path = program(tmp_path, "import sys\nfor line in sys.stdin: pass\n")
    detail = play(path, "oware", "5+0", start_seconds=3).verdict.detail
    assert 'protocol = "uci"' in detail


def test_a_command_that_is_no_list_is_told_as_it_should_be(tmp_path: Path) -> None:
    (tmp_path / "engine.toml").write_text('command = "java -jar oware.jar"')
    with pytest.raises(MbeguError, match=r'like command = \["mbegu"'):
        find_bot(str(tmp_path / "engine.toml"))

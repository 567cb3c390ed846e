"""One name for one option, older ones that go on, guesses, completion, and JSON on request."""

import errno
import json
import os
import pty
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import click
import pytest

from mbegu.cli import main, mbegu
from mbegu.cli.click_words import teach_click
from mbegu.cli.parameters import BOT
from mbegu.core.errors import system_words
from mbegu.core.i18n import current_language, set_language, speaking
from mbegu.terminal.screen import _fold

ONE_NAME = {
    ("backup",): ("--overwrite", "--force"),
    ("restore",): ("--overwrite", "--force"),
    ("tournament",): ("--overwrite", "--restart"),
    ("lab", "run"): ("--overwrite", "--restart"),
    ("match",): ("--out", "--save"),
    ("annotate",): ("--out", "--output"),
    ("maic", "convert"): ("--out", "-o"),
}


def command_of(path: tuple[str, ...]) -> click.Command:
    found: click.Command = mbegu
    for name in path:
        assert isinstance(found, click.Group)
        inner = found.get_command(click.Context(found), name)
        assert inner is not None
        found = inner
    return found


@pytest.mark.parametrize("path", ONE_NAME, ids=" ".join)
def test_people_see_one_name_and_older_ones_go_on(path: tuple[str, ...]) -> None:
    shown, older = ONE_NAME[path]
    command = command_of(path)
    names = [name for option in command.params for name in option.opts]
    assert shown in names
    assert older in names
    text = command.get_help(click.Context(command))
    assert shown in text
    assert f" {older} " not in text
    assert f"{older}," not in text


Refused = Callable[..., str]


@pytest.fixture
def refused(capsys: pytest.CaptureFixture[str]) -> Refused:
    def run(*arguments: str) -> str:
        assert main(arguments) == 2
        return capsys.readouterr().err

    return run


def test_what_was_meant(refused: Refused) -> None:
    assert "did you mean play?" in refused("plya")
    assert "did you mean oware?" in refused("rules", "owar")
    assert "did you mean igisoro?" in refused("rules", "igisorro")
    assert "did you mean greedy?" in refused("play", "oware", "--vs", "gredy")
    assert "did you mean greedy?" in refused("match", "oware", "gredy", "random")
    assert "did you mean" not in refused("rules", "chess")


def test_a_file_that_exists_is_told_with_the_way_to_overwrite_it(
    refused: Refused, tmp_path: Path
) -> None:
    file = tmp_path / "my_bot.py"
    file.touch()
    assert "--overwrite" in refused("bot", "new", "oware", str(file))


def test_bots_are_completed() -> None:
    command = command_of(("match",))
    context = click.Context(command)
    argument = next(each for each in command.params if each.name == "a")
    found = [item.value for item in BOT.shell_complete(context, argument, "gr")]
    assert found == ["greedy"]
    assert [item.type for item in BOT.shell_complete(context, argument, "./my")] == ["file"]


@pytest.mark.parametrize(
    ("arguments", "key"),
    [
        (("games",), "name"),
        (("rules", "urubugu"), "strategy"),
        (("bot", "list"), "kind"),
        (("match", "oware", "random", "greedy", "--games", "2", "--seed", "1"), "losses"),
        (("book", "show", "oware"), "line"),
    ],
)
def test_json_on_request(
    arguments: tuple[str, ...], key: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([*arguments, "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert key in (told[0] if isinstance(told, list) else told)


def test_the_table_of_a_tournament_as_json(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "cup.toml"
    file.write_text(
        'game = "oware"\nmovetime = 0.2\nseed = 1\nformat = "round-robin"\n[[bot]]\nbot = "random"\n[[bot]]\nbot = "greedy"\n'
    )
    assert main(["tournament", str(file), "--folder", str(tmp_path / "cup"), "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert [row["bot"] for row in told["table"]] == ["greedy", "random"]
    assert sum(row["games"] for row in told["table"]) == 2 * sum(
        row["wins"] + row["draws"] / 2 for row in told["table"]
    )
    assert told["table"][0]["elo"] is None, "too few games"
    assert Path(told["folder"], "report.html").exists()


def test_no_folder_is_made_by_a_mistyped_path(refused: Refused, tmp_path: Path) -> None:
    wrong = tmp_path / "not" / "there"
    assert "there is no folder" in refused(
        "serve", "--no-browser", "--port", "0", "--database", str(wrong / "x.sqlite3")
    )
    database = tmp_path / "x.sqlite3"
    database.touch()
    assert "there is no folder" in refused(
        "backup", str(wrong / "copy"), "--database", str(database)
    )
    assert not wrong.parent.exists()


def test_a_bot_that_is_not_there_plays_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bot", "check", "nosuch.py"]) == 1
    said = capsys.readouterr().out
    assert "nosuch.py plays" not in said
    assert "No such file" in said


def test_long_lines_end_between_words() -> None:
    line = "  Try 5. " + "South sows 5 (2), laps: 19, last bead in South's 7. " * 3
    folded = _fold(line.rstrip(), 79)
    assert all(len(part) <= 79 for part in folded.split("\n"))
    assert " ".join(folded.split()) == " ".join(line.split())


def test_a_long_match_has_a_bar_on_a_terminal() -> None:
    leader, follower = pty.openpty()
    done = subprocess.run(
        [
            sys.executable,
            "-m",
            "mbegu",
            "match",
            "kalah(pits=2,seeds=1)",
            "random",
            "random",
            "--games",
            "20",
            "--seed",
            "1",
        ],
        stdout=subprocess.PIPE,
        stderr=follower,
        timeout=60,
        env={**os.environ, "MBEGU_LANG": "en"},
    )
    os.close(follower)
    assert done.returncode == 0
    assert b"[####################]" in os.read(leader, 1 << 16)
    os.close(leader)


def every_command(found: click.Command = mbegu) -> Iterator[tuple[click.Context, click.Command]]:
    def walk(
        command: click.Command, name: str, above: click.Context | None
    ) -> Iterator[tuple[click.Context, click.Command]]:
        context = click.Context(command, above, info_name=name, terminal_width=80)
        yield context, command
        if isinstance(command, click.Group):
            for each in command.list_commands(context):
                inner = command.get_command(context, each)
                assert inner is not None
                yield from walk(inner, each, context)

    teach_click()
    yield from walk(found, "mbegu", None)


def test_the_help_of_every_command_is_whole() -> None:
    """Each option says what it does, each file has a name that no language changes, no sentence is cut off."""
    for context, command in every_command():
        text = command.get_help(context)
        assert "..." not in text.replace("]...", "").replace("|...|", ""), context.command_path
        for option in command.params:
            if isinstance(option, click.Option):
                place = f"{context.command_path} {option.opts}"
                assert option.help, place
                assert option.is_flag or "RANGE" not in option.make_metavar(context), place
                assert option.metavar or not isinstance(option.type, click.Path), place


@pytest.fixture
def _same_language_afterwards() -> Iterator[None]:
    before = current_language()
    yield
    set_language(before)


@pytest.mark.usefixtures("_same_language_afterwards")
@pytest.mark.parametrize(
    "words",
    [
        ("--lang", "fr", "perft", "oware", "1", "--readable"),
        ("perft", "oware", "1", "--lang=fr", "--readable"),
        ("perft", "oware", "nix", "--lang", "fr"),
    ],
    ids=" ".join,
)
def test_the_language_may_be_said_anywhere(
    words: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    command_of(("perft",))  # its own words are those of the language in which it is imported
    code = main(words)
    assert current_language() == "fr"
    assert code == (2 if "nix" in words else 0)
    assert "--lang" not in capsys.readouterr().err


def test_what_the_system_says_is_translated() -> None:
    missing = FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), "a.txt")
    assert system_words(missing) == "No such file or directory"
    with speaking("fr"):
        assert system_words(missing) == "ce fichier ou ce dossier n’existe pas"
        assert system_words(ValueError("whatever")) == "whatever"

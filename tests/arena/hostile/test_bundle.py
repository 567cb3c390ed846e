"""What belongs to a bot: single files, modules, folders, archives; and what never does."""

import ast
import io
import os
import stat
import struct
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import mbegu
from mbegu.arena.bundle import (
    MOST_BYTES,
    MOST_LISTED,
    MOST_SOURCE,
    contents,
    lay_out,
    read_archive,
)
from mbegu.arena.plan import read_plan
from mbegu.arena.referee import Conditions, play_game
from mbegu.arena.roster import find_bot
from mbegu.arena.runner import BotProcess
from mbegu.core.errors import MbeguError

BOT = (
    "class Bot:\n    def choose(self, position, clock):\n        return position.legal_moves()[0]\n"
)


@pytest.fixture
def crowd(tmp_path: Path) -> Path:
    """A folder with bots of several people, and what else lies around."""
    files = {
        "amina.py": "import helper\nfrom tools import count\nimport bahati\nimport cleo.deep\n"
        + BOT,
        "helper.py": "from deeper import X\n",
        "deeper.py": "X = 1\n",
        "tools/__init__.py": "count = len\n",
        "tools/table.csv": "1,2\n",
        "amina/book.txt": "e4\n",
        "amina/.secret": "no",
        "bahati.py": BOT,
        "bahati_notes.py": "plan = 'A'\n",
        "cleo/__init__.py": "",
        "cleo/deep.py": BOT,
        ".ssh/id_rsa": "key",
        "id_rsa": "key",
    }
    lay_out({name: text.encode() for name, text in files.items()}, str(tmp_path))
    (tmp_path / "amina" / "link.txt").symlink_to(tmp_path / "id_rsa")
    return tmp_path


def test_a_file_and_what_it_needs(crowd: Path) -> None:
    found = find_bot(str(crowd / "amina.py")).contents()
    wanted = "amina.py amina/book.txt deeper.py helper.py tools/__init__.py tools/table.csv"
    assert sorted(found) == wanted.split()


def test_what_matches_a_pattern_belongs_to_nobody_else(crowd: Path) -> None:
    """In a class everybody's files lie together: a helper of one is not one of the other."""
    bots = '[[bot]]\nbot = "*.py"\n[[bot]]\nbot = "bahati.py"\nname = "B"\nfiles = ["tools"]\n'
    (crowd / "plan.toml").write_text(f'game = "oware"\n{bots}')
    specs = {spec.name: spec for spec in read_plan(str(crowd / "plan.toml")).bots}
    files = {name: sorted(spec.contents()) for name, spec in specs.items()}
    assert files["amina"] == ["amina.py", "amina/book.txt", "tools/__init__.py", "tools/table.csv"]
    assert files["B"] == ["bahati.py", "tools/__init__.py", "tools/table.csv"]


def packed(files: Mapping[str, str | bytes], mode: int = 0) -> bytes:
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            entry = zipfile.ZipInfo(name)
            entry.external_attr = mode << 16
            archive.writestr(entry, data)
    return target.getvalue()


FORMS = {
    "one file": {"mine.py": BOT},
    "in a folder": {"mine/mine.py": BOT, "mine/helper.py": "x = 1\n"},
    "several bots": {"bot.py": "import other\n" + BOT, "other.py": BOT},
    "with rubbish": {"__MACOSX/mine.py": "\0", "mine.py": BOT, ".DS_Store": "\0"},
}


@pytest.mark.usefixtures("cage")
@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("trust", [False, True])
def test_an_archive_plays(form: str, trust: bool, tmp_path: Path) -> None:
    path = tmp_path / "mine.zip"
    path.write_bytes(packed(FORMS[form]))
    spec = find_bot(str(path))
    assert (spec.name, spec.kind) == ("mine", "class")
    with BotProcess(spec, trust=trust) as one, BotProcess(find_bot("random")) as other:
        played = play_game(mbegu.game("oware"), (one, other), Conditions("9/move"))
    assert played.verdict.player is None, played.verdict
    assert sorted(tmp_path.iterdir()) == [path]


@pytest.mark.usefixtures("cage")
def test_a_folder_plays(tmp_path: Path) -> None:
    text = (
        "import os, helper\nassert open(os.path.join(os.path.dirname(__file__), 'a', 'b')).read()\n"
    )
    files = {"bot.py": text + BOT, "helper.py": "", "a/b": "data"}
    lay_out({name: text.encode() for name, text in files.items()}, str(tmp_path / "amina"))
    with BotProcess(find_bot(f"{tmp_path}/amina")) as one, BotProcess(find_bot("random")) as other:
        played = play_game(mbegu.game("oware"), (one, other), Conditions("9/move"))
    assert played.verdict.player is None, played.verdict


BAD = {
    "up": (packed({"../bot.py": BOT}), "bot.py” is not a file"),
    "deep up": (packed({"a/../../bot.py": BOT}), "not a file that may be unpacked"),
    "absolute": (packed({"/tmp/bot.py": BOT}), "not a file that may be unpacked"),
    "windows": (packed({"C:\\bot.py": BOT}), "not a file that may be unpacked"),
    "a link": (packed({"bot.py": "/etc/passwd"}, stat.S_IFLNK | 0o777), "not a file"),
    "a bomb": (packed({"bot.py": BOT, "x": bytes(MOST_BYTES + 1)}), "at most 1000 files and 64 MB"),
    "many": (packed({f"{n}.py": "" for n in range(1001)}), "at most 1000 files"),
    "empty": (packed({}), "expected one file that is a bot, found: none"),
    "a file as a folder": (packed({"bot.py": BOT, "a": "x", "a/b": "y"}), "“a” is not a file"),
    "a long name": (packed({"bot.py": BOT, "a" * 300: "x"}), "not a file that may be unpacked"),
    "a name in two lines": (packed({"bot.py": BOT, "a\nb": "x"}), "not a file that may be"),
    "much Python": (
        packed({"bot.py": BOT, "x.py": b"a\n" * MOST_SOURCE}),
        "at most 1 MB of Python",
    ),
    "no bot": (packed({"a.py": "x = 1"}), "expected one file that is a bot, found: none"),
    "two": (packed({"a.py": BOT, "b.py": BOT}), "found: “a.py”, “b.py”; call it bot.py"),
    "not a zip": (b"PK, but no", "cannot be read"),
    "cut": (packed({"bot.py": BOT})[:-30], "cannot be read"),
}


@pytest.mark.parametrize("name", BAD)
def test_a_bad_archive_is_refused_in_one_line(name: str, tmp_path: Path) -> None:
    data, says = BAD[name]
    (tmp_path / "bad.zip").write_bytes(data)
    with pytest.raises(MbeguError, match=says) as caught:
        find_bot(str(tmp_path / "bad.zip"))
    assert "\n" not in str(caught.value)
    assert [file.name for file in tmp_path.iterdir()] == ["bad.zip"]


def test_a_list_without_end_is_not_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is in an archive is told in a list, which takes a hundred times its room when it is read."""
    entry = struct.pack("<4s4B4H3L5H2L", b"PK\1\2", 20, 3, 20, *[0] * 8, 1, *[0] * 6) + b"a"
    many = MOST_LISTED // len(entry) + 1
    end = struct.pack("<4s4H2LH", b"PK\5\6", 0, 0, 9, 9, many * len(entry), 0, 0)
    (tmp_path / "bad.zip").write_bytes(entry * many + end)
    read = list[str]()
    monkeypatch.setattr(zipfile, "ZipInfo", read.append)
    with pytest.raises(MbeguError, match="at most 1000 files"):
        read_archive(str(tmp_path / "bad.zip"))
    assert not read


@settings(max_examples=200)
@given(st.binary(max_size=300), st.text(max_size=40), st.integers(0, 400), st.integers(0, 255))
def test_no_archive_leads_out_of_its_folder(
    tmp_path_factory: pytest.TempPathFactory, data: bytes, name: str, at: int, byte: int
) -> None:
    """Any name, any byte changed: it is refused, or what comes out lies inside."""
    folder = tmp_path_factory.mktemp("zip")
    try:
        text = bytearray(packed({name or "x": data}))
    except (ValueError, UnicodeEncodeError):
        return
    text[at % len(text)] = byte
    (folder / "x.zip").write_bytes(text)
    try:
        found = read_archive(str(folder / "x.zip"))
    except MbeguError:
        return
    for inside in found:
        assert os.path.normpath(inside) == inside
        assert not inside.startswith(("/", ".."))


def test_a_file_that_is_too_large(tmp_path: Path) -> None:
    (tmp_path / "bot.py").write_text(BOT)
    (tmp_path / "bot").mkdir()
    with (tmp_path / "bot" / "weights").open("wb") as file:
        file.truncate(MOST_BYTES + 1)
    with pytest.raises(MbeguError, match="64 MB"):
        contents(str(tmp_path / "bot.py"))


MUCH = b"a\n" * (MOST_SOURCE // 2 + 1)


@pytest.mark.parametrize("beside", ["bot.py", "helper.py", "helper/__init__.py", "bot/more.py"])
def test_what_the_host_reads_as_python_has_an_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, beside: str
) -> None:
    """The tree of 64 MB of statements took 30 GB, outside of the cage."""
    read = list[int]()
    original = ast.parse

    def parse(source: bytes, *more: Any, **named: Any) -> Any:
        read.append(len(source))
        return original(source[:1000], *more, **named)

    monkeypatch.setattr(ast, "parse", parse)
    lay_out({"bot.py": b"import helper\n" + BOT.encode(), beside: MUCH}, str(tmp_path))
    with pytest.raises(MbeguError, match="at most 1 MB of Python"):
        find_bot(f"{tmp_path}/bot.py").contents()
    assert max(read, default=0) <= MOST_SOURCE


@pytest.mark.parametrize("name", ["random.py", "numpy.py", "json/__init__.py", "mbegu.py"])
def test_nobody_plays_for_a_class_by_a_module_that_all_import(tmp_path: Path, name: str) -> None:
    text = "import helper, random, json, numpy, mbegu\n" + BOT
    files = {"amina.py": text, "helper.py": "import random\n", name: "raise SystemExit\n"}
    lay_out({name: text.encode() for name, text in files.items()}, str(tmp_path))
    assert set(find_bot(f"{tmp_path}/amina.py").contents()) == {"amina.py", "helper.py"}


def test_one_that_has_too_much_does_not_stop_a_tournament(tmp_path: Path) -> None:
    files = {
        "amina.py": BOT.encode(),
        "bahati.py": BOT.encode(),
        "cleo.py": b"import notes\n" + BOT.encode(),
        "notes.py": MUCH,
        "plan.toml": b'game = "oware"\n[[bot]]\nbot = "amina.py"\n[[bot]]\nbot = "bahati.py"\n'
        b'[[bot]]\nbot = "cleo.py"\n',
    }
    lay_out(files, str(tmp_path))
    plan = read_plan(str(tmp_path / "plan.toml"))
    assert [bot.name for bot in plan.bots] == ["amina", "bahati"]
    assert [(name, "at most 1 MB" in why) for name, why in plan.troubles] == [("cleo.py", True)]
    assert plan.fingerprint()


def test_a_table_is_not_read_as_python(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Rows of numbers are Python, too: those of a table of weights took gigabytes."""
    table, read = b"1,2,3\n" * MOST_SOURCE, list[int]()
    original = ast.parse

    def parse(source: bytes, *more: Any, **named: Any) -> Any:
        read.append(len(source))
        return original(source[:1000], *more, **named)

    monkeypatch.setattr(ast, "parse", parse)
    lay_out({"bot.py": BOT.encode(), "bot/weights.csv": table}, str(tmp_path))
    found = find_bot(f"{tmp_path}/bot.py").contents()
    assert found["bot/weights.csv"] == table
    assert max(read) < 1000


@pytest.mark.parametrize("name", ["bot.py", "bot.zip"])
def test_what_is_no_file_is_not_waited_for(tmp_path: Path, name: str) -> None:
    (tmp_path / name).symlink_to("/dev/null")
    with pytest.raises(MbeguError, match="this is not a file"):
        find_bot(str(tmp_path / name))

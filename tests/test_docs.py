"""Every fenced block of the documentation is run, or says that it is not and why.

- In a ```python block, `>>>` lines are a doctest; a block without them is run as it stands. The
  blocks of one page share their names, from top to bottom.
- In a ```console block, `$ mbegu …` and `$ python …` are run by a shell. Lines such as `South> C` in
  the transcript are typed in. Output is compared where it is shown; a line `...` stands for any lines.
- `$ make …` must name a target that exists. Links between pages must lead somewhere.
- A ```sh block is run by a shell as a whole, and must end well; ```toml, ```json and ```yaml must be read.
  The blocks of one page share a folder, in which `docs`, `examples` and `tests` are those of the clone.

A comment right above a block says more, a line for each thing (readers of the page do not see it):

    <!-- test
    file: cup.toml                      the block is the content of this file
    first: mkdir bots                   a command before the block
    quick: --games 100 => --games 4     what takes long is made short
    then: mbegu tournament cup.toml     a command after the block
    elsewhere: tests/server/test_x.py   another test takes the block from the page and runs it
    not run: it takes an hour           nobody does
    -->
"""

import doctest
import json
import os
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
import yaml
from markdown_it import MarkdownIt

import mbegu
from mbegu.core.i18n import speaking

ROOT = Path(__file__).resolve().parent.parent
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])
NAMES = [str(page.relative_to(ROOT)) for page in PAGES]
FLAGS = doctest.ELLIPSIS
PROMPT = re.compile(r"^\w[\w ]*(?:\[[\d:]+\])?> (.+)$")


@dataclass(frozen=True)
class Block:
    """A fenced block of a page."""

    language: str
    line: int  # of its first line of content, counted from one
    text: str
    marks: list[tuple[str, str]] = field(default_factory=list)

    def told(self, key: str) -> list[str]:
        """What its comment says of this."""
        return [value for name, value in self.marks if name == key]

    @property
    def quick(self) -> str:
        """The text, made short where it would take long."""
        text = self.text
        for change in self.told("quick"):
            old, new = map(str.strip, change.split("=>"))
            assert old in text, f"there is no {old} to be made quick"
            text = text.replace(old, new)
        return text


KEYS = {"file", "first", "quick", "then", "elsewhere", "not run"}
COMMENT = re.compile(r"<!-- test\n(.*?)-->\s*\Z", re.DOTALL)


def marks_in(before: str) -> list[tuple[str, str]]:
    """The lines of the comment with which a text ends."""
    found = COMMENT.search(before)
    lines = found[1].strip().splitlines() if found else []
    marks = [(key.strip(), value.strip()) for key, _, value in (li.partition(":") for li in lines)]
    assert {key for key, _ in marks} <= KEYS, f"{marks} has another key than {KEYS}"
    assert all(value for _, value in marks), f"{marks}: say which, or why"
    return marks


def blocks(page: Path) -> Iterator[Block]:
    language, start, before, lines = "", 0, list[str](), list[str]()
    for number, line in enumerate(page.read_text(encoding="utf-8").splitlines(), 1):
        fence = re.match(r"\s*```(\w*)", line)
        if not fence:
            (lines if start else before).append(line)
        elif start:
            marks = marks_in("\n".join(before))
            yield Block(language, start, "\n".join(lines) + "\n", marks)
            start, before = 0, []
        else:
            language, start, lines = fence[1], number + 1, []
    assert not start, f"{page}:{start}: the block is not closed"


@pytest.mark.parametrize("name", NAMES)
def test_python(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)  # a snippet may write a file
    names: dict[str, Any] = {"__name__": "__snippet__"}
    runner = doctest.DocTestRunner(optionflags=FLAGS)
    for block in blocks(ROOT / name):
        if block.language != "python":
            continue
        place = f"{name}:{block.line}"
        with speaking("en"):
            if ">>>" in block.text:
                parser = doctest.DocTestParser()
                test = parser.get_doctest(block.text, names, place, name, block.line - 1)
                said: list[str] = []
                result = runner.run(test, out=said.append, clear_globs=False)
                names |= test.globs  # the parser works on a copy
                assert not result.failed, "".join(said)
            else:
                exec(compile(block.text, place, "exec"), names)


@dataclass(frozen=True)
class Command:
    """A shell line, what it is shown to print, and what is typed in meanwhile."""

    line: int
    text: str
    shown: list[str]

    @property
    def typed(self) -> str:
        return "".join(f"{found[1]}\n" for line in self.shown if (found := PROMPT.match(line)))


def commands(page: Path) -> Iterator[Command]:
    for block in blocks(page):
        if block.language == "console" and not block.told("not run"):
            found: Command | None = None
            for number, line in enumerate(block.text.splitlines(), block.line):
                if line.startswith("$ "):
                    if found:
                        yield found
                    found = Command(number, line[2:].partition("  #")[0].strip(), [])
                elif found:
                    found.shown.append(line)
            if found:
                yield found


SHELL = [
    pytest.param(name, command, id=f"{name}:{command.line}")
    for name, page in zip(NAMES, PAGES, strict=True)
    for command in commands(page)
]


def shell(text: str, folder: Path, typed: str = "") -> subprocess.CompletedProcess[str]:
    """Runs a text as somebody would who has installed Mbegu."""
    beside = str(Path(sys.executable).parent)
    environment = {**os.environ, "MBEGU_LANG": "en", "NO_COLOR": "1", "COLUMNS": "100"}
    environment["PATH"] = f"{beside}{os.pathsep}{environment['PATH']}"
    environment["MBEGU_DATA"] = str(folder / "data")
    return subprocess.run(
        ["bash", "-euc", text],
        input=typed,
        env=environment,
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=300,  # the first use of a kernel compiles it
    )


OTHERS = [
    name
    for name, page in zip(NAMES, PAGES, strict=True)
    if any(block.language not in ("python", "console") for block in blocks(page))
]


@pytest.mark.parametrize("name", OTHERS)
def test_other_blocks(name: str, tmp_path: Path) -> None:
    """Files and scripts of a page, from top to bottom."""
    for folder in ("docs", "examples", "tests"):
        (tmp_path / folder).symlink_to(ROOT / folder)
    for block in blocks(ROOT / name):
        if block.language in ("python", "console") or block.told("not run"):
            continue
        place = f"{name}:{block.line}"
        if block.told("elsewhere"):
            for path in block.told("elsewhere"):
                assert Path(name).name in (ROOT / path).read_text(encoding="utf-8"), place
            continue
        for file in block.told("file"):
            (tmp_path / file).write_text(block.quick, encoding="utf-8")
        commands = block.told("first")
        if block.language == "sh" and not block.told("file"):
            commands.append(block.quick)
        elif block.language == "toml":
            assert tomllib.loads(block.quick), place
        elif block.language == "json":
            assert json.loads(block.quick), place
        elif block.language == "yaml":
            assert yaml.safe_load(block.quick), place
        else:
            assert block.told("then"), f"{place}: nothing is done with this block: mark it"
        for command in [*commands, *block.told("then")]:
            done = shell(command, tmp_path)
            said = f"{place}: {command}\n{done.stdout}{done.stderr}"
            assert done.returncode == 0, said
            assert "Traceback" not in said, said


@pytest.mark.parametrize("name", NAMES)
def test_no_block_escapes(name: str) -> None:
    """Every block of code, as a Markdown parser sees it, is one that these tests see: none is indented only."""
    text = (ROOT / name).read_text(encoding="utf-8")
    tokens = MarkdownIt("commonmark").parse(text)
    indented = [token.map for token in tokens if token.type == "code_block"]
    assert not indented, f"{name}: put fences around these lines: {indented}"
    fences = [token.content for token in tokens if token.type == "fence"]
    assert len(fences) == len(list(blocks(ROOT / name)))


def test_marks() -> None:
    marks = marks_in("words\n\n<!-- test\nfile: a.toml\nquick: 100 => 2\nnot run: an hour -->\n")
    assert marks == [("file", "a.toml"), ("quick", "100 => 2"), ("not run", "an hour")]
    assert marks_in("<!-- test\nfile: a -->\nwords in between") == []
    with pytest.raises(AssertionError, match="another key"):
        marks_in("<!-- test\nnotrun: why -->")
    with pytest.raises(AssertionError, match="say which, or why"):
        marks_in("<!-- test\nnot run: -->")
    assert Block("sh", 1, "x --games 100\n", marks_in("<!-- test\nquick: 100 => 2 -->")).quick == (
        "x --games 2\n"
    )


def test_nobody_is_told_to_install_what_is_not_there() -> None:
    """Mbegu is installed from a clone."""
    for page in [*PAGES, *(ROOT / "deploy").iterdir(), *(ROOT / "src" / "mbegu").rglob("*.py")]:
        wrong = re.findall(r"pip install (?:-U )?[\"']?mbegu\b.*", page.read_text(encoding="utf-8"))
        assert not wrong, f"{page}: {wrong}"


@pytest.mark.parametrize(("name", "command"), SHELL)
def test_shell(name: str, command: Command, tmp_path: Path) -> None:
    word = command.text.split()[0]
    if word == "make":
        makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
        target = command.text.split()[1]
        assert re.search(rf"^{target}:", makefile, re.MULTILINE), f"no target {target}"
        return
    assert word in ("mbegu", "python"), f"{word} is not ours to run: mark the block"
    done = shell(command.text, tmp_path, command.typed)
    complaints = "".join(line for line in done.stderr.splitlines(True) if not is_progress(line))
    output = done.stdout + complaints
    assert "Traceback" not in output, output
    if not command.shown:
        assert done.returncode == 0, output
    else:
        assert matches(command.shown, output), f"{command.text} prints:\n{output}"


def is_progress(line: str) -> bool:
    """Whether a line of the error stream only says how far it is: no page shows that."""
    return (
        line.startswith("Compiling ") or re.match(r"\d+ of \d+ pieces|\d+/\d+ ", line) is not None
    )


def test_progress_is_no_output() -> None:
    assert is_progress("Compiling the engine for this game: this takes some seconds.\n")
    assert is_progress("3 of 10 pieces, 0:02 left\n")
    assert is_progress("5/10  +5 =0 -0  Elo\n")
    assert not is_progress("mbegu: there is no game\n")


def matches(shown: list[str], output: str) -> bool:
    """Whether the output is what the page shows; trailing spaces and blank ends do not count."""
    lines = "\n".join(line.rstrip() for line in shown).strip("\n").split("\n")
    pattern = "".join(r"(?:.*\n)*?" if line == "..." else re.escape(line) + "\n" for line in lines)
    said = "\n".join(line.rstrip() for line in output.splitlines()).strip("\n") + "\n"
    return re.fullmatch(pattern, said) is not None


@pytest.mark.parametrize("name", NAMES)
def test_links_lead_somewhere(name: str) -> None:
    page = ROOT / name
    text = re.sub(r"```.*?```", "", page.read_text(encoding="utf-8"), flags=re.DOTALL)
    for target in re.findall(r"\]\(([^)#\s]+)(?:#[^)]*)?\)", text):
        if "://" not in target:
            assert (page.parent / target).exists(), f"{name} links to {target}"


@pytest.mark.parametrize("name", mbegu.game_names())
def test_the_page_of_a_game(name: str) -> None:
    """What it must say, `check_plugin` knows (tests/test_conformance.py); here is its form."""
    sections = re.findall(r"^## (.+)$", mbegu.game(name).page(), re.MULTILINE)
    assert sections == [
        "Whose game it is",
        "Rules",
        "Fine points",
        "Options",
        "Notation",
        "JSON",
        "Counting moves",
    ]


def test_the_pages_of_games_are_copied(monkeypatch: pytest.MonkeyPatch) -> None:
    """`make pages` makes docs/games from the folders of the games."""
    monkeypatch.syspath_prepend(ROOT / "tools")
    from pages import COPIES, copies

    made = dict(copies())
    assert {path.stem for path in made} == set(mbegu.game_names())
    assert set(made) == set(COPIES.glob("*.md"))
    for path, text in made.items():
        assert path.read_text("utf-8") == text, f"{path} is old: run make pages"

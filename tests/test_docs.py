"""Every snippet of the documentation is run, and what it shows must be what comes out.

- In a ```python block, `>>>` lines are a doctest; a block without them is run as it stands. The
  blocks of one page share their names, from top to bottom.
- In a ```console block, `$ mbegu …` and `$ python …` are run by a shell. Lines such as `South> C` in
  the transcript are typed in. Output is compared where it is shown; a line `...` stands for any lines.
- `$ make …` must name a target that exists. Links between pages must lead somewhere.
"""

import doctest
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

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


def blocks(page: Path) -> Iterator[Block]:
    language, start, lines = "", 0, list[str]()
    for number, line in enumerate(page.read_text(encoding="utf-8").splitlines(), 1):
        fence = re.match(r"\s*```(\w*)", line)
        if not fence:
            lines.append(line)
        elif start:
            yield Block(language, start, "\n".join(lines) + "\n")
            start = 0
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
        if block.language == "console":
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


@pytest.mark.parametrize(("name", "command"), SHELL)
def test_shell(name: str, command: Command, tmp_path: Path) -> None:
    word = command.text.split()[0]
    if word == "make":
        makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
        target = command.text.split()[1]
        assert re.search(rf"^{target}:", makefile, re.MULTILINE), f"no target {target}"
        return
    if word not in ("mbegu", "python"):
        pytest.skip("not ours to run")
    beside = str(Path(sys.executable).parent)
    environment = {**os.environ, "MBEGU_LANG": "en", "NO_COLOR": "1", "COLUMNS": "100"}
    environment["PATH"] = f"{beside}{os.pathsep}{environment['PATH']}"
    done = subprocess.run(
        ["bash", "-c", command.text],
        input=command.typed,
        env=environment,
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=300,  # the first use of a kernel compiles it
    )
    output = done.stdout + done.stderr
    assert "Traceback" not in output, output
    if not command.shown:
        assert done.returncode == 0, output
    else:
        assert matches(command.shown, output), f"{command.text} prints:\n{output}"


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


def flat(text: str) -> str:
    return " ".join(text.split())


@pytest.mark.parametrize("name", mbegu.game_names())
def test_the_page_of_a_game_says_what_its_card_says(name: str) -> None:
    game = mbegu.game(name)
    text = flat((ROOT / "docs" / "games" / f"{name}.md").read_text(encoding="utf-8"))
    assert f"`{game.id}`" in text
    assert flat(game.people) in text
    assert flat(game.rulebook) in text
    for alias in game.aliases:
        assert f"`{alias}`" in text
    for option in game.options().values():
        row = f"| `{option.name}` | `{option.default}` | {option.values.replace(' | ', ', ')} |"
        assert row in text, row
    for preset in game.presets:
        assert f"`{game.name}({preset})`" in text
    sections = re.findall(r"^## (.+)$", (ROOT / f"docs/games/{name}.md").read_text(), re.MULTILINE)
    assert sections == [
        "Whose game it is",
        "Rules",
        "Fine points",
        "Options",
        "Notation",
        "JSON",
        "Counting moves",
    ]

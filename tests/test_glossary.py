"""The glossary tells the truth: every word is found where it says."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import mbegu

SOURCE = Path(mbegu.__file__).parent
PAGE = Path(__file__).parent.parent / "docs" / "glossary.md"
DEFINED = (ast.FunctionDef, ast.ClassDef, ast.AsyncFunctionDef)


def rows() -> list[tuple[str, str]]:
    """Each word with each file in which it lives."""
    found = []
    for line in PAGE.read_text("utf-8").splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if line.startswith("|") and "`" in line:
            found += [(cells[0], path) for path in re.findall(r"`([^`]+)`", cells[1])]
    return found


def plain(text: str) -> str:
    """lowercase words: `LateMove`, `late_move` and `late-move` are one."""
    apart = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", text)
    return " ".join(re.findall(r"[a-z0-9]+", apart.lower()))


def findable(path: Path) -> Iterator[str]:
    """What somebody finds who greps: names, first lines of docstrings, numbered steps."""
    text = path.read_text("utf-8")
    tree = ast.parse(text)
    yield path.stem
    for node in ast.walk(tree):
        if isinstance(node, (ast.Module, *DEFINED)):
            yield (ast.get_docstring(node) or "").split("\n\n")[0].split("\n")[0]
        if isinstance(node, DEFINED):
            yield node.name
        elif isinstance(node, ast.Name):
            yield node.id
    yield from re.findall(r"# Step \d+\. .*", text)


@pytest.mark.parametrize(("word", "path"), rows())
def test_every_word_lives_where_the_glossary_says(word: str, path: str) -> None:
    assert any(plain(word) in plain(text) for text in findable(SOURCE / path))


def test_the_words_of_the_trade_are_all_there() -> None:
    told = {plain(word) for word, _path in rows()}
    for word in (
        *("quiescence search", "late move reduction", "principal variation search", "abdada"),
        *("transposition table", "aspiration window", "iterative deepening", "history heuristic"),
        *("killer move", "null window", "retrograde analysis", "perfect hashing", "zobrist key"),
        *("token bucket", "reverse proxy", "slowloris", "fencing token", "event sourcing"),
    ):
        assert word in told


NOTHING_SAID = "first lines news rungs wire answers telling course facts desk person".split()


def test_modules_have_names_that_say_what_they_are() -> None:
    web = Path(__file__).parent.parent / "web" / "src"
    modules = [*SOURCE.rglob("*.py"), *web.rglob("*.ts"), *web.rglob("*.svelte")]
    assert len(modules) > 400
    assert [path.name for path in modules if path.name.split(".")[0].lower() in NOTHING_SAID] == []


def test_no_word_stands_twice() -> None:
    words = [
        line.split("|")[1].strip()
        for line in PAGE.read_text("utf-8").splitlines()
        if line.startswith("| ") and "`" in line
    ]
    assert len(words) == len(set(words))

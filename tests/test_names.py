"""No module outside the games' own folders decides anything by the name of a game.

Comments, docstrings and sentences may speak of Oware; code may not ask whether it is Oware. What is left
that must know a game stands in ALLOWED, with the reason.
"""

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import mbegu

SOURCE = Path(mbegu.__file__).parent
WEB = Path(__file__).parent.parent / "web" / "src"
NAMES = ("oware", "kalah", "awale2", "urubugu", "morabaraba")
OWN = ("games/", "compat/", "locale/", "testing/skeleton/")

ALLOWED = {
    "cli/lab_settings.py": "`mbegu lab settings` shows the study of one game",
    "lab/__init__.py": "public names of the studies",
    "lab/pieces.py": "kinds of studies: those of one game stand in its folder",
    "core/registry.py": "the order in which a newcomer meets our games",
    "arena/clients/kgp.py": "the Kalah Game Protocol is for Kalah",
    "arena/roster.py": "AIs of the MAIC contest play its game only",
}
LAB = "lab/urubugu/"  # studies of one game; they stand together


WORD = re.compile("|".join(NAMES), re.IGNORECASE)
EXAMPLE = re.compile(r'\s|^\[Game "')  # a sentence for people, or a tag that shows how to write one


def decisions(path: Path) -> Iterator[tuple[int, str]]:
    """Whatever has a game in its name: imports, names of code, and texts that are no sentence."""
    text = written(path)
    if not WORD.search(text):
        return
    tree = ast.parse(text)
    told = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        for name in names_in(node):
            if id(node) not in told and WORD.search(name):
                yield getattr(node, "lineno", 0), name


def written(path: Path) -> str:
    """What stands in a file; nothing where a build that runs at the same time has taken it away."""
    try:
        return path.read_text("utf-8")
    except FileNotFoundError:
        return ""


def names_in(node: ast.AST) -> Iterator[str]:
    """The names that a piece of code uses or gives, and its text unless that is a sentence."""
    match node:
        case ast.Import(names=names):
            yield from (alias.name for alias in names)
        case ast.ImportFrom(module=str(module), names=names):
            yield from (module, *(alias.name for alias in names))
        case ast.Name(id=name) | ast.Attribute(attr=name) | ast.arg(arg=name):
            yield name
        case ast.FunctionDef(name=name) | ast.ClassDef(name=name) | ast.keyword(arg=str(name)):
            yield name
        case ast.Constant(value=str(text)) if not EXAMPLE.search(text):
            yield text


@cache
def found() -> dict[str, list[tuple[int, str]]]:
    """Everything that decides, by file."""
    found = {}
    for path in sorted(SOURCE.rglob("*.py")):
        name = path.relative_to(SOURCE).as_posix()
        if not name.startswith(OWN):
            lines = list(decisions(path))
            if lines:
                found[name] = lines
    return found


def test_the_web_app_knows_no_game() -> None:
    """Not even in a comment: what it draws, it draws from the board that a game tells."""
    sources = [path for ending in ("ts", "svelte") for path in WEB.rglob(f"*.{ending}")]
    words = re.compile("|".join((*NAMES, "awale", "toguz")), re.IGNORECASE)
    knows = {path.name for path in sources if words.search(path.read_text("utf-8"))}
    assert len(sources) > 50
    assert knows == set()


def test_nobody_asks_which_game_it_is() -> None:
    strangers = {
        name: lines
        for name, lines in found().items()
        if name not in ALLOWED and not name.startswith(LAB)
    }
    assert strangers == {}


def test_the_list_of_exceptions_is_no_longer_than_it_must_be() -> None:
    assert set(ALLOWED) <= set(found())

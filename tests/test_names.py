"""No module outside the games' own folders decides anything by the name of a game.

Comments, docstrings and sentences may speak of Oware; code may not ask whether it is Oware. What is left
that must know a game stands in ALLOWED, with the reason.
"""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import mbegu

SOURCE = Path(mbegu.__file__).parent
WEB = Path(__file__).parent.parent / "web" / "src"
NAMES = ("oware", "kalah", "awale2", "urubugu", "morabaraba")
OWN = ("games/", "compat/", "locale/", "testing/skeleton/")

ALLOWED = {
    "core/registry.py": "the order in which a newcomer meets our games",
    "arena/clients/kgp.py": "the Kalah Game Protocol is for Kalah",
    "arena/roster.py": "AIs of the MAIC contest play its game only",
    "server/api/schemas.py": "an example in the description of the API",
}
LAB = "lab/urubugu/"  # studies of one game; they stand together


def decisions(path: Path) -> Iterator[tuple[int, str]]:
    """Imports of a game's module, names of its classes, and texts that are a game's name."""
    tree = ast.parse(path.read_text("utf-8"))
    told = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module:
            words = node.module.split(".")
            if words[:2] == ["mbegu", "games"] and len(words) > 2 and words[2] in NAMES:
                yield node.lineno, node.module
        elif isinstance(node, ast.Import):
            for alias in node.names:
                if any(word in NAMES for word in alias.name.split(".")):
                    yield node.lineno, alias.name
        elif isinstance(node, ast.Constant) and id(node) not in told and node.value in NAMES:
            yield node.lineno, repr(node.value)


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

"""The layers of the design hold, and the check that says so would notice if they did not."""

import ast
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
LINT = (
    "import sys; from importlinter.cli import lint_imports; sys.exit(lint_imports(no_cache=True))"
)


def lint(folder: Path) -> subprocess.CompletedProcess[str]:
    """Runs import-linter on the sources and the contracts in a folder."""
    return subprocess.run(
        [sys.executable, "-c", LINT],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(folder / "src")},
        capture_output=True,
        text=True,
    )


def test_the_layers_hold() -> None:
    said = lint(ROOT)
    assert said.returncode == 0, said.stdout + said.stderr


# Each line goes into the module, and the report must name the import.
BROKEN = [
    ("core/outcome.py", "import mbegu.games.oware"),
    ("core/game.py", "import numpy"),
    ("games/oware/rules.py", "import mbegu.engine"),
    ("games/kalah/rules.py", "import mbegu.compat.awale"),
    ("games/awale2/rules.py", "import mbegu.testing"),
    ("games/urubugu/rules.py", "import click"),
    ("games/oware/lesson.py", "import mbegu.games.kalah.kernel"),
    ("engine/__init__.py", "import mbegu.arena"),
    ("arena/__init__.py", "import mbegu.terminal"),
    ("arena/referee.py", "import mbegu.arena.clients"),
    ("work/executor.py", "import mbegu.arena"),
    ("terminal/__init__.py", "import mbegu.cli"),
    ("compat/awale.py", "import mbegu.cli"),
]


def test_every_broken_layer_is_noticed(tmp_path: Path) -> None:
    leave_out = shutil.ignore_patterns("__pycache__", "maic", "locale", "pictures")
    shutil.copytree(ROOT / "src", tmp_path / "src", ignore=leave_out)
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    arrows = []
    for path, line in BROKEN:
        with (tmp_path / "src" / "mbegu" / path).open("a", encoding="utf-8") as file:
            file.write(f"\n{line}\n")
        module = path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
        arrows.append(f"mbegu.{module} -> {line.removeprefix('import ')} (")
    said = lint(tmp_path)
    assert said.returncode == 1, said.stdout + said.stderr
    missing = [arrow for arrow in arrows if arrow not in said.stdout]
    assert not missing, said.stdout


# What is put on sys.path can be imported by names that no contract knows: who may do so, and why.
MAY_WIDEN_THE_PATH = {
    "arena/loading.py": "a bot of several files imports its own modules",
    "compat/maic_bot.py": "the framework of the contest, in the process of one of its AIs",
}


def widens_the_path(source: str) -> bool:
    """Whether a module changes sys.path, by a method or by an assignment."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            if ast.unparse(node.func.value) == "sys.path":
                return True
        elif isinstance(node, ast.Assign | ast.AugAssign):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            if any(ast.unparse(target).startswith("sys.path") for target in targets):
                return True
    return False


@pytest.mark.parametrize(
    "line", ["sys.path.insert(0, x)", "sys.path += [x]", "sys.path[:0] = [x]", "sys.path = []"]
)
def test_a_wider_path_is_noticed(line: str) -> None:
    assert widens_the_path(f"import sys\n{line}\n")
    assert not widens_the_path("import sys\nprint(sys.path)\nfor place in sys.path: pass\n")


def test_nobody_imports_behind_the_contracts_back() -> None:
    source = ROOT / "src" / "mbegu"
    found = {
        path.relative_to(source).as_posix()
        for path in source.rglob("*.py")
        if widens_the_path(path.read_text(encoding="utf-8"))
    }
    assert found == set(MAY_WIDEN_THE_PATH)

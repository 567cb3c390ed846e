"""Importing is light, and `__all__` is true."""

import importlib
import pkgutil
import subprocess
import sys
from collections.abc import Iterator

import pytest

import mbegu

HEAVY = {"babel", "click", "numba", "numpy", "sqlalchemy", "starlette", "textual", "uvicorn"}

# What everybody builds on says what it offers; elsewhere a module may leave it unsaid.
SHARED = ("mbegu.core", "mbegu.games", "mbegu.testing", "mbegu.compat.awale")


def modules() -> Iterator[str]:
    """Every module of ours that is for importing.

    Not the contest's framework, which keeps the layout of its own programs, nor what others run.
    """
    yield "mbegu"
    for found in pkgutil.walk_packages(mbegu.__path__, "mbegu."):
        script = found.name.endswith((".__main__", ".migrations.env"))
        if not script and not found.name.startswith("mbegu.compat.maic."):
            yield found.name


MODULES = sorted(modules())


def loaded_by(statement: str) -> set[str]:
    """The packages that a statement brings into a fresh interpreter."""
    script = (
        f"import sys; {statement}; print(*sorted({{name.split('.')[0] for name in sys.modules}}))"
    )
    said = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    return set(said.stdout.split())


@pytest.mark.parametrize(
    "statement",
    [
        "import mbegu",
        "import mbegu; mbegu.game('oware').start().legal_moves()",
        "import mbegu; [mbegu.game(name).start() for name in mbegu.game_names()]",
        "import mbegu.testing",
        "import mbegu.compat.awale",
    ],
)
def test_the_rules_pull_in_nothing_heavy(statement: str) -> None:
    assert not loaded_by(statement) & HEAVY


def test_importing_mbegu_loads_no_game() -> None:
    said = subprocess.run(
        [sys.executable, "-c", "import sys, mbegu; print('mbegu.games' in sys.modules)"],
        capture_output=True,
        text=True,
        check=True,
    )
    assert said.stdout == "False\n"


@pytest.mark.parametrize("name", MODULES)
def test_all_is_true(name: str) -> None:
    module = importlib.import_module(name)
    names = getattr(module, "__all__", None)
    if names is None:
        public = [key for key, value in vars(module).items() if is_defined_here(value, key, name)]
        assert not (public and name.startswith(SHARED)), f"{name} has {public} but no __all__"
        return
    assert len(set(names)) == len(names)
    for each in names:
        assert hasattr(module, each), f"{name}.__all__ promises {each}"
    brought: dict[str, object] = {}
    exec(f"from {name} import *", brought)
    assert set(brought) - {"__builtins__"} == set(names)


def is_defined_here(value: object, key: str, name: str) -> bool:
    return not key.startswith("_") and getattr(value, "__module__", None) == name


def test_everything_in_the_vocabulary_is_there() -> None:
    assert {"Game", "Position", "Outcome", "Reason", "game", "game_names"} <= set(mbegu.__all__)
    assert sorted(mbegu.__all__, key=lambda name: (not name.isupper(), name)) == mbegu.__all__

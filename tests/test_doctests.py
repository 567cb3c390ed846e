"""The examples in the docstrings."""

import doctest
from importlib import import_module
from pathlib import Path

import pytest

import mbegu
from mbegu.core.i18n import speaking

ROOT = Path(mbegu.__file__).parent
MODULES = sorted(
    ".".join(("mbegu", *path.relative_to(ROOT).with_suffix("").parts)).removesuffix(".__init__")
    for path in ROOT.rglob("*.py")
    if ">>> " in path.read_text(encoding="utf-8") and "maic" not in path.parts
)


@pytest.mark.parametrize("name", MODULES)
def test_doctests(name: str) -> None:
    with speaking("en"):
        result = doctest.testmod(import_module(name))
    assert result.attempted
    assert not result.failed

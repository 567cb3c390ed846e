"""Arena tests: bots in files, made on the spot."""

import textwrap
from collections.abc import Callable
from pathlib import Path

import pytest

from mbegu.arena.runner import missing_layers

WriteBot = Callable[..., str]


@pytest.fixture(scope="session")
def cage() -> None:
    """Where no cage can be built, what needs one is skipped, and says so."""
    if missing_layers():
        pytest.skip(f"no cage here: {missing_layers()}")


@pytest.fixture
def write_bot(tmp_path: Path) -> WriteBot:
    """Writes a bot with this body of `choose` into a file; returns the file's name."""

    def write(body: str, name: str = "bot", top: str = "", more: str = "") -> str:
        text = f"{textwrap.dedent(top)}\n\nclass Bot:\n    def choose(self, position, clock):\n"
        text += textwrap.indent(textwrap.dedent(body).strip("\n"), " " * 8) + "\n"
        text += textwrap.indent(textwrap.dedent(more), " " * 4)
        path = tmp_path / f"{name}.py"
        path.write_text(text, encoding="utf-8")
        return str(path)

    return write

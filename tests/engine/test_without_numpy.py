"""Python in a browser's tab has no NumPy: what kernels tell it there is the same."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from mbegu.engine.arrays import _Numbers

SCRIPT = Path(__file__).with_name("translations.py")
GAMES = ["oware", "kalah", "awale2", "urubugu", "morabaraba", "morabaraba(rules=classic)"]


def translated(game: str, blocked: str) -> list[Any]:
    """What the kernel of a game tells where these packages are missing."""
    done = subprocess.run(
        [sys.executable, SCRIPT, game, blocked],
        check=True,
        capture_output=True,
        text=True,
        env={**os.environ, "MBEGU_PREBUILT": "0"},
    )
    found: list[Any] = json.loads(done.stdout)
    return found


@pytest.mark.parametrize("game", GAMES)
def test_positions_and_moves_are_the_same(game: str) -> None:
    found = translated(game, "numpy,numba,llvmlite")
    assert len(found) > 50
    assert found == translated(game, "")


def test_whoever_reads_a_table_that_is_not_there_is_told_so() -> None:
    """With zeros instead, every cow of Morabaraba would go to a1."""
    with pytest.raises(TypeError, match="this table is not there"):
        _Numbers.zeros(128)[3]

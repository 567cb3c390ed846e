"""Every command of docs/origins.md shows what it says: it runs, and ends well."""

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
PAGE = (ROOT / "docs" / "origins.md").read_text(encoding="utf-8")
ROWS = re.findall(r"^\| (.+?) \| `((?:mbegu|python) .+)` \|$", PAGE, re.MULTILINE)


def test_the_page_names_all_five() -> None:
    sections = re.findall(r"^## (.+)$", PAGE, re.MULTILINE)
    assert len(sections) == 5
    assert len(ROWS) == PAGE.count("\n| ") - 5, "a row without a command"


@pytest.mark.parametrize("command", sorted({command for _feature, command in ROWS}))
def test_a_command_of_the_page(command: str, tmp_path: Path) -> None:
    word, *arguments = shlex.split(command)
    program = [sys.executable, "-m", "mbegu"] if word == "mbegu" else [sys.executable]
    done = subprocess.run(
        [*program, *arguments],
        input="",
        capture_output=True,
        text=True,
        cwd=ROOT,
        timeout=300,  # the first use of a kernel compiles it
        env={**os.environ, "MBEGU_DATA": str(tmp_path), "MBEGU_LANG": "en"},
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "Traceback" not in done.stderr
    assert done.stdout.strip() or "doctest" in command

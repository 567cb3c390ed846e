"""docs/bots.md promises four commands and under a minute: here they are run."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import mbegu

pytestmark = pytest.mark.usefixtures("cage")
PAGE = Path(__file__).parent.parent.parent / "docs" / "bots.md"


def test_the_first_four_commands(tmp_path: Path) -> None:
    block = re.search(r"```sh\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    assert block is not None
    commands = block[1].splitlines()
    assert len(commands) == 4
    beside = str(Path(sys.executable).parent)
    environment = {**os.environ, "PATH": f"{beside}{os.pathsep}{os.environ['PATH']}"}
    for command in commands:
        done = subprocess.run(
            command.split(),
            cwd=tmp_path,
            env=environment,
            capture_output=True,
            text=True,
            timeout=300,
        )
        assert done.returncode == 0, done.stdout + done.stderr
    assert "Elo difference" in done.stdout
    records = list(mbegu.open_records(tmp_path / "games.txt"))
    assert len(records) == 10
    for record in records:
        record.check()

"""The contest's framework, seen from inside a bot's process: one test for each check in `inside/`."""

import functools
import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from mbegu.compat.maic import FOLDER

INSIDE = Path(__file__).parent / "inside"
CHECKS = [
    (file.name, name)
    for file in sorted(INSIDE.glob("check_*.py"))
    for name in re.findall(r"^def (check_\w+)", file.read_text(encoding="utf-8"), re.MULTILINE)
]


@functools.cache
def answers(file: str) -> dict[str, str]:
    command = [sys.executable, INSIDE / "run.py", FOLDER, INSIDE / file]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.mark.parametrize(("file", "name"), CHECKS)
def test_inside(file, name):
    fault = answers(file)[name]
    if fault:
        pytest.fail(fault, pytrace=False)


def test_there_are_checks():
    assert len(CHECKS) > 40


def test_the_top_level_names_stay_out_of_this_process():
    import mbegu.compat.maic_trace  # noqa: F401

    for name in ("core", "morabaraba", "utils", "gui"):
        module = sys.modules.get(name)
        assert module is None or str(FOLDER) not in str(module.__file__)
    assert str(FOLDER) not in sys.path


def test_the_folder_needs_nothing_of_mbegu():
    for file in FOLDER.rglob("*.py"):
        assert not re.search(r"^\s*(from|import) mbegu", file.read_text("utf-8"), re.MULTILINE), (
            file
        )


def test_the_real_exchange_of_a_game():
    code = "import doctest, sys; sys.exit(doctest.testfile(sys.argv[1], module_relative=False)[0])"
    done = subprocess.run(
        [sys.executable, "-c", code, INSIDE / "exchange.txt"],
        capture_output=True,
        text=True,
        timeout=60,
        env={"PYTHONPATH": str(FOLDER), "PYTHONWARNINGS": "error"},
    )
    assert done.returncode == 0, done.stdout + done.stderr

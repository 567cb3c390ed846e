"""What stands beside the code must not drift from it: the workflow, the hooks, the versions of Python."""

import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import yaml

ROOT = Path(__file__).parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]


def read(path: str) -> dict:
    return yaml.safe_load((ROOT / path).read_text(encoding="utf-8"))


def test_the_workflow_runs_what_we_run_with_each_python_that_we_claim() -> None:
    (job,) = read(".github/workflows/check.yml")["jobs"].values()
    assert [step["run"] for step in job["steps"] if "run" in step] == [".ci/run"]
    claimed = re.findall(r"Python :: (3\.\d+)", "\n".join(PROJECT["classifiers"]))
    assert job["strategy"]["matrix"]["python"] == claimed
    assert PROJECT["requires-python"] == f">={claimed[0]}"


def test_hooks_are_our_own_programs_and_nothing_is_fetched() -> None:
    (source,) = read(".pre-commit-config.yaml")["repos"]
    assert source["repo"] == "local"
    for hook in source["hooks"]:
        program, *words = hook["entry"].split()
        assert hook["language"] == "system"
        assert program.startswith(".venv/bin/")
        for word in words:
            assert word.endswith(".py") is (ROOT / word).is_file()
    checks = (ROOT / "tools" / "check.py").read_text(encoding="utf-8")
    assert all(f'"{hook["id"]}": [' in checks for hook in source["hooks"])


def test_each_template_asks_something() -> None:
    templates = sorted((ROOT / ".github" / "ISSUE_TEMPLATE").glob("*.md"))
    for path in templates:
        _nothing, head, body = path.read_text(encoding="utf-8").split("---\n", 2)
        told = yaml.safe_load(head)
        assert told["name"]
        assert told["about"]
        assert "**" in body
    assert templates


# A deadline after which one stops waiting, and a moment that cannot come too early, are no measurements.
MEASURED = re.compile(
    r"assert [^<\n]*(monotonic|perf_counter|process_time|time\.time)\(\) - [^<\n]*<"
)


def test_tests_count_and_do_not_measure_seconds() -> None:
    """A busy machine is slow, and nothing is wrong with the code: speed belongs to benchmarks/."""
    assert MEASURED.search("assert time.monotonic() - began < 3")
    assert not MEASURED.search("assert time.monotonic() < until")
    found = [
        f"{path.name}:{number}"
        for path in sorted((ROOT / "tests").rglob("*.py"))
        if path != Path(__file__)
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
        if MEASURED.search(line)
    ]
    assert not found


FAKE = """#!/bin/sh
case "$1" in --version) echo v22.0.0; exit;; esac
echo "$(basename "$0") $(basename "$1")" >> "$TOLD"
case "$1" in ci) mkdir -p node_modules && touch node_modules/.package-lock.json;; esac
"""


def test_the_tab_is_built_in_a_clone_whose_packages_are_gone(tmp_path: Path) -> None:
    """`make play` takes them away when the web app is built; `make site` and `make wheels` need them again."""
    for name in ("hatch_build.py", "tools/tab.py", "tools/front_end.py", "web/package-lock.json"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        shutil.copy(ROOT / name, tmp_path / name)
    programs, told = tmp_path / "bin", tmp_path / "told"
    programs.mkdir()
    for name in ("npm", "node"):
        (programs / name).write_text(FAKE)
        (programs / name).chmod(0o755)
    path = os.pathsep.join([str(programs), os.environ["PATH"]])
    for _time in range(2):
        subprocess.run(
            [sys.executable, str(tmp_path / "tools" / "tab.py")],
            env={**os.environ, "PATH": path, "TOLD": str(told)},
            check=True,
        )
    assert told.read_text().splitlines() == ["npm ci", "node tab.mjs", "node tab.mjs"]

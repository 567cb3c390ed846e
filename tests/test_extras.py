"""Extras: what plays needs few packages; what needs more says which, in one line, and how to get it."""

import json
import os
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest

import mbegu
from mbegu.core import extras
from mbegu.core.record import Record

ROOT = Path(__file__).resolve().parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]

# Runs commands in a Python that has none of the extras; tells how each ended.
BARE = """
import contextlib, importlib.abc, io, json, sys
blocked, commands, typed = json.loads(sys.stdin.read())

class Blocked(importlib.abc.MetaPathFinder):
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in blocked:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)

sys.meta_path.insert(0, Blocked())
from mbegu.cli import main
told = []
for command in commands:
    out, err = io.StringIO(), io.StringIO()
    sys.stdin = io.StringIO(typed)
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = main(command)
    told.append([code, out.getvalue(), err.getvalue()])
print(json.dumps(told))
"""
PACKAGES = sorted(name for packages in extras.EXTRAS.values() for name in packages)


def bare(commands: list[list[str]], folder: Path, typed: str = "") -> list[Any]:
    """The exit code, output and errors of commands where no extra is installed."""
    done = subprocess.run(
        [sys.executable, "-c", BARE],
        input=json.dumps([PACKAGES, commands, typed]),
        cwd=folder,
        env={**os.environ, "MBEGU_LANG": "en", "MBEGU_DATA": str(folder)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return list(json.loads(done.stdout))


def test_the_base_plays_and_thinks_without_any_extra(tmp_path: Path) -> None:
    record = Record.of(mbegu.game("oware").start(), [2, 8])
    (tmp_path / "game.txt").write_text(str(record), encoding="utf-8")
    commands = [
        "games",
        "rules urubugu",
        "play --plain kalah --vs 1",
        "play --plain oware --vs greedy",
        "show game.txt",
        "analyse oware --depth 2",
        "annotate game.txt --nodes 200",
        "match oware greedy random --games 2",
        "bot list",
        "lab --help",
        "serve --help",
    ]
    ended = bare([command.split() for command in commands], tmp_path, typed="A\nq\n")
    assert [(command, told[0]) for command, told in zip(commands, ended, strict=True)] == [
        (command, 0) for command in commands
    ], ended
    assert "South sows A" in ended[3][1]


NEEDY = [
    ("lab", "lab stats kalah"),
    ("lab", "lab run none.toml"),
    ("lab", "lab report none"),
    ("lab", "lab settings"),
    ("lab", "lab resist"),
    ("lab", "lab counter default --count"),
    ("lab", "annotate game.txt --plot course.png"),
    ("cluster", "lab cluster"),
    ("postgres", "serve --no-browser --port 0 --database postgresql://me@127.0.0.1/none"),
]


def test_what_needs_an_extra_names_it(tmp_path: Path) -> None:
    (tmp_path / "game.txt").write_text(
        str(Record.of(mbegu.game("oware").start(), [2])), encoding="utf-8"
    )
    ended = bare([command.split() for _extra, command in NEEDY], tmp_path)
    for (extra, command), (code, out, err) in zip(NEEDY, ended, strict=True):
        assert (code, out) == (2, ""), (command, out, err)
        told = " ".join(err.split())
        assert told.startswith("mbegu: this needs the package "), (command, told)
        assert f", of the extra {extra}: " in told
        assert f"[{extra}]" in told
        assert "Traceback" not in err


def test_the_extras_are_those_of_the_package() -> None:
    declared = PROJECT["optional-dependencies"]
    every = sorted(extras.EXTRAS)
    assert declared.pop("all") == [f"mbegu[{','.join(every)}]"]
    for name, lines in declared.items():
        brought = {line.split(">")[0].split("[")[0] for line in lines}
        assert brought <= set(extras.EXTRAS[name]), name
        assert extras.extra_of(next(iter(brought))) == name
    assert sorted(declared) == every


def test_a_command_that_installs_into_this_very_environment(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    told = extras.how_to_install("lab")
    assert sys.executable in told
    assert "[lab]" in told
    monkeypatch.setattr(extras, "has", lambda package: False)  # uv makes environments without pip
    assert extras.how_to_install("lab").startswith("uv pip install --python ")
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    assert "single file" in extras.how_to_install("lab")


def test_how_much_is_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(ROOT / "tools"))
    import size

    for chosen, most in size.MOST.items():
        assert sum(size.weigh(chosen).values()) < most * size.MIB, chosen


def test_an_installation_that_is_not_whole_says_so(tmp_path: Path) -> None:
    """Also when what is missing is needed to say anything at all."""
    for package, command in (("click", "games"), ("starlette", "serve")):
        script = (
            f"import sys; sys.modules[{package!r}] = None; sys.argv = ['mbegu', {command!r}]\n"
            "from mbegu.__main__ import main; sys.exit(main())"
        )
        done = subprocess.run(
            [sys.executable, "-c", script],
            env={**os.environ, "MBEGU_LANG": "en", "MBEGU_DATA": str(tmp_path)},
            capture_output=True,
            text=True,
        )
        assert done.returncode == 2, done.stderr
        assert f"the package {package} is missing: the installation is not whole" in done.stderr
        assert "Traceback" not in done.stderr

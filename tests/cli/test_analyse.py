"""`mbegu analyse` and `mbegu annotate` as a user calls them."""

import dataclasses
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from io import StringIO
from pathlib import Path
from typing import Any

import pexpect
import pytest

import mbegu
from mbegu.cli import main
from mbegu.cli.analyse import View, _cut
from mbegu.core.record import Record
from mbegu.engine.analysis import Analysis, AnalysisLine
from mbegu.engine.annotate import annotate
from mbegu.engine.engine import Limits
from mbegu.lab.plot import plot

OVER = "0-0-0-1-0-0-0-0-0-2-0-0-22-23-."
GOOD_D = "0-3-0-6-1-2-0-0-2-1-0-3-0-0-S"


def run(*arguments: str) -> tuple[int, str, str]:
    """In this process, because most tests need no other: loading the engine takes its time."""
    out, err = StringIO(), StringIO()
    with redirect_stdout(out), redirect_stderr(err):
        code = main(arguments)
    return code, out.getvalue(), err.getvalue()


def ok(*arguments: str) -> str:
    code, said, errors = run(*arguments)
    assert code == 0, errors
    return said


def refused(*arguments: str) -> str:
    code, said, errors = run(*arguments)
    assert code == 2, (said, errors)
    assert errors.count("\n") == 1, "one clear line"
    return errors


@pytest.fixture
def record(tmp_path: Path) -> Path:
    """A game of four moves."""
    start = mbegu.game("oware").start()
    path = tmp_path / "game.txt"
    path.write_text(str(Record.of(start, [5, 11, 4, 9], players=("Ama", "Kofi"))), encoding="utf-8")
    return path


# ---- analyse


def test_plain_lines_through_a_pipe() -> None:
    lines = ok(
        "analyse", "oware", "--position", GOOD_D, "--depth", "6", "--lines", "2"
    ).splitlines()
    assert lines[-1].startswith("Best for South: D, +")
    assert lines[-1].endswith("%")
    assert "\x1b" not in "".join(lines)
    assert any(line.startswith("  6 1.") and " D " in line for line in lines)
    assert any(line.startswith("  6 2.") for line in lines)


def test_json_is_one_object() -> None:
    done = subprocess.run(
        [
            sys.executable,
            "-m",
            "mbegu",
            "analyse",
            "oware",
            "--nodes",
            "5000",
            "--lines",
            "3",
            "--json",
        ],
        capture_output=True,
        text=True,
        timeout=300,  # the first use compiles
        check=True,
    )
    found = json.loads(done.stdout)
    assert found["game"] == "oware"
    assert found["position"] == str(mbegu.game("oware").start())
    assert found["turn"] == 0
    assert found["nodes"] >= 5000 * 0.9
    assert len(found["lines"]) == 3
    assert set(found["lines"][0]) == {
        *("margin", "chance", "win", "exact", "result", "likely", "settled", "moves", "words")
    }


def test_the_end_of_a_record_and_all_of_it(record: Path) -> None:
    last = json.loads(ok("analyse", "oware", "--record", str(record), "--depth", "3", "--json"))
    assert last["position"] == "6-6-6-5-0-1-6-6-6-0-5-1-0-0-S"
    every = ok("analyse", "oware", "--record", str(record), "--all", "--depth", "3", "--json")
    positions = [json.loads(line)["position"] for line in every.splitlines()]
    assert len(positions) == 5
    assert positions[-1] == last["position"]
    text = ok("analyse", "oware", "--record", str(record), "--all", "--depth", "2")
    assert "Moves played: 3. North to move: " in text


def test_bad_usage_is_refused_in_one_line(record: Path, tmp_path: Path) -> None:
    for limits in (
        ("--time", "1", "--depth", "5"),
        ("--depth", "5", "--nodes", "5"),
        ("--time", "1", "--nodes", "5"),
    ):
        assert "contradict each other" in refused("analyse", "oware", *limits)
    assert "--depth" in refused("analyse", "oware", "--depth", "0")
    assert "--time" in refused("analyse", "oware", "--time", "-1")
    assert "--lines" in refused("analyse", "oware", "--lines", "0")
    assert "not both" in refused("analyse", "oware", "--position", GOOD_D, "--record", str(record))
    assert "--record" in refused("analyse", "oware", "--all")
    assert "a game of oware" in refused("analyse", "kalah", "--record", str(record))
    assert "the game is over: North wins" in refused("analyse", "oware", "--position", OVER)
    assert "is not an Oware position" in refused("analyse", "oware", "--position", "nonsense")
    assert "MB would fit" in refused("analyse", "oware", "--hash", "999999999", "--depth", "1")
    assert "cannot be read" in refused("analyse", "oware", "--record", str(tmp_path / "none"))


def test_ctrl_c_prints_the_best_so_far() -> None:
    process = subprocess.Popen(
        [sys.executable, "-u", "-m", "mbegu", "analyse", "oware", "--time", "600"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "MBEGU_LANG": "en"},
    )
    assert process.stdout is not None
    seen = process.stdout.readline()
    time.sleep(0.3)
    process.send_signal(signal.SIGINT)
    rest, errors = process.communicate(timeout=30)
    assert process.returncode == 130
    assert "Traceback" not in errors
    assert (seen + rest).splitlines()[-1].startswith("Best for South: ")


@contextmanager
def terminal(*arguments: str, **environment: str) -> Iterator[Any]:
    child = pexpect.spawn(
        sys.executable,
        ["-m", "mbegu", *arguments],
        env={**os.environ, "MBEGU_LANG": "en", "TERM": "xterm", **environment},
        encoding="utf-8",
        timeout=300,
        dimensions=(30, 60),
    )
    try:
        yield child
    finally:
        child.close(force=True)


def test_a_live_view_on_a_terminal() -> None:
    with terminal("analyse", "oware", "--depth", "9", "--lines", "2") as child:
        child.expect("Best for South: ")
        seen = child.before
        child.expect(pexpect.EOF)
    assert child.exitstatus == 0
    assert "\x1b[3A" in seen  # three rows, written again and again
    rows = [row.split("\x1b[2K")[-1] for row in seen.splitlines()]
    assert max(map(len, rows)) < 60


def test_a_narrow_terminal_cuts_no_word_and_the_end_is_told_in_full() -> None:
    line = AnalysisLine(-0.5, 0.4, None, False, (0,), tuple(f"{n}R" for n in range(10, 40)))
    told = Analysis(mbegu.game("oware").start(), 5, 100, 0.1, (line,) * 10)
    view = View(10, quiet=False)
    rows = [_cut(row, 40) for row in view._told(told)]
    assert all(len(row) <= 40 for row in rows)
    assert all(row.endswith("R…") for row in rows)
    assert rows[0].startswith("  5  1. ")
    assert rows[9].startswith("  5 10. ")
    with terminal("analyse", "morabaraba", "--nodes", "100000") as child:
        child.expect("Best for Dark: ")
    last = child.before.split("\x1b[2K")[-1].split("\r")[0]
    assert "…" not in last


def test_a_terminal_that_cannot_be_redrawn_gets_plain_lines() -> None:
    with terminal("analyse", "oware", "--depth", "3", TERM="dumb") as child:
        child.expect("Best for South: ")
    assert "\x1b" not in child.before


def test_ctrl_c_ends_a_perft() -> None:
    process = subprocess.Popen(
        [sys.executable, "-m", "mbegu", "perft", "oware", "60"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    time.sleep(2)
    process.send_signal(signal.SIGINT)
    try:
        process.communicate(timeout=30)
    finally:
        process.kill()
    assert process.returncode == 130


# ---- annotate


@pytest.fixture
def bad_game(tmp_path: Path) -> Path:
    """South overlooks five seeds."""
    path = tmp_path / "bad.txt"
    start = mbegu.game("oware").position(GOOD_D)
    path.write_text(str(Record.of(start, [1], players=("Ama", "Kofi"))), encoding="utf-8")
    return path


def test_annotate_prints_a_record(bad_game: Path) -> None:
    text = ok("annotate", str(bad_game), "--nodes", "20000")
    found = mbegu.parse_record(text)
    assert found.steps[0].glyphs
    assert found.steps[0].variations[0][0].move == 3
    assert "Better is D" in found.steps[0].comment


def test_annotate_never_overwrites_unasked(bad_game: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.txt"
    said = ok("annotate", str(bad_game), "-o", str(out), "--nodes", "2000")
    assert said.startswith(f"{out}: blunders ")
    before = out.read_text(encoding="utf-8")
    assert "--overwrite" in refused("annotate", str(bad_game), "-o", str(out))
    assert "--overwrite" in refused("annotate", str(bad_game), "-o", str(bad_game))
    assert out.read_text(encoding="utf-8") == before
    ok("annotate", str(bad_game), "-o", str(out), "--nodes", "2000", "--overwrite")


def test_annotate_refuses(bad_game: Path, tmp_path: Path) -> None:
    assert "contradict" in refused(
        "annotate", str(bad_game), "--nodes", "1", "--time-per-move", "1"
    )
    assert ".png or .svg" in refused("annotate", str(bad_game), "--plot", "course.gif")
    (tmp_path / "empty.txt").write_text("", encoding="utf-8")
    assert "holds no game" in refused("annotate", str(tmp_path / "empty.txt"))


def test_annotate_tries_the_files_before_it_thinks(
    record: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("mbegu.cli.annotate.judge", lambda *_, **__: pytest.fail("it thought"))
    two = tmp_path / "two.txt"
    kalah = Record.of(mbegu.game("kalah").start(), [0])
    two.write_text(f"{record.read_text(encoding='utf-8')}\n{kalah}", encoding="utf-8")
    (tmp_path / "course-2.svg").write_text("")
    for arguments, why in (
        (("-o", str(tmp_path / "none" / "out.txt")), "cannot be saved"),
        (("-o", str(tmp_path / "out.ogn")), "OGN is a notation for Oware"),
        (("--plot", str(tmp_path / "none" / "course.svg")), "cannot be saved"),
        (("--plot", str(tmp_path / "course.svg")), "course-2.svg exists already"),
    ):
        assert why in refused("annotate", str(two), *arguments)
    assert {path.name for path in tmp_path.iterdir()} == {"game.txt", "two.txt", "course-2.svg"}


def test_any_name_can_stand_above_a_plot(bad_game: Path, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    record = mbegu.parse_record(bad_game.read_text(encoding="utf-8"))
    named = dataclasses.replace(record, players=("$x_{a$", "\U0001f600" * 99))
    picture = tmp_path / "course.png"
    plot(annotate(named, Limits(nodes=2000)), str(picture))
    assert picture.read_bytes().startswith(b"\x89PNG")


def test_a_plot_needs_matplotlib(monkeypatch: pytest.MonkeyPatch) -> None:
    from mbegu.lab.plot import check_plot

    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(mbegu.MbeguError, match="matplotlib"):
        check_plot("course.svg")


@pytest.mark.parametrize("suffix", ["png", "svg"])
def test_plots(suffix: str, bad_game: Path, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    record = mbegu.parse_record(bad_game.read_text(encoding="utf-8"))
    picture = tmp_path / f"course.{suffix}"
    plot(annotate(record, Limits(nodes=2000)), str(picture))
    data = picture.read_bytes()
    assert data.startswith(b"\x89PNG" if suffix == "png" else b"<?xml")
    with pytest.raises(mbegu.MbeguError, match="exists already"):
        plot(annotate(record, Limits(nodes=2000)), str(picture))


def test_a_bar_on_a_terminal(bad_game: Path) -> None:
    with terminal("annotate", str(bad_game), "--nodes", "2000") as child:
        child.expect("Thinking")
        child.expect("100%")
        child.expect(pexpect.EOF)
    assert child.exitstatus == 0

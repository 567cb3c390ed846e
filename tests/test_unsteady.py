"""A second try does not hide a test for ever: the list of unsteady ones, and the check that reads it."""

import datetime
import importlib.util
import sys
import tomllib
from pathlib import Path
from types import ModuleType

import pytest

TOOLS = Path(__file__).parent.parent / "tools"
TODAY = datetime.date(2026, 3, 10)
NAME = 'tests/test_a.py::test_b[a "quoted\\" word]'


def tool(name: str, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """A module of tools/, imported as `python tools/check.py` would."""
    monkeypatch.syspath_prepend(str(TOOLS))
    spec = importlib.util.spec_from_file_location(name, TOOLS / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    monkeypatch.setitem(sys.modules, name, module)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def unsteady(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    return tool("unsteady", monkeypatch)


def test_our_own_list_can_be_read(unsteady: ModuleType) -> None:
    for name in unsteady.read():
        assert (TOOLS.parent / name.partition("::")[0]).is_file(), f"{name} is gone: take it out"


@pytest.mark.parametrize(
    ("days", "late"), [(0, False), (7, False), (8, True), (-1, False), (-2, True)]
)
def test_a_week_is_what_a_test_has(unsteady: ModuleType, days: int, late: bool) -> None:
    listed = {NAME: TODAY - datetime.timedelta(days)}
    assert bool(unsteady.overdue(listed, TODAY)) is late


def test_the_line_to_add_is_one_that_can_be_read(unsteady: ModuleType, tmp_path: Path) -> None:
    (line,) = unsteady.new([NAME, "tests/old.py::old"], {"tests/old.py::old": TODAY}, TODAY)
    path = tmp_path / "unsteady.toml"
    path.write_text(f"[tests]\n{line}\n")
    assert unsteady.read(path) == {NAME: TODAY}


@pytest.mark.parametrize("day", ['"soon"', "7", "2026-03-10T00:00:00", "true"])
def test_a_test_without_a_day_is_refused(unsteady: ModuleType, tmp_path: Path, day: str) -> None:
    path = tmp_path / "unsteady.toml"
    path.write_text(f'[tests]\n"tests/a.py::b" = {day}\n')
    with pytest.raises(ValueError, match=r"tests/a.py::b needs a day"):
        unsteady.read(path)


@pytest.mark.parametrize(
    ("codes", "listed", "code", "says"),
    [
        ([0], {}, 0, ""),
        ([0], {NAME: 8}, 1, "mend it, or take it out"),
        ([1, 0], {}, 0, "= 2026-03-10"),
        ([1, 0], {NAME: 3}, 0, "passed alone"),
        ([1, 0], {NAME: 9}, 1, "has been unsteady since 2026-03-01"),
        ([1, 1], {}, 1, ""),
        ([2], {}, 2, ""),
    ],
)
def test_what_the_check_says(
    codes: list[int],
    listed: dict[str, int],
    code: int,
    says: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    check = tool("check", monkeypatch)
    days = {name: TODAY - datetime.timedelta(age) for name, age in listed.items()}
    left = list(codes)
    monkeypatch.setattr(check.unsteady, "read", lambda: days)
    monkeypatch.setattr(check, "run", lambda _command: left.pop(0))
    monkeypatch.setattr(check, "failed_tests", lambda: [NAME])
    assert check.run_tests(["pytest"], TODAY) == code
    assert not left
    said = capsys.readouterr().out
    assert says in said
    added = said.partition("Add to tests/unsteady.toml:")[2].strip()
    if added:
        assert tomllib.loads(f"[tests]\n{added}") == {"tests": {NAME: TODAY}}
    assert bool(added) == (codes == [1, 0] and NAME not in listed)


def test_a_list_that_cannot_be_read_is_named(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    check = tool("check", monkeypatch)
    path = tmp_path / "unsteady.toml"
    path.write_text("[tests\n")
    read = check.unsteady.read
    monkeypatch.setattr(check.unsteady, "read", lambda: read(path))
    assert check.run_tests(["pytest"], TODAY) == 2
    assert "line 1" in capsys.readouterr().out

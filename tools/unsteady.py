"""The list of unsteady tests: a second try must not hide a fault for ever.

A test that fails beside others and passes alone is unsteady. It is listed in tests/unsteady.toml with the
day on which that was first seen, and has a week.
"""

import datetime
import tomllib
from collections.abc import Iterable, Mapping
from pathlib import Path

__all__ = ["DAYS", "LIST", "new", "overdue", "read"]

LIST = Path(__file__).resolve().parent.parent / "tests" / "unsteady.toml"
DAYS = 7


def read(path: Path = LIST) -> dict[str, datetime.date]:
    """Each listed test with the day of its entry; ValueError for a list that cannot be believed."""
    listed = tomllib.loads(path.read_text(encoding="utf-8")).get("tests", {})
    for name, day in listed.items():
        if type(day) is not datetime.date:
            raise ValueError(f"{path.name}: {name} needs a day, like 2026-01-31, and has {day!r}")
    return dict(listed)


def overdue(listed: Mapping[str, datetime.date], today: datetime.date) -> list[str]:
    """What to say of the tests that have been listed for too long, or from a day that is yet to come."""
    said = []
    for name, day in listed.items():
        age = (today - day).days
        if age > DAYS:
            said.append(f"{name} has been unsteady since {day}: mend it, or take it out")
        elif age < -1:  # somewhere it is tomorrow already
            said.append(f"{name} is listed from {day}, a day that is yet to come")
    return said


def new(
    unsteady: Iterable[str], listed: Mapping[str, datetime.date], today: datetime.date
) -> list[str]:
    """The lines to add for tests that were seen to be unsteady and are not listed."""
    return [f'"{_escaped(name)}" = {today}' for name in unsteady if name not in listed]


def _escaped(name: str) -> str:
    """As TOML writes it: the values of a parameter may hold anything."""
    return name.replace("\\", "\\\\").replace('"', '\\"')

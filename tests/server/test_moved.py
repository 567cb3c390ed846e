"""The server's modules by the names that they had while all lay in one folder."""

import importlib

import pytest

from mbegu.server.moved import MOVED


@pytest.mark.parametrize("name", sorted(MOVED))
def test_the_name_of_before_is_the_same_module(name: str) -> None:
    before = importlib.import_module(f"mbegu.server.{name}")
    assert before is importlib.import_module(f"mbegu.server.{MOVED[name]}")
    assert before.__spec__ is not None
    assert before.__spec__.name == f"mbegu.server.{MOVED[name]}"

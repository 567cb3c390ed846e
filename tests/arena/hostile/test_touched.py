"""The table's memory is there before a clock runs."""

import sys
from pathlib import Path
from typing import Any

import pytest

import mbegu
from mbegu.engine import cycles
from mbegu.engine.engine import Engine, Limits
from mbegu.engine.kernels import driver

MIB = 1 << 20


def resident() -> int:
    """Bytes of this process that are really in memory."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * 4096


@pytest.mark.skipif(sys.platform != "linux", reason="asks Linux for the memory in use")
def test_the_table_is_in_memory_after_warming_up() -> None:
    Engine(mbegu.game("oware"), hash_mb=1).warm_up()  # compiling takes memory too
    engine = Engine(mbegu.game("oware"), hash_mb=96)
    before = resident()
    engine.warm_up()
    assert resident() - before >= 90 * MIB
    warm = resident()
    for _info in engine.think(mbegu.game("oware").start(), Limits(nodes=20_000)):
        pass
    assert resident() - warm < 10 * MIB


@pytest.mark.parametrize("name", ["oware", "morabaraba"])
@pytest.mark.parametrize("function", [cycles.explore, cycles.child_facts, driver.tell_facts])
def test_all_is_compiled_before_a_clock_runs(
    name: str, function: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A caged bot cannot keep what it compiles: it would do so in the middle of a move of every game."""
    called: dict[type, object] = {}
    monkeypatch.setattr(function, "prebuilt", called)
    Engine(mbegu.game(name), hash_mb=1).warm_up()
    assert called

"""Between Python in a tab (Pyodide) and JavaScript: the host of `web/src/engine`, with lists and integers."""

from __future__ import annotations

from importlib import import_module
from typing import Any

__all__ = ["JavaScriptHost"]


class JavaScriptHost:
    """`mbegu.engine.machine.Host` on a `Host` of JavaScript."""

    def __init__(self, host: Any) -> None:
        self._host = host
        self._given = import_module("pyodide.ffi").to_js  # what JavaScript can read

    def call(self, entry: str, words: list[int]) -> list[int]:
        """Calls a function with a block of words; the words of its answer, unsigned."""
        return [int(word) for word in self._host.call(entry, self._given(words))]

    def allocate(self, size: int) -> int:
        """The address of so many bytes, full of zeros, on a cache line, after all others."""
        return int(self._host.allocate(size))

    def release(self, address: int) -> None:
        """Gives back everything that was allocated from this address on."""
        self._host.release(address)

    def read(self, kind: str, address: int, count: int, step: int) -> list[int]:
        """So many numbers of a kind, each so many numbers after the other."""
        return [int(number) for number in self._host.read(kind, address, count, step)]

    def write(self, kind: str, address: int, values: list[int]) -> None:
        """Writes numbers of a kind."""
        self._host.write(kind, address, self._given(values))

    def fill(self, kind: str, address: int, count: int, value: int) -> None:
        """Writes one number many times."""
        self._host.fill(kind, address, count, value)

    def helpers(self) -> int:
        """How many other workers may be told to call functions."""
        return int(self._host.helpers())

    def begin(self, helper: int, entry: str, words: list[int]) -> None:
        """Lets a helper call a function; nobody waits for it."""
        self._host.begin(helper, entry, self._given(words))

    def finish(self, helper: int) -> None:
        """Waits until a helper has returned."""
        self._host.finish(helper)

    def table(self) -> int:
        """The address of the endgame table, 0 if there is none."""
        return int(self._host.table())

    def clock(self) -> int:
        """The number of the function that tells the time."""
        return int(self._host.clock())

    def now(self) -> int:
        """What it tells, in nanoseconds."""
        return int(self._host.now())

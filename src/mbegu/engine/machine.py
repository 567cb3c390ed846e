"""The seam between the engine's Python and its compiled kernels: where they run, and with what memory.

The engine's Python asks a *machine* for memory and never cares which one it is:

    Computer   this computer: arrays of NumPy; functions from a prebuilt library, or compiled by Numba
    Tab        what a browser's tab supplies (`install`): a module of WebAssembly behind JavaScript,
               reached with plain integers and lists; there is no NumPy, and no thread of Python. Where
               the page may share memory, other workers of the tab help: they call the same module.

A call finds its machine by itself: by the class of the state or by the memory among its arguments.
"""

from __future__ import annotations

import ctypes
import sys
import time
import weakref
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import Any, Protocol

from mbegu.engine.ahead.calling import flatten, reader
from mbegu.engine.arrays import np

__all__ = ["Computer", "Host", "Tab", "Words", "install", "machine_of", "tab_call"]

SIZES = {"int8": 1, "int16": 2, "int32": 4, "int64": 8, "uint64": 8}
Shape = int | tuple[int, int]


class Computer:
    """This computer. Memory is arrays of NumPy."""

    has_threads = True

    def most_threads(self, wanted: int) -> int:
        """How many of so many threads there can be."""
        return wanted

    def empty(self, shape: Shape, kind: str) -> Any:
        """Memory that tells nothing yet."""
        return np.empty(shape, kind)

    def zeros(self, shape: Shape, kind: str) -> Any:
        """Memory full of zeros."""
        return np.zeros(shape, kind)

    def lines(self, count: int) -> Any:
        """So many words, full of zeros, that begin on a cache line."""
        words = np.zeros(count + 8, "uint64")
        skip = -words.ctypes.data % 64 // 8
        return words[skip : skip + count]

    def address(self, words: Any) -> int:
        """Where the memory begins."""
        where: int = words.ctypes.data
        return where

    def scratch(self) -> AbstractContextManager[None]:
        """Within it memory is lent, and given back at its end."""
        return nullcontext()

    def clock(self) -> tuple[int, int]:
        """The address of a C function that tells the time in two words, 0 where there is none, and what
        it is called with."""
        return SYSTEM_CLOCK, WHICH_CLOCK

    def now(self) -> int:
        """What that clock tells, in nanoseconds."""
        return time.clock_gettime_ns(WHICH_CLOCK)


def _system_clock() -> int:
    if sys.maxsize < 2**32 or not hasattr(time, "CLOCK_MONOTONIC"):
        return 0
    try:
        function = ctypes.CDLL(None).clock_gettime
    except (AttributeError, OSError):
        return 0
    return ctypes.cast(function, ctypes.c_void_p).value or 0


WHICH_CLOCK: int = getattr(time, "CLOCK_MONOTONIC", 0)
SYSTEM_CLOCK = 0 if sys.platform == "emscripten" else _system_clock()


# ---- a tab ----------------------------------------------------------------------------------------


class Host(Protocol):
    """What JavaScript does for us: a module of WebAssembly and its memory. All numbers are integers."""

    def call(self, entry: str, words: list[int]) -> list[int]:
        """Calls a function with a block of words; the words of its answer, unsigned."""

    def allocate(self, size: int) -> int:
        """The address of so many bytes, full of zeros, on a cache line, after all others."""

    def release(self, address: int) -> None:
        """Gives back everything that was allocated from this address on."""

    def read(self, kind: str, address: int, count: int, step: int) -> list[int]:
        """So many numbers of a kind, each so many numbers after the other."""

    def write(self, kind: str, address: int, values: list[int]) -> None:
        """Writes numbers of a kind."""

    def fill(self, kind: str, address: int, count: int, value: int) -> None:
        """Writes one number many times."""

    def clock(self) -> int:
        """The number of the function that tells the time."""

    def now(self) -> int:
        """What it tells, in nanoseconds."""

    def helpers(self) -> int:
        """How many other workers may be told to call functions."""

    def begin(self, helper: int, entry: str, words: list[int]) -> None:
        """Lets a helper, from 1 on, call a function; nobody waits for it."""

    def finish(self, helper: int) -> None:
        """Waits until a helper has returned; at once if it does nothing."""

    def table(self) -> int:
        """The address of the endgame table, 0 if there is none."""


class Words:
    """A piece of a module's memory; it is used like an array."""

    def __init__(self, machine: Tab, address: int, shape: tuple[int, ...], kind: str) -> None:
        self.machine, self.address, self.shape, self.kind = machine, address, shape, kind
        self._host, self._size = machine.host, SIZES[kind]

    def __len__(self) -> int:
        return self.shape[0]

    def _at(self, index: int) -> int:
        return self.address + self._size * index

    def _flat(self, index: Any) -> int:
        return int(index[0]) * self.shape[1] + int(index[1])

    def _range(self, part: slice) -> range:
        return range(*part.indices(len(self)))

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice):
            part = self._range(index)
            if not part:
                return []
            return self._host.read(self.kind, self._at(part.start), len(part), part.step)
        at = self._flat(index) if isinstance(index, tuple) else int(index)
        return self._host.read(self.kind, self._at(at), 1, 1)[0]

    def __setitem__(self, index: Any, value: Any) -> None:
        if not isinstance(index, slice):
            at = self._flat(index) if isinstance(index, tuple) else int(index)
            self._host.write(self.kind, self._at(at), [int(value)])
            return
        part = self._range(index)
        if isinstance(value, int):
            self._host.fill(self.kind, self._at(part.start), len(part), value)
        elif part:
            self._host.write(self.kind, self._at(part.start), [int(each) for each in value])


class Tab:
    """A module of WebAssembly that serves one class of states.

    Its memory can only grow. What an engine has left is kept for the next one that wants as much: a
    level makes an engine for each of its moves.
    """

    has_threads = False

    def __init__(self, host: Host, told: dict[str, Any]) -> None:
        self.host, self.told = host, told
        self._spare: dict[int, list[int]] = defaultdict(list)  # addresses by size
        self._lending = False  # in `scratch`, whose memory goes back by itself

    def most_threads(self, wanted: int) -> int:
        """How many of so many threads there can be: this one, and the helpers."""
        return min(wanted, 1 + self.host.helpers())

    def empty(self, shape: Shape, kind: str) -> Words:
        """Memory that tells nothing yet."""
        return self.zeros(shape, kind)

    def zeros(self, shape: Shape, kind: str) -> Words:
        """Memory full of zeros."""
        full = shape if isinstance(shape, tuple) else (shape,)
        size = SIZES[kind]
        for length in full:
            size *= length
        if self._lending:
            return Words(self, self.host.allocate(size), full, kind)
        words = Words(self, self._room(size), full, kind)
        weakref.finalize(words, self._spare[size].append, words.address)
        return words

    def _room(self, size: int) -> int:
        spare = self._spare[size]
        if not spare:
            return self.host.allocate(size)
        address = spare.pop()
        self.host.fill("int8", address, size, 0)
        return address

    def lines(self, count: int) -> Words:
        """So many words, full of zeros, that begin on a cache line."""
        return self.zeros(count, "uint64")

    def address(self, words: Words) -> int:
        """Where the memory begins."""
        return words.address

    @contextmanager
    def scratch(self) -> Iterator[None]:
        """Within it memory is lent, and given back at its end."""
        mark, before = self.host.allocate(0), self._lending
        self._lending = True
        try:
            yield
        finally:
            self._lending = before
            self.host.release(mark)

    def clock(self) -> tuple[int, int]:
        """The number of the function that tells the time, and what it is called with."""
        return self.host.clock(), 0

    def now(self) -> int:
        """What that clock tells, in nanoseconds."""
        return self.host.now()

    def call(self, entry: str, words: Sequence[int], state: type | None) -> Any:
        """Calls a function of the module."""
        read = reader(self.told["entries"][entry]["answer"], self.told["words"], state)
        return read(iter(self.host.call(entry, _unsigned(words))))

    def begin(self, helper: int, entry: str, arguments: tuple[Any, ...]) -> None:
        """Lets another worker of the tab call a function; its answer is lost."""
        words: list[int] = []
        flatten(arguments, words)
        self.host.begin(helper, entry, _unsigned(words))

    def finish_helpers(self) -> None:
        """Waits until all have returned; somebody has told them to."""
        for helper in range(1, self.host.helpers() + 1):
            self.host.finish(helper)


def _unsigned(words: Sequence[int]) -> list[int]:
    return [word & (2**64 - 1) for word in words]


Machine = Computer | Tab
_computer = Computer()
_supply: Callable[[str], tuple[Host, dict[str, Any]] | None] | None = None
_tabs: dict[str, Tab | None] = {}


def install(supply: Callable[[str], tuple[Host, dict[str, Any]] | None] | None) -> None:
    """From now on compiled code runs where this tells: for the name of a class of states, such as
    `mbegu.games.oware.kernel.Oware`, a module of WebAssembly and its part of the manifest, or None."""
    global _supply  # noqa: PLW0603 (a process is a tab or is none)
    _supply = supply
    _tabs.clear()


def in_tab() -> bool:
    """Whether a tab supplies the machines."""
    return _supply is not None


def machine_of(state_class: type) -> Machine:
    """Where states of this class are thought about."""
    return tab_of(state_class) or _computer


def tab_of(state_class: type) -> Tab | None:
    """The tab's machine for states of this class."""
    if _supply is None:
        return None
    name = f"{state_class.__module__}.{state_class.__qualname__}"
    if name not in _tabs:
        supplied = _supply(name)
        _tabs[name] = None if supplied is None else Tab(*supplied)
    return _tabs[name]


def tab_call(entry: str, arguments: tuple[Any, ...]) -> Callable[[], Any] | None:
    """A call that a tab answers; None if it is for this computer."""
    first = type(arguments[0])
    found = tab_of(first) if hasattr(first, "_fields") else _lender(arguments)
    if found is None:
        return None
    words: list[int] = []
    flatten(arguments, words)
    return lambda: found.call(entry, words, first if hasattr(first, "_fields") else None)


def _lender(arguments: Sequence[Any]) -> Tab | None:
    """The machine whose memory stands among the arguments."""
    for argument in arguments:
        if isinstance(argument, Words):
            return argument.machine
        if isinstance(argument, tuple) and (found := _lender(argument)) is not None:
            return found
    return None

"""How Mbegu compiles: `inlined` for parts of a kernel, `compiled` for what Python calls.

Numba is imported when something must be compiled, not when a kernel is imported. What was compiled
ahead of time (`mbegu.engine.ahead`) is taken from its library, and then Numba need not even be installed.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from functools import cache, update_wrapper
from importlib import import_module
from typing import Any, ClassVar, cast

from mbegu.core.errors import MbeguError
from mbegu.core.extras import has, how_to_install
from mbegu.core.i18n import _
from mbegu.engine.ahead.entries import ENTRIES
from mbegu.engine.ahead.library import find
from mbegu.engine.arrays import np
from mbegu.engine.cache import digest_of_file, source_digest
from mbegu.engine.machine import in_tab, tab_call

__all__ = ["NoCompiler", "compiled", "has_compiler", "inlined", "intrinsic", "overloaded"]

Function = Callable[..., Any]
int64: Any = np.int64  # in compiled code, whose types nobody tells

# Nobody calls a part from Python: what would make that possible is left out. All parts are compiled
# with the same options, because Numba compiles what they call once for each set of options.
PART: Any = {
    "nogil": True,
    "forceinline": True,
    "no_cpython_wrapper": True,
    "no_cfunc_wrapper": True,
}


class NoCompiler(MbeguError):
    """Something must be compiled, and Numba is not installed."""

    def __init__(self) -> None:
        super().__init__(
            _("this must be compiled, and Numba is not installed: {how}").format(
                how=how_to_install("jit")
            )
        )


@cache
def has_compiler() -> bool:
    """Whether Numba is installed; it is not imported for that."""
    return has("numba")


class _Later:
    """A module of the compiler that is imported when something of it is used."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __getattr__(self, attribute: str) -> Any:
        return getattr(import_module(self._name), attribute)


ir: Any = _Later("llvmlite.ir")
types: Any = _Later("numba.types")
cgutils: Any = _Later("numba.core.cgutils")


# ---- what waits for the compiler ------------------------------------------------------------------

_lock = threading.RLock()
_waiting: list[Callable[[Any], None]] = []
_compiler: Any = None


def compiler() -> Any:
    """`mbegu.engine.compiler`, which imports Numba, with all that has been told so far."""
    global _compiler  # noqa: PLW0603 (a process has one)
    with _lock:
        if _compiler is None:
            if not has_compiler():
                raise NoCompiler
            found = import_module("mbegu.engine.compiler")
            while _waiting:
                _waiting.pop(0)(found)
            _compiler = found
        return _compiler


def _tell(register: Callable[[Any], None]) -> None:
    """Tells the compiler something, now or when it is there."""
    with _lock:
        if _compiler is None:
            _waiting.append(register)
        else:
            register(_compiler)


def overloaded(function: Function, choose: Function) -> None:
    """Lets `choose` find, by the types of the arguments, what a call of the function does."""
    _tell(lambda compiler: compiler.overload(function, choose, PART))


class _Named:
    """Something that stands in a module under its name, and that compiled code may use."""

    def __init__(self, function: Function) -> None:
        update_wrapper(cast(Function, self), function)

    def __deepcopy__(self, memo: Any) -> Any:  # the compiler copies code that mentions it
        return self


class Intrinsic(_Named):
    """An operation that is told in LLVM's language."""

    def __init__(self, define: Function) -> None:
        super().__init__(define)
        _tell(lambda compiler: compiler.add_intrinsic(self, define))


def intrinsic(define: Function) -> Any:
    """An operation for compiled code; `define` tells its type and writes it down."""
    return Intrinsic(define)


class Part(_Named):
    """A function that is compiled when it is needed."""

    def __init__(self, function: Function) -> None:
        super().__init__(function)
        self.py_func = function
        self._dispatcher: Any = None

    @property
    def dispatcher(self) -> Any:
        """Numba's compiled function."""
        if self._dispatcher is None:
            there = compiler()
            with _lock:
                if self._dispatcher is None:
                    self._dispatcher = self._made(there)
        return self._dispatcher

    def _made(self, compiler: Any) -> Any:
        return compiler.part(self.py_func, PART)

    def __call__(self, *args: Any) -> Any:
        return self.dispatcher(*args)


class Spliced(Part):
    """A function that the compiler copies into its callers, as it does with what says so here."""

    targetoptions: ClassVar[dict[str, str]] = {"inline": "always"}


class Entry(Part):
    """What Python calls: the function of a prebuilt library if there is one, else it is compiled."""

    def __init__(self, function: Function) -> None:
        super().__init__(function)
        source_digest()  # now, while the sources are the ones that are being imported
        digest_of_file(function.__code__.co_filename)
        self.prebuilt: dict[type, Function | None] = {}  # by the class of the first argument

    def _made(self, compiler: Any) -> Any:
        return compiler.entry(self.py_func)

    def __call__(self, *args: Any) -> Any:
        first = type(args[0])
        if in_tab() and (ask := tab_call(self.py_func.__name__, args)) is not None:
            return ask()
        if first not in self.prebuilt:
            self.prebuilt[first] = self._found(first)
        return (self.prebuilt[first] or self.dispatcher)(*args)

    def _found(self, first: type) -> Function | None:
        """The function of a library; only those that the engine offers by this name are in one."""
        home, _arguments = ENTRIES.get(self.py_func.__name__, ("", ()))
        return find(self.py_func.__name__, first) if home == self.py_func.__module__ else None


def inlined(function: Function) -> Any:
    """A piece of a kernel, always inlined; it never stands in the cache by itself."""
    return Part(function)


def spliced(function: Function) -> Any:
    """A piece that is copied into its caller before that is compiled: it may call its caller, see
    `mbegu.engine.recursion`."""
    return Spliced(function)


def compiled(function: Function) -> Any:
    """An entry point, at the top level of a module: releases the GIL and is kept in the cache."""
    return Entry(function)

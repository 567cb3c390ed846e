"""How Mbegu compiles: `inlined` for parts of a kernel, `compiled` for what Python calls."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from numba import njit

from mbegu.engine.cache import KernelCache

Function = Callable[..., Any]

# Nobody calls a part from Python: what would make that possible is left out. All parts are compiled
# with the same options, because Numba compiles what they call once for each set of options.
PART: Any = {
    "nogil": True,
    "forceinline": True,
    "no_cpython_wrapper": True,
    "no_cfunc_wrapper": True,
}


def inlined(function: Function) -> Any:
    """A piece of a kernel, always inlined; it never stands in the cache by itself."""
    return njit(**PART)(function)


def compiled(function: Function) -> Any:
    """An entry point, at the top level of a module: releases the GIL and is kept in the cache."""
    dispatcher: Any = njit(nogil=True)(function)
    dispatcher._cache = KernelCache(function)
    return dispatcher

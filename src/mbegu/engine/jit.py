"""How Mbegu compiles: `inlined` for parts of a kernel, `compiled` for what Python calls."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from numba import njit

from mbegu.engine.cache import KernelCache

Function = Callable[..., Any]


def inlined(function: Function) -> Any:
    """A piece of a kernel, always inlined; it never stands in the cache by itself."""
    return njit(nogil=True, forceinline=True)(function)


def compiled(function: Function) -> Any:
    """An entry point, at the top level of a module: releases the GIL and is kept in the cache."""
    dispatcher: Any = njit(nogil=True)(function)
    dispatcher._cache = KernelCache(function)
    return dispatcher

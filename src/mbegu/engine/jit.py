"""How Mbegu compiles: `inlined` for parts of a kernel, `compiled` for what Python calls."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from numba import njit

Function = Callable[..., Any]


def inlined(function: Function) -> Any:
    """A piece of a kernel. LLVM inlines it; it never stands in the cache by itself."""
    return njit(nogil=True, forceinline=True)(function)


def compiled(function: Function) -> Any:
    """An entry point: releases the GIL and is kept in the disk cache."""
    return njit(nogil=True)(function)

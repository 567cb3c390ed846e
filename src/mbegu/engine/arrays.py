"""NumPy, for kernels; and a stand-in for Pythons without it, such as the one in a browser's tab.

There a kernel's compiled functions come from elsewhere, so that nobody reads its tables: only
`pack` and its like are used, and words are plain integers.
"""

from __future__ import annotations

from typing import Any, NoReturn

__all__ = ["np"]


class _Table:
    """Stands where a table would: it takes everything, and whoever reads it is told so."""

    def __getitem__(self, _index: object) -> NoReturn:
        raise TypeError("this table is not there: without NumPy only compiled functions have it")

    def __setitem__(self, _index: object, _value: object) -> None:
        pass


class _Numbers:
    """The part of NumPy that kernels use when they are imported."""

    uint64 = int64 = int32 = int16 = int8 = uint8 = uint16 = uint32 = int

    @staticmethod
    def zeros(*_shape: object) -> Any:
        """A table that nobody reads."""
        return _Table()

    array = empty = full = zeros


np: Any
try:
    import numpy as np
except ImportError:
    np = _Numbers()

"""Arguments and answers as words of a block; see `mbegu.engine.ahead`."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

__all__ = ["flatten", "reader"]


def flatten(arguments: Any, words: list[int]) -> None:
    """Arguments as words: a tuple is its parts, an array its address and its lengths."""
    for argument in arguments:
        if isinstance(argument, tuple):
            flatten(argument, words)
        elif hasattr(argument, "ctypes"):
            if not argument.flags.c_contiguous:
                raise ValueError("a prebuilt library takes arrays in one piece only")
            words += (argument.ctypes.data, *argument.shape)
        elif hasattr(argument, "shape") and argument.shape:  # memory of a tab
            words += (argument.address, *argument.shape)
        else:
            words.append(int(argument))


def reader(kind: Any, size: int, state: type | None) -> Callable[[Iterator[int]], Any]:
    """How an answer is read from the block."""
    if kind is None:
        return lambda words: None
    if isinstance(kind, list):
        parts = [reader(each, size, state) for each in kind]
        return lambda words: tuple(part(words) for part in parts)
    if kind == "state":
        make: Any = state
        return lambda words: make(*(next(words) for _field in range(size)))
    if kind == "bool":
        return lambda words: next(words) != 0
    if kind.startswith("u"):
        return next
    return _signed


def _signed(words: Iterator[int]) -> int:
    word = next(words)
    return word - 2**64 if word >> 63 else word

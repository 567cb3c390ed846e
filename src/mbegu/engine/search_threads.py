"""What the threads of a search are given: their task, and the memory that each has for itself."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from mbegu.engine import thread_data as layout

__all__ = ["FOREVER", "Task", "ThreadData"]

FOREVER = 2**62  # nodes


@dataclass(frozen=True, eq=False)
class Task:
    """What all threads are searching at the moment."""

    depth: int
    alpha: int
    beta: int
    skip: int


class ThreadData:
    """The words of one thread; see `mbegu.engine.thread_data`."""

    def __init__(self) -> None:
        self.words = np.zeros(layout.THREAD_WORDS, np.int64)
        self.address = self.words.ctypes.data

    def line(self) -> tuple[int, ...]:
        """The principal variation that the search has written down."""
        length = int(self.words[layout.PV_LENGTH])
        return tuple(int(move) for move in self.words[layout.PV : layout.PV + length])

    def root_moves(self) -> Any:
        """The moves of the root, best first; a view."""
        first = layout.ROOT_MOVES
        return self.words[first : first + int(self.words[layout.ROOT_COUNT])]

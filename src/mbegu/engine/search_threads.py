"""What the threads of a search are given: their task, and the memory that each has for itself."""

from __future__ import annotations

from dataclasses import dataclass

from mbegu.engine import thread_data as layout
from mbegu.engine.machine import Machine

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

    def __init__(self, machine: Machine) -> None:
        self.words = machine.zeros(layout.THREAD_WORDS, "int64")
        self.address = machine.address(self.words)

    def line(self) -> tuple[int, ...]:
        """The principal variation that the search has written down."""
        length = int(self.words[layout.PV_LENGTH])
        return tuple(int(move) for move in self.words[layout.PV : layout.PV + length])

    def root_moves(self) -> list[int]:
        """The moves of the root, best first."""
        first = layout.ROOT_MOVES
        count = int(self.words[layout.ROOT_COUNT])
        return [int(move) for move in self.words[first : first + count]]

    def allow(self, moves: list[int]) -> None:
        """Changes the moves of the root."""
        self.words[layout.ROOT_COUNT] = len(moves)
        self.words[layout.ROOT_MOVES : layout.ROOT_MOVES + len(moves)] = moves

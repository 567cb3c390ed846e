"""What a game brings so that there can be tables of it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from importlib import import_module
from typing import Any, Protocol

from mbegu.core.errors import MbeguError
from mbegu.core.game import Game, Position
from mbegu.core.i18n import _
from mbegu.engine.kernels.door import beside_kernel

__all__ = ["Crew", "Layer", "Solver", "TableError", "Verdict", "solver_of", "tabled"]


class TableError(MbeguError):
    """A table that cannot be built, read or believed."""


@dataclass(frozen=True)
class Verdict:
    """What a table tells of a position, for the player to move, in the game's own margin.

    `value` is the margin of what lies on the board. By the rules of a match it is at least `low` and
    at most `high`; where the two are equal it is `exact`. `plies` tells how soon the table's game decides
    it, where the game knows: in Morabaraba to the next shot, or to the end if there is none.
    """

    value: int
    low: int
    high: int
    plies: int | None = field(default=None, repr=False)

    @property
    def exact(self) -> bool:
        """Whether nothing but the position decides it."""
        return self.low == self.high


@dataclass(frozen=True)
class Layer:
    """One layer of a table: how many positions, and what they are worth.

    `facts[byte]` is what a byte means, for the game to read; `values` counts the positions of each
    value, and `exact` those whose value nothing else can change.
    """

    name: str
    size: int
    facts: list[list[int]] = field(default_factory=list)
    values: dict[int, int] = field(default_factory=dict)
    exact: int = 0
    checksum: int = 0


class Crew(Protocol):
    """Who does the work: threads, and somebody who is told how far it is."""

    def share(self, work: Callable[..., None], begin: int, end: int, *rest: Any) -> None:
        """Calls `work(from, to, *rest)` for pieces of a range, on all threads, and waits."""

    def each(self, work: Callable[..., None], count: int, *rest: Any) -> None:
        """Calls `work(i, i + 1, *rest)` for each number below `count`, on all threads, and waits."""

    def tell(self, share: float) -> None:
        """Tells which share of the layer is done."""


class Solver(Protocol):
    """How the positions of a game are numbered, solved and checked, for one set of rules."""

    least: int  # the smallest table that makes sense, in seeds
    most: int
    usual: int  # what is built when nobody asks: within seconds
    light: int  # what goes with a browser's tab: not more than a tenth of a megabyte, packed; 0 for none

    def sizes(self, seeds: int) -> list[int]:
        """How many positions each layer has, from none to so many seeds."""

    def memory(self, seeds: int) -> int:
        """How many bytes building takes beside the table itself."""

    def solve(self, number: int, table: Any, done: Sequence[Layer], crew: Crew) -> Layer:
        """Writes the bytes of a layer into the table, whose earlier layers are `done`."""

    def check(self, number: int, table: Any, layers: Sequence[Layer], crew: Crew) -> int:
        """How many positions of a layer are not worth what the best of their moves is worth."""

    def boards(self, number: int, begin: int, end: int) -> list[list[int]]:
        """The positions of a layer from one rank to another, as plain numbers for people."""

    def place(self, position: Position) -> tuple[int, int] | None:
        """The layer of a position and where in the whole table it stands; None if in no table."""

    def verdict(self, fact: Sequence[int], position: Position) -> Verdict:
        """What a byte's meaning tells of a position."""


def tabled(game: Game) -> Game:
    """The game whose table serves: those that only begin in another way share one."""
    begins = {name: option.default for name, option in game.options().items() if option.start}
    return replace(game, **begins)


def solver_of(game: Game) -> Solver:
    """The solver for a game by its rules."""
    name = beside_kernel(game.name, "table")
    if name is None:
        raise TableError(_("there are no tables for {game}").format(game=game.name))
    solver: Solver = import_module(name).solver(game)
    return solver

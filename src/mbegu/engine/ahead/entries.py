"""What a library offers: the functions that the engine calls, and the types of their arguments."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from mbegu.core.registry import OURS
from mbegu.engine.kernels.door import kernel_module

__all__ = ["ENTRIES", "library_name", "state_classes"]

# Words of an argument's type: `state`, a number, `number[dimensions]` for an array, or a tuple of them.
ROOM = (
    *("uint64[1]", "uint64[1]", "int32[1]", "int8[1]"),
    *("int32[1]", "int32[1]", "int16[1]", "int16[1]"),
)
SCRATCH = (*("int32[1]",) * 5, "int16[2]")
WORD = ("int64",)

Kind = str | tuple[str, ...]
ENTRIES: dict[str, tuple[str, tuple[Kind, ...]]] = {
    "walk": ("mbegu.engine.kernels.walk", ("state", *WORD)),
    "list_moves": ("mbegu.engine.kernels.driver", ("state", "int64[1]")),
    "make_move": ("mbegu.engine.kernels.driver", ("state", *WORD)),
    "tell_facts": ("mbegu.engine.kernels.driver", ("state",)),
    "prepare": ("mbegu.engine.root_search", ("state", *WORD)),
    "search_root": ("mbegu.engine.root_search", ("state", *WORD * 6)),
    "follow": ("mbegu.engine.root_search", ("state", *WORD * 2)),
    "is_irreversible": ("mbegu.engine.root_search", ("state", "state")),
    "facts_of": ("mbegu.engine.root_search", ("state",)),
    "is_over": ("mbegu.engine.root_search", ("state",)),
    "ends_by_itself": ("mbegu.engine.root_search", ("state",)),
    "await_task": ("mbegu.engine.abdada", WORD * 3),
    "told_by_table": ("mbegu.engine.ending", ("state", *WORD)),
    "forced": ("mbegu.engine.forced", ("state", *WORD * 5)),
    "forced_by": ("mbegu.engine.forced", ("state", *WORD * 5)),
    "stand": ("mbegu.engine.last_stand", ("state", *WORD * 2)),
    "consider": ("mbegu.engine.humanlike", ("state", "int64", "uint64", *WORD * 2)),
    "explore": ("mbegu.engine.cycles", ("state", "int64", "uint64[1]", "bool", ROOM, "int64")),
    "tighten": ("mbegu.engine.cycles", ("int64", ROOM, "int32[2]", SCRATCH, "int64")),
    "main_line": ("mbegu.engine.cycles", ("int64", ROOM, "int32[2]", "int32[1]")),
    "child_facts": ("mbegu.engine.cycles", ("state",)),
}


def state_classes(game: str) -> tuple[type, ...]:
    """The classes of states that a game of ours has, of the default rules first."""
    module: Any = import_module(kernel_module(game))
    classes: tuple[type, ...] = module.ALL
    return classes


def all_classes() -> list[type]:
    """The classes of all our games."""
    return [each for game in OURS for each in state_classes(game)]


def library_name(state_class: type) -> str:
    """`kalah-empty-capture` for `KalahEmptyCapture`."""
    letters = (
        f"-{letter.lower()}" if letter.isupper() else letter for letter in state_class.__name__
    )
    return "".join(letters).removeprefix("-")

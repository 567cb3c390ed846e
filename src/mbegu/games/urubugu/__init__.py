"""Urubugu (Igisoro): rules and lesson for people, kernel and evaluation for the engine, and a perft suite.

Only the rules are imported here; the engine finds the kernel by its entry point."""

from mbegu.games.urubugu.rules import (
    BEADS,
    CELLS,
    NAMES,
    Urubugu,
    UrubuguPosition,
)

__all__ = [
    "BEADS",
    "CELLS",
    "NAMES",
    "Urubugu",
    "UrubuguPosition",
]

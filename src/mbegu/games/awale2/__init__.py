"""Two-colour Awale: rules and lesson for people, kernel and evaluation for the engine, and a perft suite.

Only the rules are imported here; the engine finds the kernel by its entry point."""

from mbegu.games.awale2.rules import (
    COLOURS,
    HOLES,
    MAJORITY,
    OWN,
    Awale2,
    Awale2Position,
)

__all__ = [
    "COLOURS",
    "HOLES",
    "MAJORITY",
    "OWN",
    "Awale2",
    "Awale2Position",
]

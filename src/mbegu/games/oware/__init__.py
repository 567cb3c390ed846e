"""Oware Abapa: rules and lesson for people, kernel and evaluation for the engine, and a perft suite.

Only the rules are imported here; the engine finds the kernel by its entry point."""

from mbegu.games.oware.rules import (
    HOUSES,
    MAJORITY,
    OWN,
    Oware,
    OwarePosition,
)

__all__ = [
    "HOUSES",
    "MAJORITY",
    "OWN",
    "Oware",
    "OwarePosition",
]

"""Morabaraba: rules and lesson for people, kernel and evaluation for the engine, and a perft suite.

Only the rules are imported here; the engine finds the kernel by its entry point."""

from mbegu.games.morabaraba.rules import (
    INDEX,
    MILLS,
    NEIGHBOURS,
    POINTS,
    Morabaraba,
    MorabarabaPosition,
    coordinates,
)

__all__ = [
    "INDEX",
    "MILLS",
    "NEIGHBOURS",
    "POINTS",
    "Morabaraba",
    "MorabarabaPosition",
    "coordinates",
]

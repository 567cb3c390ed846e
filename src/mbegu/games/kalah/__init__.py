"""Kalah: rules and lesson for people, kernel and evaluation for the engine, and a perft suite.

Only the rules are imported here; the engine finds the kernel by its entry point."""

from mbegu.games.kalah.rules import (
    SIDES,
    Kalah,
    KalahPosition,
)

__all__ = [
    "SIDES",
    "Kalah",
    "KalahPosition",
]

"""Morabaraba: rules, board and lesson for people, kernel and evaluation for the engine, a perft suite.

Only the rules are imported here; the engine finds the kernel by its entry point."""

from mbegu.games.morabaraba.board import INDEX, MILLS, NEIGHBOURS, POINTS, coordinates
from mbegu.games.morabaraba.rules import Morabaraba, MorabarabaPosition

__all__ = [
    "INDEX",
    "MILLS",
    "NEIGHBOURS",
    "POINTS",
    "Morabaraba",
    "MorabarabaPosition",
    "coordinates",
]

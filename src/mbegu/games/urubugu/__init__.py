"""Urubugu (Igisoro): rules, board and lesson for people, kernel and evaluation for the engine, a perft suite.

Only the rules are imported here; the engine finds the kernel by its entry point."""

from mbegu.games.urubugu.board import NAMES
from mbegu.games.urubugu.rules import BEADS, CELLS, Urubugu, UrubuguPosition

__all__ = ["BEADS", "CELLS", "NAMES", "Urubugu", "UrubuguPosition"]

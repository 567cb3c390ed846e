"""Oware Abapa: rules, board and lesson for people, kernel and evaluation for the engine, a perft suite.

Only the rules are imported here; the engine finds the kernel by its entry point."""

from mbegu.games.oware.board import HOUSES, OWN
from mbegu.games.oware.rules import MAJORITY, Oware, OwarePosition

__all__ = ["HOUSES", "MAJORITY", "OWN", "Oware", "OwarePosition"]

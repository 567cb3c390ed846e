"""Two-colour Awale: rules, board and lesson for people, kernel and evaluation for the engine, a perft suite.

Only the rules are imported here; the engine finds the kernel by its entry point."""

from mbegu.games.awale2.board import HOLES, OWN
from mbegu.games.awale2.rules import COLOURS, MAJORITY, Awale2, Awale2Position

__all__ = ["COLOURS", "HOLES", "MAJORITY", "OWN", "Awale2", "Awale2Position"]

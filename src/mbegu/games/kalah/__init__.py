"""Kalah: rules, board and lesson for people, kernel and evaluation for the engine, a perft suite.

Only the rules are imported here; the engine finds the kernel by its entry point."""

from mbegu.games.kalah.board import SIDES
from mbegu.games.kalah.rules import Kalah, KalahPosition

__all__ = ["SIDES", "Kalah", "KalahPosition"]

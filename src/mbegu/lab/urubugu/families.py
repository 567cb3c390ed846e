"""Families of settings for Urubugu, by name: `default`, `front`… and, by lot, `uniform:7`.

>>> sum(setting_of("head"))
32
>>> setting_of("uniform:7") == setting_of("uniform:7")
True
"""

import random
from collections.abc import Callable
from itertools import pairwise

from mbegu.core.i18n import N_
from mbegu.games.urubugu import BEADS, CELLS, Urubugu
from mbegu.lab.counters import Setting, read_setting, unknown_family

__all__ = ["BY_LOT", "FAMILIES", "FIXED", "member", "setting_of"]

# From the player's seat: cells 1..8 are his back row from left to right, 9..16 his front row from
# right to left. His head is the column on his left (cells 1 and 16), his tail the one on his right.
FIXED: dict[str, Setting] = {
    "default": (2,) * 16,
    "front": (0,) * 8 + (4,) * 8,
    "back": (4,) * 8 + (0,) * 8,
    "pile": (32,) + (0,) * 15,
    "two-piles": (16,) + (0,) * 14 + (16,),
    "alternating": (4, 0) * 8,
    "head": (8, 4, 2, 2, 0, 0, 0, 0, 0, 0, 0, 0, 2, 2, 4, 8),
    "tail": (0, 0, 0, 0, 2, 2, 4, 8, 8, 4, 2, 2, 0, 0, 0, 0),
}


def _uniform(lot: random.Random) -> Setting:
    """Every setting is as likely as any other."""
    bars = sorted(lot.sample(range(BEADS + CELLS - 1), CELLS - 1))
    ends = [-1, *bars, BEADS + CELLS - 1]
    return tuple(right - left - 1 for left, right in pairwise(ends))


def _sparse(lot: random.Random) -> Setting:
    """Four piles, wherever they fall."""
    cells = [0] * CELLS
    places = lot.sample(range(CELLS), 4)
    for _bead in range(BEADS):
        cells[lot.choice(places)] += 1
    return tuple(cells)


BY_LOT: dict[str, Callable[[random.Random], Setting]] = {
    "uniform": _uniform,
    "beads": Urubugu.random_setup,
    "sparse": _sparse,
}

FAMILIES: dict[str, str] = {
    "default": N_("two beads in each cell"),
    "front": N_("four in each cell of the active zone"),
    "back": N_("four in each cell of the cemetery"),
    "pile": N_("all in cell 1"),
    "two-piles": N_("sixteen in cells 1 and 16"),
    "alternating": N_("four in every other cell"),
    "head": N_("most on the left, around cells 1 and 16"),
    "tail": N_("most on the right, around cells 8 and 9"),
    "uniform": N_("by lot, all settings alike"),
    "beads": N_("by lot, bead by bead"),
    "sparse": N_("by lot, four piles"),
}


def member(family: str, number: int, seed: int = 0) -> Setting:
    """The member of a family with this number; a family that is not by lot has only one."""
    if family in FIXED:
        return FIXED[family]
    if family not in BY_LOT:
        raise unknown_family(family, FAMILIES)
    return BY_LOT[family](random.Random(f"{seed} {family} {number}"))  # noqa: S311 (no secret)


def setting_of(text: str, game: Urubugu | None = None) -> Setting:
    """The setting that a text tells: 16 counts `2,2,…`, a family, or one by lot like `beads:7`."""
    return read_setting(text, game or Urubugu(), FAMILIES, member)

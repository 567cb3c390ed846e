"""An endgame table in a tab: its bytes lie in the module's memory, and what they mean is told beside it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any

from mbegu.core.game import Game
from mbegu.engine.machine import Tab
from mbegu.engine.tables.solver import Layer, tabled

__all__ = ["LentTable", "lent_table", "told_table"]


@dataclass(frozen=True)
class LentTable:
    """A table at an address."""

    layers: tuple[Layer, ...]
    address: int


def told_table(game: Game, layers: tuple[Layer, ...]) -> dict[str, Any]:
    """What a tab is told of a table; `lent_table` reads it."""
    facts = [[layer.name, layer.size, layer.facts] for layer in layers]
    return {"game": str(tabled(game)), "rules": game.id, "layers": facts}


@cache
def lent_table(tab: Tab, game: Game) -> LentTable | None:
    """The table that a tab has for a game by exactly these rules."""
    address, told = tab.host.table(), tab.told.get("table")
    if not address or told is None:
        return None
    if (told["game"], told["rules"]) != (str(tabled(game)), game.id):
        return None
    return LentTable(tuple(Layer(*layer) for layer in told["layers"]), address)

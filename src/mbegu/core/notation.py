"""Notations that a game brings besides ours, such as Oware's OGN: how its files are known, read and written."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from mbegu.core.errors import InvalidRecord
from mbegu.core.i18n import _
from mbegu.core.registry import usable_games

if TYPE_CHECKING:
    from mbegu.core.record import Record

__all__ = ["Notation", "find_notation", "notations"]


@dataclass(frozen=True)
class Notation:
    """A notation. `read` is called as `mbegu.core.reader.read_records` is."""

    name: str  # also how the names of its files end
    first_tag: str  # with which its texts begin; ours begin with Game
    read: Callable[..., Iterator["Record"]]
    write: Callable[[Any], str]


def notations() -> list[Notation]:
    """Those of all games that are installed."""
    return [found for game in usable_games() for found in game.notations()]


def find_notation(name: str = "", *, first_tag: str = "") -> Notation | None:
    """The notation of this name, or with which a text begins; None if nobody knows it."""
    for found in notations():
        if (name and found.name == name) or (first_tag and found.first_tag == first_tag):
            return found
    return None


def notation(name: str) -> Notation:
    """The notation of this name; InvalidRecord if nobody knows it."""
    found = find_notation(name)
    if found is None:
        raise InvalidRecord(_("no game is told in {name}").format(name=name))
    return found

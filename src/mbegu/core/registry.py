"""Finds a game by its name, alias or game string.

Games come in by the entry point group `mbegu.games`; ours use the same door as a stranger's.
"""

from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING

from mbegu.core.errors import InvalidGame, shorten
from mbegu.core.game import Game
from mbegu.core.i18n import _
from mbegu.core.options import split_game_text

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

__all__ = ["game", "game_class", "game_names"]

GROUP = "mbegu.games"
OURS = ("oware", "kalah", "awale2", "urubugu", "morabaraba")


@cache
def _entry_points() -> dict[str, "EntryPoint"]:
    # Imported late: reading every installed package's metadata takes longer than importing mbegu.
    from importlib.metadata import entry_points  # noqa: PLC0415

    return {point.name: point for point in entry_points(group=GROUP)}


def game_names() -> list[str]:
    """The names of all installed games: ours in the order in which a newcomer meets them."""
    names = sorted(_entry_points())
    return sorted(names, key=lambda name: OURS.index(name) if name in OURS else len(OURS))


@cache
def game_class(name: str) -> type[Game]:
    """The class of a game, by name or alias."""
    points = _entry_points()
    if name in points:
        return _load(points[name])
    for point in points.values():
        found = _load(point)
        if name in found.aliases:
            return found
    raise InvalidGame(
        _("no game is called {name}; there are: {names}").format(
            name=shorten(name), names=", ".join(game_names())
        )
    )


def _load(point: "EntryPoint") -> type[Game]:
    found = getattr(import_module(point.module), point.attr)
    if not (isinstance(found, type) and issubclass(found, Game)):
        raise InvalidGame(
            _("the entry point {name} = {value} is not a Game").format(
                name=point.name, value=point.value
            )
        )
    return found


def game(text: str, **options: object) -> Game:
    """A game by its string, with options in the string or by keyword.

    >>> str(game("kalah(pits=6,seeds=3)")), str(game("kalah", seeds=3))
    ('kalah(pits=6,seeds=3)', 'kalah(pits=6,seeds=3)')
    """
    if not isinstance(text, str):
        raise InvalidGame(_("{text} is not a game string").format(text=shorten(text)))
    name, pairs = split_game_text(text)
    return game_class(name).with_options([*pairs, *options.items()])

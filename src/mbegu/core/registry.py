"""Finds a game by its name, alias or game string.

Games come in by the entry point group `mbegu.games`; ours use the same door as a stranger's.
"""

from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING

from mbegu.core.board import check_places
from mbegu.core.errors import InvalidGame, MbeguError, shorten
from mbegu.core.game import Game
from mbegu.core.i18n import _
from mbegu.core.nearest import did_you_mean
from mbegu.core.options import split_game_text
from mbegu.core.printable import one_line

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

__all__ = ["game", "game_class", "game_names", "trouble", "usable_games"]

GROUP = "mbegu.games"
OURS = ("oware", "kalah", "awale2", "urubugu", "morabaraba")
USUAL = OURS[0]  # where nobody says which


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
        if trouble(point.name) is None and name in _load(point).aliases:
            return _load(point)
    known = [*points, *(alias for cls in usable_games() for alias in cls.aliases)]
    raise InvalidGame(
        _("no game is called {name}{maybe}; there are: {names}").format(
            name=shorten(name), maybe=did_you_mean(name, known), names=", ".join(game_names())
        )
    )


def usable_games() -> list[type[Game]]:
    """The classes of all installed games that can be used."""
    return [game_class(name) for name in game_names() if trouble(name) is None]


@cache
def trouble(name: str) -> str | None:
    """Why an installed game cannot be used, in one line; None if it can."""
    try:
        found = _load(_entry_points()[name])
        if name in OURS:
            return None
        _try(name, found)
    except InvalidGame as error:
        return str(error)
    return None


def _load(point: "EntryPoint") -> type[Game]:
    try:
        found = getattr(import_module(point.module), point.attr)
    except Exception as error:  # a stranger's code: whatever it is, the others go on
        raise _unusable(point.name, f"{type(error).__name__}: {error}") from error
    if not (isinstance(found, type) and issubclass(found, Game)):
        raise InvalidGame(
            _("the entry point {name} = {value} is not a Game").format(
                name=point.name, value=point.value
            )
        )
    return found


def _try(name: str, found: type[Game]) -> None:
    """The first position, its board and its first moves: what everybody shows at once."""
    try:
        if found.name != name:
            raise InvalidGame(
                _("its card calls it {own}, its entry point {name}").format(
                    own=found.name, name=name
                )
            )
        position = found.with_options([]).start()
        for _ply in range(2):
            check_places(position.game.board, position.places())
            moves = position.legal_moves()
            if not moves:
                break
            position = position.play(moves[0])
        missing = [
            part
            for part in ("title", "summary", "people", "sides", "rulebook", "id")
            if not getattr(found, part, "")
        ]
        if missing:
            raise InvalidGame(_("its card has no {part}").format(part=missing[0]))
    except Exception as error:
        why = str(error) if isinstance(error, MbeguError) else f"{type(error).__name__}: {error}"
        raise _unusable(name, why) from error


def _unusable(name: str, why: str) -> InvalidGame:
    return InvalidGame(_("{name} cannot be used: {why}").format(name=name, why=one_line(why)))


def game(text: str, **options: object) -> Game:
    """A game by its string, with options in the string or by keyword.

    >>> str(game("kalah(pits=6,seeds=3)")), str(game("kalah", seeds=3))
    ('kalah(pits=6,seeds=3)', 'kalah(pits=6,seeds=3)')
    """
    if not isinstance(text, str):
        raise InvalidGame(_("{text} is not a game string").format(text=shorten(text)))
    name, pairs = split_game_text(text)
    found = game_class(name)
    why = trouble(name) if name in _entry_points() else None
    if why is not None:
        raise InvalidGame(why)
    return found.with_options([*pairs, *options.items()])

"""Finds a game by its name, alias or game string.

Games come in by the entry point group `mbegu.games`; ours use the same door as a stranger's.
"""

from collections.abc import Iterable
from contextvars import ContextVar
from functools import cache, partial
from importlib import import_module
from typing import TYPE_CHECKING

from mbegu.core.deadline import within
from mbegu.core.errors import BrokenGame, InvalidGame, shorten, told
from mbegu.core.game import Game
from mbegu.core.i18n import _
from mbegu.core.nearest import did_you_mean
from mbegu.core.options import split_game_text
from mbegu.core.printable import one_line
from mbegu.core.trial import try_game

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

__all__ = [
    "at_fault",
    "broken",
    "game",
    "game_class",
    "game_names",
    "is_ours",
    "trouble",
    "troubles",
    "usable_games",
]

GROUP = "mbegu.games"
OURS = ("oware", "kalah", "awale2", "urubugu", "morabaraba")
USUAL = OURS[0]  # where nobody says which
_TRYING = ContextVar[frozenset[str]]("trying", default=frozenset())
PATIENCE = 20  # seconds for a stranger's game to be loaded and to make its first moves


@cache
def _claims() -> dict[str, tuple["EntryPoint", ...]]:
    """Who brings a game of each name; Mbegu's own come first."""
    # Imported late: reading every installed package's metadata takes longer than importing mbegu.
    from importlib.metadata import entry_points  # noqa: PLC0415

    found: dict[str, dict[str, EntryPoint]] = {}
    for point in entry_points(group=GROUP):
        found.setdefault(point.name, {})[point.value] = point
    return {
        name: tuple(sorted(points.values(), key=lambda point: (not _is_ours(point), point.value)))
        for name, points in found.items()
    }


def _is_ours(point: "EntryPoint") -> bool:
    return point.name in OURS and point.value.startswith("mbegu.games.")


def _entry_points() -> dict[str, "EntryPoint"]:
    return {name: points[0] for name, points in _claims().items()}


def game_names() -> list[str]:
    """The names of all installed games: ours in the order in which a newcomer meets them."""
    names = sorted(_claims())
    return sorted(names, key=lambda name: OURS.index(name) if name in OURS else len(OURS))


@cache
def game_class(name: str) -> type[Game]:
    """The class of a game, by name or alias."""
    points = _entry_points()
    if name in points:
        why = trouble(name)
        if why is not None:
            raise InvalidGame(why)
        return _load(points[name])
    for other in game_names():  # ours first: nobody takes an alias of theirs
        if trouble(other) is None and name in _load(points[other]).aliases:
            return _load(points[other])
    known = [*points, *(alias for cls in usable_games() for alias in cls.aliases)]
    raise InvalidGame(
        _("no game is called {name}{maybe}; there are: {names}").format(
            name=shorten(name), maybe=did_you_mean(name, known), names=", ".join(game_names())
        )
    )


def usable_games() -> list[type[Game]]:
    """The classes of all installed games that can be used."""
    return [game_class(name) for name in game_names() if trouble(name) is None]


def trouble(name: str) -> str | None:
    """Why an installed game cannot be used, in one line; None if it can, and to the game's own code."""
    return None if name in _TRYING.get() else _trouble(name)


@cache
def _trouble(name: str) -> str | None:
    try:
        first, *others = _claims()[name]
        if _is_ours(first):
            return None
        if others:  # which of them is meant? a guess would be another game tomorrow
            raise _unusable(name, _claimed((first, *others)))
        within(PATIENCE, partial(_try, name, first))
    except InvalidGame as error:
        return str(error)
    except TimeoutError:
        told_late = _("its rules take longer than {seconds} seconds").format(seconds=PATIENCE)
        return str(_unusable(name, told_late))
    return None


def troubles() -> list[tuple[str, str]]:
    """Every installed game that cannot be used, by its name, and why."""
    found = [(name, why) for name in game_names() if (why := trouble(name)) is not None]
    for name, (first, *others) in _claims().items():
        if _is_ours(first) and others:
            found.append((name, str(_unusable(f"{name} ({others[0].value})", _claimed(others)))))
    return found


def _claimed(points: Iterable["EntryPoint"]) -> str:
    """That a name is taken, and by whom."""
    packages = [point.dist.name if point.dist else point.value for point in points]
    return _("another game has this name already; packages that bring one: {names}").format(
        names=", ".join(packages)
    )


def is_ours(found: type[Game]) -> bool:
    """Whether a game is one of Mbegu's own: of theirs, a fault is ours to mend."""
    return found.__module__.startswith("mbegu.games.")


def at_fault(error: BaseException) -> str | None:
    """What is said where the code of a stranger's game has raised what nobody guards; None if it has not."""
    packages = {found.__module__.partition(".")[0]: found.name for found in usable_games()}
    name, step = None, error.__traceback__
    while step is not None:
        package = str(step.tb_frame.f_globals.get("__name__")).partition(".")[0]
        if package != "mbegu":
            name = packages.get(package, name)
        step = step.tb_next
    return None if name is None else broken(name, error)


def broken(name: str, error: BaseException) -> str:
    """What is said of a stranger's game whose code has failed."""
    if isinstance(error, BrokenGame):
        return str(error)
    return str(_unusable(name, told(error)))


def _load(point: "EntryPoint") -> type[Game]:
    module, _colon, attribute = point.value.partition(":")
    if not all(module.split(".")) or not attribute.isidentifier():
        why = _("its entry point {value} is not written like package.module:Class")
        raise _unusable(point.name, why.format(value=shorten(point.value)))
    try:
        found = getattr(import_module(module), attribute)
    except BaseException as error:  # a stranger's code: whatever it is, the others go on
        raise _unusable(point.name, told(error)) from error
    if not (isinstance(found, type) and issubclass(found, Game)):
        raise InvalidGame(
            _("the entry point {name} = {value} is not a Game").format(
                name=point.name, value=point.value
            )
        )
    return found


def _try(name: str, point: "EntryPoint") -> None:
    _TRYING.set(_TRYING.get() | {name})
    found = _load(point)
    try:
        try_game(name, found)
    except BrokenGame:
        raise
    except BaseException as error:  # Ctrl-C does not come here: it is heard by the main thread
        raise _unusable(name, told(error)) from error


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
    return found.with_options([*pairs, *options.items()])

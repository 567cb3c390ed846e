"""An experiment: a TOML file, read and checked.

    title = "A million games by lot"
    question = "Does it help to begin, when nobody thinks?"
    kind = "random"                # what is done: see mbegu.lab.pieces
    game = "urubugu"
    seed = 1

    [options]                      # of the game's rules
    start_min = 2

    [population]                   # who or what is looked at; each kind has its own words
    settings = "random"

    [budget]                       # how much of it
    games = 1_000_000

What is not said has a default. A word that means nothing here is refused, with the nearest that does.
"""

import os
import tomllib
from collections.abc import Iterable, Mapping
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from mbegu.core.errors import MbeguError, shorten, system_words
from mbegu.core.game import Game
from mbegu.core.i18n import _
from mbegu.core.registry import game as find_game
from mbegu.lab.design import Experiment, Field, InvalidExperiment
from mbegu.lab.pieces import KINDS

__all__ = [
    "Experiment",
    "Field",
    "InvalidExperiment",
    "check",
    "parse_experiment",
    "read_experiment",
]

TOP = ("title", "question", "kind", "game", "seed", "options", "population", "budget")
MOST_SEED = 2**63 - 1


def read_experiment(path: str | os.PathLike[str]) -> Experiment:
    """The experiment in a file; InvalidExperiment says what is wrong with it, and where."""
    name = os.fspath(path)
    try:
        text = Path(name).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        why = system_words(error)
        raise InvalidExperiment(f"{name}: {why}") from None
    try:
        return parse_experiment(text, Path(name).stem)
    except MbeguError as error:
        raise InvalidExperiment(f"{name}: {error}") from None


def parse_experiment(text: str, title: str = "") -> Experiment:
    """The experiment that a TOML text describes."""
    try:
        told = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise InvalidExperiment(_("this is not TOML: {error}").format(error=error)) from None
    return check(told, title)


def check(told: Mapping[str, Any], title: str = "") -> Experiment:
    """The experiment that plain data describes, with its defaults."""
    _known(told, TOP)
    for key in ("title", "question", "kind", "game"):
        if not isinstance(told.get(key, ""), str):
            raise _cannot_be(key, told[key], _("a text"))
    if type(told.get("seed", 0)) is not int or not 0 <= told.get("seed", 0) <= MOST_SEED:
        raise _cannot_be("seed", told["seed"], f"0..{MOST_SEED}")
    for key in ("options", "population", "budget"):
        if not isinstance(told.get(key, {}), dict):
            raise _cannot_be(key, told[key], _("a section: [{key}]").format(key=key))
    if "kind" not in told:
        raise InvalidExperiment(
            _('say what is to be done, like kind = "random"; there are: {kinds}').format(
                kinds=", ".join(KINDS)
            )
        )
    if told["kind"] not in KINDS:
        raise _cannot_be("kind", told["kind"], ", ".join(KINDS), list(KINDS))
    kind = KINDS[told["kind"]]
    experiment = Experiment(
        kind=told["kind"],
        game=str(_game(told, kind.games)),
        seed=told.get("seed", 0),
        population=_section("population", told, kind.population),
        budget=_section("budget", told, kind.budget),
        title=told.get("title", "") or title,
        question=told.get("question", ""),
    )
    kind.check(experiment)
    return experiment


def _game(told: Mapping[str, Any], games: tuple[str, ...]) -> Game:
    if "game" not in told:
        raise InvalidExperiment(_('say which game, like game = "oware"'))
    game, options = find_game(told["game"]), told.get("options", {})
    _known(options, [*game.options(), *game.presets], "options")
    game = find_game(told["game"], **options)
    if games and game.name not in games:
        raise _cannot_be("game", told["game"], ", ".join(games))
    return game


def _section(name: str, told: Mapping[str, Any], fields: Mapping[str, Field]) -> dict[str, Any]:
    values = told.get(name, {})
    _known(values, fields, name)
    for key, value in values.items():
        if not fields[key].allows(value):
            raise _cannot_be(f"{name}.{key}", value, fields[key].values, fields[key].choices)
    return {key: values.get(key, field.default) for key, field in fields.items()}


def _known(told: Mapping[str, Any], words: Iterable[str], section: str = "") -> None:
    """Refuses the first word that means nothing here, and names the nearest that does."""
    known = list(words)
    for key in told:
        if key in known:
            continue
        shown = shorten(f"{section}.{key}" if section else key)
        near = get_close_matches(key.lower(), known, 1, 0.5)
        if near:
            message = _("{key} means nothing here; did you mean {near}?").format(
                key=shown, near=f"{section}.{near[0]}" if section else near[0]
            )
        else:
            message = _("{key} means nothing here; there are: {keys}").format(
                key=shown, keys=", ".join(known) or _("none")
            )
        raise InvalidExperiment(message)


def _cannot_be(
    key: str, value: Any, choices: str = "", names: Iterable[str] = ()
) -> InvalidExperiment:
    shown = shorten(value)
    near = get_close_matches(str(value).lower(), list(names), 1, 0.5)
    if near:
        return InvalidExperiment(
            _("{key} cannot be {value}; did you mean {near}?").format(
                key=key, value=shown, near=near[0]
            )
        )
    if choices:
        return InvalidExperiment(
            _("{key} cannot be {value}; it may be: {choices}").format(
                key=key, value=shown, choices=choices
            )
        )
    return InvalidExperiment(_("{key} cannot be {value}").format(key=key, value=shown))

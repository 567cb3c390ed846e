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

import dataclasses
import hashlib
import json
import os
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from mbegu.core.errors import MbeguError, shorten
from mbegu.core.game import Game
from mbegu.core.i18n import _
from mbegu.core.registry import game as find_game

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


class InvalidExperiment(MbeguError):
    """An experiment that cannot be run as it is described."""


@dataclass(frozen=True)
class Field:
    """What a word of a section may be: a number within limits, a choice, or a list of these."""

    default: Any
    help: str
    low: int = 0
    high: int = 0
    choices: tuple[str, ...] = ()
    many: bool = False

    @property
    def values(self) -> str:
        """What may be given, in words."""
        one = ", ".join(self.choices) or f"{self.low}..{self.high}"
        return _("a list of {values}").format(values=one) if self.many else one

    def allows(self, value: Any) -> bool:
        """Whether a value is of the right type and within the limits."""
        if self.many:
            return isinstance(value, list) and value != [] and all(map(self._allows_one, value))
        return self._allows_one(value)

    def _allows_one(self, value: Any) -> bool:
        if self.choices:
            return isinstance(value, str) and value in self.choices
        return type(value) is int and self.low <= value <= self.high


@dataclass(frozen=True)
class Experiment:
    """An experiment, complete with its defaults. The same one gives the same table everywhere."""

    kind: str
    game: str  # with its options, as the registry writes it
    seed: int
    population: Mapping[str, Any]
    budget: Mapping[str, Any]
    title: str = ""
    question: str = ""

    @property
    def rules(self) -> Game:
        """The game with its options."""
        return find_game(self.game)

    def facts(self) -> dict[str, Any]:
        """Everything that decides the table, as plain data; the title does not."""
        told = {
            field.name: getattr(self, field.name)
            for field in dataclasses.fields(self)
            if field.name not in ("title", "question")
        }
        return told | {"population": dict(self.population), "budget": dict(self.budget)}

    def fingerprint(self) -> str:
        """A short name for the facts."""
        told = json.dumps(self.facts(), sort_keys=True)
        return hashlib.sha256(told.encode()).hexdigest()[:16]

    def to_toml(self) -> str:
        """The experiment as a file, with every default written out."""
        game, top = self.rules, {"title": self.title, "question": self.question}
        lines = [f"{key} = {_literal(value)}" for key, value in top.items() if value]
        lines += [f"{key} = {_literal(getattr(self, key))}" for key in ("kind", "seed")]
        lines.append(f"game = {_literal(game.name)}")
        chosen = {
            name: getattr(game, name)
            for name, option in game.options().items()
            if option.always or getattr(game, name) != option.default
        }
        sections = {"options": chosen, "population": self.population, "budget": self.budget}
        for section, values in sections.items():
            if values:
                lines += ["", f"[{section}]"]
                lines += [f"{key} = {_literal(value)}" for key, value in values.items()]
        return "\n".join(lines) + "\n"


def _literal(value: Any) -> str:
    """A value as TOML writes it: JSON does, for texts, whole numbers, truths and lists of them."""
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")


def read_experiment(path: str | os.PathLike[str]) -> Experiment:
    """The experiment in a file; InvalidExperiment says what is wrong with it, and where."""
    name = os.fspath(path)
    try:
        text = Path(name).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        why = getattr(error, "strerror", None) or error
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
    from mbegu.lab.pieces import KINDS  # noqa: PLC0415 - the kinds know what an experiment is

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

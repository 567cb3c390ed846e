"""What an experiment is: the kind of thing that is done, to whom, how often, with which dice.

Kinds of experiments are written with these words; `mbegu.lab.experiment` reads files of them.
"""

import dataclasses
import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from mbegu.core.errors import MbeguError
from mbegu.core.game import Game
from mbegu.core.i18n import _
from mbegu.core.registry import game as find_game

__all__ = ["Experiment", "Field", "InvalidExperiment"]


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

"""Game strings and options: `kalah(pits=6,seeds=4)`, read strictly and written canonically.

A game declares each option as a field:

    pits: int = option(6, "Pits on each side", low=1, high=10, always=True)
"""

import dataclasses
from collections.abc import Mapping
from typing import Any

from mbegu.core.errors import InvalidGame, InvalidOption, shorten
from mbegu.core.i18n import _

__all__ = ["Option", "OptionValue", "Words", "option", "options_of", "split_game_text"]

OptionValue = int | str | bool
Words = tuple[str, str]
"""What people call something, and a line that explains it."""


@dataclasses.dataclass(frozen=True)
class Option:
    """What an option is called, means and may be. `always`: written even when it is the default.
    `start`: only how a game begins depends on it, not how it goes on.

    `label` is what people call it, `words` the same for each of its choices, with a line about it.
    """

    name: str
    default: OptionValue
    help: str
    label: str = ""
    words: Mapping[str, Words] = dataclasses.field(default_factory=dict)
    choices: tuple[str, ...] = ()
    low: int = 0
    high: int = 0
    always: bool = False
    start: bool = False

    @property
    def values(self) -> str:
        """What may be given, in words."""
        if isinstance(self.default, bool):
            return "True | False"
        return " | ".join(self.choices) or f"{self.low}..{self.high}"

    def told(self, value: OptionValue) -> str:
        """A value in the words of the moment's language."""
        if isinstance(value, bool):
            return _("yes") if value else _("no")
        word, _line = self.words.get(str(value), (str(value), ""))
        return _(word)

    def read(self, value: object) -> OptionValue:
        """The value, checked; a text is read as the option's type."""
        if isinstance(self.default, bool):
            known: Mapping[object, bool] = {"True": True, "False": False, True: True, False: False}
            if isinstance(value, str | bool) and value in known:
                return known[value]
        elif isinstance(self.default, int):
            if isinstance(value, str) and value.isascii() and value.isdigit() and len(value) < 10:
                value = int(value)
            if type(value) is int and self.low <= value <= self.high:
                return value
        elif isinstance(value, str) and value in self.choices:
            return value
        raise InvalidOption(
            _("option {name}: {value} is not one of {values}").format(
                name=self.name, value=shorten(value), values=self.values
            )
        )


def option(
    default: Any,
    help: str,  # noqa: A002 (the word that every option parser uses)
    *,
    label: str = "",
    words: Mapping[str, Words] | None = None,
    choices: tuple[str, ...] = (),
    low: int = 0,
    high: int = 0,
    always: bool = False,
    start: bool = False,
) -> Any:
    """A field of a Game that a user may set."""
    card = {
        "default": default,
        "help": help,
        "label": label,
        "words": words or {},
        "choices": choices or tuple(words or ()),
        "low": low,
        "high": high,
        "always": always,
        "start": start,
    }
    return dataclasses.field(default=default, metadata={"option": card})


def options_of(game_class: Any) -> dict[str, Option]:
    """The options of a game, by name, in the order of their declaration."""
    found = [field for field in dataclasses.fields(game_class) if "option" in field.metadata]
    return {field.name: Option(name=field.name, **field.metadata["option"]) for field in found}


def split_game_text(text: str) -> tuple[str, list[tuple[str, str]]]:
    """`kalah(pits=6,seeds=4)` → its name and the pairs; a bare word has an empty value.

    >>> split_game_text("kalah(pits=6,seeds=4)")
    ('kalah', [('pits', '6'), ('seeds', '4')])
    """
    name, bracket, rest = text.strip().partition("(")
    if bracket and not rest.endswith(")"):
        raise InvalidGame(
            _("{text}: the bracket is not closed; write a game like kalah(pits=6,seeds=4)").format(
                text=shorten(text)
            )
        )
    pairs: dict[str, str] = {}
    for part in rest[:-1].split(",") if rest[:-1].strip() else []:
        key, equals, value = (piece.strip() for piece in part.partition("="))
        if not key.isidentifier() or (equals and not value):
            raise InvalidGame(
                _("{text}: {part} is not an option; write name=value").format(
                    text=shorten(text), part=shorten(part)
                )
            )
        if key in pairs:
            raise InvalidGame(
                _("{text}: the option {name} is given twice").format(text=shorten(text), name=key)
            )
        pairs[key] = value
    return name.strip(), list(pairs.items())

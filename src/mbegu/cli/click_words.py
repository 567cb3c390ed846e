"""What Click itself says (`Usage:`, `No such option`), in the language of the moment.

Click asks the gettext of the process, which knows nothing of `--lang` nor of our catalogues. So its
modules are given our `_` instead. Should a later Click look elsewhere for its words, they are English again.
"""

from types import ModuleType
from typing import Any

import click.core
import click.decorators
import click.exceptions
import click.formatting
import click.parser
import click.types

from mbegu.core.i18n import N_, _

__all__ = ["teach_click"]

SPEAKERS: tuple[ModuleType, ...] = (
    *(click.core, click.decorators, click.exceptions, click.formatting, click.parser, click.types),
)
SHORTENER = "_make_default_short_help"  # a later Click may cut sentences off again
_SHORT = getattr(click.core, SHORTENER, None)
LONGEST = 10_000  # signs of a sentence
WORDS = (
    *(N_("Usage:"), N_("Options"), N_("default: {default}"), N_("env var: {var}")),
    *(N_("Show this message and exit."), N_("Show the version and exit.")),
    *(N_("Missing command."), N_("Missing argument"), N_("Missing option")),
    N_("Choose from:\n\t{choices}"),
    N_("No such command {name!r}."),
    N_("No such option {name!r}."),
    *(N_("Did you mean {possibility}?"), N_("(Did you mean one of: {possibilities}?)")),
    N_("Got unexpected extra argument ({args})"),
    N_("Got unexpected extra arguments ({args})"),
    N_("Option {name!r} does not take a value."),
    N_("Option {name!r} requires an argument."),
    N_("Option {name!r} requires {nargs} arguments."),
    *(N_("Invalid value: {message}"), N_("Invalid value for {param_hint}: {message}")),
    *(N_("{value!r} is not {choice}."), N_("{value!r} is not one of {choices}.")),
    N_("{value!r} is not a valid {number_type}."),
    N_("{value} is not in the range {range}."),
    *(N_("file"), N_("directory"), N_("path")),
    N_("{name} {filename!r} is a directory."),
    N_("{name} {filename!r} is not readable."),
    N_("{name} {filename!r} does not exist."),
)


def teach_click() -> None:
    """From now on Click speaks as we do."""
    # An error names the type, and so does the help, which tells the range beside it.
    click.IntRange.name, click.FloatRange.name = click.INT.name, click.FLOAT.name
    if _SHORT is not None:
        setattr(click.core, SHORTENER, _whole_sentence)
    words: dict[str, Any] = {"_": _, "ngettext": _one_or_many}
    for module in SPEAKERS:
        for name in words.keys() & vars(module).keys():
            setattr(module, name, words[name])


def _whole_sentence(text: str, _most: int = 45) -> str:
    """What a group's help says of a command: its first sentence, which is never cut off."""
    assert _SHORT is not None
    return str(_SHORT(text, LONGEST))


def _one_or_many(one: str, many: str, count: int) -> str:
    return _(one if count == 1 else many)

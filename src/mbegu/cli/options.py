"""Options that have one name for people, and go on under older ones."""

from collections.abc import Callable
from typing import Any, Protocol, TypeVar

import click

from mbegu.core.i18n import _

__all__ = ["OneName", "json_option", "out_option", "overwrite_option"]


Command = TypeVar("Command", bound=Callable[..., Any])


class Decorator(Protocol):
    """Gives a command an option, and leaves its type as it is."""

    def __call__(self, command: Command, /) -> Command:
        """The command with the option."""


class OneName(click.Option):
    """An option of which the help shows the first name only; the others keep working."""

    def get_help_record(self, ctx: click.Context) -> tuple[str, str] | None:
        """With one name."""
        names = self.opts
        self.opts = names[:1]
        try:
            return super().get_help_record(ctx)
        finally:
            self.opts = names


def overwrite_option(*older: str, help: str, name: str = "overwrite") -> Decorator:  # noqa: A002
    """`--overwrite`: what is there is replaced."""
    return click.option("--overwrite", *older, name, cls=OneName, is_flag=True, help=help)


def out_option(*older: str, help: str, name: str = "out", metavar: str = "FILE") -> Decorator:  # noqa: A002
    """`--out`: where something is written."""
    return click.option("--out", *older, name, cls=OneName, metavar=metavar, help=help)


def json_option(name: str = "as_json") -> Decorator:
    """`--json`: what is printed, for programs."""
    return click.option("--json", name, is_flag=True, help=_("Print it as JSON."))

"""What the commands of the lab share: the rules of Urubugu, its settings, dice and threads."""

from collections.abc import Callable
from typing import Any, TypeVar

import click

from mbegu.core.i18n import _
from mbegu.games.urubugu import Urubugu
from mbegu.lab.urubugu.families import FAMILIES, setting_of

__all__ = [
    "SETTING",
    "chosen_rules",
    "json_option",
    "rule_options",
    "seed_option",
    "threads_option",
]

Command = TypeVar("Command", bound=Callable[..., Any])

seed_option = click.option(
    "--seed", type=click.IntRange(0, 2**63 - 1), default=0, show_default=True, help=_("Dice.")
)
threads_option = click.option(
    "--threads",
    type=click.IntRange(1, 256),
    default=1,
    show_default=True,
    help=_("How many threads work."),
)
json_option = click.option("--json", "as_json", is_flag=True, help=_("Print one JSON object."))


class SettingType(click.ParamType[tuple[int, ...]]):
    """16 counts, or the name of a family."""

    name = "setting"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[int, ...]:
        """The setting; errors come as InvalidSetUp, which `main` tells in one line."""
        return value if isinstance(value, tuple) else setting_of(value)

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[Any]:
        """The families."""
        from click.shell_completion import CompletionItem  # noqa: PLC0415

        return [
            CompletionItem(name, help=_(line))
            for name, line in FAMILIES.items()
            if name.startswith(incomplete)
        ]


SETTING = SettingType()


def rule_options(command: Command) -> Command:
    """Adds an option for each option of the rules, and one for each preset."""
    for preset in reversed(Urubugu.presets):
        help_text = _("The rules called {preset}.").format(preset=preset)
        command = click.option(f"--{preset}", is_flag=True, help=help_text)(command)
    for rule in reversed(Urubugu.options().values()):
        command = click.option(
            f"--{rule.name.replace('_', '-')}",
            rule.name,
            metavar=rule.values.replace(" ", ""),
            help=_(rule.help) + f" [{rule.default}]",
        )(command)
    return command


def chosen_rules(told: dict[str, Any]) -> Urubugu:
    """The game that the options ask for; a preset first, then what is said beside it."""
    presets = [(name, True) for name in Urubugu.presets if told.get(name)]
    others = [(name, told[name]) for name in Urubugu.options() if told.get(name) is not None]
    return Urubugu.with_options([*presets, *others])

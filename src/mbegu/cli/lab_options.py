"""What the commands of the lab share: the game and its rules, settings, dice and threads."""

from collections.abc import Callable, Sequence
from functools import cache
from typing import Any, TypeVar

import click

from mbegu.core.errors import shorten
from mbegu.core.game import Game
from mbegu.core.i18n import _
from mbegu.core.registry import game as find_game
from mbegu.lab.counters import CounterStudy, games_with_counters, study_of

__all__ = [
    "SETTING",
    "check_method",
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


class SettingType(click.ParamType[str]):
    """Counts, or the name of a family: what it means depends on the game, which is known later."""

    name = "setting"

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[Any]:
        """The families."""
        from click.shell_completion import CompletionItem  # noqa: PLC0415

        return [
            CompletionItem(name, help=_(line))
            for name, line in study_of(usual_game()()).families.items()
            if name.startswith(incomplete)
        ]


SETTING = SettingType()


@cache
def usual_game() -> type[Game]:
    """The game of these commands where nobody says which: the first that has counter-settings."""
    return games_with_counters()[0]


def rule_options(command: Command) -> Command:
    """Adds the game, an option for each option of the usual one's rules, and one for each preset."""
    usual = usual_game()
    for preset in reversed(usual.presets):
        help_text = _("The rules called {preset}.").format(preset=preset)
        command = click.option(f"--{preset}", is_flag=True, help=help_text)(command)
    for rule in reversed(usual.options().values()):
        command = click.option(
            f"--{rule.name.replace('_', '-')}",
            rule.name,
            metavar=rule.values.replace(" ", ""),
            help=_(rule.help) + f" [{rule.default}]",
        )(command)
    return click.option(
        "--game",
        "game_text",
        metavar="GAME",
        default=usual.name,
        show_default=True,
        help=_("A game that has counter-settings."),
    )(command)


def check_method(method: str, methods: Sequence[str]) -> str:
    """The method, if the game has it."""
    if method not in methods:
        raise click.BadParameter(
            _("{method} is none of {methods}").format(
                method=shorten(method), methods=", ".join(methods)
            ),
            param_hint="--method",
        )
    return method


def chosen_rules(told: dict[str, Any]) -> CounterStudy:
    """The game that the options ask for, and what is known of its settings; a preset first."""
    usual = usual_game()
    presets = {name: True for name in usual.presets if told.get(name)}
    others = {name: told[name] for name in usual.options() if told.get(name) is not None}
    return study_of(find_game(told["game_text"], **presets, **others))

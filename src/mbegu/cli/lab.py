"""`mbegu lab`: the questions that one asks of a game, and experiments that answer them."""

import click

from mbegu.cli import LazyGroup
from mbegu.core.i18n import N_

__all__ = ["lab"]

# command: (module, one line of help)
COMMANDS = {
    "counter": ("mbegu.cli.lab_counter", N_("Find settings that beat a setting in one turn.")),
    "resist": ("mbegu.cli.lab_resist", N_("Find settings that are hard to beat in one turn.")),
    "settings": ("mbegu.cli.lab_settings", N_("Let families of settings play each other.")),
    "stats": ("mbegu.cli.lab_stats", N_("Count what happens in a game.")),
    "tune": ("mbegu.cli.lab_tune", N_("Fit a game's evaluation to games and searches.")),
    "run": ("mbegu.cli.lab_run", N_("Run the experiment that a file describes.")),
    "report": ("mbegu.cli.lab_report", N_("Write the report of an experiment.")),
    "cluster": ("mbegu.cli.lab_cluster", N_("Start a cluster on this computer.")),
}


@click.group(
    cls=LazyGroup,
    lazy=COMMANDS,
    help=N_("Study the games: experiments, counter-settings, statistics."),
)
def lab() -> None:
    """The group of the lab's commands."""

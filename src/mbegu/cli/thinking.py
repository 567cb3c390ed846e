"""Options of every command that lets the engine think."""

import click

from mbegu.core.i18n import _
from mbegu.engine.engine import MOST_THREADS

__all__ = ["hash_option", "threads_option"]

threads_option = click.option(
    "--threads",
    type=click.IntRange(1, MOST_THREADS),
    default=1,
    show_default=True,
    help=_("How many threads think."),
)
hash_option = click.option(
    "--hash",
    "hash_mb",
    type=click.IntRange(min=1),
    default=64,
    show_default=True,
    metavar="MB",
    help=_("Memory for positions, in megabytes."),
)

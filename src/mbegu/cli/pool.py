"""`--workers` and `--cluster`: who does pieces of work that have nothing to do with each other."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, TypeVar

import click

from mbegu.core.i18n import _

if TYPE_CHECKING:
    from mbegu.work.executor import Pool

__all__ = ["pool_of", "pool_options"]

Command = TypeVar("Command", bound=Callable[..., Any])


def pool_options(command: Command) -> Command:
    """Gives a command both options."""
    cluster = click.option(
        "--cluster", metavar="URL", help=_("Run on a Dask cluster, like tcp://host:8786.")
    )
    workers = click.option(
        "--workers",
        type=click.IntRange(1, 256),
        default=1,
        show_default=True,
        help=_("Pieces at once."),
    )
    return workers(cluster(command))


@contextmanager
def pool_of(workers: int, cluster: str | None) -> Iterator[Pool | None]:
    """Those who do the work; None if this process does it alone."""
    if workers == 1 and cluster is None:
        yield None
        return
    from mbegu.work.executor import executor  # noqa: PLC0415 - Dask takes its time

    with executor(workers, cluster) as pool:
        yield pool

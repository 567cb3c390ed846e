"""`mbegu lab cluster`."""

import signal
import threading

import click

from mbegu.core.i18n import _
from mbegu.work.executor import local_cluster

__all__ = ["cluster"]


@click.command(
    help=_("Start a Dask cluster on this computer and print its address; Ctrl-C ends it."),
    epilog=_("Then, elsewhere: mbegu lab run games.toml --cluster tcp://127.0.0.1:8786"),
)
@click.option(
    "--workers",
    type=click.IntRange(1, 256),
    default=2,
    show_default=True,
    help=_("Pieces at once."),
)
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    default=8786,
    show_default=True,
    help=_("The port to listen on; 0 takes any that is free."),
)
def cluster(workers: int, port: int) -> None:
    """Start a cluster and wait."""
    with local_cluster(workers, port) as found:
        end = threading.Event()
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, lambda _number, _frame: end.set())
        click.echo(found.address)
        end.wait()

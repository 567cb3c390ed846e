"""`mbegu lab run`."""

import os
import sys
import time
from pathlib import Path

import click

from mbegu.core.i18n import _
from mbegu.lab.experiment import read_experiment
from mbegu.lab.pieces import KINDS
from mbegu.lab.run import Failure, Progress
from mbegu.lab.run import run as run_experiment

__all__ = ["run"]

BAR = 30  # characters


def _list_kinds(ctx: click.Context, param: click.Parameter, value: bool) -> None:
    """What an experiment file may say."""
    if not value:
        return
    for kind in KINDS.values():
        games = f" ({', '.join(kind.games)})" if kind.games else ""
        click.echo(f'kind = "{kind.name}"  # {_(kind.title)}{games}')
        for section, fields in (("population", kind.population), ("budget", kind.budget)):
            for key, field in fields.items():
                click.echo(
                    f"  {section}.{key} = {field.default}  # {_(field.help)}: {field.values}"
                )
    ctx.exit()


@click.command(
    help=_(
        "Run the experiment that FILE describes (TOML). It can be stopped at any moment, even "
        "killed: the same command goes on where it was, and the table is the same."
    ),
    epilog=_("docs/lab.md describes the file. Example: mbegu lab run games.toml --workers 2"),
)
@click.argument("file")
@click.option("--out", metavar="DIR", help=_("Where the run is kept; else beside FILE."))
@click.option(
    "--workers",
    type=click.IntRange(1, 256),
    default=1,
    show_default=True,
    help=_("Pieces at once."),
)
@click.option("--cluster", metavar="URL", help=_("Run on a Dask cluster, like tcp://host:8786."))
@click.option("--restart", is_flag=True, help=_("Forget what was done, and begin again."))
@click.option(
    "--kinds",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_list_kinds,
    help=_("List the kinds of experiments and their words."),
)
def run(file: str, out: str | None, workers: int, cluster: str | None, restart: bool) -> int:
    """Run an experiment."""
    experiment = read_experiment(file)
    folder = Path(out) if out else Path(file).with_name(f"{Path(file).stem}-run")
    teller = Teller()
    try:
        table = run_experiment(
            experiment,
            folder,
            workers=workers,
            cluster=cluster,
            restart=restart,
            tell=teller.tell,
        )
    except KeyboardInterrupt:
        teller.end()
        click.echo(_("Stopped. The same command goes on from here."), err=True)
        return 130
    except Failure as failure:
        teller.end()
        click.echo(str(failure), err=True)
        return 1
    finally:
        teller.end()
    click.echo(_("The table is {path}").format(path=table))
    click.echo(_("For its report: mbegu lab report {folder}").format(folder=folder))
    return 0


class Teller:
    """A bar with the time left; a line for each tenth where there is no screen."""

    def __init__(self) -> None:
        self.screen = sys.stderr.isatty() and os.environ.get("TERM") != "dumb"
        self.shown_at, self.tenth = 0.0, -1

    def tell(self, progress: Progress) -> None:
        """Shows how far it is."""
        now, share = time.monotonic(), progress.done / progress.total
        if self.screen:
            if now - self.shown_at > 0.1 or progress.done == progress.total:
                self.shown_at = now
                full = int(BAR * share)
                bar = "█" * full + "░" * (BAR - full)
                click.echo(f"\r\x1b[K{bar} {self._line(progress)}", nl=False, err=True)
        elif int(10 * share) > self.tenth:
            self.tenth = int(10 * share)
            click.echo(self._line(progress), err=True)

    def _line(self, progress: Progress) -> str:
        line = _("{done} of {total} pieces").format(done=progress.done, total=progress.total)
        if progress.left is None or progress.done == progress.total:
            return line
        left = _("{time} left").format(time=_clock(progress.left))
        return f"{line}, {left}"

    def end(self) -> None:
        """Leaves the line as it is."""
        if self.screen and self.shown_at:
            click.echo("", err=True)
            self.shown_at = 0.0


def _clock(seconds: float) -> str:
    """1:02:03 or 2:03."""
    whole = round(seconds)
    hours, minutes = whole // 3600, whole // 60 % 60
    return f"{hours}:{minutes:02}:{whole % 60:02}" if hours else f"{minutes}:{whole % 60:02}"

"""`mbegu lab run`."""

from __future__ import annotations

import sys
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any

import click

from mbegu.cli.options import overwrite_option
from mbegu.core.errors import MbeguError
from mbegu.core.extras import need
from mbegu.core.i18n import _
from mbegu.core.typography import labelled
from mbegu.terminal.screen import can_rewrite
from mbegu.work.executor import Pool, executor

if TYPE_CHECKING:
    from mbegu.lab.run import RunProgress

__all__ = ["run"]

BAR = 30  # characters
NEEDED = ("mbegu.lab.run", "mbegu.engine.kernels.games")  # by a process, whatever its pieces are
INTERRUPTED = 130


def _list_kinds(ctx: click.Context, param: click.Parameter, value: bool) -> None:
    """What an experiment file may say."""
    if not value:
        return
    from mbegu.lab.pieces import KINDS  # noqa: PLC0415 - heavy

    for kind in KINDS.values():
        games = f" ({', '.join(kind.games)})" if kind.games else ""
        click.echo(f'kind = "{kind.name}"  # {_(kind.title)}{games}')
        for section, fields in (("population", kind.population), ("budget", kind.budget)):
            for key, field in fields.items():
                told = labelled(_(field.help), field.values)
                click.echo(f"  {section}.{key} = {field.default}  # {told}")
    ctx.exit()


@click.command(
    help=_(
        "Run the experiment that FILE describes (TOML), or several. It can be stopped at any moment, "
        "even killed: the same command goes on where it was, and the table is the same."
    ),
    epilog=_("docs/lab.md describes the file. Example: mbegu lab run games.toml --workers 2"),
)
@click.argument("files", metavar="FILE…", nargs=-1, required=True)
@click.option("--out", metavar="FOLDER", help=_("Where the run is kept; else beside FILE."))
@click.option(
    "--workers",
    type=click.IntRange(1, 256),
    default=1,
    show_default=True,
    help=_("Pieces at once."),
)
@click.option("--cluster", metavar="URL", help=_("Run on a Dask cluster, like tcp://host:8786."))
@click.option("--report", "with_report", is_flag=True, help=_("Write the report, too."))
@overwrite_option("--restart", name="restart", help=_("Forget what was done, and begin again."))
@click.option(
    "--kinds",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_list_kinds,
    help=_("List the kinds of experiments and their words."),
)
def run(
    *,
    files: tuple[str, ...],
    out: str | None,
    workers: int,
    cluster: str | None,
    with_report: bool,
    restart: bool,
) -> int:
    """Run an experiment, or some, one after the other."""
    need("pyarrow", "scipy", *(["matplotlib"] if with_report else []))
    folders = _folders(files, out)
    try:
        with _processes(1 if cluster else workers) as pool:
            how = {"workers": workers, "cluster": cluster, "pool": pool, "restart": restart}
            if not _run_all(files, folders, how):
                return 1
    except KeyboardInterrupt:
        click.echo(_("Stopped. The same command goes on from here."), err=True)
        return INTERRUPTED
    if with_report:
        from mbegu.lab.report import write_report  # noqa: PLC0415 - matplotlib takes its time

        where = out if len(files) > 1 else None
        click.echo(_("The report is {path}").format(path=write_report(*folders, out=where)))
    else:
        told = " ".join(map(str, folders))
        click.echo(_("For its report: mbegu lab report {folder}").format(folder=told))
    return 0


def _run_all(files: tuple[str, ...], folders: list[Path], how: dict[str, Any]) -> bool:
    """Whether every piece of every run was done."""
    from mbegu.lab.experiment import read_experiment  # noqa: PLC0415 - while the processes start
    from mbegu.lab.run import Failure  # noqa: PLC0415
    from mbegu.lab.run import run as run_experiment  # noqa: PLC0415

    experiments = [read_experiment(file) for file in files]
    for file, experiment, folder in zip(files, experiments, folders, strict=True):
        try:
            name = f"{Path(file).stem}: " if len(files) > 1 else ""
            with Teller(name, how["pool"] if file == files[-1] else None) as teller:
                table = run_experiment(experiment, folder, tell=teller.tell, **how)
        except Failure as failure:
            click.echo(str(failure), err=True)
            return False
        click.echo(_("The table is {path}").format(path=table))
    return True


@contextmanager
def _processes(workers: int) -> Iterator[Pool | None]:
    """Workers that get ready while this process does: both import for half a second."""
    if workers == 1:
        yield None
        return
    with executor(workers, prepare=NEEDED) as pool:
        yield pool


def _folders(files: tuple[str, ...], out: str | None) -> list[Path]:
    """The folder of each run: `--out`, or in it if there are several; else beside the file."""
    if out and len(files) == 1:
        return [Path(out)]
    folders = [Path(file).with_name(f"{Path(file).stem}-run") for file in files]
    if out:
        folders = [Path(out) / folder.name for folder in folders]
    for name, count in Counter(folders).items():
        if count > 1:
            raise MbeguError(
                _("{folder} would hold two runs: give the files different names").format(
                    folder=name
                )
            )
    return folders


class Teller:
    """A bar with the time left; a line for each tenth where there is no screen.

    With the last piece, a pool that nobody needs any more goes home.
    """

    def __init__(self, before: str = "", pool: Pool | None = None) -> None:
        self.before, self.pool = before, pool
        self.screen = can_rewrite(sys.stderr)
        self.shown_at, self.tenth = 0.0, -1

    def tell(self, progress: RunProgress) -> None:
        """Shows how far it is."""
        if progress.done == progress.total and self.pool is not None:
            self.pool.retire()
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

    def _line(self, progress: RunProgress) -> str:
        line = self.before + _("{done} of {total} pieces").format(
            done=progress.done, total=progress.total
        )
        if progress.left is None or progress.done == progress.total:
            return line
        left = _("{time} left").format(time=_clock(progress.left))
        return f"{line}, {left}"

    def __enter__(self) -> Teller:
        """Begins."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Leaves the line as it is."""
        if self.screen and self.shown_at:
            click.echo("", err=True)


def _clock(seconds: float) -> str:
    """1:02:03 or 2:03."""
    whole = round(seconds)
    hours, minutes = whole // 3600, whole // 60 % 60
    return f"{hours}:{minutes:02}:{whole % 60:02}" if hours else f"{minutes}:{whole % 60:02}"

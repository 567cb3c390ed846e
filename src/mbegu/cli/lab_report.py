"""`mbegu lab report`."""

import click

from mbegu.core.i18n import _
from mbegu.lab.report import write_report

__all__ = ["report"]


@click.command(
    help=_(
        "Write the report of the finished run in the folder RUN: one page that needs nothing else "
        "(report.html), and its figures as PNG and SVG (figures/). Several runs get one page together."
    )
)
@click.argument("runs", metavar="RUN…", nargs=-1, required=True)
@click.option("--out", metavar="FOLDER", help=_("Where it is written; else into RUN."))
@click.option("--title", default="", help=_("The title of the page."))
def report(runs: tuple[str, ...], out: str | None, title: str) -> None:
    """Write a report."""
    click.echo(_("The report is {path}").format(path=write_report(*runs, out=out, title=title)))

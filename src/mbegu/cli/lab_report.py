"""`mbegu lab report`."""

import click

from mbegu.core.i18n import _
from mbegu.lab.report import write_report

__all__ = ["report"]


@click.command(
    help=_(
        "Write the report of the finished run in the folder RUN: one page that needs nothing else "
        "(report.html), and its figures as PNG and SVG (figures/)."
    )
)
@click.argument("run")
def report(run: str) -> None:
    """Write a report."""
    click.echo(_("The report is {path}").format(path=write_report(run)))

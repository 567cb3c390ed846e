"""`mbegu site`: the web app as a folder of files, for any static host."""

from pathlib import Path

import click

from mbegu.core.i18n import _

__all__ = ["site"]

FOLDER = click.Path(file_okay=False, path_type=Path)


@click.group(help=_("Build the games as a folder of files that any web host can serve."))
def site() -> None:
    """The group of the commands about sites."""


@site.command(
    help=_(
        "Write the site into FOLDER: everything that one plays alone or at one device, with the computer, "
        "lessons and analysis, also without a network. A site that stands there already is replaced."
    ),
    epilog=_("Example: mbegu site build public"),
)
@click.argument("folder", type=FOLDER)
@click.option(
    "--base",
    default="./",
    show_default=True,
    metavar="PATH",
    help=_("Where the folder will be found on its host."),
)
def build(folder: Path, base: str) -> int:
    """Build a site."""
    from mbegu.site.build import build_site, not_on_a_site  # noqa: PLC0415 (reads the games)

    size = build_site(folder, base)
    others = not_on_a_site()
    if others:
        told = _("Only Mbegu's own games are on a site; left out: {games}")
        click.echo(told.format(games=", ".join(others)), err=True)
    click.echo(
        _("{folder}: {size:.1f} MB. Try it with: mbegu site serve {folder}").format(
            folder=folder, size=size / 1e6
        )
    )
    return 0


@site.command(help=_("Serve the site in FOLDER from this computer, to try it."))
@click.argument("folder", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    default=8766,
    show_default=True,
    help=_("The port to listen on; 0 takes any that is free."),
)
def serve(folder: Path, port: int) -> int:
    """Serve a folder."""
    from mbegu.site.serve import serve_folder  # noqa: PLC0415

    serve_folder(folder, port, lambda url: click.echo(_("The site is at {url}").format(url=url)))
    return 0

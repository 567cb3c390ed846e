"""`mbegu backup` and `mbegu restore`."""

from pathlib import Path

import click

from mbegu.cli.options import overwrite_option
from mbegu.core.errors import MbeguError
from mbegu.core.i18n import _
from mbegu.server import backup as copies
from mbegu.server.keep.database import default_url, existing_url

__all__ = ["backup", "restore"]

FILE = click.Path(dir_okay=False, path_type=Path)
DATABASE = click.option(
    "--database",
    metavar="URL",
    envvar="MBEGU_DATABASE",
    help=_("Where the games are kept: a file, or a database URL."),
)
UNCHECKED = click.option(
    "--no-check", is_flag=True, help=_("Do not play every game again to see that it is whole.")
)


@click.command(
    help=_(
        "Copy everything that a server keeps into FILE: games, accounts, ratings. The server may "
        "go on meanwhile. The copy fits any database that Mbegu can use; keep it to yourself."
    ),
    epilog=_("Examples: mbegu backup games.backup — mbegu backup --overwrite nightly.backup"),
)
@click.argument("file", type=FILE)
@DATABASE
@overwrite_option("--force", name="force", help=_("Replace FILE if it exists."))
@UNCHECKED
def backup(file: Path, database: str | None, force: bool, no_check: bool) -> int:
    """Copy everything into a file."""
    url = existing_url(database)
    if not file.parent.is_dir():
        raise MbeguError(_("there is no folder {name}: make it first").format(name=file.parent))
    found = copies.save(url, file, force)
    click.echo(
        _("{games} games with {events} events are in {file}").format(
            games=found.games, events=found.events, file=file
        )
    )
    return 0 if no_check else _check(url)


@click.command(
    help=_(
        "Put the copy in FILE into a database: all of it or nothing. The database must be empty, "
        "and no server may run on it."
    ),
    epilog=_("Example: mbegu restore games.backup --database postgresql://me@db/mbegu"),
)
@click.argument("file", type=FILE)
@DATABASE
@overwrite_option("--force", name="force", help=_("Replace everything that the database holds."))
@UNCHECKED
def restore(file: Path, database: str | None, force: bool, no_check: bool) -> int:
    """Take a copy back."""
    url = database or default_url()
    found = copies.restore(file, url, force)
    click.echo(
        _("{games} games with {events} events are in the database").format(
            games=found.games, events=found.events
        )
    )
    return 0 if no_check else _check(url)


def _check(url: str) -> int:
    found = copies.check(url)
    if not found.damaged:
        click.echo(_("every game has been played again: all are whole"))
        return 0
    for game in found.damaged:
        click.echo(_("the game {game} cannot be played again").format(game=game), err=True)
    return 1

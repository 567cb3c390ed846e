"""`mbegu kgp`."""

import asyncio

import click

from mbegu.arena.clients.kgp import KgpClient
from mbegu.arena.roster import find_bot
from mbegu.core.i18n import _

__all__ = ["kgp"]


@click.command(
    help=_(
        "Let a Kalah bot play on a server that speaks the Kalah Game Protocol. SERVER is like "
        "kalah.example.org:2671 or wss://kalah.example.org/socket; Ctrl-C leaves."
    )
)
@click.argument("server")
@click.argument("bot")
@click.option("--name", default="", help=_("What the bot is called there."))
@click.option(
    "--token",
    default="",
    envvar="MBEGU_KGP_TOKEN",
    help=_("What proves who you are (also MBEGU_KGP_TOKEN)."),
)
@click.option(
    "--movetime",
    type=click.FloatRange(0.01, 600),
    default=1.0,
    show_default=True,
    help=_("Seconds for each move."),
)
@click.option("--once", is_flag=True, help=_("Do not connect again when the connection breaks."))
@click.option("--trust", is_flag=True, help=_("Run the bot without a cage."))
def kgp(
    server: str, bot: str, name: str, token: str, movetime: float, once: bool, trust: bool
) -> None:
    """Play on a KGP server."""
    client = KgpClient(
        server,
        find_bot(bot),
        token=token,
        name=name,
        movetime=movetime,
        trust=trust,
        reconnect=not once,
        say=lambda line: click.echo(line, err=True),
    )
    asyncio.run(client.run())
    click.echo(_("The server said goodbye. Positions played: {n}").format(n=client.positions))

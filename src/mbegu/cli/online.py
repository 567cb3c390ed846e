"""`mbegu online`."""

import asyncio
import contextlib
import signal

import click

from mbegu.arena.clients.online import DRAWS, TAKEBACKS, OnlineClient
from mbegu.arena.roster import find_bot
from mbegu.core.i18n import _
from mbegu.core.registry import USUAL

__all__ = ["online"]


@click.group(help=_("Let a bot play people on a Mbegu server."))
def online() -> None:
    """The group of commands that play elsewhere."""


@online.command(
    help=_(
        "Offer games in the lobby of a server and play whoever takes them, several at once. Ctrl-C "
        "ends after the games that go on. The account must be a bot’s, and its token must allow "
        "to play."
    ),
    epilog=_("Example: mbegu online play --server https://example.org --bot level5 --game oware"),
)
@click.option("--server", required=True, metavar="URL", help=_("The address of the server."))
@click.option(
    "--token",
    required=True,
    envvar="MBEGU_TOKEN",
    help=_("The token of the bot’s account (better: MBEGU_TOKEN, which nobody else sees)."),
)
@click.option("--bot", required=True, metavar="BOT", help=_("A bot, as in the arena."))
@click.option(
    "--game",
    "games",
    multiple=True,
    default=[USUAL],
    show_default=True,
    help=_("A game to offer; may be said several times."),
)
@click.option("--clock", default="300+3", show_default=True, help=_("The clock to offer."))
@click.option("--rated", is_flag=True, help=_("Play for ratings."))
@click.option(
    "--at-once",
    type=click.IntRange(1, 32),
    default=4,
    show_default=True,
    help=_("How many games at once."),
)
@click.option("--total", type=click.IntRange(1), help=_("Leave after so many games."))
@click.option(
    "--takebacks",
    type=click.Choice(TAKEBACKS),
    default="never",
    show_default=True,
    help=_("Where the other may take a move back."),
)
@click.option(
    "--draws",
    type=click.Choice(DRAWS),
    default="never",
    show_default=True,
    help=_("Accept no draw, or those where the engine does not prefer the bot’s side."),
)
@click.option(
    "--rematch/--no-rematch",
    "rematches",
    default=True,
    show_default=True,
    help=_("Play whoever wants another game again."),
)
@click.option(
    "--challenges/--no-challenges",
    default=True,
    show_default=True,
    help=_("Take challenges to the games that are offered, with a clock of a minute or more."),
)
@click.option("--trust", is_flag=True, help=_("Run the bot without a cage."))
def play(
    *,
    server: str,
    token: str,
    bot: str,
    games: tuple[str, ...],
    clock: str,
    rated: bool,
    at_once: int,
    total: int | None,
    takebacks: str,
    draws: str,
    rematches: bool,
    challenges: bool,
    trust: bool,
) -> None:
    """Play people."""
    client = OnlineClient(
        server,
        token,
        find_bot(bot),
        games,
        clock,
        rated,
        at_once,
        total,
        trust,
        say=lambda line: click.echo(line, err=True),
        takebacks=takebacks,
        draws=draws,
        rematches=rematches,
        challenges=challenges,
    )
    with contextlib.suppress(KeyboardInterrupt):  # where signals cannot be handled
        asyncio.run(_run(client))
    click.echo(_("Games played: {n}").format(n=client.played))


async def _run(client: OnlineClient) -> None:
    """Plays; the first Ctrl-C lets the games end, the second leaves them."""

    def stop() -> None:
        going = client.stop()
        if going:
            client.say(
                _(
                    "No new games. Games that go on: {n}; they are played to the end. "
                    "Ctrl-C again leaves at once."
                ).format(n=going)
            )

    with contextlib.suppress(NotImplementedError, RuntimeError):  # Windows; not the main thread
        loop = asyncio.get_running_loop()
        for number in (signal.SIGINT, signal.SIGTERM):
            loop.add_signal_handler(number, stop)
    await client.run()

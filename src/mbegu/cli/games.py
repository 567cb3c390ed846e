"""`mbegu games` and `mbegu rules`."""

import click

from mbegu.cli.parameters import GAME
from mbegu.core.game import Game
from mbegu.core.i18n import _
from mbegu.core.registry import game, game_names
from mbegu.core.typography import labelled

__all__ = ["games", "rules"]


@click.command(help=_("List the games, each with its options."))
def games() -> None:
    """List the games."""
    for name in game_names():
        card = game(name)
        aliases = f" ({', '.join(card.aliases)})" if card.aliases else ""
        click.echo(labelled(f"{click.style(name, bold=True)}{aliases}", _(card.summary)))
        for option in card.options().values():
            told = labelled(_(option.help), option.values)
            click.echo(f"    {option.name}={option.default}  {told}")
        for preset in card.presets:
            click.echo(f"    {preset}  {game(f'{name}({preset})')}")


@click.command(help=_("Tell the rules of a game, and whose game it is."))
@click.argument("game", type=GAME)
def rules(game: Game) -> None:
    """Tell the rules of a game."""
    title = _(game.title)
    click.echo(f"{click.style(title, bold=True)} — {game.id}\n")
    click.echo(_(game.rulebook))
    click.echo("")
    click.echo(game.start().diagram())
    click.echo("")
    click.echo(click.wrap_text(_(game.people), width=88))

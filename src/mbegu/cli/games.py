"""`mbegu games` and `mbegu rules`."""

import click

from mbegu.cli.parameters import GAME
from mbegu.core.game import Game
from mbegu.core.i18n import _
from mbegu.core.registry import game, game_names, trouble
from mbegu.core.typography import labelled

__all__ = ["games", "rules"]


@click.command(help=_("List the games, each with its options."))
def games() -> None:
    """List the games."""
    for name in game_names():
        why = trouble(name)
        if why is not None:
            click.echo(click.style(why, fg="red"))
            continue
        card = game(name)
        aliases = f" ({', '.join(card.aliases)})" if card.aliases else ""
        click.echo(labelled(f"{click.style(name, bold=True)}{aliases}", _(card.summary)))
        _tell_options(card)


def _tell_options(card: Game) -> None:
    """What may be chosen: what to write, and what it means."""
    for option in card.options().values():
        told = labelled(_(option.help), option.values)
        click.echo(f"    {option.name}={option.default}  {told}")
        for value, (word, line) in option.words.items():
            click.echo(f"        {value}  {labelled(_(word), _(line))}")
    for preset in card.presets:
        line = card.preset_words.get(preset, ("", ""))[1]
        full = game(f"{card.name}({preset})")
        click.echo(f"    {preset}  {_(line) if line else ''}".rstrip() + f"  {full}")


@click.command(help=_("Tell the rules of a game, and whose game it is."))
@click.argument("game", type=GAME)
def rules(game: Game) -> None:
    """Tell the rules of a game."""
    title = _(game.title)
    click.echo(f"{click.style(title, bold=True)} — {game.id}\n")
    click.echo(_(game.rulebook))
    click.echo("")
    if game.strategy:
        click.echo(click.style(_("Played well"), bold=True))
        click.echo(_(game.strategy))
        click.echo("")
    if game.options():
        click.echo(click.style(_("Options"), bold=True))
        _tell_options(game)
        click.echo("")
    click.echo(game.start().diagram())
    click.echo("")
    click.echo(click.wrap_text(_(game.people), width=88))

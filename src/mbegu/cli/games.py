"""`mbegu games` and `mbegu rules`."""

import json
import sys
from typing import Any

import click

from mbegu.cli.options import json_option
from mbegu.cli.parameters import GAME
from mbegu.core.errors import MbeguError
from mbegu.core.game import Game
from mbegu.core.i18n import _
from mbegu.core.page import without_emphasis, without_pictures
from mbegu.core.registry import game, game_names, trouble, troubles
from mbegu.core.typography import labelled
from mbegu.terminal.screen import reflowed, wrapped

__all__ = ["games", "rules"]


@click.command(help=_("List the games, each with its options."))
@json_option()
def games(as_json: bool) -> None:
    """List the games."""
    if as_json:
        known = [name for name in game_names() if trouble(name) is None]
        return _print_json([_card(game(name)) for name in known])
    for name in game_names():
        if trouble(name) is not None:
            continue
        card = game(name)
        aliases = f" ({', '.join(card.aliases)})" if card.aliases else ""
        _say(labelled(f"{click.style(name, bold=True)}{aliases}", _(card.summary)))
        _tell_options(card)
    for _name, why in troubles():
        click.echo(click.style(why, fg="red"))
    return None


def _card(card: Game) -> dict[str, Any]:
    """A game as plain data."""
    return {
        "name": card.name,
        "id": card.id,
        "title": _(card.title),
        "summary": _(card.summary),
        "aliases": list(card.aliases),
        "options": {name: option.default for name, option in card.options().items()},
        "presets": list(card.presets),
    }


def _print_json(told: object) -> None:
    click.echo(json.dumps(told, ensure_ascii=False))


def _say(text: str) -> None:
    """On a terminal, lines end between words."""
    click.echo(wrapped(text, sys.stdout))


def _tell_options(card: Game) -> None:
    """What may be chosen: what to write, and what it means."""
    for option in card.options().values():
        told = labelled(_(option.help), option.values)
        _say(f"    {option.name}={option.default}  {told}")
        for value, (word, line) in option.words.items():
            _say(f"        {value}  {labelled(_(word), _(line))}")
    for preset in card.presets:
        line = card.preset_words.get(preset, ("", ""))[1]
        full = game(f"{card.name}({preset})")
        _say(f"    {preset}  {_(line) if line else ''}".rstrip() + f"  {full}")


@click.command(help=_("Tell the rules of a game, and whose game it is."))
@click.argument("game", type=GAME)
@click.option(
    "--page",
    "whole_page",
    is_flag=True,
    help=_("Its whole page, in English and Markdown: fine points, notation, counts."),
)
@json_option()
def rules(game: Game, whole_page: bool, as_json: bool) -> None:
    """Tell the rules of a game."""
    if as_json:
        told = {"rules": _(game.rulebook), "strategy": _(game.strategy) if game.strategy else ""}
        return _print_json({**_card(game), **told, "people": _(game.people), "page": game.page()})
    if whole_page:
        if not game.page():
            raise MbeguError(_("{game} has no page.md beside its rules").format(game=game.name))
        return click.echo(without_pictures(game.page()).strip())
    title = _(game.title)
    click.echo(f"{click.style(title, bold=True)} — {game.id}\n")
    click.echo(reflowed(_(game.rulebook), sys.stdout))
    click.echo("")
    if game.strategy:
        click.echo(click.style(_("Played well"), bold=True))
        click.echo(reflowed(without_emphasis(_(game.strategy)), sys.stdout))
        click.echo("")
    if game.options():
        click.echo(click.style(_("Options"), bold=True))
        _tell_options(game)
        click.echo("")
    click.echo(game.start().diagram())
    click.echo("")
    click.echo(reflowed(click.wrap_text(_(game.people), width=88), sys.stdout))
    return None

"""`mbegu lab settings`."""

import json
import math
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import click

from mbegu.cli.lab_options import chosen_rules, json_option, rule_options, seed_option
from mbegu.core.errors import MbeguError, system_words
from mbegu.core.extras import need
from mbegu.core.i18n import _
from mbegu.core.typography import labelled, numeral
from mbegu.engine.compiling import announce_compiling
from mbegu.lab.progress import Bar
from mbegu.lab.urubugu.pictures import heat_map
from mbegu.lab.urubugu.settings import NODES, Influence, equilibrium, play_settings

__all__ = ["settings"]

INTERRUPTED = 130


@click.command(
    help=_(
        "Let families of settings play each other, each as the one who starts and as the "
        "other: pay-offs, the best mixture of families, how much it is worth to start."
    ),
    epilog=_("Example: mbegu lab settings --families default,front,uniform --games 10"),
)
@click.option("--families", metavar="NAME,NAME…", default="", help=_("Which families; else all."))
@click.option(
    "--games",
    type=click.IntRange(1, 10_000),
    default=4,
    show_default=True,
    help=_("Games of each pair."),
)
@click.option(
    "--nodes",
    type=click.IntRange(10, 10**9),
    default=NODES,
    show_default=True,
    help=_("Positions that the engine looks at for a move."),
)
@seed_option
@click.option("--figures", metavar="FOLDER", help=_("Draw heat maps into this folder (PNG)."))
@click.option("--list", "show_list", is_flag=True, help=_("List the families."))
@json_option
@rule_options
def settings(
    *,
    families: str,
    games: int,
    nodes: int,
    seed: int,
    figures: str | None,
    show_list: bool,
    as_json: bool,
    **rules: Any,
) -> int:
    """Let families of settings play each other."""
    study = chosen_rules(rules)
    if show_list:
        for name, line in study.families.items():
            click.echo(labelled(name, _(line)))
        return 0
    need("scipy", *(["matplotlib"] if figures is not None else []))
    announce_compiling(lambda line: click.echo(line, err=True))
    names = [name.strip() for name in families.split(",")] if families else ()
    with Bar(_("pairs")) as bar:
        influence = play_settings(
            study.game, names, games=games, nodes=nodes, seed=seed, tell=bar.tell
        )
    if figures is not None:
        draw(influence, figures)
    if as_json:
        click.echo(json.dumps(influence.to_json()))
    elif influence.rows:
        _show(influence)
    if not influence.complete:
        click.echo(_("Stopped: this is what was played."), err=True)
        return INTERRUPTED
    return 0


def draw(influence: Influence, folder: str) -> None:
    """The heat maps of a table, as files."""
    try:
        Path(folder).mkdir(parents=True, exist_ok=True)
        for name, title, percent in (
            ("points", _("Points of the one who starts, in %"), True),
            ("impaga", _("Won in the first turn, in %"), True),
            ("plies", _("Turns of a game"), False),
        ):
            heat_map(
                Path(folder) / f"{name}.png",
                influence.matrix(name),
                influence.families,
                influence.families,
                title=title,
                row_label=_("starts"),
                column_label=_("answers"),
                percent=percent,
                colours="RdYlGn" if percent else "viridis",
            )
    except OSError as error:
        raise MbeguError(f"--figures {folder}: {system_words(error)}") from None


def _show(influence: Influence) -> None:
    _show_matrix(_("Points of the one who starts (rows), in %"), influence.matrix(), influence)
    for told, (share, low, high) in (
        (_("The one who starts scores {share} (95%: {low} to {high})."), influence.starter()),
        (
            _("The first turn wins {share} of the games (95%: {low} to {high})."),
            influence.impaga(),
        ),
    ):
        click.echo(
            told.format(
                share=numeral(share, ".1%"), low=numeral(low, ".1%"), high=numeral(high, ".1%")
            )
        )
    mean, low, high = influence.length()
    click.echo(
        _("A game lasts {mean} turns (95%: {low} to {high}).").format(
            mean=numeral(mean, ".1f"), low=numeral(low, ".1f"), high=numeral(high, ".1f")
        )
    )
    if not influence.complete:
        return
    value, rows, columns = equilibrium(influence.matrix())
    click.echo(
        _("Best mixture for the one who starts ({value}): {mixture}").format(
            value=numeral(value, ".1%"), mixture=_mixture(rows, influence.families)
        )
    )
    click.echo(
        _("Best mixture for the other: {mixture}").format(
            mixture=_mixture(columns, influence.families)
        )
    )
    _value, lot, _columns = equilibrium(influence.fair())
    click.echo(
        _("Best mixture when a lot decides who starts: {mixture}").format(
            mixture=_mixture(lot, influence.families)
        )
    )


def _mixture(shares: Iterable[float], names: Iterable[str]) -> str:
    parts = [(share, name) for share, name in zip(shares, names, strict=True) if share > 0.0005]
    return ", ".join(
        f"{name} {numeral(share, '.0%')}" for share, name in sorted(parts, reverse=True)
    )


def _show_matrix(title: str, cells: Any, influence: Influence) -> None:
    names = influence.families
    width = max(map(len, names))
    click.echo(f"{title}\n{'':{width}} " + " ".join(f"{name[:7]:>7}" for name in names))
    for name, row in zip(names, cells, strict=True):
        told = " ".join("      ·" if math.isnan(cell) else f"{100 * cell:7.0f}" for cell in row)
        click.echo(f"{name:{width}} {told}")

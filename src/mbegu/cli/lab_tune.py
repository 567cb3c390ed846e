"""`mbegu lab tune`."""

from pathlib import Path

import click

from mbegu.cli.parameters import GAME
from mbegu.cli.pool import pool_of, pool_options
from mbegu.core.game import Game
from mbegu.core.i18n import _
from mbegu.core.typography import numeral
from mbegu.engine.compiling import announce_compiling
from mbegu.lab import large_tables
from mbegu.lab.tune import Fit, Tuning, evaluation_of, fitted, rendered
from mbegu.lab.worth import Worth, worth_of_terms

__all__ = ["tune"]

INTERRUPTED = 130


@click.command(
    help=_(
        "Find what the features of GAME's evaluation are worth, from games that the engine plays with itself. "
        "Games are kept in a folder: the same command goes on from there."
    ),
    epilog=_("Example: mbegu lab tune oware --games 2000 --nodes 10000"),
)
@click.argument("game", type=GAME)
@click.option(
    "--games",
    type=click.IntRange(10, 10**7),
    default=1000,
    show_default=True,
    help=_("Games to learn from; those that are in the folder count."),
)
@click.option(
    "--nodes",
    type=click.IntRange(10, 10**9),
    default=10_000,
    show_default=True,
    help=_("Positions to look at for each move."),
)
@click.option(
    "--out",
    "folder",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="FOLDER",
    help=_("The folder of the games; GAME-tune unless told."),
)
@click.option(
    "--by-result",
    is_flag=True,
    help=_("Learn from how games end alone, not from what the search thinks."),
)
@click.option(
    "--write",
    "target",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help=_("Write the weights to this file, as a weights.py."),
)
@click.option(
    "--worth",
    "matches",
    type=click.IntRange(2, 10**6),
    help=_(
        "Play so many games against the evaluation without each of its terms, and tell its Elo."
    ),
)
@click.option(
    "--term",
    "terms",
    multiple=True,
    metavar="NAME",
    help=_("With --worth: this term alone; may be given several times."),
)
@click.option(
    "--seed", type=click.IntRange(0, 2**31 - 1), default=0, show_default=True, help=_("Dice.")
)
@pool_options
def tune(
    *,
    game: Game,
    games: int,
    nodes: int,
    folder: Path | None,
    by_result: bool,
    target: Path | None,
    matches: int | None,
    terms: tuple[str, ...],
    seed: int,
    workers: int,
    cluster: str | None,
) -> int:
    """Fit an evaluation."""
    announce_compiling(lambda line: click.echo(line, err=True), game)
    evaluation_of(game)
    try:
        if matches is not None:
            worth_of_terms(game, matches, nodes, seed=seed, terms=terms, tell=_show_worth)
            return 0
        tuning = Tuning(game, folder or Path(f"{game.name}-tune"), nodes, seed)
        with pool_of(workers, cluster) as pool:
            tuning.collect(games, lambda done: _show_count(done, games), pool=pool)
    except KeyboardInterrupt:
        click.echo(_("Stopped. The same command goes on from here."), err=True)
        return INTERRUPTED
    fit = fitted(tuning, by_result=by_result)
    _show(fit)
    if target is not None:
        target.write_text(rendered(fit), encoding="utf-8")
        if fit.large is not None:
            large_tables.write(evaluation_of(game), fit.large, target)
    return 0


def _show_count(done: int, games: int) -> None:
    if done % 100 == 0 or done >= games:
        click.echo(_("{done} of {games} games").format(done=done, games=games), err=True)


def _show(fit: Fit) -> None:
    for name, pair in fit.weights.items():
        told = (
            f"{numeral(weight / 256, '+.3f')} ± {numeral(error, '.3f')}"
            for weight, error in zip(pair, fit.errors[name], strict=True)
        )
        click.echo(f"{name:12} " + "  ".join(told))
    click.echo(
        _(
            "{count} positions; in games kept aside the estimate is off by {error}, until now by {before}"
        ).format(
            count=numeral(fit.positions, ","),
            error=numeral(fit.error, ".3f"),
            before=numeral(fit.error_before, ".3f"),
        )
    )


def _show_worth(worth: Worth) -> None:
    click.echo(
        _("{term}: {points} of {games} points, {elo} Elo ({low} to {high})").format(
            term=worth.term,
            points=numeral(worth.points, "g"),
            games=worth.games,
            elo=numeral(worth.elo, "+.0f"),
            low=numeral(worth.low, "+.0f"),
            high=numeral(worth.high, "+.0f"),
        )
    )

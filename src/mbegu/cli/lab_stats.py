"""`mbegu lab stats`."""

import json
from typing import Any

import click

from mbegu.cli.lab_options import json_option
from mbegu.cli.parameters import GAME
from mbegu.core.errors import MbeguError, shorten
from mbegu.core.extras import need
from mbegu.core.game import Game
from mbegu.core.i18n import _
from mbegu.core.typography import Number, labelled, numeral
from mbegu.engine.compiling import announce_compiling
from mbegu.lab.progress import Bar
from mbegu.lab.stats import Statistics, statistics_of

__all__ = ["stats"]

INTERRUPTED = 130


@click.command(
    help=_(
        "Count what happens in GAME: length, legal moves, captures and results at random play, the "
        "value of each first move by search, and the levels against each other."
    ),
    epilog=_("Example: mbegu lab stats oware --levels 1,5,9 --nodes 1000000"),
)
@click.argument("game", type=GAME)
@click.option(
    "--games",
    type=click.IntRange(2, 10**8),
    default=100_000,
    show_default=True,
    help=_("Random games."),
)
@click.option(
    "--levels",
    default="1,3,5,7",
    show_default=True,
    metavar="LIST",
    help=_("Which levels play each other; none leaves them out."),
)
@click.option(
    "--level-games",
    type=click.IntRange(1, 10_000),
    default=10,
    show_default=True,
    help=_("Games of each pair of levels."),
)
@click.option(
    "--nodes",
    type=click.IntRange(0, 10**12),
    default=200_000,
    show_default=True,
    help=_("Positions to look at for each first move; 0 leaves them out."),
)
@click.option(
    "--seed", type=click.IntRange(0, 2**31 - 1), default=0, show_default=True, help=_("Dice.")
)
@click.option("--threads", type=click.IntRange(1, 256), help=_("How many threads work."))
@json_option
def stats(
    *,
    game: Game,
    games: int,
    levels: str,
    level_games: int,
    nodes: int,
    seed: int,
    threads: int | None,
    as_json: bool,
) -> int:
    """Count what happens in a game."""
    need("pyarrow", "scipy")
    if 0 < nodes < 100:
        raise MbeguError(_("--nodes must be 0, or 100 at least"))
    announce_compiling(lambda line: click.echo(line, err=True), game)
    with Bar() as bar:

        def tell(what: str, done: int, total: int) -> None:
            bar.what = what
            bar.tell(done, total)

        found = statistics_of(
            game,
            games=games,
            levels=_levels(levels),
            games_of_levels=level_games,
            nodes=nodes,
            seed=seed,
            threads=threads,
            tell=tell,
        )
    if as_json:
        click.echo(json.dumps(found.to_json(), ensure_ascii=False))
    else:
        _show(found)
    if not found.complete:
        click.echo(_("Stopped: this is what was found."), err=True)
        return INTERRUPTED
    return 0


def _levels(text: str) -> list[int]:
    if text in ("", "none"):
        return []
    parts = [part.strip() for part in text.split(",")]
    if not all(part.isascii() and part.isdigit() and len(part) < 4 for part in parts):
        raise MbeguError(
            _("--levels: {text} is not a list of levels like 1,5,9").format(text=shorten(text))
        )
    return list(dict.fromkeys(map(int, parts)))


def _show(found: Statistics) -> None:
    game, tables = found.game, {name: t.to_pylist() for name, t in found.tables.items()}
    if "random" in tables:
        click.echo(click.style(_("Random play"), bold=True))
        for row in tables["random"]:
            click.echo(
                "  {measure}; {least:g} … {median:g} … {most:g}".format(
                    measure=labelled(
                        row["measure"],
                        "{mean:.3f} ({low:.3f} – {high:.3f})".format(**_numbers(row)),
                    ),
                    **{key: _numbers(row)[key] for key in ("least", "median", "most")},
                )
            )
        for row in tables["sides"]:
            click.echo("  " + labelled(row["result"], _share(row)))
        click.echo("  " + _even(tables["sides"][0]["equal_sides"]))
    if "openings" in tables:
        click.echo(click.style(_("First moves, by search"), bold=True))
        wide = max(4, *(len(row["opening"]) for row in tables["openings"]), 0)
        for row in sorted(tables["openings"], key=lambda row: -row["value"]):
            proved = f" ({_('proved')})" if row["exact"] else ""
            click.echo(
                f"  {row['opening']:>{wide}} {_worth(row['value'])}{proved}  "
                + _("depth {depth}").format(depth=row["depth"])
            )
    if "levels" in tables:
        click.echo(click.style(_("Games between equals"), bold=True))
        begins = game.start().turn or 0
        for row in tables["levels"]:
            told = _("level {level}: {moves} moves; {side}, who begins, scores {share}").format(
                level=row["level"],
                moves=numeral(row["moves"], ".1f"),
                side=game.side(begins),
                share=_share(_points_of(begins, row)),
            )
            click.echo(f"  {told}")
    if "cross" in tables:
        _show_cross(tables["cross"])


def _worth(value: float) -> str:
    """A margin with its sign; nothing is no loss."""
    return numeral(round(value, 2) + 0.0, "+7.2f")


def _show_cross(rows: list[dict[str, Any]]) -> None:
    click.echo(click.style(_("Points of a level (rows) against the others, in %"), bold=True))
    names = list(dict.fromkeys(row["level"] for row in rows))
    cells = {(row["level"], row["against"]): f"{100 * row['share']:5.0f}" for row in rows}
    click.echo("      " + "".join(f"{name:>5}" for name in names))
    for one in names:
        click.echo(f"  {one:>4}" + "".join(cells.get((one, other), "    ·") for other in names))


def _points_of(player: int, row: dict[str, Any]) -> dict[str, Any]:
    """The points of a player between equals; a row tells those of player 0."""
    share, low, high = row["first_scores"], row["low"], row["high"]
    if player == 1:
        share, low, high = 1 - share, 1 - high, 1 - low
    return {"share": share, "low": low, "high": high}


def _share(row: dict[str, Any]) -> str:
    return "{share:.1%} ({low:.1%} – {high:.1%})".format(**_numbers(row))


def _numbers(row: dict[str, Any]) -> dict[str, Number]:
    """What can be written as numbers of the language."""
    return {key: Number(value) for key, value in row.items() if isinstance(value, int | float)}


def _even(chance: float) -> str:
    if chance < 0.001:
        return _("So uneven a result of equal sides has a chance below 1 in 1,000.")
    return _("So uneven a result of equal sides has a chance of {chance}.").format(
        chance=numeral(chance, ".1%")
    )

"""`mbegu book`: opening books, built and shown."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from mbegu.cli.options import json_option
from mbegu.cli.parameters import GAME
from mbegu.cli.pool import pool_of, pool_options
from mbegu.core.game import Game
from mbegu.core.i18n import _
from mbegu.core.typography import numeral

if TYPE_CHECKING:
    from mbegu.engine.book import Book

__all__ = ["book"]

INTERRUPTED = 130
FILE = click.Path(dir_okay=False, path_type=Path)


@click.group(help=_("Opening books: what long searches think of the first moves."))
def book() -> None:
    """The group of the commands about books."""


@book.command(
    help=_(
        "Build the opening book of GAME by long searches, where good play leads (drop-out expansion). It can be "
        "stopped at any moment; the same command goes on."
    ),
    epilog=_("Example: mbegu book build oware --positions 200 --nodes 5000000"),
)
@click.argument("game", type=GAME)
@click.option(
    "--positions",
    type=click.IntRange(1, 10**6),
    default=100,
    show_default=True,
    help=_("How many positions; those that are there count."),
)
@click.option(
    "--nodes",
    type=click.IntRange(100, 10**12),
    default=2_000_000,
    show_default=True,
    help=_("Positions to look at for each of them."),
)
@click.option("--threads", type=click.IntRange(1, 256), default=1, help=_("Threads at once."))
@pool_options
@click.option(
    "--out",
    "file",
    type=FILE,
    metavar="FILE",
    help=_("Another file than the one of the data folder."),
)
def build(
    *,
    game: Game,
    positions: int,
    nodes: int,
    threads: int,
    workers: int,
    cluster: str | None,
    file: Path | None,
) -> int:
    """Build a book."""
    from mbegu.engine.book import book_path  # noqa: PLC0415 - with the engine
    from mbegu.engine.book import build as build_book  # noqa: PLC0415
    from mbegu.engine.compiling import announce_compiling  # noqa: PLC0415

    path = file or book_path(game)
    announce_compiling(lambda line: click.echo(line, err=True), game)
    try:
        with pool_of(workers, cluster) as pool:
            how: dict[str, Any] = {"threads": threads, "tell": _tell_every_ten}
            if pool is not None:
                how |= {"pool": pool, "at_once": pool.workers}
            build_book(game, path, positions, nodes, **how)
    except KeyboardInterrupt:
        click.echo(_("Stopped. The same command goes on from here."), err=True)
        return INTERRUPTED
    click.echo(_("The book is {path}").format(path=path))
    return 0


def _tell_every_ten(count: int) -> None:
    if count % 10 == 0:
        click.echo(_("{count} positions").format(count=count), err=True)


@book.command(help=_("Show the book of GAME: how it was made, and its main line."))
@click.argument("game", type=GAME)
@click.option("--book", "file", type=FILE, metavar="FILE", help=_("This file."))
@json_option()
def show(game: Game, file: Path | None, as_json: bool) -> int:
    """Show a book."""
    from mbegu.engine.book import SURE, open_book, read_book  # noqa: PLC0415 - with the engine

    found = open_book(game) if file is None else read_book(file, game)
    if found is None:
        click.echo(
            _('there is no book of {game} yet; try: mbegu book build "{game}"').format(game=game)
        )
        return 1
    made, line = found.made, _main_line(game, found)
    first = found.positions[str(game.start())]
    if as_json:
        click.echo(json.dumps({"game": str(game), "made": made, "moves": first, "line": line}))
        return 0
    click.echo(
        _(
            "{positions} positions, {nodes} nodes each, mean depth {depth}, {seconds} s, {engine}, {date}"
        ).format(
            positions=made["positions"],
            nodes=numeral(made["nodes"], ","),
            depth=numeral(made.get("depth", 0), ".0f"),
            seconds=numeral(made["seconds"], ".0f"),
            engine=made["engine"],
            date=made["date"],
        )
    )
    click.echo("  ".join(f"{word} {_worth(value, SURE)}" for word, value in first.items()))
    if line:
        click.echo(_("Main line: {line}").format(line=" ".join(line)))
    return 0


def _main_line(game: Game, found: Book) -> list[str]:
    """The moves that the book thinks best, until it is silent or goes in circles."""
    position, line, seen = game.start(), list[str](), set[str]()
    while (move := found.best(position)) is not None and str(position) not in seen:
        seen.add(str(position))
        line.append(game.format_move(move, position))
        position = position.play(move)
    return line


def _worth(value: float, sure: float) -> str:
    """A margin; what is proved has a mark instead of the thousand that the file adds."""
    proved = abs(value) > sure / 2
    margin = value - math.copysign(sure, value) if proved else value
    return numeral(margin, "+.2f") + ("✓" if proved else "")

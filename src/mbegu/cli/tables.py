"""`mbegu tables`: endgame tables, built, listed, checked and told about."""

from __future__ import annotations

import json
import shutil
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from mbegu.cli.options import json_option, overwrite_option
from mbegu.cli.parameters import GAME
from mbegu.core.files import saving
from mbegu.core.game import Game
from mbegu.core.i18n import _
from mbegu.terminal.screen import can_rewrite

if TYPE_CHECKING:
    from mbegu.engine.tables.build import Progress
    from mbegu.engine.tables.file import Header, Table

__all__ = ["tables"]

BAR = 30  # characters
INTERRUPTED = 130
FOLDER = click.Path(file_okay=False, path_type=Path)
ROWS = 1 << 16  # of an exported file, written at once


@click.group(help=_("Perfect play in endings: build tables, list them, check them."))
def tables() -> None:
    """The group of the commands about tables."""


def folder_option(function: Any) -> Any:
    """--out FOLDER, for all of them."""
    option = click.option(
        *("--out", "folder"),
        metavar="FOLDER",
        type=FOLDER,
        help=_("Another place than the user's data folder."),
    )
    return option(function)


def workers_option(function: Any) -> Any:
    """--workers, for those that take their time."""
    option = click.option(
        "--workers",
        type=click.IntRange(1, 64),
        default=1,
        show_default=True,
        help=_("Threads at once."),
    )
    return option(function)


# ---- building


@tables.command(
    help=_(
        "Build the table of GAME. It can be stopped at any moment, even killed: the same command goes on "
        "with the number of seeds or cows at which it was."
    ),
    epilog=_("Example: mbegu tables build oware --seeds 18 --workers 2"),
)
@click.argument("game", type=GAME)
@click.option(
    *("--seeds", "--cows", "seeds"), type=int, help=_("The most seeds, or cows, on the board.")
)
@workers_option
@folder_option
def build(game: Game, seeds: int | None, workers: int, folder: Path | None) -> int:
    """Build a table."""
    from mbegu.engine.compiling import announce_compiling  # noqa: PLC0415 - Numba takes its time
    from mbegu.engine.tables.build import build as build_table  # noqa: PLC0415
    from mbegu.engine.tables.solver import tabled  # noqa: PLC0415

    bar = Bar()
    announce_compiling(bar.say)
    try:
        path = build_table(game, seeds, folder=folder, workers=workers, tell=bar.tell)
    except KeyboardInterrupt:
        bar.end()
        click.echo(_("Stopped. The same command goes on from here."), err=True)
        return INTERRUPTED
    finally:
        bar.end()
    click.echo(_("The table is {path}").format(path=path))
    if tabled(game) != game:
        click.echo(_("It serves {game} as well: only the start differs.").format(game=game))
    return 0


class Bar:
    """A bar with the number of seeds it is at; a line for each layer where there is no screen."""

    def __init__(self) -> None:
        self.screen = can_rewrite(sys.stderr)
        self.shown_at, self.layer, self.open = 0.0, "", False

    def tell(self, progress: Progress) -> None:
        """Shows how far it is."""
        line = _("{seeds} on the board, {percent}%").format(
            seeds=progress.layer, percent=int(100 * progress.share)
        )
        now = time.monotonic()
        if self.screen and now - self.shown_at > 0.1:
            self.shown_at, self.open = now, True
            full = int(BAR * progress.share)
            bar = "█" * full + "░" * (BAR - full)
            click.echo(f"\r\x1b[K{bar} {line}", nl=False, err=True)
        elif not self.screen and progress.layer != self.layer:
            click.echo(line, err=True)
        self.layer = progress.layer

    def say(self, line: str) -> None:
        """Says something on a line of its own."""
        self.end()
        click.echo(line, err=True)

    def end(self) -> None:
        """Leaves the line as it is."""
        if self.open:
            click.echo("", err=True)
        self.open = False


# ---- looking


@tables.command("list", help=_("List the tables that are there."))
@folder_option
@json_option()
def list_(folder: Path | None, as_json: bool) -> None:
    """List the tables."""
    from mbegu.engine.tables.solver import TableError  # noqa: PLC0415
    from mbegu.engine.tables.store import list_tables, table_folder  # noqa: PLC0415

    found = list_tables(folder)
    if as_json:
        told = [
            {"path": str(path), "trouble": str(header)}
            if isinstance(header, TableError)
            else _facts(path, header)
            for path, header in found
        ]
        click.echo(json.dumps(told))
        return
    if not found:
        click.echo(_("There are no tables in {folder}").format(folder=folder or table_folder()))
    for path, header in found:
        if isinstance(header, TableError):
            click.echo(str(header))
            continue
        click.echo(
            _("{game}: at most {seeds} on the board, {count} positions, {path}").format(
                game=header.game, seeds=header.seeds, count=f"{header.size:,}", path=path
            )
        )


@tables.command(help=_("Print where the table of GAME is, or would be."))
@click.argument("game", type=GAME)
@folder_option
def path(game: Game, folder: Path | None) -> None:
    """Print the path of a table."""
    from mbegu.engine.tables.store import table_path  # noqa: PLC0415

    click.echo(table_path(game, folder))


@tables.command(
    help=_(
        "Tell how many positions of GAME have each value for the player to move, by seeds or cows."
    )
)
@click.argument("game", type=GAME)
@click.option("--json", "as_json", is_flag=True, help=_("Print one JSON object."))
@folder_option
def info(game: Game, as_json: bool, folder: Path | None) -> None:
    """Tell about a table."""
    table = _opened(game, folder)
    if as_json:
        click.echo(json.dumps(_facts(table.path, table.header)))
        return
    for layer in filter(lambda layer: layer.size, table.header.layers):
        exact = 100 * layer.exact / layer.size
        click.echo(
            _("{seeds} on the board: {count} positions, {exact}% exact").format(
                seeds=layer.name, count=f"{layer.size:,}", exact=f"{exact:.1f}"
            )
        )
        values = (f"{value:+}: {count:,}" for value, count in sorted(layer.values.items()))
        click.echo(click.wrap_text("  ".join(values), 88, "    ", "    "))


def _opened(game: Game, folder: Path | None) -> Table:
    from mbegu.engine.tables.solver import TableError, solver_of  # noqa: PLC0415
    from mbegu.engine.tables.store import open_table, table_path  # noqa: PLC0415

    solver_of(game)  # a game without tables is told as such
    if not table_path(game, folder).exists():
        raise TableError(
            _('there is no table of {game} yet; try: mbegu tables build "{game}"').format(game=game)
        )
    return open_table(game, folder)


def _facts(path: Path, header: Header) -> dict[str, Any]:
    layers = header.layers
    return {
        "game": header.game,
        "rules": header.rules,
        "path": str(path),
        "seeds": header.seeds,
        "positions": header.size,
        "histograms": {
            layer.name: {str(value): count for value, count in sorted(layer.values.items())}
            for layer in layers
            if layer.size
        },
        "exact": {layer.name: layer.exact for layer in layers},
        "checksums": {layer.name: f"{layer.checksum:08x}" for layer in layers},
    }


@tables.command(
    help=_("Check the table of GAME: its sums, and every position against the best of its moves.")
)
@click.argument("game", type=GAME)
@workers_option
@folder_option
@json_option()
def verify(game: Game, workers: int, folder: Path | None, as_json: bool) -> int:
    """Check a table."""
    from mbegu.engine.compiling import announce_compiling  # noqa: PLC0415 - Numba takes its time
    from mbegu.engine.tables.build import verify as verify_table  # noqa: PLC0415

    path = _opened(game, folder).path
    bar = Bar()
    announce_compiling(bar.say)
    try:
        table, wrong = verify_table(path, game, workers=workers, tell=bar.tell)
    finally:
        bar.end()
    if as_json:
        told = {"path": str(path), "positions": table.header.size, "wrong": wrong}
        click.echo(json.dumps(told))
        return int(bool(wrong))
    if wrong:
        click.echo(
            _("{path}: {wrong} of {count} positions are wrong; build it again").format(
                path=path, wrong=f"{wrong:,}", count=f"{table.header.size:,}"
            )
        )
        return 1
    click.echo(
        _("{path}: all {count} positions are worth what their best moves are worth").format(
            path=path, count=f"{table.header.size:,}"
        )
    )
    return 0


# ---- exporting


@tables.command(
    help=_(
        "Copy the table of GAME to FILE: as it is if the name ends in .mbt, else as text, one position "
        "a line: the mover's houses, the other's, value, low and high."
    )
)
@click.argument("game", type=GAME)
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path))
@click.option(
    *("--seeds", "--cows", "seeds"),
    type=click.IntRange(0),
    help=_("Only positions with so many seeds, or cows."),
)
@overwrite_option("--force", name="force", help=_("Replace FILE if it exists."))
@folder_option
def export(game: Game, file: Path, seeds: int | None, force: bool, folder: Path | None) -> None:
    """Copy a table."""
    table = _opened(game, folder)
    with saving(file, overwrite=force) as out:
        if file.suffix == ".mbt":
            with table.path.open("rb") as source:
                shutil.copyfileobj(source, out)
            return
        at = 0
        for number, layer in enumerate(table.header.layers):
            if seeds in (None, number):
                for begin in range(0, layer.size, ROWS):
                    end = min(begin + ROWS, layer.size)
                    out.write(_rows(table, number, at, begin, end))
            at += layer.size


def _rows(table: Table, number: int, at: int, begin: int, end: int) -> bytes:
    boards = table.solver.boards(number, begin, end)
    facts = table.header.layers[number].facts
    codes = table.data[at + begin : at + end]
    lines = (
        ",".join(map(str, [*board, *facts[code]]))
        for board, code in zip(boards, codes.tolist(), strict=True)
    )
    return ("\n".join(lines) + "\n").encode()

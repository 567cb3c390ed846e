"""`mbegu solve`: the exact margin of a position."""

from __future__ import annotations

import json
import os
import sys
import time
from typing import TYPE_CHECKING

import click

from mbegu.cli.parameters import GAME
from mbegu.core.game import Game, Position
from mbegu.core.i18n import _
from mbegu.core.typography import numeral
from mbegu.engine.engine import MOST_THREADS
from mbegu.terminal.screen import can_rewrite

if TYPE_CHECKING:
    from mbegu.engine.solve import Bounds, Solution

__all__ = ["solve"]

INTERRUPTED = 130
NOT_PROVED = 1
LEAST_MB = 16
PROOF_NODES = 200_000_000
PULSE = 0.5  # seconds between two signs of life on a terminal


@click.command(
    help=_("Find the exact final margin of GAME from its start, or from a position."),
    epilog=_(
        "Margins are those of the player who begins the game. Ctrl-C leaves a checkpoint; the same command "
        'goes on from there. Example: mbegu solve "kalah(pits=4,seeds=4)"'
    ),
)
@click.argument("game", type=GAME)
@click.option("--position", "text", metavar="TEXT", help=_("Solve this position."))
@click.option(
    "--threads",
    type=click.IntRange(1, MOST_THREADS),
    default=lambda: min(os.cpu_count() or 1, 2),
    help=_("Threads at once; two if there are two processors."),
)
@click.option(
    "--memory",
    "memory_mb",
    type=click.IntRange(min=LEAST_MB),
    default=1024,
    show_default=True,
    metavar="MB",
    help=_("Take no more memory for positions, in megabytes."),
)
@click.option(
    "--time",
    "seconds",
    type=click.FloatRange(min=0, max=10**7, min_open=True),
    help=_("Stop after so many seconds."),
)
@click.option(
    "--wins-within",
    "turns",
    type=click.IntRange(1, 30),
    metavar="TURNS",
    help=_("Ask instead whether the player to move wins by force within so many turns of his own."),
)
@click.option("--anew", is_flag=True, help=_("Forget the checkpoint and begin anew."))
@click.option("--json", "as_json", is_flag=True, help=_("Print one JSON object."))
def solve(
    *,
    game: Game,
    text: str | None,
    threads: int,
    memory_mb: int,
    seconds: float | None,
    turns: int | None,
    anew: bool,
    as_json: bool,
) -> int:
    """Solve a position."""
    if turns is not None:
        return prove_win(
            game.start() if text is None else game.position(text), turns, memory_mb, as_json
        )
    from mbegu.engine.checkpoint import Checkpoint, checkpoint_folder  # noqa: PLC0415 - heavy
    from mbegu.engine.compiling import announce_compiling  # noqa: PLC0415
    from mbegu.engine.solve import Interrupted  # noqa: PLC0415
    from mbegu.engine.solve import solve as solved  # noqa: PLC0415

    position = game.start() if text is None else game.position(text)
    if anew:
        Checkpoint(position, checkpoint_folder()).remove()
    view = View(quiet=as_json)
    announce_compiling(view.say, game)
    interrupted = False
    try:
        found = solved(
            position,
            threads=threads,
            memory_mb=memory_mb,
            seconds=seconds,
            folder=checkpoint_folder(),
            tell=view.tell,
        )
    except Interrupted as stop:
        interrupted, found = True, stop.solution
    except KeyboardInterrupt:
        view.say(_("Stopped before anything was proved. The same command begins anew."))
        return INTERRUPTED
    finally:
        view.end()
    show(found, as_json)
    if interrupted and not as_json:
        click.echo(_("Stopped. The same command goes on from here."), err=True)
    return INTERRUPTED if interrupted else 0 if found.exact else NOT_PROVED


def prove_win(position: Position, turns: int, memory_mb: int, as_json: bool) -> int:
    """Asks the proof-number search for the shortest forced win."""
    from mbegu.engine.compiling import announce_compiling  # noqa: PLC0415 - heavy
    from mbegu.engine.proofnumber import shortest_win  # noqa: PLC0415

    announce_compiling(lambda line: click.echo(line, err=True), position.game)
    found = shortest_win(position, turns, memory_mb=memory_mb, nodes=PROOF_NODES)
    if as_json:
        click.echo(json.dumps(found.to_json(), ensure_ascii=False))
    elif found.proved:
        moves = [position.game.format_move(move, position) for move in found.moves]
        click.echo(
            _("{side} wins by force within {turns} turns, beginning with {moves}").format(
                side=position.game.side(position.turn or 0),
                turns=found.turns,
                moves=", ".join(moves),
            )
        )
    elif found.proved is False:
        click.echo(
            _("There is no forced win for {side} within {turns} turns").format(
                side=position.game.side(position.turn or 0), turns=found.turns
            )
        )
    else:
        click.echo(
            _("Not found out after {nodes} positions: {turns} turns").format(
                nodes=numeral(found.nodes, ","), turns=found.turns
            )
        )
    return 0 if found.proved is not None else NOT_PROVED


def show(found: Solution, as_json: bool) -> None:
    """Tells what was found."""
    if as_json:
        click.echo(json.dumps(found.to_json(), ensure_ascii=False))
        return
    side = found.position.game.side(0)
    if found.margin is not None:
        click.echo(
            _("{side} ends with a margin of {margin}, exactly").format(
                side=side, margin=numeral(found.margin, "+")
            )
        )
        click.echo(_("Best play: {line}").format(line=" ".join(found.words())))
    else:
        click.echo(_("Not proved: {bounds}").format(bounds=between(found.low, found.high)))
    click.echo(
        _("{nodes} positions in {seconds} s").format(
            nodes=numeral(found.nodes, ","), seconds=numeral(found.seconds, ".1f")
        )
    )


def between(low: int | None, high: int | None) -> str:
    """The bounds in words."""
    if low is None or high is None:
        return _("nothing is known of the margin")
    return _("between {low} and {high}").format(low=numeral(low, "+"), high=numeral(high, "+"))


class View:
    """The bounds as they close in: one line on a terminal, a line for each news elsewhere."""

    def __init__(self, *, quiet: bool) -> None:
        self.screen = can_rewrite(sys.stderr)
        self.quiet = quiet and not self.screen
        self.shown_at, self.told, self.open = time.monotonic(), "", False

    def tell(self, bounds: Bounds) -> None:
        """Shows how far it is."""
        if bounds.low is not None and bounds.low == bounds.high:
            return
        if bounds.building is not None:
            self._show(
                _("Building the table of small boards: {percent}%").format(
                    percent=int(100 * bounds.building)
                ),
                "building",
            )
            return
        news = between(bounds.low, bounds.high)
        line = _("{bounds}, {nodes} positions in {seconds} s").format(
            bounds=news,
            nodes=numeral(bounds.nodes, ","),
            seconds=numeral(bounds.seconds, ".0f"),
        )
        self._show(line, news)

    def _show(self, line: str, news: str) -> None:
        now = time.monotonic()
        if self.screen and now - self.shown_at > PULSE:
            self.shown_at, self.open = now, True
            click.echo(f"\r\x1b[K{line}", nl=False, err=True)
        elif not self.screen and not self.quiet and news != self.told:
            click.echo(line, err=True)
        self.told = news

    def say(self, line: str) -> None:
        """Says something on a line of its own."""
        self.end()
        click.echo(line, err=True)

    def end(self) -> None:
        """Wipes the line off."""
        if self.open:
            click.echo("\r\x1b[K", nl=False, err=True)
        self.open = False

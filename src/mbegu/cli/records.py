"""`mbegu show` and `mbegu replay`."""

import json
import sys
import time

import click

from mbegu.cli.parameters import RECORD_FILE
from mbegu.core.errors import MbeguError
from mbegu.core.files import open_records
from mbegu.core.i18n import _
from mbegu.core.players import player_name
from mbegu.core.record import Record
from mbegu.core.story import tell, tell_outcome
from mbegu.core.typography import labelled
from mbegu.terminal.screen import ask, has_colour

__all__ = ["replay", "show"]


@click.command(help=_("Show each game of FILE: its players, its moves and how it stands."))
@click.argument("file", type=RECORD_FILE)
@click.option("--ply", type=click.IntRange(min=0), help=_("The position after so many moves."))
@click.option("--json", "as_json", is_flag=True, help=_("Print a JSON object for each game."))
def show(file: str, ply: int | None, as_json: bool) -> None:
    """Show the games of a file."""
    for index, record in enumerate(open_records(file)):
        if as_json:
            click.echo(json.dumps(record.to_json(), ensure_ascii=False))
            continue
        if index:
            click.echo("\n" + "─" * 72 + "\n")
        positions = record.positions()
        if ply is not None and ply >= len(positions):
            raise MbeguError(
                _("{file}: the game has {count} moves, there is no ply {ply}").format(
                    file=file, count=len(positions) - 1, ply=ply
                )
            )
        click.echo(str(record))
        position = positions[-1 if ply is None else ply]
        click.echo(position.diagram(colour=has_colour()))
        click.echo(f"\n{position}")
        if record.outcome and ply is None:
            click.echo(tell_outcome(record.game, record.outcome))


@click.command(
    help=_("Play the games of FILE again, move by move: Enter goes on, b goes back, q leaves.")
)
@click.argument("file", type=RECORD_FILE)
@click.option(
    "--delay",
    type=click.FloatRange(0, 60),
    help=_("Go on by itself after so many seconds."),
)
def replay(file: str, delay: float | None) -> None:
    """Play the games of a file again."""
    steps_by_itself = delay is not None or not sys.stdin.isatty()
    for record in open_records(file):
        names = [labelled(record.game.side(p), player_name(record.players[p])) for p in (0, 1)]
        click.echo(f"{_(record.game.title)} — {record.game} — {', '.join(names)}\n")
        if not _replay(record, steps_by_itself, delay or 0):
            return


def _replay(record: Record, by_itself: bool, delay: float) -> bool:
    """Shows a game move by move; False when the reader has had enough."""
    positions, ply = record.positions(), 0
    while True:
        _show_ply(record, ply)
        if ply == len(positions) - 1 and record.outcome:
            click.echo(tell_outcome(record.game, record.outcome))
        if by_itself:
            time.sleep(delay)
            answer = ""
        else:
            try:
                answer = ask(f"[{ply}/{len(positions) - 1}] ").strip().lower()
            except EOFError:
                return False
        if answer in ("q", "quit"):
            return False
        ply = max(0, ply - 1) if answer == "b" else ply + 1
        if ply == len(positions):
            return True


def _show_ply(record: Record, ply: int) -> None:
    positions = record.positions()
    if ply:
        step, before = record.steps[ply - 1], positions[ply - 1]
        word = record.game.format_move(step.move, before)
        click.echo(f"{ply}. {labelled(word, tell(before, step.move))}")
        if step.comment:
            click.echo(f"   {{{step.comment}}}")
    click.echo(positions[ply].diagram(colour=has_colour()) + "\n")

"""`mbegu perft`."""

import dataclasses
import json
import threading
from queue import SimpleQueue

import click

from mbegu.cli.parameters import GAME
from mbegu.core.game import Game, Position
from mbegu.core.i18n import _
from mbegu.core.typography import labelled, numeral
from mbegu.engine.compiling import announce_compiling
from mbegu.engine.kernels.ready import is_compiled
from mbegu.engine.perft import PerftResult, by_rules
from mbegu.engine.perft import perft as fast_perft

__all__ = ["perft"]


@click.command(
    help=_("Count the sequences of exactly DEPTH moves; a finished game has no continuation.")
)
@click.argument("game", type=GAME)
@click.argument("depth", type=click.IntRange(0, 99))
@click.option("--position", "text", metavar="TEXT", help=_("Count from this position."))
@click.option("--divide", is_flag=True, help=_("Count for each first move."))
@click.option("--readable", is_flag=True, help=_("By the readable rules, not the compiled ones."))
@click.option("--json", "as_json", is_flag=True, help=_("Print one JSON object."))
def perft(
    *, game: Game, depth: int, text: str | None, divide: bool, readable: bool, as_json: bool
) -> None:
    """Count sequences of moves."""
    position = game.start() if text is None else game.position(text)
    count = by_rules
    if not readable:
        announce_compiling(lambda line: click.echo(line, err=True), game)
        count = by_kernel if is_compiled(game) else by_rules
    by_move: dict[str, int] = {}
    if divide and depth:
        parts = {
            game.format_move(move, position): count(position.play(move), depth - 1)
            for move in position.legal_moves()
        }
        by_move = {move: part.nodes for move, part in parts.items()}
        result = PerftResult(
            sum(by_move.values()),
            sum(part.moves_made + 1 for part in parts.values()),
            sum(part.seconds for part in parts.values()),
        )
    else:
        result = count(position, depth)
    if as_json:
        report = {
            "game": str(game),
            "position": str(position),
            "depth": depth,
            "nodes": result.nodes,
            "moves_made": result.moves_made,
            "seconds": result.seconds,
        }
        click.echo(json.dumps(report | {"divide": by_move} if divide else report))
        return
    for move, nodes in by_move.items():
        click.echo(labelled(move, numeral(nodes, ",")))
    click.echo(numeral(result.nodes, ","))


def by_kernel(position: Position, depth: int) -> PerftResult:
    """Counts with the compiled rules, in a thread: compiled code does not hear Ctrl-C."""
    game, done = position.game, SimpleQueue[PerftResult | Exception]()

    def work() -> None:
        try:
            done.put(fast_perft(game.name, dataclasses.asdict(game), position.to_json(), depth))
        except Exception as error:  # told to the thread that waits
            done.put(error)

    threading.Thread(target=work, daemon=True).start()
    result = done.get()
    if isinstance(result, Exception):
        raise result
    return result

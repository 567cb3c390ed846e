"""`mbegu engine`."""

import os
import sys

import click

from mbegu.cli.parameters import GAME
from mbegu.core.game import Game
from mbegu.core.i18n import _
from mbegu.engine.engine import MOST_THREADS, check_memory
from mbegu.engine.protocol import MOST_LINE, Session

__all__ = ["engine"]

MOST_BYTES = 4 * MOST_LINE


@click.command(
    help=_(
        "Play GAME for another program, by the protocol UGI (or UCI) on standard input and output."
    ),
    epilog=_(
        "Type ugi to begin, quit to end. For Aualé, give the command: mbegu engine 'oware(min_seeds=0)'"
    ),
)
@click.argument("game", type=GAME)
@click.option(
    "--hash",
    "hash_mb",
    type=click.IntRange(min=1),
    default=64,
    show_default=True,
    metavar="MB",
    help=_("Memory for positions, in megabytes; also an option of the protocol."),
)
@click.option(
    "--threads",
    type=click.IntRange(1, MOST_THREADS),
    default=1,
    show_default=True,
    help=_("How many threads think; also an option of the protocol."),
)
def engine(game: Game, hash_mb: int, threads: int) -> None:
    """Speak the engine protocol."""
    check_memory(hash_mb)
    session = Session(game, _write, hash_mb=hash_mb, threads=threads)
    quit_said = False
    try:
        while not quit_said:
            line = sys.stdin.buffer.readline(MOST_BYTES)
            if not line:
                break
            rest = line
            while len(rest) == MOST_BYTES and not rest.endswith(b"\n"):
                rest = sys.stdin.buffer.readline(MOST_BYTES)  # of a line that is too long anyway
            quit_said = not session.obey(line.decode("utf-8", errors="replace"))
    except KeyboardInterrupt:
        session.close()  # no thread may think on while Python takes the process down
        raise
    # Somebody who pipes a few lines in wants to see the answer to the last one.
    stopped = session.close(finish=not quit_said)
    sys.stdout.flush()
    if not stopped:
        os._exit(0)  # a compiler is at work, and nobody wants what it makes


def _write(line: str) -> None:
    try:
        sys.stdout.buffer.write(line.encode("utf-8", errors="replace") + b"\n")
        sys.stdout.buffer.flush()
    except (BrokenPipeError, ValueError):
        os._exit(0)  # nobody listens any more

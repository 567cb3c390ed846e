"""`mbegu analyse`."""

import json
import shutil
import sys
from collections.abc import Iterator, Sequence

import click

from mbegu.cli.parameters import GAME, RECORD_FILE
from mbegu.cli.thinking import hash_option, threads_option
from mbegu.core.errors import MbeguError
from mbegu.core.files import open_records
from mbegu.core.game import Game, Position
from mbegu.core.i18n import _
from mbegu.core.record import Record
from mbegu.core.story import tell_outcome
from mbegu.core.typography import numeral
from mbegu.engine.analysis import Analysis, tell_chance, tell_score
from mbegu.engine.analysis import analyse as start
from mbegu.engine.compiling import announce_compiling
from mbegu.engine.engine import MOST_DEPTH, Engine
from mbegu.terminal.screen import can_rewrite

__all__ = ["analyse"]

INTERRUPTED = 130
PULSE = 0.5  # seconds between two signs of life on a terminal


@click.command(
    help=_("Analyse the start of GAME, a position, or the end of a recorded game."),
    epilog=_(
        "Margins and winning chances are those of the player to move. Examples: mbegu analyse oware "
        "--time 10 --lines 3 — mbegu analyse oware --record game.txt --all --nodes 100000"
    ),
)
@click.argument("game", type=GAME)
@click.option("--position", "text", metavar="TEXT", help=_("Analyse this position."))
@click.option(
    "--record", "file", type=RECORD_FILE, metavar="FILE", help=_("Analyse the game of this file.")
)
@click.option("--all", "every", is_flag=True, help=_("With --record: every position of the game."))
@click.option(
    "--time",
    "seconds",
    type=click.FloatRange(min=0, max=10**7, min_open=True),
    help=_("Think so many seconds; 5 when no limit is given."),
)
@click.option("--depth", type=click.IntRange(1, MOST_DEPTH), help=_("Think so many moves ahead."))
@click.option("--nodes", type=click.IntRange(min=1), help=_("Think about so many positions."))
@click.option(
    "--lines",
    type=click.IntRange(1, 500),
    default=1,
    show_default=True,
    help=_("Show so many first moves."),
)
@threads_option
@hash_option
@click.option("--json", "as_json", is_flag=True, help=_("Print a JSON object for each position."))
def analyse(
    *,
    game: Game,
    text: str | None,
    file: str | None,
    every: bool,
    seconds: float | None,
    depth: int | None,
    nodes: int | None,
    lines: int,
    threads: int,
    hash_mb: int,
    as_json: bool,
) -> int:
    """Analyse positions."""
    if sum(limit is not None for limit in (seconds, depth, nodes)) > 1:
        raise MbeguError(
            _("these limits contradict each other: give one of --time, --depth, --nodes")
        )
    if text is not None and file is not None:
        raise MbeguError(_("give --position or --record, not both"))
    if every and file is None:
        raise MbeguError(_("--all needs --record FILE"))
    tasks = list(_positions(game, text, file, every))
    engine = Engine(game, hash_mb=hash_mb, threads=threads)
    announce_compiling(lambda line: click.echo(line, err=True), game)
    view = View(lines, quiet=as_json)
    for number, (position, history) in enumerate(tasks):
        if number and not as_json:
            click.echo("")
        if every and not as_json:
            click.echo(_heading(position, len(history)))
        thinking = start(
            position,
            time=seconds,
            depth=depth,
            nodes=nodes,
            lines=lines,
            history=history,
            engine=engine,
            pulse=PULSE if view.live else None,
        )
        last: Analysis | None = None
        interrupted = False
        try:
            for last in thinking:
                view.show(last)
        except KeyboardInterrupt:
            interrupted = True
        if last is not None and as_json:
            click.echo(json.dumps(last.to_json(), ensure_ascii=False))
        elif last is not None:
            view.end(last, interrupted=interrupted)
        if interrupted:
            return INTERRUPTED
    return 0


def _positions(
    game: Game, text: str | None, file: str | None, every: bool
) -> Iterator[tuple[Position, Sequence[Position]]]:
    """What to analyse, each position with those before it."""
    if file is None:
        position = game.start() if text is None else game.position(text)
        _must_go_on(position)
        yield position, ()
        return
    records = list(open_records(file))
    if not records:
        raise MbeguError(_("{file} holds no game").format(file=file))
    for record in records:
        _must_be(game, record, file)
        positions = record.positions()
        if every:
            for ply, position in enumerate(positions):
                if position.turn is not None:
                    yield position, positions[:ply]
        else:
            _must_go_on(positions[-1], file)
            yield positions[-1], positions[:-1]


def _must_be(game: Game, record: Record, file: str) -> None:
    if record.game != game:
        raise MbeguError(
            _("{file} holds a game of {theirs}, not of {ours}").format(
                file=file, theirs=record.game, ours=game
            )
        )


def _must_go_on(position: Position, file: str = "") -> None:
    outcome = position.outcome()
    if outcome is None:
        return
    story = _("the game is over: {outcome}").format(outcome=tell_outcome(position.game, outcome))
    if file:
        story = f"{file}: {story} {_('Try --all for the positions before.')}"
    raise MbeguError(story)


def _heading(position: Position, ply: int) -> str:
    assert position.turn is not None
    return _("Moves played: {ply}. {side} to move: {position}").format(
        ply=ply, side=position.game.side(position.turn), position=position
    )


class View:
    """Shows an analysis as it goes: lines that are rewritten on a terminal, plain lines in a pipe."""

    def __init__(self, lines: int, *, quiet: bool) -> None:
        self.live = can_rewrite(sys.stdout) and not quiet
        self.quiet = quiet
        self.lines = lines
        self.drawn = 0  # rows that stand on the terminal and will be written over
        self.printed: list[str] = []

    def show(self, analysis: Analysis) -> None:
        """Shows an update."""
        if self.quiet:
            return
        if self.live:
            self._redraw(analysis)
        else:
            self._print(analysis)

    def end(self, analysis: Analysis, *, interrupted: bool) -> None:
        """Shows the result."""
        if self.live:
            self._redraw(analysis, whole=True)
            self.drawn = 0
            if interrupted:
                click.echo(_("Stopped."))
        best = analysis.best
        side = analysis.position.game.side(analysis.player)
        click.echo(
            _("Best for {side}: {move}, {score}, winning chance {chance}").format(
                side=side,
                move=best.words[0],
                score=tell_score(best),
                chance=tell_chance(best.chance),
            )
        )

    def _print(self, analysis: Analysis) -> None:
        rows = self._told(analysis)
        if rows != self.printed:  # the last update often has nothing new
            click.echo("\n".join(rows))
            self.printed = rows

    def _redraw(self, analysis: Analysis, *, whole: bool = False) -> None:
        """Writes over what stands there; in the end every line in full, as nothing follows it."""
        size = shutil.get_terminal_size()
        speed = _("depth {depth}, {nodes} positions, {seconds} s, {speed} a second").format(
            depth=analysis.depth,
            nodes=numeral(analysis.nodes, ","),
            seconds=numeral(analysis.seconds, ".1f"),
            speed=numeral(analysis.nodes_per_second, ","),
        )
        rows = [speed, *self._told(analysis, depth=False)]
        if not whole:
            rows = [_cut(row, size.columns - 1) for row in rows[: max(size.lines - 2, 1)]]
        up = f"\x1b[{self.drawn}A" if self.drawn else ""
        click.echo(up + "".join(f"\r\x1b[2K{row}\n" for row in rows) + "\x1b[J", nl=False)
        self.drawn = len(rows)

    def _told(self, analysis: Analysis, *, depth: bool = True) -> list[str]:
        scores = [tell_score(line) for line in analysis.lines]
        width, digits = max(6, *map(len, scores)), len(str(len(scores)))
        return [
            " ".join(
                [
                    *([f"{analysis.depth:3}"] if depth else []),
                    *([f"{number:{digits}}."] if self.lines > 1 else []),
                    f"{score:>{width}} {tell_chance(line.chance):>5} ",
                    *line.words,
                ]
            )
            for number, (score, line) in enumerate(zip(scores, analysis.lines, strict=True), 1)
        ]


def _cut(row: str, width: int) -> str:
    """The row as far as the terminal is wide: half a word would be another move."""
    if len(row) <= width:
        return row
    return row[: max(row.rfind(" ", 0, width), 0)] + "…"

"""`mbegu annotate`."""

import json
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import click

from mbegu.cli.options import json_option, out_option
from mbegu.cli.parameters import RECORD_FILE
from mbegu.cli.thinking import hash_option, threads_option
from mbegu.core.errors import MbeguError
from mbegu.core.files import open_records, saving, write_records
from mbegu.core.i18n import _
from mbegu.core.record import Record
from mbegu.engine.annotate import Annotation
from mbegu.engine.annotate import annotate as judge
from mbegu.engine.compiling import announce_compiling
from mbegu.engine.engine import Engine, Limits
from mbegu.lab.plot import check_plot, plot

__all__ = ["annotate"]

DEFAULT_SECONDS = 0.5


@click.command(
    help=_(
        "Mark blunders (??), mistakes (?), inaccuracies (?!) and missed wins in the games of FILE, each "
        "with a comment and the better line."
    ),
    epilog=_(
        "A move is marked when it gives away 10, 20 or 30 hundredths of the winning chance. Without --out "
        "the games are printed."
    ),
)
@click.argument("file", type=RECORD_FILE)
@out_option("-o", "--output", metavar="OUT", help=_("Write the games to this file."))
@click.option("--overwrite", is_flag=True, help=_("Replace files that exist."))
@click.option(
    "--time-per-move",
    "seconds",
    type=click.FloatRange(min=0, max=10**6, min_open=True),
    help=_("Think so many seconds about each position; 0.5 when no limit is given."),
)
@click.option(
    "--nodes", type=click.IntRange(min=1), help=_("Think about so many positions for each.")
)
@click.option(
    "--plot", "picture", metavar="PNG|SVG", help=_("Draw the winning chance over the game.")
)
@json_option()
@threads_option
@hash_option
def annotate(
    *,
    file: str,
    out: str | None,
    overwrite: bool,
    seconds: float | None,
    nodes: int | None,
    picture: str | None,
    as_json: bool,
    threads: int,
    hash_mb: int,
) -> None:
    """Annotate the games of a file."""
    if seconds is not None and nodes is not None:
        raise MbeguError(_("these limits contradict each other: give --time-per-move or --nodes"))
    if seconds is None and nodes is None:
        seconds = DEFAULT_SECONDS
    limits = Limits(movetime=seconds, nodes=nodes)
    if picture is not None:
        check_plot(picture)
    records = list(open_records(file))
    if not records:
        raise MbeguError(_("{file} holds no game").format(file=file))
    pictures = [] if picture is None else _pictures(Path(picture), len(records))
    _try_to_save(records, out, pictures, overwrite)
    announce_compiling(lambda line: click.echo(line, err=True), records[0].game)
    found: list[Annotation] = []
    with _progress(records) as step:
        for record in records:
            engine = Engine(record.game, hash_mb=hash_mb, threads=threads)
            found.append(judge(record, limits, engine=engine, progress=step))
    if as_json:
        for annotation in found:
            click.echo(json.dumps(annotation.record.to_json(), ensure_ascii=False))
    elif out is None:
        click.echo("\n".join(str(annotation.record) for annotation in found), nl=False)
    if out is not None:
        write_records([annotation.record for annotation in found], out, overwrite)
        if not as_json:
            click.echo(_summary(found, out))
    for path, annotation in zip(pictures, found, strict=False):
        plot(annotation, str(path), overwrite=overwrite)


def _pictures(path: Path, count: int) -> list[Path]:
    """A name for each game: course.svg, course-2.svg and so on."""
    others = [f"{path.stem}-{number}{path.suffix}" for number in range(2, count + 1)]
    return [path, *(path.with_name(name) for name in others)]


class _OnlyATrial(Exception):
    """Ends a saving before anything has its name."""


def _try_to_save(
    records: list[Record], out: str | None, pictures: list[Path], overwrite: bool
) -> None:
    """Raises MbeguError if the result could not be saved, before hours are spent on it."""

    def all_but_saved() -> Iterator[Record]:
        yield from records
        raise _OnlyATrial

    for name in [*([] if out is None else [Path(out)]), *pictures]:
        if not overwrite and name.exists():
            raise MbeguError(
                _("{file} exists already; give another name, or say --overwrite").format(file=name)
            )
    if out is not None:
        with suppress(_OnlyATrial):
            write_records(all_but_saved(), out, overwrite)
    for path in pictures:
        with suppress(_OnlyATrial), saving(path, overwrite):
            raise _OnlyATrial


@contextmanager
def _progress(records: list[Record]) -> Iterator[Callable[[int, int], None]]:
    """A bar on a terminal, nothing in a pipe."""
    if not sys.stderr.isatty():
        yield lambda done, all_of_them: None
        return
    plies = sum(len(record.steps) + 1 for record in records)
    with click.progressbar(length=plies, label=_("Thinking"), file=sys.stderr) as bar:
        yield lambda done, all_of_them: bar.update(1)


def _summary(found: list[Annotation], out: str) -> str:
    glyphs = [judgement.glyph for each in found for judgement in each.judgements]
    return _("{out}: blunders {blunders}, mistakes {mistakes}, inaccuracies {inaccuracies}").format(
        out=out,
        blunders=glyphs.count(4),
        mistakes=glyphs.count(2),
        inaccuracies=glyphs.count(6),
    )

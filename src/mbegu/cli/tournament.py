"""`mbegu tournament`."""

import csv
import io
import json
import os
import sys
import time
from contextlib import ExitStack
from pathlib import Path

import click

from mbegu.arena.archive import GameArchive
from mbegu.arena.plan import Plan, read_plan
from mbegu.arena.pool import Job
from mbegu.arena.rating import LEAST_RATED
from mbegu.arena.referee import Played, verdict_name
from mbegu.arena.tournament import Tournament
from mbegu.arena.tournament_report import report
from mbegu.cli.match import tell_fault
from mbegu.cli.options import json_option, overwrite_option
from mbegu.core.files import save_text
from mbegu.core.i18n import _
from mbegu.core.typography import Number, labelled, numeral
from mbegu.work.executor import executor

__all__ = ["tournament"]

SHOWN_FAULTS = 20
COUNTED = ("points", "games", "wins", "draws", "losses")


@click.command(
    help=_(
        "Play the tournament that FILE describes (TOML). It can be stopped at any moment, even "
        "killed: the same command goes on where it was."
    ),
    epilog=_("docs/arena.md describes the file. Example: mbegu tournament school.toml --workers 2"),
)
@click.argument("file")
@click.option(
    "--workers", type=click.IntRange(1, 256), default=1, show_default=True, help=_("Games at once.")
)
@click.option("--folder", help=_("Where the results go; else what FILE says."))
@overwrite_option(
    "--restart", name="restart", help=_("Forget the games that were played, and begin again.")
)
@click.option("--trust", is_flag=True, help=_("Run the bots without a cage."))
@click.option("--cluster", metavar="URL", help=_("Play on a Dask cluster, like tcp://host:8786."))
@json_option()
def tournament(
    file: str,
    workers: int,
    folder: str | None,
    restart: bool,
    trust: bool,
    cluster: str | None,
    as_json: bool,
) -> int:
    """Play a tournament."""
    plan = read_plan(file, trust=trust)
    place = os.path.abspath(folder) if folder else plan.folder
    for name, why in plan.troubles:
        click.echo(labelled(name, why), err=True)
    with ExitStack() as stack:
        archive = stack.enter_context(GameArchive(os.path.join(place, "results.db")))
        if restart:
            archive.clear()
        archive.claim(plan.fingerprint())
        playing = Tournament(plan, archive)
        teller = Teller(plan)
        interrupted = False
        pool = stack.enter_context(executor(cluster=cluster)) if cluster else None
        try:
            playing.run(workers, pool, teller.tell, teller.announce)
        except KeyboardInterrupt:
            interrupted = True
        teller.end()
        _write_files(playing, place)
        if as_json:
            click.echo(json.dumps({"folder": place, **_facts(playing)}, ensure_ascii=False))
        else:
            _tell_table(playing)
            told = _("The results are in {folder}: report.html, records.txt, table.csv")
            click.echo(told.format(folder=place))
    if interrupted:
        click.echo(_("Stopped. The same command goes on from here."), err=True)
    return 130 if interrupted else 0


class Teller:
    """Says how far the tournament is."""

    def __init__(self, plan: Plan) -> None:
        self.screen = sys.stderr.isatty()
        self.stage, self.done, self.total = "", 0, 0
        self.shown_at = 0.0
        self.faults: dict[tuple[str, str], int] = {}
        self.told = 0

    def announce(self, stage: str, done: int, total: int) -> None:
        """A stage begins."""
        self.end()
        self.stage, self.done, self.total, self.told = stage, done, total, 0
        if done < total:
            click.echo(
                _("{stage}: {done} of {total} games are played").format(
                    stage=stage, done=done, total=total
                ),
                err=True,
            )

    def tell(self, stage: str, job: Job, played: Played) -> None:
        """A game has ended."""
        self.done += 1
        guilty = played.verdict.player
        if guilty is not None:
            key = (played.players[guilty], played.verdict.word)
            self.faults[key] = self.faults.get(key, 0) + 1
            if self.faults[key] == 1 and len(self.faults) <= SHOWN_FAULTS:
                self.end()
                click.echo(tell_fault(self.done - 1, played), err=True)
        now = time.monotonic()
        if self.screen and (now - self.shown_at > 0.1 or self.done == self.total):
            self.shown_at = now
            line = labelled(stage, f"{self.done}/{self.total}")
            click.echo(f"\r\x1b[K{line}", nl=False, err=True)
        elif not self.screen and self.done * 4 // self.total > self.told:
            self.told = self.done * 4 // self.total
            click.echo(labelled(stage, f"{self.done}/{self.total}"), err=True)

    def end(self) -> None:
        """Leaves the line as it is."""
        if self.screen and self.shown_at:
            click.echo("", err=True)
            self.shown_at = 0.0


def _facts(playing: Tournament) -> dict[str, object]:
    """The table for programs; who has too few games has no Elo there, too."""
    rows = [
        {
            "place": place,
            "bot": row.name,
            "elo": row.elo if row.rated else None,
            "error": row.error if row.rated else None,
            **{name: getattr(row, name) for name in COUNTED},
            "verdicts": dict(row.verdicts),
        }
        for place, row in enumerate(playing.standings(), 1)
    ]
    unfit = {name: played.verdict.word for name, played in playing.unfit().items()}
    return {"table": rows, "unfit": unfit, "weak": playing.weak()}


def _tell_table(playing: Tournament) -> None:
    rows = playing.standings()
    wide = max([len(row.name) for row in rows] + [3])
    for place, row in enumerate(rows, 1):
        faults = ", ".join(
            f"{verdict_name(word)} × {count}" for word, count in sorted(row.verdicts.items())
        )
        elo = f"{row.elo:+6.0f} ± {row.error:4.0f}" if row.rated else f"{'–':>13}"
        click.echo(
            f"{place:3}  {row.name.ljust(wide)}  {elo}  "
            f"{numeral(row.points, 'g')}/{row.games}  +{row.wins} ={row.draws} -{row.losses}  {faults}".rstrip()
        )
    if not all(row.rated for row in rows):
        few = _("A bot with fewer than {least} games has no Elo: they say too little.")
        click.echo(few.format(least=LEAST_RATED))
    for name, played in playing.unfit().items():
        click.echo(_("{bot} was left out: {verdict}").format(bot=name, verdict=played.verdict))
    for name, points in playing.weak().items():
        told = _("{bot} did not beat random in the sanity round (points: {points:g})")
        click.echo(told.format(bot=name, points=Number(points)))


def _as_text(cell: str) -> str:
    """A cell that no spreadsheet takes for a formula.

    >>> _as_text("=1+1"), _as_text("amina")
    ("'=1+1", 'amina')
    """
    return f"'{cell}" if cell.startswith(("=", "+", "-", "@", "\t", "\r")) else cell


def _write_files(playing: Tournament, place: str) -> None:
    def save(name: str, text: str) -> None:
        save_text(Path(place) / name, text, overwrite=True)

    rows = playing.standings()
    table = io.StringIO(newline="")
    writer = csv.writer(table)
    writer.writerow(["place", "bot", "elo", "error", "points", "games", "wins", "draws", "losses"])
    for number, row in enumerate(rows, 1):
        elo, error = (f"{row.elo:.1f}", f"{row.error:.1f}") if row.rated else ("", "")
        writer.writerow(
            [
                number,
                _as_text(row.name),
                elo,
                error,
                row.points,
                row.games,
                row.wins,
                row.draws,
                row.losses,
            ]
        )
    save("table.csv", table.getvalue())
    save("records.txt", "\n".join(playing.archive.records()))
    verdicts = [
        {"game": key, "players": played.players, **played.to_json()["verdict"]}
        for key, played in playing.archive.games.items()
        if played.verdict.player is not None
    ]
    save("faults.json", json.dumps(verdicts, ensure_ascii=False, indent=1))
    save("report.html", report(playing))

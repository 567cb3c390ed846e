"""`mbegu lab resist`."""

import dataclasses
import json
from typing import Any

import click

from mbegu.cli.lab_options import (
    chosen_rules,
    json_option,
    rule_options,
    seed_option,
    threads_option,
)
from mbegu.core.i18n import _
from mbegu.core.typography import numeral
from mbegu.engine.compiling import announce_compiling
from mbegu.games.urubugu import Urubugu
from mbegu.lab.progress import Bar
from mbegu.lab.urubugu.book import Proof, book_of
from mbegu.lab.urubugu.book import prove as prove_book
from mbegu.lab.urubugu.columns import ALL_SETTINGS, columns_of, why_safe
from mbegu.lab.urubugu.families import FIXED
from mbegu.lab.urubugu.resist import FRESH, METHODS, find_resistant

__all__ = ["resist"]

SAFE = FIXED["back"]  # where a column with an empty cell cannot be taken


@click.command(
    help=_(
        "Find settings that resist: against which the fewest settings win in one turn. With "
        "--prove, look at every setting there is, and say which have a counter."
    ),
    epilog=_("Example: mbegu lab resist --prove --threads 2"),
)
@click.option(
    "--method",
    type=click.Choice(METHODS),
    default="climb",
    show_default=True,
    help=_("Climb from class to class, or let all classes race (minutes)."),
)
@click.option(
    "--classes",
    type=click.IntRange(1, 15_380_937),
    help=_("Let only so many classes race, by lot."),
)
@click.option("--prove", is_flag=True, help=_("Play the book of counters against every setting."))
@click.option("--book", is_flag=True, help=_("With --prove: print the book, a setting a line."))
@click.option(
    "--limit",
    type=click.IntRange(1, 50),
    default=5,
    show_default=True,
    help=_("How many settings."),
)
@click.option(
    "--time",
    "seconds",
    type=click.FloatRange(0.1, 1e6),
    default=30.0,
    show_default=True,
    help=_("Seconds to climb."),
)
@click.option(
    "--samples",
    type=click.IntRange(1, 10**10),
    default=FRESH,
    show_default=True,
    help=_("Settings to draw for the estimate that is told."),
)
@seed_option
@threads_option
@json_option
@rule_options
def resist(
    *,
    method: str,
    classes: int | None,
    prove: bool,
    book: bool,
    limit: int,
    seconds: float,
    samples: int,
    seed: int,
    threads: int,
    as_json: bool,
    **rules: Any,
) -> int:
    """Find settings that resist."""
    game = chosen_rules(rules)
    announce_compiling(lambda line: click.echo(line, err=True))
    if prove:
        return _prove(game, show_book=book, threads=threads, as_json=as_json)
    with Bar(_("parts") if method == "race" else _("seconds")) as bar:
        found = find_resistant(
            game,
            method=method,
            limit=limit,
            seconds=seconds,
            seed=seed,
            threads=threads,
            classes=classes,
            samples=samples,
            tell=bar.tell if method == "race" else lambda looked_at, least: bar.tell_time(seconds),
        )
    if as_json:
        click.echo(json.dumps(found.to_json(), ensure_ascii=False))
        return 0
    if found.safe:
        click.echo(
            _(
                "{safe} of {settings} settings have no counter at all, for instance {setting}: {why}."
            ).format(
                safe=numeral(found.safe, ","),
                settings=numeral(ALL_SETTINGS, ","),
                setting=",".join(map(str, SAFE)),
                why=why_safe(SAFE, game),
            )
        )
        click.echo(_("Of the others, these resist best:"))
    click.echo(
        _("{count} classes of settings were looked at ({method}).").format(
            count=numeral(found.looked_at, ","), method=method
        )
    )
    click.echo(
        _(
            "How common counters are is told by a fresh sample of {samples} settings; the intervals "
            "hold for all of these at once, with 95 %."
        ).format(samples=numeral(samples, ","))
    )
    for frequency in found.found:
        low, high = frequency.interval
        click.echo(
            _("{setting}  columns {columns}: {share} win against it ({low} to {high})").format(
                setting=",".join(map(str, frequency.opponent)),
                columns="-".join(map(str, columns_of(frequency.opponent))),
                share=numeral(frequency.share, ".3%"),
                low=numeral(low, ".3%"),
                high=numeral(high, ".3%"),
            )
        )
    return 0


def _prove(game: Urubugu, *, show_book: bool, threads: int, as_json: bool) -> int:
    book = book_of(game)
    with Bar(_("parts")) as bar:
        proof = prove_book(game, threads=threads, tell=bar.tell)
    if as_json:
        told = dataclasses.asdict(proof) | {
            "complete": proof.complete,
            "blocked": proof.blocked,
            "book": book,
        }
        click.echo(json.dumps(told))
    else:
        _show(proof)
        if show_book:
            for page, classes in zip(book, proof.by_page, strict=True):
                click.echo(f"{','.join(map(str, page))}  {numeral(classes, ',')}")
    return 0 if proof.complete else 1


def _show(proof: Proof) -> None:
    numbers = {
        "rules": proof.rules,
        "settings": numeral(proof.settings, ","),
        "safe": numeral(proof.settings - proof.open, ","),
        "open": numeral(proof.open, ","),
        "classes": numeral(proof.classes, ","),
        "countered": numeral(proof.countered, ","),
        "pages": proof.pages,
        "taken": numeral(proof.taken, ","),
        "blocked": numeral(proof.blocked, ","),
        "share": numeral(proof.open / proof.settings, ".4%"),
    }
    if proof.open < proof.settings:
        click.echo(
            _(
                "{rules}: {safe} of {settings} settings have no counter, because they have a column "
                "that cannot be taken. {open} ({share}) are open, in {classes} classes."
            ).format(**numbers)
        )
    else:
        click.echo(
            _("{rules}: {settings} settings, in {classes} classes of column sums.").format(
                **numbers
            )
        )
    if proof.complete:
        click.echo(
            _(
                "Proved: each of the {open} is beaten in one turn by one of {pages} settings."
            ).format(**numbers)
        )
        click.echo(
            _("Every bead is taken in {taken} of them.").format(**numbers)
            if not proof.blocked
            else _(
                "The book takes every bead of {taken} of them; {blocked} it beats by immobility: lone "
                "beads are left, which cannot start a turn."
            ).format(**numbers)
        )
        return
    click.echo(_("{countered} have a counter among {pages} settings.").format(**numbers))
    for sums in proof.unanswered:
        click.echo(_("No answer to columns {sums}").format(sums="-".join(map(str, sums))))

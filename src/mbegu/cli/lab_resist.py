"""`mbegu lab resist`."""

import dataclasses
import json
from typing import Any

import click

from mbegu.cli.lab_options import (
    check_method,
    chosen_rules,
    json_option,
    rule_options,
    seed_option,
    threads_option,
)
from mbegu.core.extras import need
from mbegu.core.i18n import _
from mbegu.core.typography import numeral
from mbegu.engine.compiling import announce_compiling
from mbegu.lab.counters import CounterProof, CounterStudy
from mbegu.lab.progress import Bar

__all__ = ["resist"]


@click.command(
    help=_(
        "Find settings that resist: against which the fewest settings win in one turn. With "
        "--prove, look at every setting there is, and say which have a counter."
    ),
    epilog=_("Example: mbegu lab resist --prove --threads 2"),
)
@click.option(
    "--method",
    metavar="METHOD",
    help=_("Climb from class to class, or let all classes race (minutes).") + " [climb]",
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
    default=1_000_000,
    show_default=True,
    help=_("Settings to draw for the estimate that is told."),
)
@seed_option
@threads_option
@json_option
@rule_options
def resist(
    *,
    method: str | None,
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
    study = chosen_rules(rules)
    method = check_method(method or study.resist_methods[0], study.resist_methods)
    if not prove:
        need("scipy")  # for the intervals, at the end
    announce_compiling(lambda line: click.echo(line, err=True))
    if prove:
        return _prove(study, show_book=book, threads=threads, as_json=as_json)
    with Bar(_("parts") if method == "race" else _("seconds")) as bar:
        found = study.resistant(
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
    example = study.example_of_safe()
    if found.safe and example is not None:
        click.echo(
            _(
                "{safe} of {settings} settings have no counter at all, for instance {setting}: {why}."
            ).format(
                safe=numeral(found.safe, ","),
                settings=numeral(found.found[0].of_all or 0, ","),
                setting=",".join(map(str, example[0])),
                why=example[1],
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
            _("{setting}  {about}: {share} win against it ({low} to {high})").format(
                setting=",".join(map(str, frequency.opponent)),
                about=found.about(frequency.opponent),
                share=numeral(frequency.share, ".3%"),
                low=numeral(low, ".3%"),
                high=numeral(high, ".3%"),
            )
        )
    return 0


def _prove(study: CounterStudy, *, show_book: bool, threads: int, as_json: bool) -> int:
    with Bar(_("parts")) as bar:
        proof = study.prove(threads=threads, tell=bar.tell)
    if as_json:
        told = dataclasses.asdict(proof) | {
            "complete": proof.complete,
            "blocked": proof.blocked,
            "book": proof.book,
        }
        click.echo(json.dumps(told))
    else:
        _show(proof)
        if show_book:
            for page, classes in zip(proof.book, proof.by_page, strict=True):
                click.echo(f"{','.join(map(str, page))}  {numeral(classes, ',')}")
    return 0 if proof.complete else 1


def _show(proof: CounterProof) -> None:
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

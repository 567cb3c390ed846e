"""`mbegu lab counter`."""

import json
from typing import Any

import click

from mbegu.cli.lab_options import (
    SETTING,
    check_method,
    chosen_rules,
    json_option,
    rule_options,
    seed_option,
    threads_option,
)
from mbegu.core.errors import MbeguError, system_words
from mbegu.core.extras import need
from mbegu.core.game import Move
from mbegu.core.i18n import _
from mbegu.core.outcome import Reason
from mbegu.core.story import tell, tell_outcome
from mbegu.core.typography import numeral
from mbegu.engine.compiling import announce_compiling
from mbegu.lab.counters import Counter, CounterStudy, Frequency, Search
from mbegu.lab.progress import Bar

__all__ = ["counter"]

INTERRUPTED = 130


@click.command(
    help=_(
        "Find settings that win in one turn (IMPAGA) against SETTING: 16 counts such as "
        "2,2,…,2, or default, front, back, pile, two-piles, alternating, head, tail, or by lot, "
        "like uniform:7."
    ),
    epilog=_("Example: mbegu lab counter default --count"),
)
@click.argument("setting", type=SETTING)
@click.option("--all-moves", is_flag=True, help=_("Tell every winning move of a setting."))
@click.option(
    "--limit",
    type=click.IntRange(1, 100_000),
    default=1,
    show_default=True,
    help=_("How many settings."),
)
@click.option(
    "--time",
    "seconds",
    type=click.FloatRange(0.01, 1e6),
    default=60.0,
    show_default=True,
    help=_("Seconds to look for them."),
)
@click.option(
    "--method",
    metavar="METHOD",
    default="auto",
    show_default=True,
    help=_("How to look for them: auto, book, random, climb or exact."),
)
@click.option("--count", is_flag=True, help=_("Estimate how common they are among all settings."))
@click.option(
    "--samples",
    type=click.IntRange(1, 10**10),
    default=1_000_000,
    show_default=True,
    help=_("Settings to draw for the estimate."),
)
@click.option("--svg", metavar="FILE", help=_("Draw the turn of the first one."))
@seed_option
@threads_option
@json_option
@rule_options
def counter(
    *,
    setting: str,
    all_moves: bool,
    limit: int,
    seconds: float,
    method: str,
    count: bool,
    samples: int,
    svg: str | None,
    seed: int,
    threads: int,
    as_json: bool,
    **rules: Any,
) -> int:
    """Find counters."""
    study = chosen_rules(rules)
    theirs = study.setting_of(setting)
    check_method(method, study.methods)
    if count:
        need("scipy")  # for the interval, at the end
    announce_compiling(lambda line: click.echo(line, err=True))
    with Bar(_("seconds")) as bar:
        search = study.find(
            theirs, method=method, limit=limit, seconds=seconds, seed=seed, threads=threads,
            tell=lambda turns, found: bar.tell_time(seconds),
        )  # fmt: skip
    frequency = None
    if count and not search.stopped:
        with Bar(_("settings")) as bar:
            frequency = study.count(
                theirs, samples=samples, seconds=seconds, seed=seed, threads=threads,
                tell=bar.tell,
            )  # fmt: skip
    if svg is not None and search.found:
        _draw(svg, study, search.found[0])
    if as_json:
        told = search.to_json()
        if frequency is not None:
            told["frequency"] = frequency.to_json()
        click.echo(json.dumps(told, ensure_ascii=False))
    else:
        _show(search, frequency, all_moves=all_moves)
    if search.stopped or (frequency is not None and frequency.stopped):
        click.echo(_("Stopped: this is what was found."), err=True)
        return INTERRUPTED
    return 0 if search.found else 1


def _draw(path: str, study: CounterStudy, found: Counter) -> None:
    try:
        with open(path, "w", encoding="utf-8") as file:
            file.write(study.picture(found, found.moves[0]))
    except OSError as error:
        raise MbeguError(f"--svg {path}: {system_words(error)}") from None


def _show(search: Search, frequency: Frequency | None, *, all_moves: bool) -> None:
    for number, found in enumerate(search.found):
        if number:
            click.echo("")
        _show_counter(found, all_moves=all_moves, whole=len(search.found) <= 3)
    if not search.found:
        click.echo(_("No counter: {why}.").format(why=search.why_none))
    for cells, (patterns, settings) in search.patterns.items():
        click.echo(
            _(
                "Counters that hang on at most {cells} cells: {patterns} patterns, {settings} settings "
                "with their starts."
            ).format(cells=cells, patterns=numeral(patterns, ","), settings=numeral(settings, ","))
        )
    if frequency is not None:
        click.echo(_told_frequency(frequency))


def _told_frequency(frequency: Frequency) -> str:
    low, high = frequency.interval
    told = _(
        "Of {drawn} settings by lot {counters} are counters: {share} (95%: {low} to {high})"
    ).format(
        drawn=numeral(frequency.drawn, ","),
        counters=numeral(frequency.counters, ","),
        share=numeral(frequency.share, ".4%"),
        low=numeral(low, ".4%"),
        high=numeral(high, ".4%"),
    )
    if frequency.of_all is None:
        return f"{told}."
    return _("{told}, about {about} of all {all}.").format(
        told=told,
        about=numeral(frequency.share * frequency.of_all, ",.0f"),
        all=numeral(frequency.of_all, ","),
    )


def _show_counter(found: Counter, *, all_moves: bool, whole: bool) -> None:
    click.echo(",".join(map(str, found.setting)))
    if found.cells:
        told = " ".join("·" if beads is None else str(beads) for beads in found.cells)
        click.echo(
            _("Only these cells matter: {cells}; {count} settings fit.").format(
                cells=told, count=numeral(found.alike, ",")
            )
        )
    for move in found.moves if all_moves else found.moves[:1]:
        click.echo(_("Start: {move}, laps: {laps}").format(move=move, laps=found.laps(move)))
        click.echo(_told_end(found, move))
        if whole:
            click.echo(found.position.diagram())
            for line in found.words(move):
                click.echo(f"  {line}")
        else:
            click.echo(f"  {tell(found.position, move)}")


def _told_end(found: Counter, move: Move) -> str:
    outcome = found.position.play(move).outcome()
    assert outcome is not None
    if outcome.reason is Reason.ALL_BEADS:
        return _("It takes all beads.")
    if outcome.reason is Reason.NO_MOVES:
        return _("It wins by immobility: the beads that are left cannot start a turn.")
    return tell_outcome(found.game, outcome)

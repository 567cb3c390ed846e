"""The report of a run, or of several: one HTML page without anything outside it, and its figures as files.

The question, the answer in numbers, how it was found, figures, tables, boards, and the file and the
command with which anybody finds the same again.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from mbegu.arena.rating import rate
from mbegu.core.errors import MbeguError, system_words
from mbegu.core.files import save_text
from mbegu.core.i18n import _
from mbegu.core.typography import Number, labelled, numeral
from mbegu.lab.design import Experiment
from mbegu.lab.figures import COLOURS, INK, Figure
from mbegu.lab.intervals import grouped_mean, grouped_share, mean_interval, wilson
from mbegu.lab.manifest import RunFolder
from mbegu.lab.page import Page
from mbegu.lab.pieces import KINDS
from mbegu.lab.run import read_table

__all__ = ["Page", "report", "write_report"]

MOST_BOARDS = 6
Run = tuple[Path, Experiment, pa.Table]


def write_report(
    *folders: str | os.PathLike[str], out: str | os.PathLike[str] | None = None, title: str = ""
) -> Path:
    """Writes report.html and the folder figures, into the folder of a finished run or into `out`.

    Several runs get one page together, in the folder `report` if nothing else is said.
    """
    page = report(*folders, title=title)
    folder = Path(out or (folders[0] if len(folders) == 1 else "report"))
    path = folder / "report.html"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        save_text(path, page.html(), overwrite=True)
        for figure in page.figures:
            figure.save(folder / "figures")
    except OSError as error:
        raise MbeguError(
            _("{path} cannot be used: {why}").format(path=folder, why=system_words(error))
        ) from None
    return path


def report(*folders: str | os.PathLike[str], title: str = "") -> Page:
    """The report of a finished run, or of several together."""
    runs = [
        (Path(folder), RunFolder(folder).experiment(), read_table(folder)) for folder in folders
    ]
    if len(runs) > 1:
        return _joint(runs, title)
    ((folder, experiment, table),) = runs
    kind = KINDS[experiment.kind]
    page = Page(title or experiment.title or _(kind.title), experiment.question or _(kind.title))
    _tell(page, experiment, table)
    _method(page, experiment, RunFolder(folder))
    page.section(_("Find the same again"))
    page.say(
        _("Save this as experiment.toml; it stands in the run's folder, too."),
        _("The command gives the same table, byte for byte."),
    )
    page.code("mbegu lab run experiment.toml --workers 2")
    _file(page, experiment, RunFolder(folder))
    return page


def _joint(runs: list[Run], title: str) -> Page:
    """What several runs have in common first, then each in a chapter of its own."""
    experiments = [experiment for _folder, experiment, _table in runs]
    questions = dict.fromkeys(one.question for one in experiments if one.question)
    page = Page(title or ", ".join(one.title for one in experiments), " ".join(questions))
    if {one.kind for one in experiments} == {"openings"}:
        page.figure(_all_openings(runs))
    for number, (folder, experiment, table) in enumerate(runs, 1):
        page.chapter(experiment.title, f"{number}-{experiment.rules.name}-")
        _tell(page, experiment, table)
        _method(page, experiment, RunFolder(folder))
        _file(page, experiment, RunFolder(folder))
    page.end_chapter()
    page.section(_("Find the same again"))
    page.say(
        _("Save the experiments as files 1.toml, 2.toml…"),
        _("The command gives the same tables, byte for byte."),
    )
    files = " ".join(f"{number}.toml" for number in range(1, len(runs) + 1))
    page.code(f"mbegu lab run {files} --workers 2 --report")
    return page


def _tell(page: Page, experiment: Experiment, table: pa.Table) -> None:
    """What was found: the kinds of every game are told here, another one tells itself."""
    teller = TELLERS.get(experiment.kind, KINDS[experiment.kind].tell)
    teller(page, experiment, table)


def _method(page: Page, experiment: Experiment, here: RunFolder) -> None:
    kind, told, log = KINDS[experiment.kind], here.read(), here.log()
    page.section(_("How it was found"))
    facts: list[tuple[str, object]] = [
        (_("Kind"), _(kind.title)),
        (_("Game"), f"{experiment.game} ({told['rules']})"),
        (_("Seed"), experiment.seed),
    ]
    sections = (experiment.population, kind.population), (experiment.budget, kind.budget)
    facts += [
        (_(fields[key].help).capitalize(), _shown(value))
        for values, fields in sections
        for key, value in values.items()
    ]
    first, last = told["sittings"][0], told["sittings"][-1]
    facts += [
        (_("Pieces"), told["pieces"]),
        (
            _("Computing time"),
            _("{n:.1f} s of one core").format(n=Number(sum(n["seconds"] for n in log))),
        ),
        (_("When"), f"{first['began']} – {last['ended']}"),
        (_("Where"), ", ".join(sorted({note["host"] for note in log}))),
        (_("Workers"), ", ".join(dict.fromkeys(str(s["workers"]) for s in told["sittings"]))),
        (_("Made with"), f"Mbegu {told['mbegu']}, Python {last['python']}"),
        (_("Code"), "; ".join(dict.fromkeys(_code(sitting) for sitting in told["sittings"]))),
    ]
    page.list(facts)


def _code(sitting: dict[str, Any]) -> str:
    """The commit, if there is one, and the hash of the sources."""
    found = sitting.get("code") or {}
    parts = [_("commit {commit}").format(commit=found["commit"])] if found.get("commit") else []
    return ", ".join([*parts, f"SHA-256 {found.get('sha256', '?')}"])


def _file(page: Page, experiment: Experiment, here: RunFolder) -> None:
    page.code(experiment.to_toml())
    page.list([("table.parquet, SHA-256", here.read()["table"]["sha256"])])


def _shown(value: Any) -> str:
    if isinstance(value, list):
        return ", ".join(map(str, value))
    return numeral(value, ",") if isinstance(value, int) else str(value)


def _percent(share: float, low: float, high: float) -> str:
    told, ends = numeral(100 * share, ".2f"), [numeral(100 * end, ".2f") for end in (low, high)]
    return f"{told} % ({' – '.join(ends)})"


# ---- games by lot ---------------------------------------------------------------------------------


def _random(page: Page, experiment: Experiment, table: pa.Table) -> None:
    margins, plies = table["margin"].to_numpy(), table["plies"].to_numpy()
    game, games = experiment.rules, len(table)
    rows, shares = [], []
    for name, wins in (
        (_("{side} wins").format(side=game.side(0)), margins > 0),
        (_("Draw"), margins == 0),
        (_("{side} wins").format(side=game.side(1)), margins < 0),
    ):
        count = int(wins.sum())
        shares.append(count / games)
        rows.append((name, count, _percent(count / games, *wilson(count, games))))
    mean, low, high = mean_interval(plies)
    page.section(_("Answer"))
    page.say(
        _(
            "When both draw their moves by lot, {side}, who begins, wins {wins:.2f} % of the games and "
            "loses {losses:.2f} %; a game lasts {mean:.2f} moves on average."
        ).format(
            side=game.side(0),
            wins=Number(100 * shares[0]),
            losses=Number(100 * shares[2]),
            mean=Number(mean),
        ),
        kind="answer",
    )
    page.boards([(_("The position in which every game begins"), game.start())])
    page.section(_("Results"))
    page.table(_("Results with 95 % intervals"), ["", _("Games"), _("Share")], rows)
    figure = Figure("margins", _("Final margins of {side}").format(side=game.side(0)))
    values, counts = np.unique(margins, return_counts=True)
    figure.axes.bar(values, 100 * counts / games, width=0.9)
    figure.axes.set_xlabel(_("margin"))
    figure.axes.set_ylabel(_("% of games"))
    page.figure(figure)
    figure = Figure("lengths", _("How many moves a game has"))
    most = int(np.quantile(plies, 0.999))
    figure.axes.hist(np.minimum(plies, most), bins=min(most, 60), color=COLOURS[1])
    figure.axes.set_xlabel(_("moves"))
    figure.axes.set_ylabel(_("games"))
    page.figure(figure)
    page.table(
        _("Moves of a game"),
        [_("mean"), _("95 % interval"), _("shortest"), _("median"), _("longest")],
        [
            (
                numeral(mean, ".3f"),
                f"{numeral(low, '.3f')} – {numeral(high, '.3f')}",
                plies.min(),
                int(np.median(plies)),
                plies.max(),
            )
        ],
    )
    endings = {row["values"]: row["counts"] for row in pc.value_counts(table["ending"]).to_pylist()}
    named = {
        "rules": _("by the rules"),
        "repetition": _("by repetition"),
        "plies": _("too long: a draw"),
    }
    page.table(
        _("How games ended"),
        ["", _("Games")],
        [(name, endings.get(key, 0)) for key, name in named.items()],
    )


# ---- levels ---------------------------------------------------------------------------------------


def _levels(page: Page, experiment: Experiment, table: pa.Table) -> None:
    levels = experiment.population["levels"]
    met: dict[tuple[int, int], list[float]] = {}
    cross: dict[tuple[str, str], list[int]] = {}
    for row in table.to_pylist():
        first, second, points = row["first"], row["second"], row["points"]
        met.setdefault((first, second), []).append(points)
        met.setdefault((second, first), []).append(1 - points)
        one, other = sorted((str(first), str(second)))
        sums = cross.setdefault((one, other), [0, 0, 0])
        sums[1 if points == 0.5 else 0 if (points == 1) == (one == str(first)) else 2] += 1
    ratings = {int(r.name): r for r in rate([str(level) for level in levels], cross)}
    starts, openings = table["points"].to_pylist(), table["opening"].to_pylist()
    page.section(_("Answer"))
    page.say(
        _("Who begins scores {share} of the points.").format(
            share=_percent(*grouped_share(zip(openings, starts, strict=True)))
        ),
        kind="answer",
    )
    page.section(_("Results"))
    page.table(
        _("Points of the level on the left, in %"),
        ["", *map(str, levels)],
        [
            (
                one,
                *(
                    "·" if one == other else f"{100 * np.mean(met[one, other]):.0f}"
                    for other in levels
                ),
            )
            for one in levels
        ],
    )
    figure = Figure("elo", _("Ratings of the levels with their 95 % intervals"))
    figure.axes.errorbar(
        levels,
        [ratings[level].elo for level in levels],
        yerr=[ratings[level].error for level in levels],
        fmt="o",
        capsize=4,
    )
    figure.axes.set_xticks(levels)
    figure.axes.set_xlabel(_("level"))
    figure.axes.set_ylabel(_("Elo"))
    page.figure(figure)
    lengths = zip(openings, table["plies"].to_pylist(), strict=True)
    mean, low, high = grouped_mean(lengths)  # the games of one opening are one trial
    page.say(
        _("A game lasts {mean:.1f} moves on average ({low:.1f} – {high:.1f}).").format(
            mean=Number(mean), low=Number(low), high=Number(high)
        )
    )


# ---- openings -------------------------------------------------------------------------------------


def _openings(page: Page, experiment: Experiment, table: pa.Table) -> None:
    game = experiment.rules
    rows = sorted(table.to_pylist(), key=lambda row: -row["value"])
    best = rows[0]
    page.section(_("Answer"))
    page.say(
        _(
            "The best opening is {move}; after it {side} may expect a margin of {value:+.2f}."
        ).format(move=best["opening"], side=game.side(0), value=Number(best["value"])),
        kind="answer",
    )
    page.section(_("Results"))
    figure = Figure(
        "values",
        _("What each opening is worth to {side}").format(side=game.side(0)),
        (7.0, 0.9 + 0.24 * len(rows)),
    )
    colours = [COLOURS[0] if row["value"] >= 0 else COLOURS[1] for row in rows]
    names, values = [row["opening"] for row in rows], [row["value"] for row in rows]
    figure.axes.barh(names, values, color=colours)
    figure.axes.invert_yaxis()
    figure.axes.axvline(0, color=INK, linewidth=0.8)
    figure.axes.set_xlabel(_("expected final margin"))
    page.figure(figure)
    head = [_("Opening"), _("Value"), _("Proved"), _("Depth"), _("Nodes"), _("Best play after it")]
    page.table(
        _("Every opening, the best first"),
        head,
        [
            (
                row["opening"],
                numeral(row["value"], "+.2f"),
                _("yes") if row["exact"] else "",
                row["depth"],
                row["nodes"],
                " ".join((row["line"] or "").split()[:8]),
            )
            for row in rows
        ],
    )
    page.section(_("Boards"))
    page.boards(
        (labelled(row["opening"], numeral(row["value"], "+.2f")), game.position(row["position"]))
        for row in rows[:MOST_BOARDS]
    )


def _all_openings(runs: list[Run]) -> Figure:
    """The openings of several games, a panel for each."""
    figure = Figure(
        "values", _("What each opening is worth"), (7.0, 1.7 * len(runs)), panels=len(runs)
    )
    for axes, (_folder, experiment, table) in zip(figure.panels, runs, strict=True):
        rows = sorted(table.to_pylist(), key=lambda row: -row["value"])
        colours = [COLOURS[0] if row["value"] >= 0 else COLOURS[1] for row in rows]
        axes.bar([row["opening"] for row in rows], [row["value"] for row in rows], color=colours)
        axes.axhline(0, color=INK, linewidth=0.8)
        axes.set_title(experiment.rules.title, loc="left", fontsize=10)
        axes.tick_params(axis="x", labelsize=8)
    figure.drawing.supylabel(_("expected final margin"), fontsize=10, color=INK)
    return figure


TELLERS: dict[str, Callable[[Page, Experiment, pa.Table], None]] = {
    "random": _random,
    "levels": _levels,
    "openings": _openings,
}

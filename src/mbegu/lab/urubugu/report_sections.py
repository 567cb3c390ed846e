"""What reports say of Urubugu's own experiments."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa

from mbegu.core.i18n import _
from mbegu.core.typography import Number, numeral
from mbegu.games.urubugu import Urubugu
from mbegu.lab.design import Experiment
from mbegu.lab.figures import COLOURS, Figure
from mbegu.lab.intervals import together
from mbegu.lab.page import Page
from mbegu.lab.urubugu.settings import Influence, equilibrium

__all__ = ["tell_counters", "tell_settings"]

MOST_BOARDS = 6


def tell_counters(page: Page, experiment: Experiment, table: pa.Table) -> None:
    """How many settings have a counter, and how common counters are."""
    rows = table.to_pylist()
    beaten = [row for row in rows if row["counter"]]
    shares = np.array([row["counters"] / row["drawn"] for row in rows])
    page.section(_("Answer"))
    page.say(
        _(
            "{beaten} of {all} settings have a counter; on average {mean:.2f} % of all settings win "
            "against them in one turn, at least {least:.2f} %, at most {most:.2f} %."
        ).format(
            beaten=len(beaten),
            all=len(rows),
            mean=Number(100 * shares.mean()),
            least=Number(100 * shares.min()),
            most=Number(100 * shares.max()),
        ),
        kind="answer",
    )
    page.section(_("Results"))
    figure = Figure("shares", _("How many of all settings win in one turn"))
    figure.axes.hist(100 * shares, bins=min(40, max(5, len(rows) // 5)), color=COLOURS[0])
    figure.axes.set_xlabel(_("% of all settings"))
    figure.axes.set_ylabel(_("settings"))
    page.figure(figure)
    order = np.argsort(shares, kind="stable")
    hardest = [rows[k] for k in order[:20]]
    # The lowest of all rows: an interval that holds for every row holds for those picked out, too.
    intervals = together([(row["counters"], row["drawn"]) for row in rows])
    page.table(
        _("The settings with the fewest counters in their samples"),
        [
            _("Setting"),
            _("Counters"),
            _("95 % interval, of all rows at once"),
            _("One of them"),
            _("Start"),
            _("Laps"),
            _("Wins by"),
        ],
        [
            (
                row["setting"],
                numeral(100 * row["counters"] / row["drawn"], ".3f") + " %",
                " – ".join(numeral(100 * end, ".3f") for end in intervals[k]),
                row["counter"] or row["why_none"],
                row["move"] or "",
                row["laps"] or "",
                {True: _("all beads"), False: _("immobility")}.get(row["takes_all"], ""),
            )
            for k, row in zip(order[:20], hardest, strict=True)
        ],
    )
    game = experiment.rules
    assert isinstance(game, Urubugu)
    boards = [row for row in hardest if row["counter"]][:MOST_BOARDS]
    if boards:
        page.section(_("Boards"))
        page.boards(
            (
                _("{side} wins in one turn: {move}").format(side=game.side(0), move=row["move"]),
                game.start(row["counter"], row["setting"]),
            )
            for row in boards
        )


def tell_settings(page: Page, experiment: Experiment, table: pa.Table) -> None:
    """Pay-offs, equilibria, and what it is worth to start."""
    game = experiment.rules
    assert isinstance(game, Urubugu)
    families = tuple(experiment.population["families"])
    influence = Influence(game, families, tuple(table.to_pylist()))
    start, impaga, length = influence.starter(), influence.impaga(), influence.length()
    value, rows, columns = equilibrium(influence.matrix())
    _value, lot, _columns = equilibrium(influence.fair())
    page.section(_("Answer"))
    page.say(
        _(
            "The one who starts scores {share:.1f} % of the points ({low:.1f} – {high:.1f}); with the "
            "best mixture of families {value:.1f} %. {impaga:.1f} % of the games end with the first turn."
        ).format(
            share=Number(100 * start[0]),
            low=Number(100 * start[1]),
            high=Number(100 * start[2]),
            value=Number(100 * value),
            impaga=Number(100 * impaga[0]),
        ),
        kind="answer",
    )
    page.section(_("Results"))
    for name, caption in (
        ("points", _("Points of the family that starts (rows), in %")),
        ("impaga", _("Won in the first turn, in %")),
    ):
        page.figure(_heat(name, caption, families, 100 * influence.matrix(name)))
    page.table(
        _("Mixtures that nobody can exploit, in %"),
        ["", _("who starts"), _("who answers"), _("when a lot decides")],
        [
            (family, *(f"{100 * part[k]:.0f}" for part in (rows, columns, lot)))
            for k, family in enumerate(families)
        ],
    )
    page.say(
        _("A game lasts {mean:.1f} moves on average ({low:.1f} – {high:.1f}).").format(
            mean=Number(length[0]), low=Number(length[1]), high=Number(length[2])
        )
    )


def _heat(name: str, caption: str, families: tuple[str, ...], cells: Any) -> Figure:
    size = 2.0 + 0.5 * len(families), 1.4 + 0.36 * len(families)
    figure = Figure(name, caption, size)
    # A mesh, not an image: a page brings nothing along that is not drawn.
    figure.axes.pcolormesh(cells, cmap="RdYlGn", vmin=0, vmax=100)
    figure.axes.invert_yaxis()
    places = np.arange(len(families)) + 0.5
    figure.axes.set_xticks(places, families, rotation=45, ha="right")
    figure.axes.set_yticks(places, families)
    for (row, column), cell in np.ndenumerate(cells):
        if not np.isnan(cell):
            figure.axes.text(
                column + 0.5,
                row + 0.5,
                f"{cell:.0f}",
                ha="center",
                va="center",
                fontsize=8,
                color="black",
            )
    return figure

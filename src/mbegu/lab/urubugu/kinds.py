"""Kinds of experiments that only Urubugu has: counters, and settings against each other."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
import pyarrow as pa

from mbegu.core.i18n import N_, _
from mbegu.games.urubugu import Urubugu
from mbegu.lab.design import Experiment, Field, InvalidExperiment
from mbegu.lab.kind import Kind, Piece, dice
from mbegu.lab.urubugu.counter import count_counters, find_counters
from mbegu.lab.urubugu.families import BY_LOT, FAMILIES, member
from mbegu.lab.urubugu.settings import play_pair

if TYPE_CHECKING:
    from mbegu.lab.page import Page

__all__ = ["Counters", "SettingsCompared"]


def _rules(experiment: Experiment) -> Urubugu:
    game = experiment.rules
    assert isinstance(game, Urubugu)
    return game


class Counters(Kind):
    """A counter for each of many settings, and how common counters are."""

    name = "counters"
    title = N_("Counter-settings")
    games = ("urubugu",)
    population: ClassVar = {
        "families": Field(["uniform"], N_("which settings"), choices=tuple(FAMILIES), many=True),
    }
    budget: ClassVar = {
        "settings": Field(100, N_("how many of a family that is by lot"), 1, 10**7),
        "samples": Field(20_000, N_("settings to try against each"), 1, 10**9),
        "turns": Field(10**9, N_("turns after which the search for a counter ends"), 1, 10**12),
        "piece": Field(20, N_("settings of one piece"), 1, 10**5),
    }
    schema = pa.schema(
        [
            ("family", pa.string()),
            ("setting", pa.string()),
            ("drawn", pa.int64()),
            ("counters", pa.int64()),  # of those drawn
            ("counter", pa.string()),  # one of them, played by the readable rules
            ("move", pa.int8()),
            ("laps", pa.int32()),
            ("takes_all", pa.bool_()),  # else what is left cannot move
            ("why_none", pa.string()),
        ]
    )

    def parts(self, experiment: Experiment) -> Iterator[dict[str, Any]]:
        size = experiment.budget["piece"]
        for family in experiment.population["families"]:
            total = experiment.budget["settings"] if family in BY_LOT else 1
            for first in range(0, total, size):
                yield {"family": family, "first": first, "settings": min(size, total - first)}

    def run_piece(self, experiment: Experiment, piece: Piece) -> pa.Table:
        game, rows = _rules(experiment), []
        family, first, count = (piece.what[key] for key in ("family", "first", "settings"))
        seeds = dice(experiment, piece).generate_state(count, np.uint64)
        for number, seed in zip(range(first, first + count), seeds, strict=True):
            setting = member(family, number, experiment.seed)
            samples = experiment.budget["samples"]
            drawn = count_counters(setting, game, samples=samples, seconds=1e9, seed=int(seed))
            search = find_counters(
                setting, game, seed=int(seed), seconds=1e9, turns=experiment.budget["turns"]
            )
            row: dict[str, Any] = {
                "family": family,
                "setting": ",".join(map(str, setting)),
                "drawn": drawn.drawn,
                "counters": drawn.counters,
                "why_none": search.why_none or None,
            }
            for counter in search.found:
                row |= {
                    "counter": ",".join(map(str, counter.setting)),
                    "move": counter.moves[0],
                    "laps": counter.laps(counter.moves[0]),
                    "takes_all": counter.takes_all(counter.moves[0]),
                }
            rows.append(row)
        return self.table(rows)

    def tell(self, page: Page, experiment: Experiment, table: pa.Table) -> None:
        """How many settings have a counter, and how common counters are."""
        from mbegu.lab.urubugu.report_sections import tell_counters  # noqa: PLC0415 - matplotlib takes its time

        tell_counters(page, experiment, table)


class SettingsCompared(Kind):
    """Families of settings play each other, every one as the one who starts."""

    name = "settings"
    title = N_("Settings against each other")
    games = ("urubugu",)
    population: ClassVar = {
        "families": Field(list(FAMILIES), N_("which settings"), choices=tuple(FAMILIES), many=True),
    }
    budget: ClassVar = {
        "games": Field(10, N_("games of each pair"), 1, 10**6),
        "nodes": Field(2_000, N_("positions to look at for a move"), 10, 10**9),
        "piece": Field(10, N_("games of one piece"), 1, 10**4),
    }
    schema = pa.schema(
        [
            ("first", pa.string()),  # the family that starts
            ("second", pa.string()),
            ("number", pa.int32()),
            ("setting0", pa.string()),
            ("setting1", pa.string()),
            ("points", pa.float32()),  # of the one who starts
            ("plies", pa.int32()),
            ("impaga", pa.bool_()),
        ]
    )

    def check(self, experiment: Experiment) -> None:
        """Two families at least."""
        families = experiment.population["families"]
        if len(set(families)) < max(len(families), 2):
            raise InvalidExperiment(_("population.families: name two or more, each once"))
        super().check(experiment)

    def parts(self, experiment: Experiment) -> Iterator[dict[str, Any]]:
        families, budget = experiment.population["families"], experiment.budget
        for first in families:
            for second in families:
                for start in range(0, budget["games"], budget["piece"]):
                    count = min(budget["piece"], budget["games"] - start)
                    yield {"first": first, "second": second, "number": start, "games": count}

    def run_piece(self, experiment: Experiment, piece: Piece) -> pa.Table:
        what = piece.what
        rows = play_pair(
            _rules(experiment),
            what["first"],
            what["second"],
            range(what["number"], what["number"] + what["games"]),
            nodes=experiment.budget["nodes"],
            seed=experiment.seed,
        )
        return self.table(rows)

    def tell(self, page: Page, experiment: Experiment, table: pa.Table) -> None:
        """Points of the one who starts, as a heat map."""
        from mbegu.lab.urubugu.report_sections import tell_settings  # noqa: PLC0415 - matplotlib takes its time

        tell_settings(page, experiment, table)

"""Who wins by force from two settings of Urubugu: proved by search, not shown by games."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, ClassVar

import pyarrow as pa

from mbegu.core.i18n import N_, _
from mbegu.engine.engine import Engine, Limits
from mbegu.engine.proofnumber import shortest_win
from mbegu.games.urubugu import Urubugu
from mbegu.lab.design import Experiment, Field
from mbegu.lab.kind import Kind, Piece
from mbegu.lab.urubugu.families import BY_LOT, FAMILIES, FIXED, member

if TYPE_CHECKING:
    from mbegu.lab.page import Page

__all__ = ["Forced"]


TURNS = 10  # of the one who starts, in which a win is sought first


class Forced(Kind):
    """Each family as the one who starts against each as the other: is it won by force?"""

    name = "forced"
    title = N_("Forced wins from settings")
    games = ("urubugu",)
    population: ClassVar = {
        "starters": Field(
            ["default", "back", "alternating", "head"],
            N_("settings of the one who starts"),
            choices=tuple(FAMILIES),
            many=True,
        ),
        "answers": Field(
            list(FIXED), N_("settings of the other"), choices=tuple(FAMILIES), many=True
        ),
    }
    budget: ClassVar = {
        "settings": Field(20, N_("pairs of families of which one is by lot"), 1, 10**6),
        "nodes": Field(300_000, N_("positions to look at for each pair"), 100, 10**12),
        "hash": Field(64, N_("megabytes of memory for each search"), 1, 4096),
    }
    schema = pa.schema(
        [
            ("first", pa.string()),  # the family that starts
            ("second", pa.string()),
            ("setting0", pa.string()),
            ("setting1", pa.string()),
            (
                "result",
                pa.string(),
            ),  # of the one who starts: wins, loses, drawn; open if not proved
            ("plies", pa.int32()),  # to the end of the forced line that was found
            ("move", pa.int8()),
            ("nodes", pa.int64()),
        ]
    )

    def parts(self, experiment: Experiment) -> Iterator[dict[str, Any]]:
        for first in experiment.population["starters"]:
            for second in experiment.population["answers"]:
                by_lot = first in BY_LOT or second in BY_LOT
                for number in range(experiment.budget["settings"] if by_lot else 1):
                    yield {"first": first, "second": second, "number": number}

    def run_piece(self, experiment: Experiment, piece: Piece) -> pa.Table:
        game, what = experiment.rules, piece.what
        assert isinstance(game, Urubugu)
        # Numbers of their own, so that two members of one family are not the same setting.
        setups = [
            member(what[side], 2 * what["number"] + player, experiment.seed)
            for player, side in enumerate(("first", "second"))
        ]
        position = game.start(*setups)
        row: dict[str, Any] = {
            "first": what["first"],
            "second": what["second"],
            "setting0": ",".join(map(str, setups[0])),
            "setting1": ",".join(map(str, setups[1])),
            "result": "open",
            "nodes": 0,
        }
        if position.turn is not None:
            row |= _searched(position, experiment)
        return self.table([row])

    def tell(self, page: Page, experiment: Experiment, table: pa.Table) -> None:
        """A table of pairs."""
        rows = table.to_pylist()
        results = Counter(row["result"] for row in rows)
        page.section(_("Answer"))
        page.say(
            _(
                "Of {pairs} pairs of settings the one who starts wins {won} by force, as the search "
                "proves, and loses {lost}; {drawn} are drawn and {open} not decided."
            ).format(
                pairs=len(rows),
                won=results["wins"],
                lost=results["loses"],
                drawn=results["drawn"],
                open=results["open"],
            ),
            kind="answer",
        )
        page.section(_("Results"))
        answers = experiment.population["answers"]
        page.table(
            _("What becomes of the one who starts (rows), and the moves to the end"),
            ["", *answers],
            [
                (first, *(_cell([r for r in rows if (r["first"], r["second"]) == (first, second)])
                          for second in answers))
                for first in experiment.population["starters"]
            ],
        )  # fmt: skip


def _searched(position: Any, experiment: Experiment) -> dict[str, Any]:
    """What can be proved: the shortest win by proof numbers, or else by the engine's search what it is that
    happens; what that only expects is left open."""
    nodes, memory = experiment.budget["nodes"], experiment.budget["hash"]
    win = shortest_win(position, TURNS, nodes=nodes // 2, memory_mb=memory)
    if win.proved and win.moves:
        plies, move = 2 * win.turns - 1, win.moves[0]
        return {"result": "wins", "plies": plies, "move": move, "nodes": win.nodes}
    engine = Engine(position.game, hash_mb=memory)
    *_before, info = engine.think(position, Limits(nodes=nodes - nodes // 2))
    best = info.lines[0]
    found: dict[str, Any] = {"nodes": win.nodes + info.nodes}
    if best.score.result is not None:
        found["result"] = ("drawn", "wins", "loses")[best.score.result]
        found["plies"] = None if best.score.win is None else abs(best.score.win)
        found["move"] = best.moves[0]
    return found


def _cell(rows: list[dict[str, Any]]) -> str:
    """A fixed pair: the moves to its end. One by lot: how many are won."""
    if len(rows) != 1:
        won = sum(row["result"] == "wins" for row in rows)
        return _("{won} of {pairs}").format(won=won, pairs=len(rows))
    row = rows[0]
    words = {"wins": _("wins"), "loses": _("loses"), "drawn": _("drawn"), "open": _("open")}
    plies = f" ({row['plies']})" if row["plies"] else ""
    return words[row["result"]] + plies

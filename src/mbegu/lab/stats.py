"""Statistics of a game: how long, how wide, how fierce, and for whom it is better.

stats = statistics_of(mbegu.game("oware"))
stats.tables["random"].to_pandas()
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from mbegu.arena.openings import openings
from mbegu.core.errors import MbeguError
from mbegu.core.game import Game
from mbegu.core.i18n import _
from mbegu.engine.levels import LEVELS
from mbegu.lab.intervals import grouped_mean, grouped_share, sign_test, wilson

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["Statistics", "level_games", "opening_values", "random_play", "statistics_of"]

OPENING = 2  # moves by lot before levels begin to think, so that their games differ

Row = dict[str, Any]
Tell = Callable[[int, int], None]


@dataclass
class Statistics:
    """Tables by name: `random`, `sides`, `levels`, `cross`, `openings`; and whether all are whole."""

    game: Game
    tables: dict[str, pa.Table] = field(default_factory=dict)
    complete: bool = False

    def to_json(self) -> dict[str, Any]:
        """As plain data."""
        told = {name: table.to_pylist() for name, table in self.tables.items()}
        return {"game": str(self.game), "complete": self.complete, **told}


def statistics_of(
    game: Game,
    *,
    games: int = 100_000,
    levels: Sequence[int] = (1, 3, 5, 7),
    games_of_levels: int = 10,
    nodes: int = 200_000,
    seed: int = 0,
    threads: int | None = None,
    tell: Callable[[str, int, int], None] | None = None,
) -> Statistics:
    """All the tables of a game. Ctrl-C ends it: what is there by then is returned.

    No levels, or no nodes, leave the tables out that need them.
    """
    import pyarrow as pa  # noqa: PLC0415 - heavy

    for level in levels:
        if level not in LEVELS:
            raise MbeguError(
                _("levels: there is no level {level}; levels are 1 to 10").format(level=level)
            )
    stats = Statistics(game)

    def told(what: str) -> Tell:
        return (lambda done, total: tell(what, done, total)) if tell else (lambda done, total: None)

    try:
        random, sides = random_play(game, games, seed=seed, threads=threads)
        stats.tables |= {
            "random": pa.Table.from_pylist(random),
            "sides": pa.Table.from_pylist(sides),
        }
        if nodes:
            _collect(stats, "openings", opening_values(game, nodes=nodes), told(_("openings")))
        if levels:
            played = level_games(game, levels, games_of_levels, seed=seed)
            _collect(stats, "games", played, told(_("games")))
        stats.complete = True
    except KeyboardInterrupt:
        pass
    if "games" in stats.tables:
        rows = stats.tables["games"].to_pylist()
        stats.tables["cross"] = pa.Table.from_pylist(list(_cross(rows, levels)))
        equals = [row for row in rows if row["first"] == row["second"]]
        if equals:
            stats.tables["levels"] = pa.Table.from_pylist(list(_by_level(equals, levels)))
    return stats


def _collect(stats: Statistics, name: str, rows: Iterator[tuple[Row, int]], tell: Tell) -> None:
    """Takes rows one by one; a table is there even if Ctrl-C comes in between."""
    import pyarrow as pa  # noqa: PLC0415

    collected = list[Row]()
    try:
        for row, total in rows:
            collected.append(row)
            tell(len(collected), total)
    finally:
        if collected:
            stats.tables[name] = pa.Table.from_pylist(collected)


# ---- random play ------------------------------------------------------------------------------------


def random_play(
    game: Game, games: int, *, seed: int = 0, threads: int | None = None
) -> tuple[list[Row], list[Row]]:
    """What random games are like: rows of measures, and rows of results by side."""
    from mbegu.lab.wandering import wander  # noqa: PLC0415 - Numba takes its time

    played = wander(game.start(), games, seed=seed, threads=threads)
    lengths = played.lengths
    measures = [
        (_("moves of a game"), lengths),
        (_("legal moves of a position"), played.choices / lengths.clip(1)),
        (_("most legal moves"), played.most),
        (_("moves that gain something"), played.captures),
        (_("gained in a game"), played.captured),
        (_("final margin"), played.margins),
        (_("size of the final margin"), abs(played.margins)),
    ]
    rows = []
    for name, values in measures:
        mean, low, high = _mean(values)
        rows.append(
            {
                "measure": name,
                "mean": mean,
                "low": low,
                "high": high,
                "least": float(values.min()),
                "median": float(_median(values)),
                "most": float(values.max()),
            }
        )
    return rows, list(
        _sides(game, [int((played.margins > 0).sum()), int((played.margins < 0).sum())], games)
    )


def _mean(values: Any) -> tuple[float, float, float]:
    """As `mean_interval`, on an array."""
    mean = float(values.mean())
    half = 1.96 * float(values.std(ddof=1)) / len(values) ** 0.5 if len(values) > 1 else 0.0
    return mean, mean - half, mean + half


def _median(values: Any) -> float:
    import numpy as np  # noqa: PLC0415

    return float(np.median(values))


def _sides(game: Game, wins: list[int], games: int) -> Iterator[Row]:
    """Wins of the first and the second player, and draws; how likely this is if both are equal."""
    chance = sign_test(*wins)
    named = (game.side(0), wins[0]), (game.side(1), wins[1]), (_("draw"), games - sum(wins))
    for name, count in named:
        low, high = wilson(count, games)
        yield {
            "result": name,
            "games": count,
            "share": count / games,
            "low": low,
            "high": high,
            "equal_sides": chance,
        }


# ---- levels -----------------------------------------------------------------------------------------


def level_games(
    game: Game, levels: Sequence[int], games: int, *, seed: int = 0
) -> Iterator[tuple[Row, int]]:
    """Every level begins against every level, itself included: a row for each game, and their number."""
    from mbegu.lab.pieces import play_levels  # noqa: PLC0415 - heavy

    begin = openings(game, f"random:{OPENING}", seed)
    for number in range(games):
        for first in levels:
            for second in levels:
                lot = 1_000 * number + 20 * first + second + seed
                match = play_levels(game, (first, second), begin(number).moves, lot)
                outcome = match.outcome
                assert outcome is not None
                row = {
                    "first": first,
                    "second": second,
                    "opening": number,
                    "points": 0.5 if outcome.winner is None else float(outcome.winner == 0),
                    "margin": outcome.scores[0] - outcome.scores[1],
                    "plies": len(match.moves),
                }
                yield row, games * len(levels) ** 2


# All games of one opening are one trial: levels that think alike play alike.


def _cross(rows: Sequence[Row], levels: Sequence[int]) -> Iterator[Row]:
    """The points of each level against each, whoever began."""
    for one in levels:
        for other in levels:
            points = [
                (row["opening"], row["points"])
                for row in rows
                if (row["first"], row["second"]) == (one, other)
            ]
            points += [
                (row["opening"], 1 - row["points"])
                for row in rows
                if (row["second"], row["first"]) == (one, other)
            ]
            if points and one != other:
                share, low, high = grouped_share(points)
                yield {
                    "level": one,
                    "against": other,
                    "games": len(points),
                    "share": share,
                    "low": low,
                    "high": high,
                }


def _by_level(rows: Sequence[Row], levels: Sequence[int]) -> Iterator[Row]:
    """What games between equals are like: their length, and what it is worth to begin."""
    for level in levels:
        own = [row for row in rows if row["first"] == level]
        if not own:
            continue
        share, low, high = grouped_share((row["opening"], row["points"]) for row in own)
        mean, shortest, longest = grouped_mean((row["opening"], row["plies"]) for row in own)
        wins = sum(row["points"] == 1 for row in own)
        losses = sum(row["points"] == 0 for row in own)
        yield {
            "level": level,
            "games": len(own),
            "moves": mean,
            "moves_low": shortest,
            "moves_high": longest,
            "draws": len(own) - wins - losses,
            "first_scores": share,
            "low": low,
            "high": high,
            "equal_sides": sign_test(wins, losses),
        }


# ---- openings ---------------------------------------------------------------------------------------


def opening_values(game: Game, *, nodes: int) -> Iterator[tuple[Row, int]]:
    """What each first move is worth by search: a row for each, and their number."""
    from mbegu.lab.experiment import check  # noqa: PLC0415
    from mbegu.lab.pieces import KINDS  # noqa: PLC0415

    kind = KINDS["openings"]
    experiment = check(
        {"kind": kind.name, "game": str(game), "budget": {"nodes": nodes, "hash": 16}}
    )
    pieces = list(kind.pieces(experiment))
    for piece in pieces:
        yield kind.run_piece(experiment, piece).to_pylist()[0], len(pieces)

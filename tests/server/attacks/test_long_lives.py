"""Whoever has played thousands of rated games costs others no time: neither who looks at him, nor who plays."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import sqlalchemy as sa

from mbegu.core.outcome import Outcome, Reason
from mbegu.server.api.profiles import profile
from mbegu.server.keep import ratings
from mbegu.server.keep.rows import columns_of
from mbegu.server.keep.store import Store
from mbegu.server.keep.tables import accounts, rated_games, rooms, seats
from mbegu.server.keep.tables import ratings as rating_table
from mbegu.server.people.accounts import Account
from mbegu.server.play.forms import pair_row
from mbegu.server.play.rows import SeatKind, SeatRow

FEW, MANY = 200, 4000  # games
Counted = Callable[[Callable[[sa.Connection], object]], int]


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    """A database with two who have played, one of them for long, and 50 others."""
    found = Store(f"sqlite:///{tmp_path / 'games.db'}")
    with found.engine.connect().execution_options(mbegu_write=True) as line, line.begin():
        people = ["few", "many", "new", *(f"other{number}" for number in range(50))]
        for name in people:
            told = {"id": name, "name": name, "folded": name, "looks": name, "password": ""}
            line.execute(
                sa.insert(accounts).values(**told, recovery="", bot=False, created=0, seen=0)
            )
        for name, games in (("few", FEW), ("many", MANY)):
            _play(line, name, games)
    yield found
    found.close()


def _play(line: sa.Connection, name: str, games: int) -> None:
    known = {"mu": 25.0, "sigma": 3.0, "won": games, "drawn": 0, "lost": 0, "updated": 0.0}
    line.execute(sa.insert(rating_table).values(account=name, game="oware", opponents=50, **known))
    facts = {"game": "oware", "points": 1.0, "mu_before": 25, "sigma_before": 3, "mu": 25}
    both = [
        {**facts, "room": f"{name}{number}", "seat": seat, "account": account, "at": number}
        for number in range(games)
        for seat, account in enumerate((name, f"other{number % 50}"))
    ]
    line.execute(sa.insert(rated_games), [{**each, "sigma": 3, "weight": 1} for each in both])


@pytest.fixture
def steps(store: Store) -> Counted:
    """How much the database has to do, in thousands of its own steps."""

    def count(action: Callable[[sa.Connection], object]) -> int:
        done = [0]
        with store.engine.connect().execution_options(mbegu_write=True) as line, line.begin():
            raw = line.connection.driver_connection
            assert raw is not None
            raw.set_progress_handler(lambda: done.__setitem__(0, done[0] + 1), 1000)
            try:
                action(line)
            finally:
                raw.set_progress_handler(None, 0)
        return done[0]

    return count


def test_a_profile_costs_the_same_however_long_somebody_has_played(steps: Counted) -> None:
    def look(name: str) -> int:
        account = Account(name, name, False, 0.0)
        return steps(lambda line: len(profile(line, account)["games"]))

    assert look("many") <= 2 * look("few") + 2


def _ended(line: sa.Connection, *pair: str) -> str:
    """A rated game of two that the first has won."""
    sitting = [SeatRow(SeatKind.HUMAN, 0, name, f"m{name}", name) for name in pair]
    row = pair_row("oware", "-", False, True, (sitting[0], sitting[1]))
    outcome = json.dumps(Outcome(0, (25, 0), Reason.RESIGNATION).to_json())
    facts = {"host": None, "fence": 1, "plies": 40, "outcome": outcome}
    line.execute(sa.insert(rooms).values(**columns_of(row) | facts))
    for seat, name in enumerate(pair):
        sits = {"kind": "human", "level": 0, "name": name, "session": f"m{name}", "account": name}
        line.execute(sa.insert(seats).values(room=row.id, seat=seat, **sits))
    assert ratings.settle(line, row.id)
    return row.id


@pytest.mark.parametrize("pair", [("many", "new"), ("new", "many"), ("many", "other7")])
def test_a_rated_game_is_settled_at_once(steps: Counted, pair: tuple[str, str]) -> None:
    assert (
        steps(lambda line: _ended(line, *pair))
        <= steps(lambda line: _ended(line, "few", "new")) + 5
    )


def test_opponents_are_counted_once(store: Store) -> None:
    def met(name: str) -> int:
        return ratings.rating_of(line, name, "oware").opponents

    with store.engine.connect().execution_options(mbegu_write=True) as line, line.begin():
        for pair, many, new in (
            (("many", "new"), 51, 1),
            (("new", "many"), 51, 1),
            (("many", "other7"), 51, 1),
            (("new", "other7"), 51, 2),
        ):
            _ended(line, *pair)
            assert (met("many"), met("new")) == (many, new)

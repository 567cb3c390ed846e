"""Two accounts of one person do not make a champion."""

import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from guest import Guest
from members import member, play, rated_room
from serving import Running, plain_settings, running

from mbegu.server.keep import ratings
from mbegu.server.keep.store import Store
from mbegu.server.keep.tables import LATEST
from mbegu.server.net.addresses import network
from mbegu.server.net.rate_limits import RateLimits
from mbegu.server.play.names import skeleton


@pytest.fixture(autouse=True)
def fresh_limits(served: Running) -> None:
    """Many games in a moment."""
    served.app.state.limits = RateLimits()


def rating(guest: Guest) -> dict[str, int]:
    """How somebody stands in Oware; nothing if no game has counted."""
    found: dict[str, int] = guest.get("/api/v1/account")["ratings"].get("oware", {})
    return found


def test_a_game_of_a_few_plies_does_not_count(served: Running) -> None:
    (host, _one), (friend, _other) = member(served), member(served)
    for plies in (2, ratings.LEAST_PLIES - 1):
        play(rated_room(host, friend), [host, friend], plies, loser=1)
    assert not rating(host)
    play(rated_room(host, friend), [host, friend], ratings.LEAST_PLIES, loser=1)
    assert rating(host)["games"] == 1


def test_who_leaves_a_lost_game_early_loses_it_all_the_same(served: Running) -> None:
    (host, _one), (friend, _other) = member(served), member(served)
    play(rated_room(host, friend), [host, friend], ratings.LEAST_PLIES - 1, loser=1)
    assert rating(friend)["lost"] == 1
    assert rating(friend)["rating"] < 1500
    assert not rating(host), "nobody gains by it"


def test_opponents_of_games_that_brought_nothing_do_not_count(served: Running) -> None:
    host, _one = member(served)
    for plies in (4, 4, ratings.LEAST_PLIES):
        friend, _other = member(served)
        play(rated_room(host, friend), [host, friend], plies, loser=1)
    assert rating(host)["opponents"] == 1


def test_the_same_two_count_ever_less(served: Running) -> None:
    (host, one), (friend, _other) = member(served), member(served)
    told = []
    for _game in range(8):
        play(rated_room(host, friend), [host, friend], ratings.LEAST_PLIES, loser=1)
        told.append(rating(host)["rating"])
    gained = [after - before for before, after in zip([1500, *told], told, strict=False)]
    assert gained[3] < gained[2] / 1.5
    assert gained[6:] == [0, 0]
    assert rating(host)["provisional"]
    places = served.guest().get("/api/v1/leaderboards/oware")["places"]
    assert one not in [line["name"] for line in places]


def test_a_rating_is_provisional_until_there_are_enough_opponents(served: Running) -> None:
    host, one = member(served)
    for number in range(ratings.OPPONENTS):
        friend, _name = member(served)
        places = served.guest().get("/api/v1/leaderboards/morabaraba")["places"]
        assert one not in [line["name"] for line in places], number
        for _game in range(ratings.WHOLE):
            room = rated_room(host, friend, "morabaraba")
            play(room, [host, friend], ratings.LEAST_PLIES, loser=1)
    places = served.guest().get("/api/v1/leaderboards/morabaraba")["places"]
    assert one in [line["name"] for line in places]


def test_people_of_one_address_count_so_often_a_day(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Six puppets from one house are no better than one."""
    monkeypatch.setattr(ratings, "NEAR", 4)
    with running(replace(plain_settings(tmp_path), proxy="127.0.0.1")) as server:
        host, _name = member(server)
        puppets = [member(server)[0] for _puppet in range(3)]
        for guest in (host, *puppets):
            guest.address = "2001:db8:5:6::1" if guest is host else "2001:db8:5:6::2"
        for puppet in puppets:
            for _game in range(2):
                play(rated_room(host, puppet), [host, puppet], ratings.LEAST_PLIES, loser=1)
        assert rating(host)["games"] == 4


def test_a_household_is_one_network() -> None:
    assert network("2001:db8:5:6::1") == network("2001:db8:5:6:9::2") != network("2001:db8:5:7::1")


def test_an_older_database_is_copied_and_brought_up_to_date(tmp_path: Path) -> None:
    path = tmp_path / "games.sqlite3"
    with running(replace(plain_settings(tmp_path), database=str(path))) as server:
        (host, name), (friend, _other) = member(server), member(server)
        play(rated_room(host, friend), [host, friend], ratings.LEAST_PLIES, loser=1)
    with closing(sqlite3.connect(path)) as old:  # as it was before
        old.execute("DROP INDEX accounts_looks")
        for table, column in (
            ("rooms", "near"),
            ("rated_games", "weight"),
            ("rated_games", "near"),
            ("ratings", "opponents"),
            ("accounts", "looks"),
        ):
            old.execute(f"ALTER TABLE {table} DROP COLUMN {column}")
        old.execute("UPDATE alembic_version SET version_num = '0002'")
        old.commit()
    Store(str(path)).close()
    with closing(sqlite3.connect(path)) as new:
        assert new.execute("SELECT DISTINCT opponents FROM ratings").fetchall() == [(1,)]
        looks = "SELECT looks FROM accounts WHERE name = ?"
        assert new.execute(looks, [name]).fetchone() == (skeleton(name),)
        assert new.execute("SELECT DISTINCT weight, near FROM rated_games").fetchall() == [(1.0, 0)]
    copy = tmp_path / f"games.sqlite3.before-{LATEST}"
    assert copy.stat().st_mode & 0o077 == 0
    with closing(sqlite3.connect(copy)) as kept:
        assert kept.execute("SELECT name FROM accounts WHERE name = ?", [name]).fetchone()
        assert kept.execute("SELECT version_num FROM alembic_version").fetchone() == ("0002",)

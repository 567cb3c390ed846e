"""Rated games: settled once, with the end of the game, and shown on boards and profiles."""

import asyncio
import json
import sqlite3
from pathlib import Path

import pytest
import sqlalchemy as sa
from guest import Guest
from members import PASSWORD, member, play, rated_room
from serving import Running, plain_settings, running
from sqlalchemy.exc import OperationalError

from mbegu.server.keep import ratings
from mbegu.server.keep.ratings import Rating, rate
from mbegu.server.keep.store import Store
from mbegu.server.keep.tables import rooms
from mbegu.server.net.rate_limits import RateLimits


@pytest.fixture(autouse=True)
def fresh_limits(served: Running) -> None:
    """Tests of limits must not slow the other tests down."""
    served.app.state.limits = RateLimits()


def rating(guest: Guest, game: str = "oware") -> dict[str, object] | None:
    found: dict[str, object] | None = guest.get("/api/v1/account")["ratings"].get(game)
    return found


def test_a_rated_game_changes_both_ratings(served: Running) -> None:
    (host, one), (friend, other) = member(served), member(served)
    room = rated_room(host, friend)
    play(room, [host, friend], 10, loser=1)
    winner, loser = rating(host), rating(friend)
    assert winner == {
        "rating": 1579,
        "deviation": 242,
        "provisional": True,
        "games": 1,
        "opponents": 1,
        "won": 1,
        "drawn": 0,
        "lost": 0,
    }
    assert loser is not None
    assert (loser["rating"], loser["lost"]) == (1421, 1)
    shown = served.guest().get(f"/api/v1/people/{one}")
    assert shown["games"][0]["opponent"] == other
    assert shown["games"][0]["room"] == room
    assert (shown["games"][0]["before"], shown["games"][0]["rating"]) == (1500, 1579)
    told = friend.get(f"/api/v1/people/{other}/history?game=oware")
    assert [line["points"] for line in told["history"]] == [0]


def test_what_does_not_count(served: Running) -> None:
    (host, _one), (friend, _other) = member(served), member(served)
    play(rated_room(host, friend), [host, friend], 9, loser=1)
    assert rating(host) is None, "a game of a few moves is no game"
    seats = [{"kind": "human"}, {"kind": "open"}]
    guest = served.guest()
    form = {"game": "oware", "seats": seats, "rated": True}
    assert guest.post("/api/v1/rooms", form).status == 400, "a guest has no rating to lose"
    form["position"] = "0-0-0-0-0-1-0-0-0-0-0-1-23-23-S"
    assert host.post("/api/v1/rooms", form).status == 400
    del form["position"]
    options = host.post("/api/v1/rooms", {**form, "game": "kalah(seeds=3)"})
    assert options.status == 400, "one number measures one game"
    assert "usual rules" in options.json()["error"]


def test_what_a_game_has_made_of_the_ratings_is_told(served: Running) -> None:
    (host, _one), (friend, _other) = member(served), member(served)
    room = rated_room(host, friend)
    address = f"/api/v1/rooms/{room}/ratings"
    assert host.get(address) == {"counted": False, "players": []}
    play(room, [host, friend], 10, loser=1)
    assert served.guest().get(address) == {
        "counted": True,
        "players": [{"before": 1500, "rating": 1579}, {"before": 1500, "rating": 1421}],
    }


def test_a_rated_invitation_says_against_whom(served: Running) -> None:
    host, name = member(served)
    seats = [{"kind": "human"}, {"kind": "open"}]
    form = {"game": "oware", "seats": seats, "rated": True}
    room = host.post("/api/v1/rooms", form).json()["room"]
    token = host.get(f"/api/v1/rooms/{room}")["room"]["invites"][1]
    guest = served.guest()
    told = guest.get(f"/api/v1/invites/{token}")
    assert (told["rated"], told["from"], told["rating"]["rating"]) == (True, name, 1500)
    with guest.enter(room) as visit:
        assert "sign in first" in visit.command("sit", token=token)["error"]


@pytest.fixture
def ended(tmp_path: Path) -> Path:
    """A database with a rated game that has ended."""
    with running(plain_settings(tmp_path)) as server:
        (host, _one), (friend, _other) = member(server), member(server)
        play(rated_room(host, friend), [host, friend], 10, loser=0)
        return Path(server.app.state.settings.database)


def test_a_game_is_settled_once_whatever_happens(ended: Path) -> None:
    def lines() -> list[tuple[object, ...]]:
        with sqlite3.connect(ended) as database:
            return list(database.execute("select * from ratings order by account"))

    before = lines()
    assert len(before) == 2
    store = Store(str(ended))
    try:
        room = asyncio.run(store.read(lambda line: line.scalar(sa.select(rooms.c.id))))
        assert asyncio.run(store.write(lambda line: ratings.settle(line, room))) is False
    finally:
        store.close()
    assert lines() == before


def test_the_end_and_the_ratings_are_written_together(
    served: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If the ratings cannot be kept, the end is not either, and nothing is half-written."""
    (host, _one), (friend, _other) = member(served), member(served)
    room = rated_room(host, friend)
    play(room, [host, friend], 10)

    def broken(*_arguments: object) -> bool:
        raise OperationalError("update", {}, sqlite3.OperationalError("disk I/O error"))

    with monkeypatch.context() as patch:
        patch.setattr("mbegu.server.keep.store.settle", broken)
        with host.enter(room) as visit:
            assert visit.command("resign")["t"] == "refused"
    assert host.get(f"/api/v1/rooms/{room}")["room"]["status"] == "playing"
    assert rating(host) is None
    play(room, [host, friend], 0, loser=0)
    assert rating(host)["rating"] == 1421  # type: ignore[index]


def test_the_board_lists_whoever_has_played_enough(served: Running) -> None:
    host, one = member(served)
    for _opponent in range(ratings.OPPONENTS):
        friend, _name = member(served, bot=True)
        for _game in range(2):
            play(rated_room(host, friend, "awale2"), [host, friend], 10, loser=1)
    places = served.guest().get("/api/v1/leaderboards/awale2")["places"]
    assert [(line["place"], line["name"], line["bot"]) for line in places] == [(1, one, False)]
    assert not places[0]["provisional"]
    assert places[0]["opponents"] == ratings.OPPONENTS
    people = served.guest().get("/api/v1/leaderboards/awale2?bots=false")["places"]
    assert [line["name"] for line in people] == [one]
    assert served.guest().ask("GET", "/api/v1/leaderboards/chess").status == 400


def test_a_deleted_account_leaves_the_others_games(served: Running) -> None:
    (host, _one), (friend, other) = member(served), member(served)
    room = rated_room(host, friend)
    play(room, [host, friend], 10, loser=1)
    before = rating(host)
    assert friend.post("/api/v1/account/delete", {"password": PASSWORD}).status == 204
    assert rating(host) == before
    assert host.get("/api/v1/account")["ratings"]["oware"]["won"] == 1
    record = host.ask("GET", f"/api/v1/rooms/{room}/record").body.decode()
    assert other not in record
    everything = host.ask("GET", "/api/v1/account/export").body.decode()
    assert room in everything
    assert other not in everything


def test_strength_shows_in_the_numbers() -> None:
    strong, weak = Rating(), Rating()
    for number in range(40):
        strong, weak = rate([strong, weak], [0, 1] if number % 4 == 0 else [1, 0])
    assert 150 < strong.shown - weak.shown < 450  # 3:1 is 191 points of Elo
    assert strong.sigma < Rating().sigma * 0.6
    same = rate([Rating(), Rating()], [0.5, 0.5])
    assert [one.shown for one in same] == [1500, 1500]


# ---- fairness


def test_no_analysis_of_a_live_rated_game(served: Running) -> None:
    (host, _one), (friend, _other) = member(served), member(served)
    room = rated_room(host, friend)
    play(room, [host, friend], 3)
    position = host.get(f"/api/v1/rooms/{room}")["view"]["text"]
    start = host.get("/api/v1/view?game=oware")["text"]

    def ask(guest: Guest, text: str, game: str = "oware") -> int:
        body = {"game": game, "position": text, "seconds": 0.1}
        return guest.post("/api/v1/analysis", body).status

    stranger = served.guest()
    assert ask(stranger, position) == 403
    assert ask(stranger, start) == 503, "no engine in these tests, but no refusal"
    assert ask(host, start) == 403, "who plays gets no help at all"
    kalah = host.get("/api/v1/view?game=kalah")["text"]
    assert ask(host, kalah, "kalah") == 503
    line = stranger.socket("/ws/analysis")
    try:
        asked = {"t": "analyse", "id": "a1", "game": "oware", "position": position}
        line.send(json.dumps(asked))
        assert "rated game" in str(line.recv(5))
    finally:
        line.close()
    play(room, [host, friend], 0, loser=0)
    assert ask(stranger, position) == 503
    assert ask(host, position) == 503


def test_another_score_does_not_hide_a_live_rated_game(served: Running) -> None:
    (host, _one), (friend, _other) = member(served), member(served)
    room = rated_room(host, friend, "kalah")
    play(room, [host, friend], 4)
    position = host.get(f"/api/v1/rooms/{room}")["view"]["text"]
    assert position.startswith("<6,2,0,")
    for stores in ("<6,1,1,", "<6,2,0,"):
        body = {"game": "kalah", "position": position.replace("<6,2,0,", stores), "seconds": 0.1}
        assert served.guest().post("/api/v1/analysis", body).status == 403
    play(room, [host, friend], 0, loser=0)


def test_no_hint_and_no_opponent_for_a_live_rated_game(served: Running) -> None:
    (host, _one), (friend, _other) = member(served), member(served)
    stranger = served.guest()
    aside = host.new_room("oware")  # begun before
    room = rated_room(host, friend)
    play(room, [host, friend], 3)
    position = host.get(f"/api/v1/rooms/{room}")["view"]["text"]
    record = host.ask("GET", f"/api/v1/rooms/{room}/record").body.decode()
    with host.enter(aside) as visit:
        assert "rated game" in visit.command("hint")["error"]
    seats = [{"kind": "human"}, {"kind": "computer", "level": 10}]
    form = {"game": "oware", "seats": seats, "position": position}
    assert stranger.post("/api/v1/rooms", form).status == 403
    (copy,) = stranger.post("/api/v1/records", {"text": record}).json()["rooms"]
    with stranger.enter(copy) as visit:
        assert "rated game" in visit.command("hint")["error"]
    play(room, [host, friend], 0, loser=0)
    assert stranger.post("/api/v1/rooms", form).status == 201


def test_a_game_of_two_is_not_deleted_by_one(served: Running) -> None:
    (host, _one), (friend, _other) = member(served), member(served)
    room = rated_room(host, friend)
    assert host.ask("DELETE", f"/api/v1/rooms/{room}").status == 403
    assert friend.get(f"/api/v1/rooms/{room}")["room"]["status"] == "playing"

"""How much a game tells of what a move would do; and what it must tell of itself."""

import pytest
from guest import Guest
from members import member, rated_room
from online_table import Table, event_of
from serving import Running

RELAY = "urubugu"
CAPTURE = "0-3-0-6-1-2-0-0-2-1-0-3-0-0-S"  # D takes d and c
LAST = "5-0-0-0-0-1-1-3-0-0-0-2-23-13-S"  # F takes a, and that is enough


def calculated(view: dict[str, object]) -> list[object]:
    """What a view tells of the moves, beyond where they begin."""
    choices = view["legal"]
    assert isinstance(choices, list)
    marks = view["marks"]
    assert isinstance(marks, dict)
    told = [choice["preview"] for choice in choices if choice["preview"]]
    told += [choice["story"] for choice in choices if "aptured" in choice["story"]]
    return [*told, *marks.get("capturable", []), *marks.get("extra_turns", [])]


@pytest.mark.parametrize("game", ["oware", "kalah", "awale2", "urubugu", "morabaraba"])
def test_a_rated_game_is_played_without_help(served: Running, game: str) -> None:
    (host, _one), (friend, _other) = member(served), member(served)
    room = rated_room(host, friend, game)
    shot = host.get(f"/api/v1/rooms/{room}")
    assert shot["room"]["help"] == "none"
    assert not calculated(shot["view"])
    with host.enter(room) as visit:
        visit.move(shot["view"]["legal"][0]["move"])
        moved = next(line["data"] for line in visit.heard if line.get("kind") == "moved")
        assert not calculated(moved["view"])


def test_nobody_gets_help_in_a_rated_game_by_asking_for_it(served: Running) -> None:
    host, _name = member(served)
    seats = [{"kind": "human"}, {"kind": "open"}]
    form = {"game": "oware", "seats": seats, "rated": True, "help": "full"}
    reply = host.post("/api/v1/rooms", form)
    assert (reply.status, reply.json()["error"]) == (400, "a rated game is played without help")
    reply = host.post("/api/v1/rooms", {"game": "oware", "seats": seats, "help": "much"})
    assert (reply.status, reply.json()["error"]) == (400, "help must be none, landing or full")


def test_full_help_is_the_default(guest: Guest) -> None:
    shot = guest.get(f"/api/v1/rooms/{guest.new_room('oware', position=CAPTURE)}")
    assert shot["room"]["help"] == "full"
    assert shot["view"]["legal"][1]["preview"]["captures"] == [["d", 2], ["c", 3]]


def test_landing_tells_where_the_first_lap_ends_and_no_more(guest: Guest) -> None:
    room = guest.new_room(RELAY, "human", "human", help="landing")
    shot = guest.get(f"/api/v1/rooms/{room}")
    first = shot["view"]["legal"][0]
    assert first["story"] == "South sows 1 (2), last bead in South's 3."
    assert first["preview"] == {"last": "S3", "captures": []}
    assert shot["view"]["marks"]["capturable"] == []
    assert shot["room"]["can"]["hint"] is False


def test_without_help_a_move_says_only_where_it_begins(guest: Guest) -> None:
    room = guest.new_room("oware", "human", "human", help="none", position=CAPTURE)
    with guest.enter(room) as visit:
        assert visit.view is not None
        assert [one["story"] for one in visit.view["legal"]][1] == "South sows D (6)."
        assert visit.view["barred"]["A"] == "this house is empty"  # a rule is no help
        answer = visit.command("hint")
        assert answer["error"] == "this game is played without hints"


def test_another_game_has_as_much_help(served: Running) -> None:
    table = Table(served, "oware", help="landing")
    table.play(0, 6)
    table.south.command("resign")
    table.south.command("offer_rematch")
    table.north.command("offer_rematch")
    room = table.host.get(f"/api/v1/rooms/{table.room}")["rematch"]["room"]
    assert table.host.get(f"/api/v1/rooms/{room}")["room"]["help"] == "landing"
    table.leave()


# ---- the end


def test_what_is_left_is_added_up(guest: Guest) -> None:
    room = guest.new_room("oware", "human", "human", position=LAST)
    with guest.enter(room) as visit:
        visit.move(5)
        moved = next(line["data"] for line in visit.heard if line.get("kind") == "moved")
    told = [event["told"] for event in moved["events"] if event["event"] == "sweep"]
    assert told == [
        "South keeps what is left in A: 25 + 5 = 30.",
        "North keeps what is left in b, f: 13 + 5 = 18.",
    ]
    assert all(sentence in moved["story"] for sentence in told)


def test_an_end_by_repetition_sweeps_too(guest: Guest) -> None:
    start = "1-0-0-0-0-0-1-0-0-0-0-0-23-23-S"
    room = guest.new_room("oware(min_seeds=0)", "human", "human", position=start)
    with guest.enter(room) as visit:
        while visit.view is not None and visit.view["outcome"] is None:
            visit.move(visit.view["legal"][0]["move"])
        ended = event_of(visit, "ended")
    assert ended["outcome"]["reason"] == "repetition"
    assert [one["event"] for one in ended["events"]] == ["sweep", "sweep", "end"]
    assert ended["events"][0]["told"].endswith(": 23 + 1 = 24.")


# ---- colours


def test_captured_seeds_keep_their_colours(guest: Guest) -> None:
    ring = ["0R0B"] * 16
    ring[0], ring[1], ring[8], ring[9], ring[3] = "1R0B", "1R1B", "4R4B", "4R4B", "4R4B"
    text = "-".join([*ring, "0", "0", "O"])
    room = guest.new_room("awale2", "human", "human", position=text)
    with guest.enter(room) as visit:
        assert visit.first["captured"] == [[0, 0], [0, 0]]
        visit.move("1R")
    assert guest.get(f"/api/v1/rooms/{room}")["captured"] == [[2, 1], [0, 0]]


# ---- who plays


def test_a_level_without_its_engine_says_that_a_simple_bot_plays(guest: Guest) -> None:
    """The server of these tests has no engine."""
    assert guest.get("/api/v1/games")["engine"] is False
    room = guest.new_room("oware", "human", 7)
    with guest.enter(room) as visit:
        assert visit.first["room"]["seats"][1]["simple"] is False
        visit.move(0)
        answer = visit.event("moved")
        while answer["player"] != 1:
            answer = visit.event("moved")
    assert answer["simple"] is True
    assert guest.get(f"/api/v1/rooms/{room}")["room"]["seats"][1]["simple"] is True

"""Rooms over a real network: whole games, resuming, idempotent moves, seats, set-ups, clocks."""

import json
import random
import re
import time
import uuid
from pathlib import Path

import pytest
from guest import Guest, Visit
from serving import Running, plain_settings, running

import mbegu
from mbegu.core.match import Match
from mbegu.core.reader import parse_record
from mbegu.server.keep.store import Happening, RoomRow, SeatRow
from mbegu.server.play.game_state import MOST_MISSED, Course

GAMES = ["oware", "kalah", "kalah(pits=3,seeds=2)", "awale2", "urubugu", "morabaraba"]


def play_out(visit: Visit, seed: int = 1, most: int = 400) -> None:
    """Makes any moves on the seats that are ours until the game is over."""
    lot = random.Random(seed)
    mine = [seat["yours"] for seat in visit.first["room"]["seats"]]
    while visit.view is not None and visit.view["outcome"] is None and visit.ply < most:
        turn = visit.view["turn"]
        if mine[turn]:
            legal = visit.view["legal"]
            capture = [move for move in legal if move["preview"]["captures"]]
            answer = visit.move(lot.choice(capture or legal)["move"])
            assert answer["t"] == "ack", answer
        else:
            visit.event("moved")
    if visit.view is not None and visit.view["outcome"] is None:
        assert visit.command("resign")["t"] == "ack"
    if not any(message.get("kind") == "ended" for message in visit.heard[-2:]):
        visit.event("ended")


# ---- whole games


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("side", [0, 1])
def test_a_whole_game_against_the_computer(guest: Guest, game: str, side: int) -> None:
    room = guest.new_room(game, *(["human", 4] if side == 0 else [4, "human"]))
    with guest.enter(room) as visit:
        assert visit.first["room"]["status"] == "playing"
        play_out(visit)
        last = [message for message in visit.heard if message["t"] == "event"][-1]
        assert last["kind"] == "ended"
        outcome = last["data"]["outcome"]
        assert outcome["sentence"]
    text = guest.ask("GET", f"/api/v1/rooms/{room}/record").body.decode()
    record = parse_record(text)
    assert record.result == outcome["result"]
    assert str(record.start.game) == str(mbegu.game(game))
    # The events told the whole story: sown and captured seeds add up to the views.
    moved = [message["data"] for message in visit.heard if message.get("kind") == "moved"]
    assert [data["move"] for data in moved] == record.moves
    for data, position in zip(moved, record.positions()[1:], strict=True):
        assert data["view"]["text"] == str(position)
        assert data["events"]


def test_two_people_on_one_screen_and_computers_alone(guest: Guest) -> None:
    with guest.enter(guest.new_room("kalah", "human", "human")) as visit:
        play_out(visit)
        assert visit.view is not None
        assert visit.view["outcome"]
    with guest.enter(guest.new_room("oware", 3, 5, pace=0)) as visit:
        visit.until(lambda message: message.get("kind") == "ended", timeout=30)


# ---- coming back


def test_coming_back_by_version(guest: Guest) -> None:
    room = guest.new_room("oware", "human", "human")
    with guest.enter(room) as visit:
        for move in (2, 8, 0):
            visit.move(move)
        assert visit.version == 3
    with guest.enter(room, after=1) as again:
        kinds = [message["kind"] for message in again.heard[:2]]
        assert kinds == ["moved", "moved"]
        assert again.first.pop("presence")["here"] == [True, True]
        assert again.first == {"t": "resumed", "version": 3, "clock": None, "thinking": None}
        assert again.view is not None
        assert again.view["turn"] == 1
    for after in (3, 0):
        with guest.enter(room, after=after) as again:
            assert again.first["t"] == "resumed"
            assert len(again.heard) == 4 - after
    for after in (99, -1):
        with guest.enter(room, after=after) as again:
            assert again.first["t"] == "snapshot"
            assert [move["word"] for move in again.first["moves"]] == ["C", "c", "A"]
    with guest.enter(room, lean=True) as again:
        again.move(9)
        moved = next(m for m in again.heard if m.get("kind") == "moved")["data"]
        assert "view" not in moved
        assert moved["text"].endswith("-S")


def test_the_computer_waits_for_a_watcher(guest: Guest, served: Running) -> None:
    room = guest.new_room("awale2", 2, 2, pace=0.2)
    with guest.enter(room) as visit:
        visit.event("moved")
    time.sleep(0.6)
    before = guest.get(f"/api/v1/rooms/{room}")["version"]
    time.sleep(0.6)
    assert guest.get(f"/api/v1/rooms/{room}")["version"] == before
    with guest.enter(room) as visit:
        visit.event("moved")


def test_every_game_survives_a_restart(tmp_path: Path) -> None:
    settings = plain_settings(tmp_path)
    rooms, seen = {}, {}
    with running(settings) as server:
        guest = server.guest()
        for game in GAMES:
            rooms[game] = guest.new_room(game, "human", "human", clock="300+2")
            with guest.enter(rooms[game]) as visit:
                play_out(visit, most=7)
                visit.command("undo", id="undo-once-" + "x" * 8)
        seen = {game: guest.get(f"/api/v1/rooms/{rooms[game]}") for game in GAMES}
    with running(settings) as server:
        guest.port = server.port
        for game in GAMES:
            again = guest.get(f"/api/v1/rooms/{rooms[game]}")
            before = seen[game]
            for key in ("version", "view", "moves", "draw_offered_by"):
                assert again[key] == before[key]
            assert again["room"]["seats"] == before["room"]["seats"]
            assert again["clock"]["left"] == pytest.approx(before["clock"]["left"], abs=10)
            with guest.enter(rooms[game], after=again["version"]) as visit:
                # The same command again, after the restart: answered, not done.
                assert visit.command("undo", id="undo-once-" + "x" * 8)["t"] == "ack"
                assert visit.command("ping")["version"] == again["version"]
        assert len(guest.get("/api/v1/rooms")["rooms"]) == len(GAMES)


# ---- commands


def test_a_move_is_made_once(guest: Guest) -> None:
    room = guest.new_room("oware", "human", "human")
    with guest.enter(room) as visit, guest.enter(room) as other:
        name = uuid.uuid4().hex
        first = visit.move(0, id=name)
        again = visit.command("move", id=name, ply=1, move=0)
        elsewhere = other.command("move", id=name, ply=1, move=0)
        assert first == again == elsewhere == {"t": "ack", "id": name, "version": 1}
        assert visit.command("ping")["version"] == 1
        late = visit.command("move", ply=1, move=6)
        assert late["error"] == "the game has gone on meanwhile: look at the board again"
        unnumbered = visit.command("move", move=6)
        assert unnumbered["error"].startswith("ply is missing")
        # The event comes before the ack.
        kinds = [message.get("kind") or message["t"] for message in visit.heard]
        assert kinds.index("moved") < kinds.index("ack")


@pytest.mark.parametrize(
    ("move", "error"),
    [
        (6, "a: this house belongs to North; South is to move"),
        (99, "“99” is not a house: houses are 0 to 11"),
        ("A", "“A” is not a house: houses are 0 to 11"),
        (None, "“None” is not a move"),
        (True, "“True” is not a move"),
        ([1], "“[1]” is not a move"),
        ({"a": 1}, "“{'a': 1}” is not a move"),
    ],
)
def test_a_wrong_move_is_refused_with_the_rule(guest: Guest, move: object, error: str) -> None:
    with guest.enter(guest.new_room("oware", "human", "human")) as visit:
        answer = visit.move(move)
        assert (answer["t"], answer["error"]) == ("refused", error)
        assert visit.command("ping")["version"] == 0


def test_words_may_be_sent_too(guest: Guest) -> None:
    with guest.enter(guest.new_room("morabaraba", "human", "human")) as visit:
        assert visit.command("move", ply=1, word="d2")["t"] == "ack"
        assert visit.command("move", ply=2, word="d2")["error"] == "d2: d2 is not empty"


def test_whoever_has_no_seat_may_watch_only(guest: Guest, served: Running) -> None:
    room = guest.new_room("oware", "human", "human")
    other = served.guest()
    with other.enter(room) as visit:
        assert not any(visit.first["room"]["can"].values())
        assert not any(seat["yours"] for seat in visit.first["room"]["seats"])
        for kind in ("undo", "resign", "offer_draw"):
            answer = visit.command(kind)
            assert answer["error"] == "you have no seat in this game: you may watch"
        assert "you may watch" in visit.move(0)["error"]
        assert visit.command("hint")["error"] == "it is not your turn"
        with guest.enter(room) as owner:
            owner.move(0)
        assert visit.event("moved")["word"] == "A"
    assert other.ask("DELETE", f"/api/v1/rooms/{room}").status == 403
    assert other.get("/api/v1/rooms")["rooms"] == []
    with guest.enter(guest.new_room("oware", 1, "human", pace=9)) as visit:
        assert visit.move(0)["error"] == "South is to move, not you"


def test_taking_back(guest: Guest) -> None:
    with guest.enter(guest.new_room("oware", "human", 3)) as visit:
        assert visit.command("undo")["error"] == "there is no move to take back"
        visit.move(0)
        while visit.ply < 2:
            visit.event("moved")
        assert visit.command("undo")["t"] == "ack"
        assert visit.ply == 0
        assert visit.view is not None
        assert visit.view["text"] == str(mbegu.game("oware").start())
        visit.move(1)
        assert visit.command("resign")["t"] == "ack"
        assert visit.command("resign")["error"] == "the game is over"
        assert visit.command("undo")["t"] == "ack"
        assert visit.view["outcome"] is None
    with guest.enter(guest.new_room("oware", 3, "human")) as visit:
        visit.event("moved")
        assert visit.command("undo")["error"] == "there is no move to take back"


def test_draws(guest: Guest) -> None:
    with guest.enter(guest.new_room("oware", "human", "human")) as visit:
        assert visit.command("decline_draw")["error"] == "nobody has offered a draw"
        assert visit.command("offer_draw", seat=0)["t"] == "ack"
        assert visit.command("offer_draw", seat=0)["error"] == "you have offered a draw already"
        assert visit.command("decline_draw")["t"] == "ack"
        assert "after the next move" in visit.command("offer_draw", seat=0)["error"]
        visit.move(0)
        visit.command("offer_draw", seat=0)
        visit.command("offer_draw", seat=1)
        assert visit.view is not None
        assert visit.view["outcome"]["reason"] == "agreement"
        assert [m["kind"] for m in visit.heard if m["t"] == "event"] == [
            "draw_offered",
            "draw_declined",
            "moved",
            "draw_offered",
            "drawn",
            "ended",
        ]
    with guest.enter(guest.new_room("oware", "human", 3)) as visit:
        assert visit.command("offer_draw")["t"] == "ack"
        assert visit.heard[-2]["kind"] == "draw_declined"
        assert visit.command("offer_draw", seat=1)["error"] == "this seat is not yours"


def test_a_hint_comes_in_words(guest: Guest) -> None:
    with guest.enter(guest.new_room("kalah", "human", 2)) as visit:
        hint = visit.command("hint")
        assert hint["t"] == "hint"
        assert hint["story"].startswith("South sows")
        assert hint["why"] == "a simple bot's guess: this server has no engine"
        assert visit.move(hint["move"])["t"] == "ack"


def test_languages(guest: Guest) -> None:
    room = guest.new_room("oware", "human", "human")
    guest.cookies["lang"] = "fr"
    with guest.enter(room) as french:
        assert french.first["view"]["sides"] == ["Sud", "Nord"]
        del guest.cookies["lang"]
        with guest.enter(room) as english:
            english.move(0)
            assert english.heard[-2]["data"]["story"] == "South sows A (4), last seed in E."
        assert french.event("moved")["story"].startswith("Sud")
        assert "Nord" in french.move(0)["error"]


# ---- set-ups


def test_set_ups_stay_hidden_until_both_are_there(guest: Guest) -> None:
    room = guest.new_room("urubugu", "human", "human", setups="ask")
    secret = [32] + [0] * 15
    with guest.enter(room) as visit:
        assert visit.first["room"]["status"] == "setup"
        assert visit.first["view"] is None
        assert "lay their beads" in visit.move(1)["error"]
        refused = visit.command("setup", seat=0, beads=[2] * 15 + [1])
        assert refused["error"] == "a set-up has exactly 32 beads, not 31"
        for beads in (None, "2,2", [True] * 16, [-1] * 16, [2] * 3, [[2]] * 16):
            assert visit.command("setup", seat=0, beads=beads)["t"] == "refused"
        assert visit.command("setup", seat=0, beads=secret)["t"] == "ack"
        assert visit.command("setup", seat=0, beads=secret)["t"] == "refused"
        snapshot = guest.get(f"/api/v1/rooms/{room}")
        assert snapshot["room"]["ready"] == [True, False]
        assert guest.ask("GET", f"/api/v1/rooms/{room}/record").status == 400
        told = [message for message in visit.heard if message["t"] in ("snapshot", "event")]
        everything = json.dumps([told, snapshot, guest.get("/api/v1/rooms")])
        assert "beads" not in everything
        moments = re.compile(r"\d{4}-\d\d-\d\dT[\d:]+Z")  # a clock may well say 23:32
        assert "32" not in moments.sub("", everything.replace(room, ""))
        assert visit.command("setup", beads=[2] * 16)["t"] == "ack"
        started = next(m for m in visit.heard if m.get("kind") == "started")["data"]
        assert started["view"]["state"]["p0"] == secret
        assert visit.move(1)["t"] == "ack"
    with guest.enter(room, after=0) as again:
        assert all("beads" not in m.get("data", {}) for m in again.heard)


def test_a_computer_lays_its_beads_by_lot(guest: Guest) -> None:
    room = guest.new_room("urubugu", 3, "human", setups="ask")
    with guest.enter(room) as visit:
        assert visit.first["room"]["ready"] == [True, False]
        assert visit.command("setup", beads=[2] * 16)["t"] == "ack"
        visit.event("moved")
    with guest.enter(guest.new_room("urubugu", 2, 2, setups="ask", pace=0)) as visit:
        assert sum(visit.first["view"]["state"]["p0"]) == 32
    room = guest.new_room("urubugu", setups=[[32] + [0] * 15, None])
    assert guest.get(f"/api/v1/rooms/{room}")["view"]["state"]["p1"] == [2] * 16


# ---- clocks


def test_a_clock_runs_out(guest: Guest) -> None:
    with guest.enter(guest.new_room("oware", "human", "human", clock="0.4")) as visit:
        clock = visit.event("clock")["clock"]
        assert clock["running"] == 0
        assert visit.event("flagged") == {"player": 0}
        outcome = visit.event("ended")["outcome"]
        assert (outcome["winner"], outcome["reason"]) == (1, "timeout")
        assert visit.move(0)["error"] == "the game is over"


def test_increments_and_time_for_each_move(guest: Guest, served: Running) -> None:
    with guest.enter(guest.new_room("oware", "human", "human", clock="60+5")) as visit:
        visit.move(0)
        clock = visit.heard[-2]["data"]["clock"]
        assert 60 < clock["left"][0] <= 65
        assert clock["left"][1] == 60
        assert clock["running"] == 1
    room = guest.new_room("oware", "human", "human", clock="60/move")
    with guest.enter(room) as visit:
        live = next(r for r in served.app.state.hall._rooms.values() if r.id == room)
        for number, move in enumerate((0, 6, 1)):
            live.match.clock.set([5.0, 5.0])  # as if much of it had been used
            assert visit.move(move)["t"] == "ack"
            assert visit.command("ping")["t"] == "ack"  # the clock runs by now
            assert live.match.clock.remaining(1 - number % 2) > 30, "it is given for each move"
        before = live.match.clock.remaining(1)
        assert before < 60
        assert visit.command("offer_draw", seat=1)["t"] == "ack"
        assert live.match.clock.remaining(1) < before, "an offer buys no time"


def test_the_clock_goes_on_when_a_person_leaves_and_stands_for_a_computer(guest: Guest) -> None:
    room = guest.new_room("oware", "human", "human", clock="0.3")
    with guest.enter(room):
        pass
    time.sleep(0.5)
    assert guest.get(f"/api/v1/rooms/{room}")["room"]["status"] == "over"
    with guest.enter(guest.new_room("oware", "human", 3, clock="5+0")) as visit:
        visit.move(0)
        visit.event("moved")
        assert visit.view is not None
        assert visit.view["turn"] == 0


# ---- the log is the game


def test_the_record_is_the_log(guest: Guest, served: Running) -> None:
    room = guest.new_room("kalah", "human", 4)
    with guest.enter(room) as visit:
        play_out(visit)
        final = visit.view
    record = parse_record(guest.ask("GET", f"/api/v1/rooms/{room}/record").body.decode())
    assert final is not None
    assert str(Match.from_record(record).position) == final["text"]
    summary = guest.get("/api/v1/rooms")["rooms"][0]
    assert (summary["id"], summary["status"]) == (room, "over")
    assert summary["outcome"] == final["outcome"]


def test_after_much_has_been_missed_everything_is_told() -> None:
    start = str(mbegu.game("oware").start())
    people = (SeatRow("human", 0, "A", "a"), SeatRow("human", 0, "B", "b"))
    row = RoomRow("r", "a", "oware", "oware-abapa@1", start, "-", 0.0, None, 1.0, people, 1.0)
    course, lot = Course(row), random.Random(5)
    for version in range(1, MOST_MISSED + 6):
        assert course.match is not None
        assert course.match.turn is not None
        move = lot.choice(course.match.position.legal_moves())
        data = {"ply": version, "player": course.match.turn, "move": move}
        line = Happening(version, float(version), "moved", data, f"command-{version}")
        course.keep(course.apply(line, course.match.position.unfold(move)))
    last = course.version
    assert last == MOST_MISSED + 5
    assert [entry.happening.version for entry in course.since(last - 2)] == [last - 1, last]
    assert len(course.since(last - MOST_MISSED)) == MOST_MISSED
    log, position, commands = course.happenings(), course.match.position, course.commands
    assert [line.version for line in log] == list(range(1, last + 1))
    assert json.loads(log[7].text) == log[7].data
    course.replay()
    assert course.match is not None
    assert (course.happenings(), course.match.position, course.commands) == (
        log,
        position,
        commands,
    )

"""Whoever does not come, or never begins: a claim after a fair wait, and games called off."""

import json
import time
from typing import Any

import pytest
from guest import Guest
from members import member, rated_room
from online_table import error, invite
from serving import Running


def test_an_absent_player_may_be_claimed_after_a_wait(
    people: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("mbegu.server.play.presence.WAIT_UNTIMED", 0.6)
    table = people()
    table.play(2)
    assert "is here" in error(table.south.command("claim"))
    table.north.socket.close()
    away = table.south.event("presence")
    assert away["here"] == [True, False]
    assert 0 < away["claim_in"][1] <= 0.6
    assert away["watchers"] == 1
    assert "may still come back" in error(table.south.command("claim"))
    with table.friend.enter(table.room):
        assert table.south.event("presence")["claim_in"] == [None, None]
    table.south.event("presence")
    time.sleep(0.7)
    assert "must be win or draw" in error(table.south.command("claim", result="all"))
    assert table.south.command("claim", result="draw")["t"] == "ack"
    outcome = table.watcher.event("ended")["outcome"]
    assert (outcome["winner"], outcome["reason"]) == (None, "abandoned")


def test_a_claim_wins(people: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("mbegu.server.play.presence.WAIT", 0.1)
    table = people(clock="60+1")
    table.south.socket.close()
    time.sleep(0.3)
    assert table.north.command("claim")["t"] == "ack"
    outcome = table.watcher.event("ended")["outcome"]
    assert (outcome["winner"], outcome["reason"]) == (1, "abandoned")
    record = table.host.get(f"/api/v1/rooms/{table.room}/record?format=json")
    assert record["result"] == "0-1"


def test_whoever_stays_away_from_the_laying_may_be_claimed(
    people: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("mbegu.server.play.presence.WAIT_UNTIMED", 0.4)
    table = people("urubugu", setups="ask")
    laid = [4] * 8 + [0] * 8
    assert table.south.command("setup", beads=laid)["t"] == "ack"
    assert "is here" in error(table.south.command("claim"))
    table.north.socket.close()
    table.south.event("presence")
    assert "may still come back" in error(table.south.command("claim"))
    time.sleep(0.5)
    assert "no seat" in error(table.watcher.command("claim"))
    assert table.south.command("claim")["t"] == "ack"
    outcome = table.watcher.event("ended")["outcome"]
    assert (outcome["winner"], outcome["reason"]) == (0, "abandoned")
    assert "is over" in error(table.south.command("claim"))
    record = table.host.get(f"/api/v1/rooms/{table.room}/record?format=json")
    assert record["setup"].startswith(",".join(map(str, laid)) + "/2,2")
    assert (record["result"], record["steps"]) == ("1-0", [])


# ---- calling off


def test_a_game_is_called_off_before_both_have_moved(people: Any) -> None:
    table = people(clock="600+0")
    table.play(2)
    assert table.south.command("undo")["t"] == "ack"  # a wish that lapses with the game
    assert "no seat" in error(table.watcher.command("abort"))
    assert table.host.get(f"/api/v1/rooms/{table.room}")["room"]["can"]["abort"]
    assert table.north.command("abort", id="call-it-off")["t"] == "ack"
    assert table.south.event("aborted") == {"player": 1}
    outcome = table.watcher.event("ended")["outcome"]
    assert (outcome["winner"], outcome["reason"], outcome["result"]) == (None, "aborted", "*")
    assert outcome["sentence"] == "The game was called off before both had moved."
    assert table.north.command("abort", id="call-it-off")["t"] == "ack"  # heard twice, done once
    assert "is over" in error(table.south.command("abort"))
    assert "is over" in error(table.south.move(3))
    record = table.host.get(f"/api/v1/rooms/{table.room}/record?format=json")
    assert (record["result"], record["termination"]) == ("*", "aborted")
    assert not table.host.get(f"/api/v1/rooms/{table.room}")["room"]["can"]["abort"]


def test_what_is_under_way_is_not_called_off(people: Any, guest: Guest) -> None:
    table = people("kalah")
    table.play(2, 0)  # the first ends in the store: the same player moves again
    can = table.host.get(f"/api/v1/rooms/{table.room}")["room"]["can"]
    assert can["abort"]
    table.play(1)
    assert "both have moved" in error(table.south.command("abort"))
    with guest.enter(guest.new_room("oware", "human", 3)) as alone:
        assert not alone.first["room"]["can"]["abort"]
        assert "nobody waits" in error(alone.command("abort"))
    room, _token = invite(guest, "oware")
    with guest.enter(room) as early:
        assert "still empty" in error(early.command("abort"))


def test_whoever_never_lays_holds_nobody(people: Any, served: Running) -> None:
    table = people("urubugu", setups="ask")
    laid = [31, 1] + [0] * 14
    assert table.south.command("setup", beads=laid)["t"] == "ack"
    assert "is here" in error(table.south.command("claim"))
    assert table.south.command("abort")["t"] == "ack"
    assert table.north.event("ended")["outcome"]["reason"] == "aborted"
    for _life in range(2):  # as told, and as read again from the log
        shot = table.friend.get(f"/api/v1/rooms/{table.room}")
        assert (shot["room"]["status"], shot["view"]["state"]["p0"]) == ("over", [2] * 16)
        served.app.state.hall._rooms.pop(table.room).close()
    assert "31" not in json.dumps([message.get("data") for message in table.north.heard])


def test_what_is_called_off_is_not_rated(served: Running) -> None:
    (host, _name), (friend, _other) = member(served), member(served)
    room = rated_room(host, friend, "kalah")
    with host.enter(room) as south:
        for move in (2, 0):  # two plies, both of one player
            assert south.move(move)["t"] == "ack"
        assert south.command("abort")["t"] == "ack"
    assert host.get(f"/api/v1/rooms/{room}/ratings") == {"counted": False, "players": []}

"""The clock on the server: when it begins, its flag, and the time that a slow line takes."""

import json
import time
from typing import Any

import pytest
from online_table import invite
from serving import Running


def test_the_clock_waits_for_both_and_the_flag_falls_on_the_server(served: Running) -> None:
    host, friend = served.guest(), served.guest()
    room, token = invite(host, "oware", clock="0.5+0")
    with host.enter(room) as south:
        time.sleep(0.7)
        assert south.command("ping")["t"] == "ack"
        with friend.enter(room) as north:
            north.command("sit", token=token)
            assert south.event("flagged") == {"player": 0}
            assert north.event("ended")["outcome"]["reason"] == "timeout"
    left = host.get(f"/api/v1/rooms/{room}")["clock"]["left"]
    assert left == [0.0, 0.5]


def test_a_slow_line_is_given_its_time_back(people: Any, served: Running) -> None:
    table = people(clock="600+0")
    live = served.app.state.hall._rooms[table.room]
    north = next(c for c in live.clients if c.session == live.seats[1].session)
    ping = [message for message in table.south.heard if message["t"] == "ping"]
    assert ping
    assert north.rtt == 0.0
    table.south.say({"t": "pong", "n": ping[-1]["n"]})
    table.play(2)
    south = next(c for c in live.clients if c.session == live.seats[0].session)
    assert 0 < south.rtt < 10
    before = live.course.left()[1]
    north.rtt = 0.3  # as if measured
    time.sleep(0.5)
    table.play(8)
    assert 0.29 <= live.course.lag[1] <= 0.3
    used = before - live.course.left()[1]
    assert 0.1 <= used <= 0.5 - 0.3 + 0.25
    assert "lag" not in json.dumps(table.watcher.heard[-1])
    north.rtt = 99.0  # a line that pretends
    table.play(3)
    time.sleep(0.7)
    table.play(9)
    assert 0.3 < live.course.lag[1] <= 0.3 + 0.5
    live.course.lag[1] = 9.9  # nearly all that a game gives
    table.play(live.match.position.legal_moves()[0])
    time.sleep(0.2)
    table.play(live.match.position.legal_moves()[0])
    assert live.course.lag[1] == pytest.approx(10.0)


def test_with_so_much_for_each_move_the_next_player_is_told_all_of_it(people: Any) -> None:
    table = people(clock="60/move")
    table.play(2)
    time.sleep(0.3)
    table.play(8)
    time.sleep(0.3)
    table.play(3)
    moved = next(one for one in reversed(table.north.heard) if one.get("kind") == "moved")
    assert moved["data"]["clock"]["running"] == 1
    assert moved["data"]["clock"]["left"][1] == 60.0, "not what was left of the last move"
    assert moved["data"]["clock"]["left"][0] < 60.0, "the one who has moved sees what he has used"

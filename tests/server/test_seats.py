"""An open seat: who may take it, by which link, and that it stays his; what is laid in secret."""

import json
import re
import time
from typing import Any

import pytest
from online_table import error, event_of, invite
from serving import Running


def test_an_invitation_seats_one_person_once(served: Running) -> None:
    host, friend, third = served.guest(), served.guest(), served.guest()
    room, token = invite(host, "kalah(seeds=3)", clock="300+2")
    assert len(token) >= 22  # 128 bits
    shown = friend.get(f"/api/v1/invites/{token}")
    assert (shown["state"], shown["room"], shown["seat"], shown["from"]) == (
        "open",
        room,
        1,
        "Amina",
    )
    assert host.get(f"/api/v1/invites/{token}")["state"] == "own"
    code = friend.ask("GET", f"/api/v1/invites/{token}/qr.svg")
    assert code.headers["content-type"].startswith("image/svg+xml")
    assert b"<svg" in code.body
    with host.enter(room) as south, friend.enter(room) as north, third.enter(room) as late:
        assert "still empty" in error(south.move(0))
        assert north.command("sit", token=token, name=" Juma  K. ", id="sit-once-1")["t"] == "ack"
        assert north.command("sit", token=token, id="sit-once-1")["version"] == 1  # said again
        assert north.command("sit", token=token)["t"] == "ack"  # sits there already
        assert "taken this seat" in error(late.command("sit", token=token))
        joined = south.event("joined")
        assert joined == {"player": 1, "name": "Juma K."}
        assert south.move(0)["t"] == "ack"
    assert friend.get(f"/api/v1/invites/{token}")["state"] == "yours"
    assert third.get(f"/api/v1/invites/{token}")["state"] == "taken"
    assert third.ask("GET", f"/api/v1/invites/{token}/qr.svg").status == 410
    assert [seat["yours"] for seat in friend.get("/api/v1/rooms")["rooms"][0]["seats"]] == [
        False,
        True,
    ]


def test_wrong_and_old_links(served: Running, monkeypatch: pytest.MonkeyPatch) -> None:
    host, friend = served.guest(), served.guest()
    room, token = invite(host, "oware")
    assert friend.ask("GET", "/api/v1/invites/nowhere").status == 404
    with host.enter(room) as south, friend.enter(room) as north:
        assert "need an invitation" in error(north.command("sit"))
        assert "not for this game" in error(north.command("sit", token=token[:-1]))
        assert "not for this game" in error(north.command("sit", token=room))
        assert "other side" in error(south.command("sit", token=token))
        assert "called amina too" in error(north.command("sit", token=token, name="amina"))
        assert "40 letters" in error(north.command("sit", token=token, name="x" * 41))
        monkeypatch.setattr("mbegu.server.play.forms.INVITED_FOR", -1.0)
        assert "too old" in error(north.command("sit", token=token))
        assert friend.get(f"/api/v1/invites/{token}")["state"] == "expired"
    assert friend.get(f"/api/v1/rooms/{room}")["version"] == 0


def test_only_the_host_knows_the_token(served: Running) -> None:
    host, friend = served.guest(), served.guest()
    room, token = invite(host, "oware")
    assert token not in json.dumps(friend.get(f"/api/v1/rooms/{room}"))
    assert friend.get(f"/api/v1/rooms/{room}")["room"]["invites"] is None


def test_sides_by_lot(served: Running) -> None:
    host, sides = served.guest(), set()
    for _try in range(40):
        room, _token = invite(host, "oware", lot=True)
        sides.add(host.get(f"/api/v1/rooms/{room}")["room"]["seats"][0]["kind"])
        if len(sides) == 2:
            break
        time.sleep(0.05)
    assert sides == {"human", "open"}


def test_a_finished_game_takes_nobody(people: Any, served: Running) -> None:
    table = people()
    table.south.command("resign")
    with served.guest().enter(table.room) as late:
        assert "taken this seat" in error(late.command("sit", token=table.token))
        assert "the game is over" in error(late.command("resign"))
    assert "belongs to" in table.host.ask("DELETE", f"/api/v1/rooms/{table.room}").json()["error"]


def test_a_seat_survives_a_restart_of_the_room(people: Any, served: Running) -> None:
    table = people()
    table.play(2)
    table.leave()
    live = served.app.state.hall._rooms.pop(table.room)  # as if put away
    live.closed = True
    again = table.friend.get(f"/api/v1/rooms/{table.room}")
    assert again["room"]["seats"][1]["yours"]
    assert again["room"]["seats"][1]["name"] == "Juma"


# ---- secrets


def test_setups_are_hidden_until_both_are_ready(people: Any, served: Running) -> None:
    table = people("urubugu", setups="ask")
    secret = [0, 0, 0, 0, 0, 0, 0, 0, 31, 0, 0, 0, 0, 0, 0, 1]
    plain = [2] * 16
    assert table.south.command("setup", beads=secret)["t"] == "ack"
    for visit in (table.north, table.watcher):
        assert visit.event("setup") == {"player": 0, "ready": [True, False]}
    late = served.guest().enter(table.room)
    again = table.friend.enter(table.room, after=0, watch=True)
    told = [visit.heard for visit in (table.north, table.watcher, late, again)]
    told += [table.friend.get(f"/api/v1/rooms/{table.room}"), table.friend.get("/api/v1/rooms")]
    told += [served.guest().get(f"/api/v1/rooms/{table.room}")]
    assert not re.search(r"\b31\b", json.dumps([without_times(one) for one in told]))
    assert table.friend.ask("GET", f"/api/v1/rooms/{table.room}/record").status == 400
    late.socket.close()
    again.socket.close()
    assert table.north.command("setup", beads=plain)["t"] == "ack"
    for visit in table.all:
        assert event_of(visit, "started")["view"]["state"]["p0"] == secret


def without_times(value: Any) -> Any:
    """Without ids and moments, in which any digits may stand."""
    if isinstance(value, dict):
        hidden = ("created", "updated", "id", "room") if "game" in value else ()
        return {key: without_times(one) for key, one in value.items() if key not in hidden}
    return [without_times(one) for one in value] if isinstance(value, list) else value

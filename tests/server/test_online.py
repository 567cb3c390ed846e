"""Two people and those who watch: seats, offers, claims, clocks, secrets and the lobby, as messages."""

import asyncio
import json
import os
import random
import re
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from guest import Guest, Visit
from members import member
from serving import Running
from websockets.sync.client import connect
from websockets.typing import Origin

from mbegu.server.forms import new_room
from mbegu.server.hall import Hall
from mbegu.server.store import Store
from mbegu.server.thinking import Thinkers

OPEN = [{"kind": "human", "name": "Amina"}, {"kind": "open"}]


@pytest.fixture
def people(served: Running) -> Iterator[Callable[..., Any]]:
    """`people("oware")`: two people at one game, and one who watches it."""
    with ExitStack() as stack:

        def seat(game: str = "oware", **more: Any) -> "Table":
            table = Table(served, game, **more)
            stack.callback(table.leave)
            return table

        yield seat


class Table:
    """A game between two people."""

    def __init__(self, served: Running, game: str, **more: Any) -> None:
        self.host, self.friend = served.guest(), served.guest()
        self.room, self.token = invite(self.host, game, **more)
        self.south = self.host.enter(self.room)
        self.north = self.friend.enter(self.room)
        answer = self.north.command("sit", token=self.token, name="Juma")
        assert answer["t"] == "ack", answer
        self.south.event("joined")
        self.watcher = served.guest().enter(self.room)
        self.all = [self.south, self.north, self.watcher]

    def leave(self) -> None:
        """Everybody goes."""
        for visit in self.all:
            visit.socket.close()

    def play(self, *moves: Any) -> None:
        """Moves by turns, from the one who is to move."""
        for move in moves:
            mover = (self.south, self.north)[self.south.view["turn"]]  # type: ignore[index]
            assert mover.move(move)["t"] == "ack"
            for visit in self.all:
                catch_up(visit, mover.version)


def catch_up(visit: Visit, version: int) -> None:
    """Hears everything up to a version."""
    while visit.version < version:
        visit.hear()


def event_of(visit: Visit, kind: str) -> Any:
    """The data of an event that has come, perhaps before the answer to a command, or comes now."""
    for message in visit.heard:
        if message.get("kind") == kind:
            return message["data"]
    return visit.event(kind)


def invite(host: Guest, game: str, seats: Any = OPEN, **more: Any) -> tuple[str, str]:
    """A room with an open seat: its id, and the token of the seat."""
    reply = host.post("/api/v1/rooms", {"game": game, "seats": seats, **more})
    assert reply.status == 201, reply.body
    room = str(reply.json()["room"])
    facts = host.get(f"/api/v1/rooms/{room}")["room"]
    assert facts["status"] == "open"
    return room, next(token for token in facts["invites"] if token)


def error(answer: Any) -> str:
    """Why something was refused."""
    assert answer["t"] == "refused", answer
    return str(answer["error"])


# ---- seats


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
        monkeypatch.setattr("mbegu.server.forms.INVITED_FOR", -1.0)
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


# ---- offers


def test_a_move_is_taken_back_by_agreement(people: Any) -> None:
    table = people()
    table.play(2, 8)
    south, north = table.south, table.north
    assert south.command("undo")["t"] == "ack"
    assert north.event("undo_offered") == {"player": 0, "plies": 2}
    assert "answered yet" in error(south.command("undo"))
    assert "answer that first" in error(north.command("undo"))
    assert "nobody has asked you" in error(south.command("accept_undo"))
    assert north.command("decline_undo")["t"] == "ack"
    assert "nobody has asked" in error(north.command("accept_undo"))
    assert "after the next move" in error(south.command("undo"))
    assert north.command("undo")["t"] == "ack"
    south.event("undo_offered")
    assert south.command("accept_undo")["t"] == "ack"
    assert north.event("undone")["ply"] == 1
    assert table.watcher.event("undone")["view"]["turn"] == 1


def test_an_offer_lapses_with_a_move(people: Any) -> None:
    table = people()
    table.play(2)
    table.south.command("undo")
    table.play(8)
    assert "nobody has asked" in error(table.north.command("accept_undo"))
    table.south.command("offer_draw")
    table.north.command("decline_draw")
    assert "nobody has offered" in error(table.south.command("decline_draw"))
    assert "after the next move" in error(table.south.command("offer_draw"))
    table.play(3)
    assert table.south.command("offer_draw")["t"] == "ack"
    assert table.south.command("decline_draw")["t"] == "ack"  # withdrawn
    table.north.command("offer_draw")
    table.south.command("offer_draw")
    assert table.watcher.event("ended")["outcome"]["reason"] == "agreement"
    assert "no move to take back" in error(table.south.command("undo"))  # what is finished stays so


def test_watchers_and_strangers_decide_nothing(people: Any) -> None:
    table = people()
    for kind in ("resign", "offer_draw", "undo", "accept_undo", "claim", "say", "offer_rematch"):
        assert "you have no seat" in error(table.watcher.command(kind))
    assert "no hints" in error(table.south.command("hint"))
    assert "not yours" in error(table.south.command("resign", seat=1))


def test_a_rematch_swaps_the_sides(people: Any) -> None:
    table = people("kalah", clock="60+1")
    south, north = table.south, table.north
    assert "not over" in error(south.command("offer_rematch"))
    south.command("resign")
    assert "nobody has offered" in error(south.command("decline_rematch"))
    south.command("offer_rematch")
    assert "answered yet" in error(south.command("offer_rematch"))
    north.command("decline_rematch")
    north.command("offer_rematch")
    assert south.command("offer_rematch")["t"] == "ack"
    rooms = {event_of(visit, "rematch")["room"] for visit in table.all}
    assert len(rooms) == 1
    again = table.host.get(f"/api/v1/rooms/{rooms.pop()}")["room"]
    assert [seat["name"] for seat in again["seats"]] == ["Juma", "Amina"]
    assert [seat["yours"] for seat in again["seats"]] == [False, True]
    assert (again["status"], again["control"], again["game"]) == (
        "playing",
        "60+1",
        "kalah(pits=6,seeds=4)",
    )


def test_phrases_are_few_and_not_too_many(people: Any) -> None:
    table = people()
    assert "is not a phrase" in error(table.south.command("say", phrase="<script>"))
    answers = [table.south.command("say", phrase="hello")["t"] for _time in range(6)]
    assert answers[0] == "ack"
    assert answers[-1] == "refused"
    assert table.north.event("said") == {"player": 0, "phrase": "hello"}


# ---- absence


def test_an_absent_player_may_be_claimed_after_a_wait(
    people: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("mbegu.server.presence.WAIT_UNTIMED", 0.6)
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
    monkeypatch.setattr("mbegu.server.presence.WAIT", 0.1)
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
    monkeypatch.setattr("mbegu.server.presence.WAIT_UNTIMED", 0.4)
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


# ---- clocks


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
    table = people(clock="60+0")
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


# ---- secrets


def test_setups_are_hidden_until_both_are_ready(people: Any, served: Running) -> None:
    table = people("urubugu", setups="ask")
    secret = [0, 0, 0, 0, 0, 0, 0, 0, 31, 0, 0, 0, 0, 0, 0, 1]
    plain = [2] * 16
    assert table.south.command("setup", beads=secret)["t"] == "ack"
    for visit in (table.north, table.watcher):
        assert visit.event("setup") == {"player": 0, "ready": [True, False]}
    late = served.guest().enter(table.room)
    again = table.friend.enter(table.room, after=0)
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


# ---- the lobby


class InLobby(Visit):
    """A browser in the lobby."""

    def __init__(self, guest: Guest) -> None:
        self.guest = guest
        self.socket, self.heard, self.version = guest.socket("/ws/lobby"), [], 0
        self.say({"t": "hello", "v": 1})
        self.first = self.until(lambda message: message["t"] == "lobby")

    def __enter__(self) -> "InLobby":
        """For `with`."""
        return self

    def seek(self, game: str = "oware", **more: Any) -> Any:
        """Looks for a game."""
        return self.command("seek", game=game, **more)

    def paired(self) -> str:
        """The room to which it is called, perhaps before the answer to its wish."""
        called = [message for message in self.heard if message["t"] == "paired"]
        found = called[0] if called else self.until(lambda message: message["t"] == "paired")
        return str(found["room"])

    def sees(self, count: int) -> Any:
        """Waits until so many seeks are listed."""
        found = self.until(
            lambda message: message["t"] == "lobby" and len(message["seeks"]) == count
        )
        return found["seeks"]


def test_the_lobby_lists_offers_live_and_pairs(served: Running) -> None:
    with InLobby(served.guest()) as one, InLobby(served.guest()) as two:
        seek = one.seek("kalah(seeds=3)", clock="300+0", side=1, name="<b>Amina</b>")
        assert seek["t"] == "ack"
        (seen,) = two.sees(1)
        expected = {"clock": "300+0", "side": 1, "rated": False, "yours": False, "rating": None}
        assert seen.items() >= expected.items()
        assert seen["name"] == "<b>Amina</b>"
        assert "your own" in error(one.command("take", seek=seek["seek"]))
        taken = two.command("take", seek=seen["id"], id="take-once-1")
        assert two.command("take", seek=seen["id"], id="take-once-1") == taken
        assert one.paired() == taken["room"]
        room = one.guest.get(f"/api/v1/rooms/{taken['room']}")["room"]
        assert [seat["yours"] for seat in room["seats"]] == [False, True]
        assert room["status"] == "playing"
        assert "is gone" in error(two.command("take", seek=seen["id"]))


def test_quick_pairing_needs_the_same_wishes(served: Running) -> None:
    with (
        InLobby(served.guest()) as one,
        InLobby(served.guest()) as two,
        InLobby(served.guest()) as three,
    ):
        one.seek("oware", clock="60+1", quick=True)
        two.seek("oware", clock="60+2", quick=True)
        three.seek("oware", clock="60+1", quick=True)
        assert one.paired() == three.paired()
        seeks = two.sees(1)
        assert seeks[0]["yours"]
        two.command("cancel", seek=seeks[0]["id"])
        two.sees(0)


def test_news_of_a_game_reach_its_players_elsewhere(served: Running) -> None:
    with InLobby(served.guest()) as one, InLobby(served.guest()) as two:
        one.seek("oware", side=0)
        room = two.command("take", seek=two.sees(1)[0]["id"])["room"]
        with one.guest.enter(room) as south:
            south.move(2)
        news = two.until(lambda message: message["t"] == "game")
        assert news["room"] == room
        assert news["your_turn"] is True


def test_a_seek_goes_with_its_owner(served: Running, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("mbegu.server.lobby.GRACE", 0.2)
    with InLobby(served.guest()) as two:
        with InLobby(served.guest()) as one:
            one.seek("oware")
            assert two.sees(1)[0]["game"] == "oware"
        assert two.sees(0) == []


def test_a_challenge_is_for_one_alone(served: Running) -> None:
    (amina, _one), (juma, name) = member(served), member(served)
    with InLobby(amina) as one, InLobby(juma) as two, InLobby(served.guest()) as three:
        assert one.command("find", name=name.upper())["here"] is True
        assert one.command("find", name="nobody")["here"] is False
        assert "not here" in error(one.seek(to="nobody"))
        assert "yourself" in error(two.seek(to=name))
        seek = one.seek("oware", to=name, quick=True)["seek"]
        (seen,) = two.sees(1)
        assert (seen["id"], seen["to"], seen["yours"]) == (seek, name, False)
        three.seek("oware", quick=True)
        assert [other["id"] for other in three.sees(1)] != [seek], "nobody else sees it"
        assert "is gone" in error(three.command("take", seek=seek))
        assert three.command("cancel", seek=seek)["t"] == "ack"
        assert two.command("cancel", seek=seek)["t"] == "ack", "no, thank you"
        declined = one.until(lambda message: message["t"] == "declined")
        assert (declined["seek"], declined["name"]) == (seek, name)
        one.seek("oware", to=name)
        again = next(other for other in two.sees(2) if other["to"])
        room = two.command("take", seek=again["id"])["room"]
        assert one.paired() == room


def test_a_challenge_goes_with_the_one_it_is_for(
    served: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("mbegu.server.lobby.GRACE", 0.2)
    juma, name = member(served)
    with InLobby(served.guest()) as one:
        with InLobby(juma):
            assert one.seek("oware", to=name)["t"] == "ack"
        one.until(lambda message: message["t"] == "declined")


@pytest.mark.parametrize(
    ("wish", "why"),
    [
        ({"game": "chess"}, "chess"),
        ({"game": "oware", "clock": "soon"}, "time control"),
        ({"game": "oware", "side": 2}, "side must be"),
        ({"game": "oware", "rated": True}, "needs an account"),
        ({"game": "oware", "name": "a\u202eb"}, "can be seen"),
        ({"game": "urubugu", "setups": [1]}, "setups must be"),
    ],
)
def test_a_bad_wish_is_explained(served: Running, wish: dict[str, Any], why: str) -> None:
    with InLobby(served.guest()) as one:
        assert why in error(one.command("seek", **wish))
        assert "not a command" in error(one.command("dance"))


def test_the_window_of_ratings_grows() -> None:
    from mbegu.server.lobby import Seek

    def seek(rating: float | None, quick: bool = True) -> Seek:
        return Seek(
            "x" if rating else "y", "", "oware", "-", False, None, False, quick, rating, 0.0
        )

    strong, weak, guest = seek(1900), seek(1500), seek(None)
    weak.session = "w"
    assert not strong.suits(weak, now=10.0)
    assert strong.suits(weak, now=20.0)
    assert strong.suits(guest, now=0.0)
    assert not seek(1500, quick=False).suits(seek(None, quick=False), now=0.0)


# ---- nonsense

KINDS = [
    *(
        "move",
        "undo",
        "accept_undo",
        "decline_undo",
        "resign",
        "offer_draw",
        "decline_draw",
        "claim",
    ),
    *("offer_rematch", "decline_rematch", "say", "sit", "hint", "setup", "ping", "dance", None, 7),
]
JUNK = [None, True, -1, 0, 1, 2.5, 10**30, "win", "draw", "hello", "", "\u202e", [], {}, [[]] * 9]


class Ear:
    """Somebody who listens and keeps the last thing said."""

    lean, name, rtt = False, "", 0.0

    def __init__(self, session: str, language: str) -> None:
        self.session, self.language = session, language
        self.last: dict[str, Any] = {}

    def send(self, text: str) -> None:
        """Hears."""
        self.last = json.loads(text)

    def close(self, _code: int) -> None:
        """Is not needed here."""


@pytest.mark.parametrize("seed", range(6))
def test_nonsense_between_people_changes_nothing_that_it_may_not(seed: int, tmp_path: Path) -> None:
    lot = random.Random(seed)

    async def main() -> None:
        store = Store(str(tmp_path / "games.sqlite3"))
        hall = Hall(store, Thinkers(1, engine=False))
        seats = [{"kind": "human"}, {"kind": "open"}]
        row = new_room({"game": "oware", "seats": seats, "clock": lot.choice(["-", "600+0"])}, "me")
        await hall.add([row])
        room = await hall.room(row.id)
        assert room is not None
        me, you, nobody = ears = [Ear("me", "en"), Ear("you", "sw"), Ear("nobody", "rn")]
        for ear in ears:
            await room.join(ear, None)
        invite = row.seats[1].invite
        for number in range(150):
            ear = lot.choice(ears)
            message = {"t": lot.choice(KINDS), "id": f"nonsense-{lot.randrange(200)}"}
            for key in ("ply", "move", "seat", "result", "phrase", "token", "name", "beads"):
                if lot.random() < 0.3:
                    message[key] = lot.choice(JUNK)
            if number == 20:
                ear, message = you, {"t": "sit", "id": "take-a-seat", "token": invite}
            elif room.match is not None and room.turn is not None and lot.random() < 0.4:
                ear = lot.choice([me, you])
                move = lot.choice(room.match.position.legal_moves())
                message = {"t": "move", "id": f"move-{number:05}", "ply": len(room.match.moves) + 1}
                message["move"] = move
            before = room.version
            await room.obey(ear, message)
            assert ear.last["t"] in ("ack", "refused", "event")
            if ear is nobody or (number < 20 and ear is you):
                assert room.version == before
        told, record = room.version, str(room.record())
        hall.close()  # forgets the room, not its log
        again = await hall.room(row.id)
        assert again is not None
        assert (again.version, str(again.record())) == (told, record)
        assert again.seats == room.seats
        hall.close()
        store.close()

    asyncio.run(main())


# ---- one network


def test_serving_a_network_prints_an_address_that_others_reach(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "mbegu", "serve", "--lan", "--no-browser", "--port", "0"]
    with subprocess.Popen(
        [*command, "--database", str(tmp_path / "games.sqlite3"), "--workers", "1"],
        stdout=subprocess.PIPE,
        encoding="utf-8",
        env={**os.environ, "MBEGU_LANG": "en", "PYTHONIOENCODING": "utf-8"},
    ) as server:
        assert server.stdout is not None
        told = []
        for line in server.stdout:
            told.append(line)
            if "Ctrl-C" in line:
                break
        found = re.search(r"On this network: (http://([^:/]+):(\d+))/", "".join(told))
        assert found, told
        assert any("▀" in line for line in told)  # the QR code
        base, address, port = found.groups()
        try:
            host = Guest(int(port))
            room, token = invite(host, "oware")
            facts = host.get(f"/api/v1/rooms/{room}")["room"]
            assert facts["invite_base"] == base
            phone = Guest(int(port))
            headers = {"Host": f"{address}:{port}"}
            assert phone.get(f"/api/v1/invites/{token}", headers=headers)["state"] == "open"
            with connect(
                f"ws://{address}:{port}/ws/rooms/{room}",
                origin=Origin(base),
                additional_headers={"Cookie": phone.cookie},
            ) as wire:
                wire.send(json.dumps({"t": "hello", "v": 1, "after": None}))
                assert json.loads(wire.recv(10))["t"] == "snapshot"
        finally:
            server.terminate()

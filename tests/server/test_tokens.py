"""Personal access tokens: what they allow, and when they end."""

import sqlite3
import time
from pathlib import Path

import pytest
from guest import Guest
from members import member, token_of
from serving import Running

from mbegu.server.net.rate_limits import RateLimits


@pytest.fixture(autouse=True)
def fresh_limits(served: Running) -> None:
    """Tests of limits must not slow the other tests down."""
    served.app.state.limits = RateLimits()


def ask(served: Running, token: str, method: str, path: str, body: object = None) -> int:
    reply = Guest(served.port).ask(method, path, body, headers={"Authorization": f"Bearer {token}"})
    assert "set-cookie" not in reply.headers, "a program gets no cookie"
    return reply.status


def test_a_token_reads_and_does_no_more(served: Running) -> None:
    guest, _name = member(served)
    token = token_of(guest, "read")
    assert token.startswith("mbegu_")
    assert len(token) - 6 >= 22
    room = guest.new_room("oware")
    assert ask(served, token, "GET", f"/api/v1/rooms/{room}") == 200
    assert ask(served, token, "DELETE", f"/api/v1/rooms/{room}") == 403
    form = {"game": "oware", "seats": [{"kind": "human"}, {"kind": "human"}]}
    assert ask(served, token, "POST", "/api/v1/rooms", form) == 403
    assert ask(served, token, "GET", "/api/v1/account/tokens") == 403
    assert ask(served, token, "GET", "/api/v1/account/export") == 403


def test_only_bots_play_by_a_program(served: Running) -> None:
    person, _name = member(served)
    body = {"name": "x", "scopes": ["read", "play"]}
    assert person.post("/api/v1/account/tokens", body).status == 403
    bot, name = member(served, bot=True)
    token = token_of(bot, "read", "play")
    form = {"game": "oware", "seats": [{"kind": "human"}, {"kind": "open"}]}
    assert ask(served, token, "POST", "/api/v1/rooms", form) == 201
    room = bot.get("/api/v1/rooms")["rooms"][0]
    assert (room["seats"][0]["name"], room["seats"][0]["bot"]) == (name, True)


def test_a_token_that_may_not_play_only_watches(served: Running) -> None:
    guest, _name = member(served)
    room = guest.new_room("oware", "human", "human")
    program = Guest(served.port)
    line = program.socket(
        f"/ws/rooms/{room}",
        origin=None,
        additional_headers={"Authorization": f"Bearer {token_of(guest, 'read')}"},
    )
    try:
        line.send('{"t":"hello","v":1,"after":null}')
        line.recv(5)
        line.send('{"t":"move","id":"abcdefgh1","ply":1,"move":2}')
        assert "refused" in str(line.recv(5))
    finally:
        line.close()


def test_the_end_of_a_token(served: Running) -> None:
    guest, _name = member(served)
    token = token_of(guest, "read")
    (told,) = guest.get("/api/v1/account/tokens")["tokens"]
    assert "token" not in told
    assert told["used"] is None
    assert ask(served, token, "GET", "/api/v1/account") == 200
    (told,) = guest.get("/api/v1/account/tokens")["tokens"]
    assert told["used"] is not None
    other, _name = member(served)
    assert other.ask("DELETE", f"/api/v1/account/tokens/{told['id']}").status == 404
    assert guest.ask("DELETE", f"/api/v1/account/tokens/{told['id']}").status == 204
    assert ask(served, token, "GET", "/api/v1/account") == 401
    old = token_of(guest, "read")
    with sqlite3.connect(served.app.state.settings.database) as database:
        database.execute("update tokens set expires = ?", (time.time() - 1,))
    assert ask(served, old, "GET", "/api/v1/account") == 401


@pytest.mark.parametrize("token", ["", "nonsense", "mbegu_" + "A" * 32, "mbegu_'; drop table x"])
def test_tokens_of_nobody(served: Running, token: str) -> None:
    assert ask(served, token, "GET", "/api/v1/games") == 401


def test_tokens_are_kept_as_hashes(served: Running) -> None:
    guest, _name = member(served)
    token = token_of(guest, "read")
    file = Path(served.app.state.settings.database)
    kept = b"".join(path.read_bytes() for path in file.parent.glob(file.name + "*"))
    assert token.encode() not in kept


@pytest.mark.parametrize(
    "body",
    [
        {"name": "", "scopes": ["read"]},
        {"name": "x", "scopes": []},
        {"name": "x", "scopes": ["admin"]},
        {"name": "x", "scopes": "read"},
        {"name": "x", "scopes": ["read"], "days": 0},
        {"name": "x", "scopes": ["read"], "days": True},
        {"name": "x" * 61, "scopes": ["read"]},
    ],
)
def test_forms_that_cannot_be(served: Running, body: dict[str, object]) -> None:
    guest, _name = member(served)
    assert guest.post("/api/v1/account/tokens", body).status == 400

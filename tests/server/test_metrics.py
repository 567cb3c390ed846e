"""Health, numbers and logs: told to those who run the server, and never a secret."""

import json
import os
import re
import signal
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from guest import Guest
from members import member, token_of
from serving import Running, plain_settings, running

from mbegu.server.keep.store import StoreError
from mbegu.server.net.logs import mask


def test_health_and_readiness(served: Running, monkeypatch: pytest.MonkeyPatch) -> None:
    guest = served.guest()
    assert guest.get("/health") == {"status": "ok"}
    assert guest.get("/ready") == {"status": "ok"}

    async def away(*_arguments: object) -> None:
        raise StoreError("gone")

    monkeypatch.setattr(served.app.state.people.store, "read", away)
    assert guest.ask("GET", "/ready").status == 503
    assert guest.ask("GET", "/health").status == 200


def numbers(guest: Guest) -> dict[str, float]:
    reply = guest.ask("GET", "/metrics")
    assert reply.status == 200
    assert reply.headers["content-type"].startswith("text/plain; version=0.0.4")
    found = re.findall(r"^(mbegu_\S+) ([\d.e+-]+)$", reply.body.decode(), re.MULTILINE)
    return {name: float(value) for name, value in found}


def test_numbers_for_prometheus(served: Running) -> None:
    guest = served.guest()
    before = numbers(guest)
    room = guest.new_room("oware", "human", "human")
    with guest.enter(room) as visit:
        assert visit.move(2)["t"] == "ack"
        now = numbers(guest)
        assert now["mbegu_sockets"] >= 1
        assert now["mbegu_rooms"] >= 1
    moves = 'mbegu_commands_total{kind="move"}'
    assert now[moves] - before.get(moves, 0) >= 1
    assert now["mbegu_command_seconds_count"] > before["mbegu_command_seconds_count"]
    assert now['mbegu_requests_total{endpoint="make_room",status="201"}'] >= 1
    assert {"mbegu_writes_waiting", "mbegu_thoughts_waiting"} <= set(now)


def test_numbers_are_not_for_everybody(served: Running, tmp_path: Path) -> None:
    guest = served.guest()
    for headers in (
        {"X-Forwarded-For": "192.0.2.7"},
        {"Host": "play.lan"},
    ):
        assert guest.ask("GET", "/metrics", headers=headers).status == 403
    with running(replace(plain_settings(tmp_path), metrics_token="for-prometheus")) as server:
        guest = server.guest()
        assert guest.ask("GET", "/metrics").status == 403
        for token, status in (("wrong", 403), ("for-prometheus", 200)):
            headers = {"Authorization": f"Bearer {token}", "Host": "play.lan"}
            assert guest.ask("GET", "/metrics", headers=headers).status == status


@pytest.mark.parametrize(
    "text",
    [
        "GET /join/{bits}",
        "Cookie: mbegu={bits}.{bits}",
        '{{"password": "{bits}"}}',
        "password='{bits}'",
        "postgresql://mbegu:{bits}@localhost/games",
        "Authorization: Bearer mbegu_{bits}",
        "KeyError: mbegu_{bits}",
        "token={bits}&room=1",
    ],
)
def test_secrets_are_masked(text: str) -> None:
    bits = "Zq3vT0-kLw8sYb1nXc5mRA_x"
    assert bits not in mask(text.format(bits=bits))


def test_a_log_of_everything_holds_no_secret(tmp_path: Path) -> None:
    """A whole visit, logged as JSON lines: every line can be read, and none opens a door."""
    environment = {**os.environ, "MBEGU_DATABASE": str(tmp_path / "games.sqlite3")}
    options = ["--port", "0", "--log", "json", "--workers", "1"]
    with (tmp_path / "log").open("w") as log:
        process = subprocess.Popen(
            [sys.executable, "-m", "mbegu", "serve", "--no-browser", *options],
            stdout=subprocess.PIPE,
            stderr=log,
            text=True,
            env=environment,
        )
        try:
            assert process.stdout is not None
            found = re.search(r":(\d+)/", process.stdout.readline())
            assert found
            secrets = visit(int(found[1]))
        finally:
            process.send_signal(signal.SIGTERM)
            process.communicate(timeout=20)
    text = (tmp_path / "log").read_text()
    lines = [json.loads(line) for line in text.splitlines()]
    requests = [line for line in lines if line["logger"] == "mbegu.access"]
    assert len(requests) >= 8
    assert {"status", "ms", "visitor"} <= set(requests[0])
    assert any(line["message"].startswith("SOCKET") for line in requests)
    for secret in secrets:
        assert secret not in text


def visit(port: int) -> list[str]:
    """Does everything that has a secret in it; the secrets."""

    class Server:
        def guest(self) -> Guest:
            guest = Guest(port)
            guest.get("/api/v1/rooms")
            return guest

    anonymous = Server().guest()
    cookie = anonymous.cookies["mbegu"]
    guest, name = member(Server(), bot=True)  # type: ignore[arg-type]
    token = token_of(guest, "read", "play")
    Guest(port).ask("GET", "/api/v1/rooms", headers={"Authorization": f"Bearer {token}"})
    guest.post("/api/v1/account/sign-in", {"name": name, "password": "wrong-Password-9"})
    seats = [{"kind": "human"}, {"kind": "open"}]
    room = guest.post("/api/v1/rooms", {"game": "oware", "seats": seats}).json()["room"]
    invite = guest.get(f"/api/v1/rooms/{room}")["room"]["invites"][1]
    anonymous.get(f"/api/v1/invites/{invite}")
    anonymous.ask("GET", f"/join/{invite}")
    with anonymous.enter(room) as seat:
        assert seat.command("sit", token=invite)["t"] == "ack"
    return [
        *(part for one in (cookie, guest.cookies["mbegu"]) for part in one.split(".")),
        token,
        invite,
        room,
        "kibo-na-mawenzi",
        "wrong-Password-9",
    ]

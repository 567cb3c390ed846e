"""The commands for those who run a server, on its database, while it runs."""

import json
import time
from pathlib import Path

import pytest
from guest import Guest
from members import PASSWORD, member, play, rated_room, token_of
from serving import plain_settings, running
from websockets.exceptions import ConnectionClosed

from mbegu.cli import main
from mbegu.server.keep.store import Store
from mbegu.server.people import connections


def run(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    assert main(["admin", *words]) == 0
    return capsys.readouterr().out


def test_looking_after_a_server(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connections, "EVERY", 0.2)
    monkeypatch.setattr(connections.shut_out, "__defaults__", (0.2,))
    with running(plain_settings(tmp_path)) as server:
        where = ("--database", server.app.state.settings.database)
        (host, one), (robot, two) = member(server), member(server, bot=True)
        room = rated_room(host, robot)
        play(room, [host, robot], 10, loser=1)
        told = run(capsys, "users", *where)
        assert one in told
        assert two in told
        users = [json.loads(line) for line in run(capsys, "users", "--json", *where).splitlines()]
        assert {user["name"]: user["bot"] for user in users} == {one: False, two: True}
        assert {user["rated_games"] for user in users} == {1}
        assert one in run(capsys, "users", one[2:], *where)
        assert f"{one} – {two}" in run(capsys, "games", "--rated", *where)
        assert "no such game" in run(capsys, "games", "--status", "setup", *where)
        stats = json.loads(run(capsys, "stats", "--json", *where))
        assert (stats["accounts"], stats["bots"], stats["rated_games"]) == (2, 1, 1)
        assert "accounts" in run(capsys, "stats", *where)

        token = token_of(robot, "read")
        with robot.enter(room) as visit:
            assert "shut out" in run(capsys, "ban", two, "--reason", "too fast", *where)
            with pytest.raises(ConnectionClosed, match="4001"):
                visit.until(lambda _message: False, 10)
        assert robot.get("/api/v1/account")["account"] is None
        with robot.enter(room) as visit:  # comes back at once, and finds himself a stranger
            assert not any(seat["yours"] for seat in visit.first["room"]["seats"])
        program = Guest(server.port).ask(
            "GET", "/api/v1/games", headers={"Authorization": f"Bearer {token}"}
        )
        assert program.status == 401
        again = {"name": two, "password": PASSWORD}
        refused = server.guest().post("/api/v1/account/sign-in", again)
        assert refused.status == 403
        assert "too fast" in refused.json()["error"]
        assert "for ever" in run(capsys, "users", two, *where)
        assert "may play again" in run(capsys, "unban", two, *where)
        assert server.guest().post("/api/v1/account/sign-in", again).status == 200

        code = run(capsys, "recovery", one, *where).strip()
        body = {"name": one, "code": code, "password": "something-new"}
        assert server.guest().post("/api/v1/account/recover", body).status == 200


def test_what_is_wrong_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    where = ("--database", str(tmp_path / "games.sqlite3"))
    for command in (["admin", "users"], ["backup", str(tmp_path / "copy")]):
        assert main([*command, *where]) == 2
        assert "there is no database" in capsys.readouterr().err
    assert not list(tmp_path.iterdir()), "a slip of the pen makes no database"
    Store(where[1]).close()
    assert main(["admin", "ban", "nobody", *where]) == 2
    assert "nobody is called nobody here" in capsys.readouterr().err
    for span in ("soon", "0d"):
        assert main(["admin", "ban", "x", "--for", span, *where]) == 2
        assert "12h" in capsys.readouterr().err
    assert "no such account" in run(capsys, "users", *where)


def test_a_ban_ends_by_itself(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with running(plain_settings(tmp_path)) as server:
        where = ("--database", server.app.state.settings.database)
        _guest, name = member(server)
        run(capsys, "ban", name, "--for", "1h", *where)
        (line,) = run(capsys, "users", "--json", *where).splitlines()
        assert json.loads(line)["banned"].startswith(time.strftime("%Y-", time.gmtime()))

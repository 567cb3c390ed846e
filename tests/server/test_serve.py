"""`mbegu serve` as a process: it starts, says where, stops cleanly, and explains what is wrong."""

import json
import os
import re
import signal
import socket
import subprocess
import sys
from pathlib import Path

import pytest
from guest import Guest
from online_table import invite
from processes import process
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect
from websockets.typing import Origin

from mbegu.cli import main
from mbegu.server.keep.store import Store


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_clean_stop(tmp_path: Path, number: signal.Signals) -> None:
    with process(tmp_path / "games.sqlite3") as (server, guest):
        guest.get("/api/v1/rooms")
        room = guest.new_room("oware", "human", 3)
        with guest.enter(room) as visit:
            server.send_signal(number)
            assert visit.event("stopping")["seconds"] > 0
            with pytest.raises(ConnectionClosed) as closed:
                visit.until(lambda _message: False, 30)
            assert closed.value.rcvd is not None
            assert closed.value.rcvd.code == 1012
            assert server.wait(30) == 0
        assert server.stderr is not None
        assert server.stderr.read() == ""


def test_an_impatient_stop_is_quiet_too(tmp_path: Path) -> None:
    with process(tmp_path / "games.sqlite3") as (server, guest):
        with guest.enter(guest.new_room("oware", "human", 3)) as visit:
            server.send_signal(signal.SIGINT)
            visit.event("stopping")
            server.send_signal(signal.SIGINT)
            assert server.wait(3) == 0
        assert server.stderr is not None
        assert server.stderr.read() == ""


def test_no_acknowledged_move_is_lost(tmp_path: Path) -> None:
    guest, room, acknowledged = Guest(0), "", 0
    for turn in range(3):
        with process(tmp_path / "games.sqlite3") as (server, here):
            guest.port = here.port
            if not room:
                guest.get("/api/v1/rooms")
                room = guest.new_room("kalah", "human", "human")
            with guest.enter(room) as visit:
                assert visit.version == acknowledged
                for _move in range(4 + turn):
                    assert visit.view is not None
                    assert visit.move(visit.view["legal"][-1]["move"])["t"] == "ack"
                acknowledged = visit.version
                server.kill()  # no good-bye
                server.wait(5)


def complaint(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    """What a server says that cannot begin, in one line."""
    assert main(["serve", "--no-browser", *arguments]) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.count("\n") == 1
    return said.err


def test_an_occupied_port(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        said = complaint(capsys, "--port", port, "--database", str(tmp_path / "games.sqlite3"))
    assert f"port {port} is in use" in said


def test_databases_that_cannot_be_used(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    def said(database: str) -> str:
        return complaint(capsys, "--port", "0", "--database", database)

    bad = tmp_path / "bad.sqlite3"
    bad.write_text("this is not a database, however long it may be " * 50, "utf-8")
    assert "is not a Mbegu database" in said(str(bad))
    assert bad.read_text("utf-8").startswith("this is not")
    Store(str(tmp_path / "good.sqlite3")).close()
    assert "cannot be written" in said(
        f"sqlite:///file:{tmp_path / 'good.sqlite3'}?mode=ro&uri=true"
    )
    assert "cannot be opened" in said(str(tmp_path))
    assert "cannot be used" in said("nosql://somewhere")


def test_an_address_that_is_not_ours(capsys: pytest.CaptureFixture[str]) -> None:
    said = complaint(capsys, "--host", "no.such.host.invalid", "--port", "0")
    assert "is not an address of this computer" in said


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

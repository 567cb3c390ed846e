"""A database that is full or damaged, and games that cannot be played: all of it is said, and said once."""

import json
import logging
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from guest import Guest
from serving import Running, plain_settings, running
from sqlalchemy.exc import IntegrityError, OperationalError

from mbegu.server.keep.soundness import Soundness

FULL = OperationalError("UPDATE", {}, sqlite3.OperationalError("database or disk is full"))


@pytest.fixture
def server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Running]:
    monkeypatch.setattr("mbegu.server.keep.store.PROBE_EVERY", 0.0, raising=False)
    with running(plain_settings(tmp_path)) as found:
        yield found


def troubles(caplog: pytest.LogCaptureFixture) -> list[str]:
    """What was written about the database."""
    return [entry.getMessage() for entry in caplog.records if "soundness" in entry.name]


def test_a_full_disk_is_told(
    server: Running, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    guest, store = server.guest(), server.app.state.hall.store
    room = guest.new_room("oware", "human", "human")
    assert guest.ask("GET", "/ready").status == 200

    def full(_batch: Any) -> Any:
        raise FULL

    with guest.enter(room) as visit:
        with monkeypatch.context() as patched:
            patched.setattr(store, "_transact", full)
            for _number in range(3):
                assert visit.move(2)["t"] == "refused"
                answer = guest.ask("GET", "/ready")
                assert answer.status == 503
                assert "full" in answer.json()["reason"]
        assert troubles(caplog) == ["writing the database fails: database or disk is full"]
        assert guest.ask("GET", "/ready").status == 200
        assert visit.move(2)["t"] == "ack"
    assert troubles(caplog)[1:] == ["writing the database works again"]


def test_a_change_that_clashes_is_not_the_databases_fault(caplog: pytest.LogCaptureFixture) -> None:
    sound = Soundness()
    sound.failed("writing", IntegrityError("INSERT", {}, sqlite3.IntegrityError("not unique")))
    sound.failed("writing", ValueError("ours"))
    assert sound.trouble is None
    damaged = OperationalError("SELECT", {}, sqlite3.DatabaseError("disk image is malformed"))
    for _number in range(3):
        sound.failed("reading", damaged)
        sound.went_well("reading")  # another page
    assert sound.trouble == "disk image is malformed"
    assert len(troubles(caplog)) == 1


# ---- games


def spoil(server: Running, room: str, guest: Guest) -> None:
    """Puts a move into a stored game that is none."""
    with guest.enter(room) as visit:
        assert visit.move(2)["t"] == "ack"
    path = server.app.state.settings.database
    with sqlite3.connect(path) as line:
        move = json.dumps({"ply": 1, "player": 0, "move": 77})
        line.execute("UPDATE events SET data = ? WHERE room = ?", (move, room))
    line.close()


def test_a_stored_game_that_cannot_be_played(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    settings = plain_settings(tmp_path)
    with running(settings) as server:
        guest = server.guest()
        room = guest.new_room("oware", "human", "human")
        sound = guest.new_room("oware", "human", "human")
        spoil(server, room, guest)
    with running(settings) as server:
        guest.port = server.port
        answer = guest.ask("GET", f"/api/v1/rooms/{room}")
        assert (answer.status, "damaged" in answer.json()["error"]) == (500, True)
        with guest.socket(f"/ws/rooms/{room}") as line:
            told = json.loads(line.recv(5))
            assert told["t"] == "refused"
            assert "damaged" in told["error"]
            with pytest.raises(Exception, match="4004"):
                line.recv(5)
        assert guest.ask("GET", f"/play/{room}").status in (200, 404, 503)
        listed = [found["id"] for found in guest.get("/api/v1/rooms")["rooms"]]
        assert sound in listed
        with guest.enter(sound) as visit:
            assert visit.move(2)["t"] == "ack"
    assert not [entry for entry in caplog.records if entry.exc_info]
    assert [entry for entry in caplog.records if entry.levelno == logging.ERROR]


def test_a_damaged_summary_does_not_hide_the_others(server: Running) -> None:
    guest = server.guest()
    rooms = [guest.new_room("oware", "human", "human") for _number in range(3)]
    with sqlite3.connect(server.app.state.settings.database) as line:
        line.execute("UPDATE rooms SET position = 'nonsense' WHERE id = ?", (rooms[1],))
    line.close()
    listed = [found["id"] for found in guest.get("/api/v1/rooms")["rooms"]]
    assert sorted(listed) == sorted([rooms[0], rooms[2]])

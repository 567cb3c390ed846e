"""PostgreSQL: what is said when it cannot be used, and a game that outlives its absence."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from postgres import MISSING, Postgres, programs
from serving import plain_settings, running
from sqlalchemy.exc import OperationalError
from websockets.exceptions import ConnectionClosed

from mbegu.server.keep.database import open_engine
from mbegu.server.keep.store import Store, StoreError
from mbegu.server.keep.tables import LATEST
from mbegu.server.play.commands import command_key

PLAIN = {"game": "oware", "seats": [{"kind": "human"}, {"kind": "human"}]}


@pytest.fixture(scope="module")
def own() -> Iterator[Postgres]:
    """A server that may be stopped."""
    if programs() is None:
        pytest.skip(MISSING)
    server = Postgres()
    yield server
    server.close()


def refusal(url: str) -> str:
    """What is said of a database that cannot be used."""
    with pytest.raises(StoreError) as refused:
        Store(url)
    said = str(refused.value)
    assert "\n" not in said
    assert "hush" not in said
    return said


def test_clear_words(own: Postgres) -> None:
    own.query("CREATE ROLE locked LOGIN PASSWORD 'right'")
    assert "check the user and the password" in refusal(
        f"postgresql://locked:hush@/postgres?host={own.folder}"
    )
    assert "make it with createdb" in refusal(own.url("nothing"))
    assert "is its server running" in refusal("postgresql://me:hush@/games?host=/nowhere")
    assert "is its server running" in refusal("postgresql://me:hush@127.0.0.1:9/games")
    assert "only SQLite and PostgreSQL" in refusal("mysql://me:hush@localhost/games")
    assert "cannot be used" in refusal("postgresql://me:hush@localhost:port/games")
    own.query("CREATE DATABASE stony")
    own.query("ALTER DATABASE stony SET default_transaction_read_only = on")
    assert "cannot be written" in refusal(own.url("stony"))


def test_a_database_that_goes_away_in_mid_game(own: Postgres, tmp_path: Path) -> None:
    settings = replace(plain_settings(tmp_path), database=own.new())
    with running(settings) as server:
        guest = server.guest()
        room = guest.new_room("oware", "human", "human", clock="600+1")
        with guest.enter(room) as visit:
            assert visit.move(0)["t"] == "ack"
            own.stop()
            answer = visit.move(6, id="while-it-is-away")
            assert "could not be kept" in answer["error"]
            assert guest.post("/api/v1/rooms", PLAIN).status == 503
            assert guest.ask("GET", "/api/v1/rooms").status == 503
            assert visit.command("ping")["version"] == 1
            own.start()
            assert visit.move(6, id="while-it-is-away")["t"] == "ack"
            assert (visit.version, visit.ply) == (2, 2)
        assert guest.get(f"/api/v1/rooms/{room}")["version"] == 2
    store = Store(settings.database)
    with store.engine.connect() as connection:
        counted = connection.exec_driver_sql("SELECT version, command FROM events ORDER BY 1").all()
    store.close()
    assert [version for version, _command in counted] == [1, 2]
    session = guest.cookies["mbegu"].partition(".")[0]
    assert counted[1][1] == command_key(session, "while-it-is-away")


def test_a_commit_of_which_nobody_knows(own: Postgres, tmp_path: Path) -> None:
    """The answer to a commit is lost: the room is loaded again, and the move counts once."""
    settings = replace(plain_settings(tmp_path), database=own.new())
    with running(settings) as server:
        guest, store = server.guest(), server.app.state.hall.store
        room = guest.new_room("oware", "human", "human")
        with guest.enter(room) as visit:
            transact, lost = store._transact, list[object]()

            def lose(batch: list[Any]) -> Any:
                answers = transact(batch)
                if not lost and any(getattr(job, "room", "") == room for job in batch):
                    lost.append(batch)
                    raise OperationalError("COMMIT", {}, Exception("connection lost"))
                return answers

            store._transact = lose
            assert "connect again" in visit.move(0, id="the-same-command")["error"]
            with pytest.raises(ConnectionClosed) as closed:
                visit.until(lambda _message: False)
            assert closed.value.rcvd is not None
            assert closed.value.rcvd.code == 1012
        with guest.enter(room) as again:
            assert again.version == 1
            answer = again.command("move", id="the-same-command", ply=1, move=0)
            assert (answer["t"], answer["version"]) == ("ack", 1)
            assert again.move(6)["version"] == 2


def test_an_older_database_is_left_alone_until_there_is_a_copy(own: Postgres) -> None:
    url = own.new()
    Store(url).close()
    engine = open_engine(url)

    def revision() -> str:
        with engine.connect() as line:
            return str(line.exec_driver_sql("SELECT version_num FROM alembic_version").scalar())

    with engine.begin() as line:
        line.exec_driver_sql("UPDATE alembic_version SET version_num = '0004'")
        line.exec_driver_sql("DROP INDEX rooms_owner")
    said = refusal(url)
    assert "pg_dump" in said
    assert "--migrate" in said
    assert revision() == "0004", "nothing has been changed"
    Store(url, migrate=True).close()
    assert revision() == LATEST
    engine.dispose()
    Store(url).close()

"""A real server that the tests share, with simple opponents that answer at once."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from guest import Guest
from online_table import Table
from postgres import MISSING, Postgres, programs
from serving import Running, plain_settings, running

from mbegu.server.keep.tables import rooms


@pytest.fixture(scope="session")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """The server that most tests share."""
    folder = tmp_path_factory.mktemp("served")
    assets = folder / "static" / "assets"
    assets.mkdir(parents=True)
    (assets / "app-1a2b3c.js").write_text("export {}", "utf-8")
    (folder / "static" / "index.html").write_text("<!doctype html><title>Mbegu</title>", "utf-8")
    (folder / "static" / "routes.json").write_text('["/", "/play/:game", "/settings"]', "utf-8")
    (folder / "secret.txt").write_text("not for visitors", "utf-8")
    with running(plain_settings(folder)) as server:
        yield server


@pytest.fixture
def guest(served: Running) -> Guest:
    """Somebody new."""
    return served.guest()


@pytest.fixture(autouse=True)
def no_rated_game_lives_on(request: pytest.FixtureRequest) -> Iterator[None]:
    """What a test leaves on a rated board is over: nobody may analyse it for another test."""
    yield
    if "served" in request.fixturenames:
        store = request.getfixturevalue("served").app.state.hall.store
        with store.engine.begin() as connection:
            live = (rooms.c.rated, rooms.c.status == "playing")
            connection.execute(sa.update(rooms).where(*live).values(status="over"))


@pytest.fixture
def people(served: Running) -> Iterator[Callable[..., Any]]:
    """`people("oware")`: two people at one game, and one who watches it."""
    with ExitStack() as stack:

        def seat(game: str = "oware", **more: Any) -> Table:
            table = Table(served, game, **more)
            stack.callback(table.leave)
            return table

        yield seat


@pytest.fixture(scope="session")
def postgres() -> Iterator[Postgres]:
    """A PostgreSQL server that the tests share."""
    if programs() is None:
        pytest.skip(MISSING)
    server = Postgres()
    yield server
    server.close()


@pytest.fixture(params=["sqlite", "postgresql"])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Where a database may be: the same tests run on both kinds."""
    if request.param == "sqlite":
        (tmp_path / "deep").mkdir()
        return f"sqlite:///{tmp_path / 'deep' / 'games.sqlite3'}"
    server: Postgres = request.getfixturevalue("postgres")
    return server.new()

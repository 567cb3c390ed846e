"""A database that the first release wrote: today's server brings it up to date, with a copy first.

`data/first-release.sqlite3.gz` was written by a server of that release while two people played a rated
game and one of each kind; `first-release.json` is what its API answered then.
"""

import gzip
import json
import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from members import PASSWORD
from serving import plain_settings, running

from mbegu.server.keep.tables import LATEST

DATA = Path(__file__).parent / "data"
TOLD = json.loads((DATA / "first-release.json").read_text("utf-8"))


@pytest.fixture
def database(tmp_path: Path) -> Path:
    path = tmp_path / "games.sqlite3"
    path.write_bytes(gzip.decompress((DATA / "first-release.sqlite3.gz").read_bytes()))
    return path


def test_people_games_and_ratings_are_all_there(database: Path) -> None:
    with running(replace(plain_settings(database.parent), database=str(database))) as server:
        guest = server.guest()
        reply = guest.post("/api/v1/account/sign-in", {"name": "Amina", "password": PASSWORD})
        assert reply.status == 200, reply.body
        rating = guest.get("/api/v1/account")["ratings"]["oware"]
        assert {key: rating[key] for key in TOLD["ratings"]["oware"]} == TOLD["ratings"]["oware"]
        listed = {room["id"] for room in guest.get("/api/v1/rooms?limit=20")["rooms"]}
        assert {TOLD["rated"], *(room for room, _text, _moves in TOLD["rooms"].values())} <= listed
        for room, text, moves in TOLD["rooms"].values():
            shot = guest.get(f"/api/v1/rooms/{room}")
            assert shot["view"]["text"] == text
            assert [move["move"] for move in shot["moves"]] == moves
            with guest.enter(room) as visit:  # and the game goes on
                assert visit.view is not None
                assert visit.move(visit.view["legal"][0]["move"])["t"] == "ack"


def test_there_is_a_copy_of_what_it_was(database: Path) -> None:
    with running(replace(plain_settings(database.parent), database=str(database))):
        pass
    copy = database.with_name(f"{database.name}.before-{LATEST}")
    with closing(sqlite3.connect(copy)) as kept, closing(sqlite3.connect(database)) as new:
        versions = [
            each.execute("SELECT version_num FROM alembic_version").fetchone()[0]
            for each in (kept, new)
        ]
        counts = [each.execute("SELECT count(*) FROM events").fetchone() for each in (kept, new)]
    assert versions[0] < versions[1] == LATEST
    assert counts[0] == counts[1]

"""Copies: from either kind of database into either, whole or not at all."""

import asyncio
import gzip
import random
from pathlib import Path

import pytest
import sqlalchemy as sa
from postgres import Postgres

from mbegu.cli import main
from mbegu.core.match import Match
from mbegu.core.registry import game as find_game
from mbegu.server import backup
from mbegu.server.backup import BackupError
from mbegu.server.keep.database import open_engine
from mbegu.server.keep.store import Happening, RoomRow, SeatRow, Store
from mbegu.server.keep.tables import rooms
from mbegu.server.peers.leases import PeerGroup

GAMES = ["oware", "kalah", "awale2", "urubugu", "morabaraba"]


def played(name: str, seed: int) -> RoomRow:
    """A stored game of some moves."""
    lot, match = random.Random(seed), Match(find_game(name))
    log: list[Happening] = []
    while len(log) < 6 and match.outcome is None:
        move = lot.choice(match.position.legal_moves())
        data = {"ply": len(log) + 1, "player": match.turn, "move": move}
        log.append(Happening(len(log) + 1, 5.5 + len(log), "moved", data, f"command-{len(log)}"))
        match.play(move)
    seats = (SeatRow("human", name="Amina é <b>", session="me"), SeatRow("computer", 3))
    return RoomRow(
        f"{name}-{seed}", "me", str(match.game), match.game.id, str(match.positions[0]), "60+1", 0.0,
        None, 1.0, seats, 2.0, len(log), "over" if match.outcome else "playing", len(match.moves), str(match.position),
        log=tuple(log),
    )  # fmt: skip


def filled(url: str, count: int = 2) -> list[RoomRow]:
    """A database with some games of each kind."""
    store = Store(url)
    rows = [played(name, seed) for name in GAMES for seed in range(count)]
    asyncio.run(store.add_rooms(rows))
    store.close()
    return rows


def stored(url: str) -> dict[str, RoomRow | None]:
    """The games in a database."""
    store = Store(url)
    with store.engine.connect() as connection:
        names = connection.scalars(sa.select(rooms.c.id)).all()
    found = {name: asyncio.run(store.load(name)) for name in names}
    store.close()
    return found


def test_there_and_back_again(tmp_path: Path, postgres: Postgres) -> None:
    here, there = f"sqlite:///{tmp_path / 'one.sqlite3'}", postgres.new()
    back = f"sqlite:///{tmp_path / 'two.sqlite3'}"
    filled(here)
    first, second = tmp_path / "first.backup", tmp_path / "second.backup"
    assert backup.save(here, first).games == 10
    assert first.stat().st_mode & 0o077 == 0
    assert backup.restore(first, there) == backup.BackupSummary(10, 60)
    assert backup.check(there) == backup.BackupSummary(10, 60)
    backup.save(there, second)
    backup.restore(second, back)
    assert stored(here) == stored(there) == stored(back) != {}
    secrets = set()
    for url in (here, there, back):
        store = Store(url)
        secrets.add(store.secret)
        store.close()
    assert len(secrets) == 1


def test_what_is_there_stays(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    here, there = str(tmp_path / "one.sqlite3"), str(tmp_path / "two.sqlite3")
    filled(here, 1)
    copy = str(tmp_path / "games.backup")
    assert main(["backup", copy, "--database", here]) == 0
    assert "5 games with 30 events" in capsys.readouterr().out
    assert main(["backup", copy, "--database", here]) == 2
    assert "--force" in capsys.readouterr().err
    assert main(["backup", copy, "--database", here, "--force", "--no-check"]) == 0
    filled(there, 2)
    before = stored(there)
    assert main(["restore", copy, "--database", there]) == 2
    assert "not empty" in capsys.readouterr().err
    assert stored(there) == before
    assert main(["restore", copy, "--database", there, "--force"]) == 0
    assert "all are whole" in capsys.readouterr().out
    assert stored(there) == stored(here)
    assert main(["backup", copy, "--force", "--database", str(tmp_path / "no.sqlite3")]) == 2
    assert "there is no database" in capsys.readouterr().err
    assert main(["backup", str(tmp_path / "no" / "x"), "--database", here]) == 2
    assert not [name for name in tmp_path.iterdir() if name.name.startswith(".")]


def test_torn_and_strange_files(tmp_path: Path) -> None:
    here, there = str(tmp_path / "one.sqlite3"), str(tmp_path / "two.sqlite3")
    filled(here, 1)
    good, bad = tmp_path / "good", tmp_path / "bad"
    backup.save(here, good)
    Store(there).close()
    whole, text = good.read_bytes(), gzip.decompress(good.read_bytes())
    lines = text.splitlines(keepends=True)
    newer = text.replace(b'"revision":"', b'"revision":"9', 1)
    torn = {
        "damaged": whole[: len(whole) // 2],
        "end is missing": gzip.compress(b"".join(lines[:-1])),
        "end is": gzip.compress(b"".join(lines[:9] + lines[10:])),
        "not a copy": b"hello",
        "newer version": gzip.compress(newer),
    }
    for words, data in torn.items():
        bad.write_bytes(data)
        with pytest.raises(BackupError, match=words):
            backup.restore(bad, there)
        assert stored(there) == {}
    with pytest.raises(BackupError, match="is not there"):
        backup.restore(tmp_path / "nothing", there)


def test_a_game_that_cannot_be_played_again(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    here = str(tmp_path / "one.sqlite3")
    filled(here, 1)
    engine = open_engine(here)
    with engine.begin() as connection:
        connection.exec_driver_sql("DELETE FROM events WHERE room = 'kalah-0' AND version = 5")
    engine.dispose()
    assert main(["backup", str(tmp_path / "x"), "--database", here]) == 1
    assert capsys.readouterr().err == "the game kalah-0 cannot be played again\n"


def test_not_while_a_server_runs(tmp_path: Path) -> None:
    here = str(tmp_path / "one.sqlite3")
    filled(here, 1)
    backup.save(here, tmp_path / "x")

    async def run() -> None:
        store = Store(here)
        cluster = PeerGroup(store)
        await cluster.start()
        with pytest.raises(BackupError, match="stop it first"):
            backup.restore(tmp_path / "x", here, force=True)
        await cluster.close()
        store.close()

    asyncio.run(run())
    backup.restore(tmp_path / "x", here, force=True)


def test_games_that_were_kept_before_the_kinds_had_types_are_whole(tmp_path: Path) -> None:
    """A copy that an earlier Mbegu has made: five games, played, taken back, resigned, set up."""
    url = f"sqlite:///{tmp_path / 'restored.sqlite3'}"
    backup.restore(Path(__file__).parent / "data" / "games-of-before.backup", url)
    report = backup.check(url)
    assert (report.games, report.events, report.damaged) == (5, 46, ())

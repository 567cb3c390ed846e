"""The store: migrations, group commits, and the pages of a list."""

import asyncio
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from alembic.config import Config
from alembic.script import ScriptDirectory

from mbegu.server.keep import store as the_store
from mbegu.server.keep import tables
from mbegu.server.keep.database import open_engine
from mbegu.server.keep.group_commit import OTHERS_AT_ONCE, Append, Job, moves_first
from mbegu.server.keep.store import (
    Displaced,
    Happening,
    RoomRow,
    SeatRow,
    Store,
    StoreError,
    data_folder,
)


def row(name: str, updated: float = 1.0, **more: Any) -> RoomRow:
    """A room."""
    seats = (SeatRow("human", session="me"), SeatRow("computer", 3))
    rest = {"version": 0, "log": (), **more}
    return RoomRow(name, "me", "oware", "o@1", "p", "-", 0.0, None, 1.0, seats, updated, **rest)


def test_migrations_make_the_tables_that_the_program_uses(url: str, tmp_path: Path) -> None:
    Store(url).close()
    engine = open_engine(url)
    inspector = sa.inspect(engine)
    for table in tables.metadata.tables.values():
        columns = {column["name"] for column in inspector.get_columns(table.name)}
        assert columns == {column.name for column in table.columns}
    engine.dispose()
    config = Config()
    config.set_main_option("script_location", str(Path(the_store.__file__).parent / "migrations"))
    assert ScriptDirectory.from_config(config).get_current_head() == tables.LATEST


def test_the_secret_and_the_games_stay(url: str) -> None:
    store = Store(url)
    secret = store.secret
    asyncio.run(store.add_rooms([row("one", log=(Happening(1, 1.0, "moved", {"move": 1}, "c"),))]))
    store.close()
    again = Store(url)
    assert again.secret == secret
    found = asyncio.run(again.load("one"))
    assert found is not None
    assert found.log == (Happening(1, 1.0, "moved", {"move": 1}, "c"),)
    again.close()


def test_a_newer_database_is_left_alone(url: str) -> None:
    Store(url).close()
    engine = open_engine(url)
    with engine.begin() as connection:
        connection.exec_driver_sql("UPDATE alembic_version SET version_num = '9999'")
    engine.dispose()
    with pytest.raises(StoreError, match="newer version of Mbegu"):
        Store(url)


def test_servers_that_begin_together(url: str) -> None:
    with ThreadPoolExecutor(3) as pool:
        stores = list(pool.map(Store, [url] * 3))
    assert len({store.secret for store in stores}) == 1
    for store in stores:
        store.close()


def test_many_changes_at_once_and_one_that_fails(url: str) -> None:
    store = Store(url)

    async def changes() -> list[Any]:
        await asyncio.wait_for(store.add_rooms([row("one")]), 10)
        good = [
            store.append("one", [Happening(n, 1.0, "moved", {})], {"version": n})
            for n in range(1, 80)
        ]
        bad = store.append("one", [Happening(7, 1.0, "moved", {})], {"version": 7})
        return await asyncio.gather(*good[:30], bad, *good[30:], return_exceptions=True)

    answers = asyncio.run(changes())
    assert [type(answer) for answer in answers if answer is not None] == [Displaced]
    found = asyncio.run(store.load("one"))
    assert found is not None
    assert [line.version for line in found.log] == list(range(1, 80))
    store.close()


def test_a_command_is_kept_once(url: str) -> None:
    store = Store(url)

    async def twice() -> None:
        await store.add_rooms([row("one"), row("two")])
        await store.append("one", [Happening(1, 1.0, "moved", {}, "same")], {"version": 1})
        await store.append("two", [Happening(1, 1.0, "moved", {}, "same")], {"version": 1})
        with pytest.raises(StoreError):
            await store.append("one", [Happening(2, 1.0, "moved", {}, "same")], {"version": 2})

    asyncio.run(twice())
    store.close()


def test_rooms_are_added_all_or_none(url: str) -> None:
    store = Store(url)
    with pytest.raises(StoreError):
        asyncio.run(store.add_rooms([row("one"), row("one")]))
    assert asyncio.run(store.load("one")) is None
    store.close()


def test_lists_of_equal_moments(url: str) -> None:
    store = Store(url)
    asyncio.run(store.add_rooms([row(name) for name in "abcde"]))
    asyncio.run(store.add_rooms([row("f", updated=2.0)]))
    first = asyncio.run(store.mine("me", 3, None, None))
    assert [found.id for found in first] == ["f", "e", "d"]
    rest = asyncio.run(store.mine("me", 9, (first[-1].updated, first[-1].id), None))
    assert [found.id for found in rest] == ["c", "b", "a"]
    assert asyncio.run(store.mine("somebody else", 9, None, None)) == []
    store.close()


def test_events_must_follow_upon_the_last(url: str) -> None:
    store = Store(url)
    lost: list[str] = []
    store.displaced = lost.append
    move = Happening(1, 1.0, "moved", {})

    async def appends() -> None:
        await store.add_rooms([row("one"), row("two")])
        with pytest.raises(Displaced):  # a gap
            await store.append("one", [Happening(2, 1.0, "moved", {})], {"version": 2})
        store.fences["two"] = 7  # some other process has it
        with pytest.raises(Displaced):
            await store.append("two", [move], {"version": 1})
        await store.append("one", [move], {"version": 1, "status": "over"})

    asyncio.run(appends())
    assert lost == ["one", "two"]
    first, second = (asyncio.run(store.load(name)) for name in ("one", "two"))
    assert first is not None
    assert second is not None
    assert (first.version, first.status, first.log) == (1, "over", (move,))
    assert (second.version, second.log) == (0, ())
    store.close()


def test_odd_texts_come_back(url: str) -> None:
    store = Store(url)
    data = {"text": "\u0000 é \ud800 'quoted' \\", "left": [0.1 + 0.2, None], "number": 10**15}
    asyncio.run(store.add_rooms([row("one")]))
    asyncio.run(
        store.append("one", [Happening(1, 1763244875.123456, "said", data)], {"version": 1})
    )
    found = asyncio.run(store.load("one"))
    assert found is not None
    assert found.log == (Happening(1, 1763244875.123456, "said", data),)
    store.close()


def test_where_the_data_lives(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("MBEGU_DATA", str(tmp_path))
    assert data_folder() == tmp_path
    assert the_store.default_url() == f"sqlite:///{tmp_path / 'mbegu.sqlite3'}"
    with pytest.raises(StoreError, match="needs a file"):
        Store("sqlite://")


def test_an_asker_who_leaves_does_not_stop_the_writer(url: str) -> None:
    store = Store(url)
    begun, may_end = threading.Event(), threading.Event()

    def slow(connection: sa.Connection) -> None:
        begun.set()
        may_end.wait(10)

    async def leave_while_it_is_written() -> None:
        asking = asyncio.create_task(store.write(slow))
        await asyncio.to_thread(begun.wait, 10)
        waiting = asyncio.create_task(store.add_rooms([row("left before its turn")]))
        await asyncio.sleep(0)
        asking.cancel()
        waiting.cancel()
        await asyncio.gather(asking, waiting, return_exceptions=True)
        may_end.set()
        await asyncio.wait_for(store.add_rooms([row("one")]), 10)

    asyncio.run(leave_while_it_is_written())
    assert asyncio.run(store.load("one")) is not None
    assert asyncio.run(store.load("left before its turn")) is None
    store.close()


def test_moves_do_not_wait_for_other_changes() -> None:
    """However many strangers make rooms: a commit takes all moves, and a few of the others, in order."""

    async def main() -> None:
        others = [Job(lambda _line: None) for _number in range(20)]
        moves = [Append(f"room{n}", (), {}, None, None) for n in range(5)]
        waiting, order = [*others[:10], *moves, *others[10:]], list[Job]()
        batch, later = moves_first(waiting)
        assert set(moves) <= set(batch)
        assert len(batch) <= len(moves) + OTHERS_AT_ONCE
        while batch:
            order += [job for job in batch if job not in moves]
            batch, later = moves_first(later)
        assert order == others

    asyncio.run(main())

"""No question that a visitor can ask reads a whole table: else it costs more with every game that is kept."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import sqlalchemy as sa
from members import PASSWORD, member, play, rated_room, token_of
from serving import Running, plain_settings, running

GROWING = ("rooms", "seats", "events", "accounts", "logins", "tokens", "ratings", "rated_games")
_SCAN = re.compile(r"SCAN (\w+)")
Asked = dict[str, Any]


@contextmanager
def listening(engine: sa.Engine) -> Iterator[Asked]:
    """All that is asked of the database meanwhile, with an example of each."""
    asked: Asked = {}

    def hear(
        _line: Any, _cursor: Any, statement: str, values: Any, _context: Any, many: bool
    ) -> None:
        asked.setdefault(statement, values[0] if many else values)

    sa.event.listen(engine, "before_cursor_execute", hear)
    try:
        yield asked
    finally:
        sa.event.remove(engine, "before_cursor_execute", hear)


def plans(engine: sa.Engine, asked: Asked) -> dict[str, str]:
    """How SQLite finds the answer to each question."""
    found = {}
    with engine.connect() as connection:
        for statement, values in asked.items():
            if statement.startswith(("SELECT", "UPDATE", "DELETE", "INSERT", "WITH")):
                steps = connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {statement}", values)
                found[statement] = "; ".join(str(step[3]) for step in steps)
    return found


def use(server: Running) -> None:
    """Whatever a guest, a member and a program do."""
    guest, (host, name), (friend, _other) = server.guest(), member(server), member(server)
    room = rated_room(host, friend)
    play(room, [host, friend], 12, loser=0)
    token = {"Authorization": f"Bearer {token_of(host, 'read')}"}
    own = guest.new_room("oware", "human", "human")
    play(own, [guest, guest], 2)
    for path in (
        "/",
        "/games",
        f"/play/{own}",
        f"/people/{name}",
        "/leaderboard/oware",
        "/account",
    ):
        for one in (guest, host):
            one.ask("GET", path)
    for path in (
        "rooms",
        "rooms?limit=3&status=playing",
        "rooms?limit=1&status=over",
        f"rooms/{own}",
        f"rooms/{own}/record?format=text",
        "leaderboards/oware",
        f"people/{name}",
        f"people/{name}/games",
        "account",
        "account/tokens",
        "account/export",
    ):
        guest.ask("GET", f"/api/v1/{path}")
        host.ask("GET", f"/api/v1/{path}")
        guest.ask("GET", f"/api/v1/{path}", headers=token)
    pages = host.get("/api/v1/rooms?limit=1")
    if pages.get("next"):
        host.get(f"/api/v1/rooms?limit=1&before={pages['next']}")
    guest.ask("POST", "/api/v1/analysis", {"game": "oware", "seconds": 0.05})
    host.post("/api/v1/account/sign-in", {"name": name, "password": PASSWORD})
    host.post("/api/v1/account/sign-in", {"name": name, "password": "wrong-Password-9"})
    guest.ask("DELETE", f"/api/v1/rooms/{own}", {})


def test_no_question_reads_a_whole_table(tmp_path: Path) -> None:
    with running(plain_settings(tmp_path)) as server:
        engine = server.app.state.hall.store.engine
        with listening(engine) as asked:
            use(server)
        found = plans(engine, asked)
    assert len(found) > 30, "it was heard"
    slow = {
        statement: plan
        for statement, plan in found.items()
        if any(table in GROWING for table in _SCAN.findall(plan))
    }
    assert not slow


def test_the_games_of_a_visitor_are_found_by_him_and_not_among_all(tmp_path: Path) -> None:
    with running(plain_settings(tmp_path)) as server:
        guest, engine = server.guest(), server.app.state.hall.store.engine
        guest.new_room("oware", "human", "human")
        with listening(engine) as asked:
            for question in ("", "?status=playing", "?limit=3&status=over"):
                assert "rooms" in guest.get(f"/api/v1/rooms{question}")
        found = [plan for query, plan in plans(engine, asked).items() if "rooms.owner" in query]
    assert len(found) >= 2
    for plan in found:
        assert "rooms_status" not in plan, "that would be all games that are being played"
        assert "rooms_updated" not in plan
        assert "rooms_owner" in plan

"""Heavy questions: others do not wait for them, and there is an end to how many are taken."""

import asyncio
import gc
import gzip
import json
import threading
import weakref
from types import SimpleNamespace
from typing import Any

import pytest
from guest import Guest
from members import member
from raw import ELSEWHERE, TEXT, frame, upgraded
from serving import Running

import mbegu
from mbegu.core.match import Match
from mbegu.core.record import Record
from mbegu.server.api import rooms
from mbegu.server.api.clerk import Clerk
from mbegu.server.api.clerk_worker import PIECE
from mbegu.server.net.rate_limits import Limit, VisitorLimit
from mbegu.server.people.passwords import MOST_WAITING, Hasher, asks_from
from mbegu.server.play import announcements
from mbegu.server.play.names import AccountError
from mbegu.server.think.process_pool import Job, PooledProcess

HELLO = frame(TEXT, b'{"t": "hello", "v": 1, "after": null}')
TOO_OFTEN = b"\x0f\xa8"  # 4008


def line(plies: int, game: str = "kalah(pits=6,seeds=6)") -> list[Any]:
    """The moves of a game that goes round and round."""
    match = Match(mbegu.game(game))
    while match.outcome is None and len(match.moves) < plies:
        match.play(match.position.legal_moves()[-1])
    return list(match.moves)


def records(games: int) -> str:
    """A file of games."""
    match = Match(mbegu.game("oware"))
    while match.outcome is None and len(match.moves) < 60:
        match.play(match.position.legal_moves()[0])
    return f"{match.record()}\n\n" * games


def never(*_arguments: Any) -> Any:
    raise AssertionError("this belongs into another process")


def test_lines_are_played_through_elsewhere(guest: Guest, monkeypatch: pytest.MonkeyPatch) -> None:
    question = {"game": "kalah(pits=6,seeds=6)", "moves": line(30)}
    few = guest.post("/api/v1/try", {**question, "moves": question["moves"][:2]}).json()["steps"]
    monkeypatch.setattr("mbegu.server.api.positions.tried", never, raising=False)
    monkeypatch.setattr("mbegu.server.api.positions.view", never)
    answer = guest.post("/api/v1/try", question)
    assert answer.status == 200
    assert answer.json()["steps"][:2] == few
    assert len(answer.json()["steps"]) == len(question["moves"])


@pytest.mark.parametrize(
    ("change", "status"),
    [({"moves": [9] * 20}, 422), ({"moves": ["?"] * 20}, 400), ({"game": "chess"}, 400)],
)
def test_what_is_wrong_is_told_as_always(guest: Guest, change: Any, status: int) -> None:
    answer = guest.post("/api/v1/try", {"game": "oware", "moves": [0] * 20, **change})
    assert answer.status == status
    assert answer.json()["error"]


def test_an_import_is_read_elsewhere(guest: Guest, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("mbegu.server.play.forms.imported_rooms", never)
    monkeypatch.setattr("mbegu.server.api.rooms.imported_rooms", never, raising=False)
    answer = guest.post("/api/v1/records", {"text": records(3)})
    assert answer.status == 201
    assert len(answer.json()["rooms"]) == 3
    wrong = guest.post("/api/v1/records", {"text": records(1) + "\n[Game nonsense"})
    assert wrong.status == 400
    assert wrong.json()["line"] > 1


def test_imports_do_not_keep_readers_waiting(served: Running) -> None:
    text, done = records(25), list[str]()

    def bring(guest: Guest) -> None:
        guest.post("/api/v1/records", {"text": text})
        done.append("import")

    visitor = served.guest()
    tasks = [threading.Thread(target=bring, args=(served.guest(),)) for _number in range(8)]
    for task in tasks:
        task.start()
    for _number in range(10):
        visitor.get("/api/v1/rooms")
        done.append("read")
    for task in tasks:
        task.join(60)
    assert done.count("import") == 8
    assert done[:4] == ["read"] * 4


def test_a_large_import_is_kept_in_pieces(
    served: Running, guest: Guest, monkeypatch: pytest.MonkeyPatch
) -> None:
    store, sizes = served.app.state.hall.store, list[int]()
    original = store.add_rooms

    async def counted(rows: Any) -> None:
        sizes.append(sum(len(row.log) for row in rows))
        await original(rows)

    monkeypatch.setattr(store, "add_rooms", counted)
    assert guest.post("/api/v1/records", {"text": records(25)}).status == 201
    assert len(sizes) > 5
    assert max(sizes) <= 300


def test_games_are_not_brought_without_end(served: Running, guest: Guest) -> None:
    """They are kept for ever: what counts is how much of the disk they take."""
    limits = served.app.state.limits
    before, limits.brought = limits.brought, VisitorLimit(rate=0, burst=100)
    try:
        found = [guest.post("/api/v1/records", {"text": records(1)}) for _time in range(3)]
    finally:
        limits.brought = before
    assert [answer.status for answer in found] == [201, 429, 429]
    assert int(found[1].headers["retry-after"]) > 60
    assert len(guest.get("/api/v1/rooms")["rooms"]) == 1


def test_a_large_import_is_let_go_piece_by_piece() -> None:
    rows: Any = [SimpleNamespace(id=str(n), log=[None] * rooms.A_PIECE) for n in range(3)]
    left = list[int]()

    class Hall:
        async def add(self, _piece: Any) -> None:
            left.append(len(rows))

    hall: Any = Hall()
    assert asyncio.run(rooms._add_in_pieces(hall, rows)) == ["0", "1", "2"]
    assert left[:3] == [2, 1, 0]


@pytest.mark.parametrize(("bound", "status"), [("MOST_EACH", 429), ("MOST_WAITING", 503)])
def test_the_queue_has_an_end(
    guest: Guest, monkeypatch: pytest.MonkeyPatch, bound: str, status: int
) -> None:
    question = {"game": "kalah(pits=6,seeds=6)", "moves": line(20)}
    monkeypatch.setattr(f"mbegu.server.api.clerk.{bound}", 0)
    for path, body in (("try", question), ("records", {"text": records(1)})):
        answer = guest.post(f"/api/v1/{path}", body)
        assert answer.status == status
        assert int(answer.headers["retry-after"]) > 0


def test_while_others_wait_a_chore_is_shorter(
    guest: Guest, served: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("mbegu.server.api.clerk.HURRIED", 0.05)
    monkeypatch.setattr("mbegu.server.api.clerk.LOOK_AGAIN", 0.05)
    assert guest.post("/api/v1/records", {"text": records(60)}).status == 201, "nobody waits"
    found = list[int]()
    text = {"text": records(200)}
    asking = [
        threading.Thread(
            target=lambda: found.append(served.guest().post("/api/v1/records", text).status)
        )
        for _number in range(2)
    ]
    for each in asking:
        each.start()
    for each in asking:
        each.join()
    assert 413 in found


def test_what_takes_too_long_is_given_up(guest: Guest, monkeypatch: pytest.MonkeyPatch) -> None:
    question = {"game": "kalah(pits=6,seeds=6)", "moves": line(20)}
    assert guest.post("/api/v1/try", question).status == 200
    with monkeypatch.context() as hurried:
        hurried.setattr("mbegu.server.api.clerk.MOST_SECONDS", 0.0)
        assert guest.post("/api/v1/records", {"text": records(100)}).status == 413
    assert guest.post("/api/v1/try", question).status == 200


@pytest.mark.parametrize("address", [ELSEWHERE, "2001:db8:7:7::{:x}"])
def test_tokens_that_nobody_has_are_not_looked_up_without_end(
    served: Running, guest: Guest, monkeypatch: pytest.MonkeyPatch, address: str
) -> None:
    monkeypatch.setattr(served.app.state.limits, "lookups", Limit(rate=0, burst=3), raising=False)
    found = []
    for number in range(6):
        headers = {
            "Authorization": f"Bearer mbegu_{number:032d}",
            "X-Forwarded-For": address.format(number),
        }
        found.append(guest.ask("GET", "/api/v1/rooms", headers=headers).status)
    assert found == [401, 401, 401, 429, 429, 429]
    assert guest.ask("GET", "/api/v1/rooms").status == 200


# ---- records with much around few moves

VARIED = '[Game "oware"]\n\n1. C f' + " (1... a)" * 300 + " *\n"


@pytest.mark.parametrize("form", ["text", "json", "ogn"])
def test_a_record_with_many_variations_is_written_elsewhere(
    guest: Guest, monkeypatch: pytest.MonkeyPatch, form: str
) -> None:
    (room,) = guest.post("/api/v1/records", {"text": VARIED}).json()["rooms"]
    monkeypatch.setattr("mbegu.server.api.rooms.record_file", never)
    answer = guest.ask("GET", f"/api/v1/rooms/{room}/record?format={form}")
    assert answer.status == 200
    assert len(answer.body) > 1000


def test_nor_is_it_when_all_games_are_asked_for(
    served: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    owner, _name = member(served)
    assert owner.post("/api/v1/records", {"text": VARIED}).status == 201
    monkeypatch.setattr("mbegu.server.api.clerk.kept_game", never)
    assert owner.ask("GET", "/api/v1/account/export").status == 200


def test_variations_without_end_are_not_kept(guest: Guest) -> None:
    text = VARIED.replace(" (1... a)", " (1... a)\n" * 40)
    answer = guest.post("/api/v1/records", {"text": text})
    assert answer.status == 400
    assert "variations" in answer.json()["error"]


def test_the_work_for_tags_grows_as_their_number() -> None:
    def compared(count: int) -> int:
        calls = [0]

        class Name(str):
            __slots__ = ()
            __hash__ = str.__hash__

            def __eq__(self, other: object) -> bool:
                calls[0] += 1
                return str.__eq__(self, other)

        tags = tuple((Name(f"T{number}"), "x") for number in range(count))
        Record(mbegu.game("oware").start(), tags=tags)
        return calls[0]

    assert compared(400) <= 3 * compared(200) + 4000


# ---- passwords


def test_passwords_of_each_place_take_turns() -> None:
    order = list[str]()

    async def main() -> None:
        hasher = Hasher(passes=1, kib=8, lanes=1)

        async def ask(place: str) -> None:
            asks_from(place)
            await hasher._run(lambda: order.append(place))

        await asyncio.gather(*(ask("flood") for _number in range(40)), ask("home"))
        hasher.close()

    asyncio.run(main())
    assert order.index("home") <= 3


def test_when_too_many_wait_those_of_the_longest_line_are_sent_away() -> None:
    async def main() -> list[Any]:
        hasher = Hasher(passes=1, kib=8, lanes=1)

        async def ask(place: str) -> str:
            asks_from(place)
            await hasher._run(lambda: None)
            return place

        flood = [ask("flood") for _number in range(100)]
        found = await asyncio.gather(*flood, ask("home"), return_exceptions=True)
        hasher.close()
        return found

    found = asyncio.run(main())
    assert found[-1] == "home"
    assert sum(isinstance(one, AccountError) for one in found) == 100 - MOST_WAITING


# ---- hello


def test_hello_is_not_answered_without_end(guest: Guest, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("mbegu.server.api.sockets.HELLOS_A_SECOND", 0)  # however slow this computer
    room, written = guest.new_room("oware", "human", "human"), list[int]()
    original = announcements.view_text

    def counted(*arguments: Any) -> str:
        written.append(1)
        return original(*arguments)

    monkeypatch.setattr(announcements, "view_text", counted)
    with upgraded(guest, f"/ws/rooms/{room}") as said:
        said.say(HELLO * 10)
        told = b""
        while told.count(b'"t":"snapshot"') < 10:
            told += said.socket.recv(65_536)
        for _number in range(40):
            said.say(HELLO)
        told = b""
        while not told.endswith(TOO_OFTEN) and (piece := said.socket.recv(65_536)):
            told += piece
    assert told.count(b'"t":"snapshot"') <= 10, "twenty at once, of which ten were before"
    assert told.endswith(TOO_OFTEN)
    assert len(written) == 1, "the same position was written again and again"
    with guest.enter(room) as visit:
        assert visit.move(2)["t"] == "ack"
    with guest.enter(room) as visit:
        assert visit.first["view"]["turn"] == 1
        assert [move["move"] for move in visit.first["moves"]] == [2]


def test_who_does_not_answer_a_good_bye_is_cut(
    guest: Guest, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("mbegu.server.net.websocket_protocol.GOODBYE", 0.1)
    with upgraded(guest, "/ws/lobby") as said:
        said.say(frame(TEXT, b'{"t": "hello", "v": 99}'))
        assert said.rest().endswith(b"\x0f\xa9")  # 4009


def test_a_long_answer_comes_packed(guest: Guest) -> None:
    question = {"game": "kalah(pits=6,seeds=6)", "moves": line(20)}
    plain = guest.post("/api/v1/try", question)
    answer = guest.ask("POST", "/api/v1/try", question, headers={"Accept-Encoding": "gzip"})
    assert answer.headers["content-encoding"] == "gzip"
    assert gzip.decompress(answer.body) == plain.body


def test_an_answer_that_was_given_is_let_go() -> None:
    """Megabytes for each question, kept until its alarm would ring, were hundreds in a flood."""
    given: list[weakref.ref[Job]] = []

    class Watched(Clerk):
        def _give(self, job: Job, worker: PooledProcess) -> None:
            given.append(weakref.ref(job))
            super()._give(job, worker)

    async def ask() -> list[Job | None]:
        clerk = Watched()
        try:
            body = json.dumps({"game": "oware", "moves": [0, 6]}).encode()
            assert (await clerk.attempt(body, False, "somebody", ELSEWHERE)).status_code == 200
            await asyncio.sleep(0.1)
            gc.collect()
            return [job() for job in given]
        finally:
            clerk.close()

    assert asyncio.run(ask()) == [None]


def test_a_long_answer_is_sent_in_turns_with_others() -> None:
    """In one piece, a megabyte would be written while everybody waits."""
    moves, sent = line(60, "morabaraba"), list[bytes]()

    async def send(message: Any) -> None:
        sent.append(message.get("body", b""))

    async def receive() -> Any:
        await asyncio.sleep(60)

    async def ask() -> None:
        clerk = Clerk()
        try:
            body = json.dumps({"game": "morabaraba", "moves": moves}).encode()
            answer = await clerk.attempt(body, False, "somebody", ELSEWHERE)
            await answer({"type": "http", "method": "POST", "headers": []}, receive, send)
            assert int(answer.headers["content-length"]) == sum(map(len, sent))
        finally:
            clerk.close()

    asyncio.run(ask())
    assert max(map(len, sent)) <= PIECE < sum(map(len, sent))
    assert len(json.loads(b"".join(sent))["steps"]) == len(moves)

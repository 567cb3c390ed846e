"""The server's rooms in a tab: the same protocol, with a database and an engine that the tab brings."""

import asyncio
import json
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest

import mbegu
from mbegu.engine import machine
from mbegu.server.play.ports import StoreError, ThoughtFailed
from mbegu.server.tab.engines import Mind, TabEngines, seconds_of
from mbegu.server.tab.office import Office
from mbegu.server.tab.store import TabStore

MOST_SECONDS = 60


class Keeper:
    """The browser's database, in memory; `full` keeps nothing any more."""

    def __init__(self) -> None:
        self.rooms: dict[str, dict[str, Any]] = {}
        self.full = False

    async def load(self, room: str) -> str | None:
        return json.dumps(self.rooms[room]) if room in self.rooms else None

    async def append(self, room: str, events: str, summary: str) -> str:
        if self.full:
            raise OSError("QuotaExceededError")
        if room not in self.rooms:
            return "gone"
        row, lines = self.rooms[room], json.loads(events)
        if row["version"] != lines[0]["version"] - 1:
            return "behind"
        row["log"] += lines
        row.update(json.loads(summary))
        return "kept"

    async def add(self, rows: str) -> None:
        if self.full:
            raise OSError("QuotaExceededError")
        for row in json.loads(rows):
            self.rooms[row["id"]] = row

    async def remove(self, room: str) -> None:
        del self.rooms[room]

    async def list(self) -> str:
        return json.dumps([{**row, "log": []} for row in self.rooms.values()])


class Page:
    """The page: it remembers what it is told, and thinks of the first legal move."""

    def __init__(self) -> None:
        self.told: asyncio.Queue[tuple[Any, ...]] = asyncio.Queue()
        self.prepared: list[str] = []  # the games for which an engine was got ready

    def prepare(self, question: str) -> None:
        self.prepared += json.loads(question)

    def answer(self, number: int, status: int, kind: str, body: str) -> None:
        self.told.put_nowait(("answer", number, status, kind, body))

    def opened(self, line: int) -> None:
        self.told.put_nowait(("opened", line))

    def said(self, line: int, text: str) -> None:
        self.told.put_nowait(("said", line, json.loads(text)))

    def closed(self, line: int, code: int) -> None:
        self.told.put_nowait(("closed", line, code))

    def think(self, kind: str, question: str, more: Callable[[str], None]) -> Any:
        from mbegu import game

        name, text, *_rest = json.loads(question)
        position = game(name).position(text)
        told = {"move": position.legal_moves()[0], "simple": False, "why": "because"}

        async def done() -> str:
            await asyncio.sleep(0)
            more(json.dumps(told | ({"lines": [], "final": True} if kind == "analyse" else {})))
            return ""

        return SimpleNamespace(done=done(), stop=lambda: None)

    async def hear(self, wanted: Callable[[tuple[Any, ...]], bool]) -> tuple[Any, ...]:
        """The next thing told that is wanted."""
        async with asyncio.timeout(MOST_SECONDS):
            while not wanted(told := await self.told.get()):
                pass
            return told


class Tab:
    """An office with its page and its keeper."""

    def __init__(self, keeper: Keeper | None = None) -> None:
        self.keeper, self.page = keeper or Keeper(), Page()
        self.office = Office(self.keeper, self.page)
        self.count = 0

    async def ask(
        self, method: str, path: str, form: object = None, language: str = "en"
    ) -> tuple[int, Any]:
        self.count += 1
        number = self.count
        self.office.ask(number, method, path, "" if form is None else json.dumps(form), language)
        told = await self.page.hear(lambda one: one[:2] == ("answer", number))
        return told[2], json.loads(told[4]) if told[4] and told[3].endswith("json") else told[4]

    async def game(self, level: int | None = None, name: str = "oware") -> str:
        other = {"kind": "human"} if level is None else {"kind": "computer", "level": level}
        form = {"game": name, "seats": [{"kind": "human"}, other]}
        status, told = await self.ask("POST", "/rooms", form)
        assert status == 201
        room: str = told["room"]
        return room

    async def line(self, path: str, language: str = "en") -> int:
        self.count += 1
        self.office.open(self.count, path, language)
        assert (await self.page.hear(lambda one: one[0] in ("opened", "closed")))[0] == "opened"
        return self.count

    async def enter(self, room: str) -> tuple[int, dict[str, Any]]:
        """A line to a room, and how it stands."""
        line = await self.line(f"/ws/rooms/{room}")
        self.say(line, {"t": "hello", "v": 1, "after": None})
        return line, await self.heard(line, "snapshot")

    def say(self, line: int, message: dict[str, Any]) -> None:
        self.office.say(line, json.dumps(message))

    async def heard(self, line: int, kind: str) -> dict[str, Any]:
        def wanted(one: tuple[Any, ...]) -> bool:
            return one[:2] == ("said", line) and kind in (one[2]["t"], one[2].get("kind"))

        told: dict[str, Any] = (await self.page.hear(wanted))[2]
        return told


def run(work: Any) -> Any:
    """Runs a conversation to its end."""
    return asyncio.run(asyncio.wait_for(work, MOST_SECONDS))


def test_a_move_is_made_answered_and_kept() -> None:
    async def play() -> None:
        tab = Tab()
        room = await tab.game(level=3)
        line, shot = await tab.enter(room)
        assert tab.page.prepared == ["oware"]  # before anybody waits for a thought
        assert shot["room"]["can"]["move"]
        assert shot["view"]["turn"] == 0
        move = shot["view"]["legal"][2]["move"]
        tab.say(line, {"t": "move", "id": "command-a", "ply": 1, "move": move})
        mine = await tab.heard(line, "moved")
        assert mine["data"]["move"] == move
        assert mine["data"]["player"] == 0
        reply = await tab.heard(line, "moved")
        assert reply["data"]["player"] == 1
        assert reply["data"]["ply"] == 2
        kept = tab.keeper.rooms[room]
        assert [event["kind"] for event in kept["log"] if event["kind"] == "moved"] == ["moved"] * 2
        assert kept["plies"] == 2

    run(play())


def test_a_record_that_cannot_be_read_says_where() -> None:
    """As a server does: a sentence, and the place beside it."""

    async def play() -> None:
        text = '[Game "oware"]\n\n1. A f 2. a *\n'
        status, told = await Tab().ask("POST", "/records", {"text": text})
        assert (status, told["line"], told["column"]) == (400, 3, 11)
        assert told["error"].startswith("a: this house belongs to North")

    run(play())


def test_a_game_goes_on_in_another_tab_where_it_stopped() -> None:
    async def play() -> None:
        first = Tab()
        room = await first.game()
        line, shot = await first.enter(room)
        move = shot["view"]["legal"][0]["move"]
        first.say(line, {"t": "move", "id": "command-a", "ply": 1, "move": move})
        await first.heard(line, "ack")
        second = Tab(first.keeper)
        _line, again = await second.enter(room)
        assert [one["move"] for one in again["moves"]] == [move]
        assert again["view"]["turn"] == 1

    run(play())


def test_two_tabs_do_not_write_over_each_other() -> None:
    async def play() -> None:
        first = Tab()
        room = await first.game()
        second = Tab(first.keeper)
        line, shot = await first.enter(room)
        other, _shot = await second.enter(room)
        words = [choice["move"] for choice in shot["view"]["legal"]]
        first.say(line, {"t": "move", "id": "command-a", "ply": 1, "move": words[0]})
        await first.heard(line, "ack")
        second.say(other, {"t": "move", "id": "command-b", "ply": 1, "move": words[1]})
        refused = await second.heard(other, "refused")
        assert "another tab" in refused["error"]
        assert [event["kind"] for event in first.keeper.rooms[room]["log"]].count("moved") == 1

    run(play())


def test_a_game_that_goes_on_while_it_is_loaded_is_loaded_again() -> None:
    """Another tab has moved after the database was read: what is shown is what is kept."""

    class Slow(Keeper):
        reading, overtaken = asyncio.Event(), asyncio.Event()

        async def load(self, room: str) -> str | None:
            text = await super().load(room)
            self.reading.set()
            await self.overtaken.wait()
            return text

    async def play() -> None:
        first = Tab()
        room = await first.game()
        line, shot = await first.enter(room)
        keeper = Slow()
        keeper.rooms = first.keeper.rooms
        second = Tab(keeper)
        second.office.open(1, f"/ws/rooms/{room}", "en")
        await keeper.reading.wait()
        move = shot["view"]["legal"][0]["move"]
        first.say(line, {"t": "move", "id": "command-a", "ply": 1, "move": move})
        await first.heard(line, "ack")
        second.office.elsewhere(room)
        keeper.overtaken.set()
        await second.page.hear(lambda one: one == ("opened", 1))
        second.say(1, {"t": "hello", "v": 1, "after": None})
        assert [one["move"] for one in (await second.heard(1, "snapshot"))["moves"]] == [move]

    run(play())


def test_a_game_that_two_tabs_begin_is_there_once() -> None:
    """The page has named it before Python was there; a second tab at its address asks for the same."""
    name = "abcdefghijklmnopqrstuv"
    form = {"game": "oware", "seats": [{"kind": "human"}] * 2}

    async def ask() -> None:
        first = Tab()
        second = Tab(first.keeper)
        assert (await first.ask("POST", f"/rooms?id={name}", form))[0] == 201
        line, shot = await first.enter(name)
        move = shot["view"]["legal"][0]["move"]
        first.say(line, {"t": "move", "id": "command-a", "ply": 1, "move": move})
        await first.heard(line, "ack")
        assert await second.ask("POST", f"/rooms?id={name}", form) == (201, {"room": name})
        _line, again = await second.enter(name)
        assert [one["move"] for one in again["moves"]] == [move]
        status, told = await second.ask("POST", f"/rooms?id={name}", {**form, "game": "kalah"})
        assert status == 400
        assert "name" in told["error"]
        assert (await second.ask("POST", "/rooms?id=../x", form))[0] == 400

    run(ask())


def test_a_full_storage_is_told_and_nothing_is_half_done() -> None:
    async def play() -> None:
        tab = Tab()
        room = await tab.game()
        line, shot = await tab.enter(room)
        tab.keeper.full = True
        move = shot["view"]["legal"][0]["move"]
        tab.say(line, {"t": "move", "id": "command-a", "ply": 1, "move": move})
        assert "storage" in (await tab.heard(line, "refused"))["error"]
        assert (
            await tab.ask("POST", "/rooms", {"game": "kalah", "seats": [{"kind": "human"}] * 2})
        )[0] == 503
        tab.keeper.full = False
        tab.say(line, {"t": "move", "id": "command-b", "ply": 1, "move": move})
        assert (await tab.heard(line, "ack"))["id"] == "command-b"

    run(play())


def test_what_the_api_answers_is_what_a_server_answers() -> None:
    async def ask() -> None:
        tab = Tab()
        status, games = await tab.ask("GET", "/games", language="fr")
        assert status == 200
        assert len(games["games"]) >= 5
        status, view = await tab.ask("GET", "/view?game=kalah")
        assert status == 200
        assert len(view["legal"]) == 6
        status, step = await tab.ask(
            "POST", "/try", {"game": "kalah", "move": view["legal"][0]["move"]}
        )
        assert status == 200
        assert step["events"]
        status, lesson = await tab.ask("GET", "/lessons/urubugu")
        assert status == 200
        assert lesson["steps"]
        status, picture = await tab.ask("GET", "/picture.svg?game=morabaraba")
        assert status == 200
        assert picture.startswith("<svg")

    run(ask())


def test_records_go_out_and_come_in() -> None:
    async def ask() -> None:
        tab = Tab()
        room = await tab.game(name="morabaraba")
        line, shot = await tab.enter(room)
        tab.say(
            line,
            {"t": "move", "id": "command-a", "ply": 1, "move": shot["view"]["legal"][0]["move"]},
        )
        await tab.heard(line, "ack")
        status, text = await tab.ask("GET", f"/rooms/{room}/record")
        assert status == 200
        status, told = await tab.ask("POST", "/records", {"text": text})
        assert status == 201
        again = await tab.ask("GET", f"/rooms/{told['rooms'][0]}/record")
        assert again[1].splitlines()[-1] == text.splitlines()[-1]
        status, listed = await tab.ask("GET", "/rooms?limit=20")
        assert {one["id"] for one in listed["rooms"]} == {room, told["rooms"][0]}
        assert (await tab.ask("DELETE", f"/rooms/{room}"))[0] == 204
        assert (await tab.ask("GET", f"/rooms/{room}"))[0] == 404

    run(ask())


@pytest.mark.parametrize(
    ("method", "path", "form", "status"),
    [
        ("GET", "/rooms/nobody", None, 404),
        ("GET", "/leaderboards/oware", None, 404),
        ("GET", "/view?game=chess", None, 400),
        ("GET", "/view?game=oware&position=xyz", None, 400),
        ("GET", "/rooms?limit=0", None, 400),
        ("POST", "/rooms", [1], 400),
        ("POST", "/rooms", {"game": "oware"}, 400),
        ("POST", "/records", {"text": "what?"}, 400),
        ("GET", "/rooms/nobody/record?format=pdf", None, 400),
    ],
)
def test_bad_questions_get_a_sentence(method: str, path: str, form: object, status: int) -> None:
    async def ask() -> None:
        found, told = await Tab().ask(method, path, form)
        assert found == status
        assert len(told["error"]) > 10

    run(ask())


def test_hints_and_analyses_come_from_whoever_thinks() -> None:
    async def ask() -> None:
        tab = Tab()
        line, shot = await tab.enter(await tab.game(level=3))
        tab.say(line, {"t": "hint", "id": "command-h"})
        assert (await tab.heard(line, "hint"))["why"] == "because"
        other = await tab.line("/ws/analysis")
        tab.say(
            other, {"t": "analyse", "id": "x", "game": "oware", "position": shot["view"]["text"]}
        )
        assert (await tab.heard(other, "info"))["final"] is True
        tab.say(other, {"t": "analyse", "id": "y", "game": "oware", "position": 7})
        assert (await tab.heard(other, "refused"))["id"] == "y"

    run(ask())


def test_there_is_no_such_room() -> None:
    async def ask() -> None:
        tab = Tab()
        tab.office.open(7, "/ws/rooms/nobody", "en")
        assert await tab.page.hear(lambda one: one[0] == "closed") == ("closed", 7, 4004)

    run(ask())


@pytest.mark.parametrize(
    "junk", [{"junk": 1}, {"seats": "x", "created": 1.0}, {"updated": None}, {"log": [{"kind": 1}]}]
)
def test_a_damaged_game_hides_no_other(junk: dict[str, Any]) -> None:
    async def ask() -> None:
        tab = Tab()
        first, second = await tab.game(), await tab.game()
        fresh = Tab(tab.keeper)
        whole = tab.keeper.rooms[first]
        keep = whole if len(junk) == 1 and "junk" not in junk else {}
        tab.keeper.rooms[first] = {**keep, "id": first, **junk}
        status, told = await fresh.ask("GET", "/rooms")
        assert status == 200
        assert second in {room["id"] for room in told["rooms"]}
        assert (await fresh.ask("GET", f"/rooms/{first}"))[0] in (404, 422)
        assert (await fresh.ask("GET", f"/rooms/{second}"))[0] == 200

    run(ask())


def test_a_store_says_what_is_wrong() -> None:
    async def ask() -> None:
        keeper = Keeper()
        keeper.full = True
        with pytest.raises(StoreError, match="QuotaExceededError"):
            await TabStore(keeper).add_rooms([])

    run(ask())


def test_a_fault_of_ours_is_answered(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever asks does not wait for ever."""

    def broken(*_told: object) -> str:
        raise ImportError("no such module in a tab")

    monkeypatch.setattr("mbegu.server.tab.endpoints.told_cards", broken)

    async def ask() -> None:
        assert await Tab().ask("GET", "/games") == (500, {})

    run(ask())


# ---- thinking in the other worker


def asked_of(problem: str) -> str:
    """What somebody hears whose hint came to nothing."""

    async def done() -> str:
        return problem

    page = SimpleNamespace(
        think=lambda _kind, _question, _more: SimpleNamespace(done=done(), stop=lambda: None)
    )
    game = mbegu.game("oware")
    with pytest.raises(ThoughtFailed) as told:
        asyncio.run(TabEngines(page).hint(game, str(game.start()), [], "me"))
    return str(told.value)


def test_a_module_that_did_not_arrive_whole_is_told_in_one_sentence() -> None:
    for problem in ("Error: damaged oware.wasm", "Error: missing oware.wasm"):
        assert asked_of(problem).startswith("the computer cannot think: oware.wasm did not arrive")
    assert asked_of("something else") == "something else"


def test_the_last_level_leaves_time_for_its_answer_to_arrive() -> None:
    assert (seconds_of(10, "-") or 1) < 0.9
    assert seconds_of(10, "300+3") is None  # its clock says it
    assert seconds_of(9, "-") is None  # it counts nodes


def test_only_the_module_of_the_game_that_is_played_is_needed() -> None:
    state = "mbegu.games.{}.kernel.{}"
    libraries = {
        "oware": {"state": state.format("oware", "Oware")},
        "oware-variant": {"state": state.format("oware", "OwareVariant")},
        "urubugu": {"state": state.format("urubugu", "Urubugu")},
    }
    try:
        mind = Mind(SimpleNamespace(), json.dumps(libraries))
        wanted = ("oware", "oware(min_seeds=0)", "urubugu", "kalah")
        needed = [mind.needs(json.dumps([game, "", [], 3])) for game in wanted]
    finally:
        machine.install(None)
    assert needed == ["oware", "oware-variant", "urubugu", ""]

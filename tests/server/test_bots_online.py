"""A bot plays people on a real server: offers, whole games, broken lines, restarts."""

import asyncio
import json
import re
import shlex
import time
import uuid
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, cast

import pytest
from guest import Visit
from members import member, token_of
from serving import Running, plain_settings, running

from mbegu.arena.clients.online import OnlineClient, OnlineError
from mbegu.arena.roster import find_bot
from mbegu.cli import main
from mbegu.server.keep.store import StoreError

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Running]:
    with running(plain_settings(tmp_path)) as found:
        yield found


def client(server: Running, token: str, **more: object) -> OnlineClient:
    address = f"http://127.0.0.1:{server.port}"
    return OnlineClient(
        address,
        token,
        find_bot("random"),
        say=lambda _line: None,
        pauses=(0.1,),
        **more,  # type: ignore[arg-type]
    )


async def meet(server: Running, game: str, cuts: int = 0) -> dict[str, object]:
    """Somebody takes the bot's offer and plays to the end; what is told of the room then."""
    person, _name = await asyncio.to_thread(member, server)
    return await asyncio.to_thread(_play, server, person, game, cuts)


def _play(server: Running, person, game: str, cuts: int):  # type: ignore[no-untyped-def]
    line = person.socket("/ws/lobby")
    line.send('{"t":"hello","v":1}')
    while True:
        told = json.loads(line.recv(20))
        offers = [seek for seek in told.get("seeks", []) if seek["bot"] and seek["game"] == game]
        if offers:
            break
    line.send(json.dumps({"t": "take", "id": "take-it-now", "seek": offers[0]["id"]}))
    while "room" not in told:
        told = json.loads(line.recv(20))
    line.close()
    room = told["room"]
    with person.enter(room) as visit:
        mine = [seat["yours"] for seat in visit.first["room"]["seats"]].index(True)
        while visit.view is None or visit.view["turn"] is not None:
            if visit.view is not None and visit.view["turn"] == mine:
                moves = visit.view["legal"]
                answer = visit.move(moves[len(moves) // 2]["move"])
                assert answer["t"] == "ack", answer
                if cuts and visit.ply % 7 == 1:
                    cuts -= 1
                    cut(server)
            else:
                visit.hear(30)
    return person.get(f"/api/v1/rooms/{room}")


def cut(server: Running) -> None:
    """All lines of the bot break."""
    loop = server.app.state.hall.thinkers._loop

    async def break_off() -> None:
        for session in server.app.state.lines.sessions():
            if session.startswith("@bot-"):
                for socket in list(server.app.state.lines._open[session]):
                    await socket.close(1012)

    asyncio.run_coroutine_threadsafe(break_off(), loop).result(5)


@pytest.mark.parametrize("game", ["oware", "morabaraba"])
def test_a_bot_plays_a_person_through_broken_lines(server: Running, game: str) -> None:
    account, name = member(server, bot=True)
    bot = client(server, token_of(account, "read", "play"), games=(game,), total=1)

    async def evening() -> dict[str, object]:
        playing = asyncio.create_task(bot.run())
        told = await meet(server, game, cuts=2)
        await asyncio.wait_for(playing, 20)
        return told

    told = asyncio.run(evening())
    room = told["room"]
    assert room["status"] == "over"  # type: ignore[index]
    (seat,) = [seat for seat in room["seats"] if seat["bot"]]  # type: ignore[index]
    assert (seat["name"], bot.played) == (name, 1)


def test_a_bot_comes_back_to_its_game_after_a_restart(tmp_path: Path) -> None:
    with running(plain_settings(tmp_path)) as server:
        account, _name = member(server, bot=True)
        token = token_of(account, "read", "play")
        person, _other = member(server)
        seats = [{"kind": "human"}, {"kind": "open"}]
        made = account.post("/api/v1/rooms", {"game": "kalah", "seats": seats}).json()["room"]
        invites = account.get(f"/api/v1/rooms/{made}")["room"]["invites"]
        with person.enter(made) as visit:
            assert visit.command("sit", token=invites[1])["t"] == "ack"
    with running(plain_settings(tmp_path)) as server:
        person.port = server.port
        bot = client(server, token)

        async def evening() -> None:
            playing = asyncio.create_task(bot.run())
            with person.enter(made) as visit:
                await asyncio.to_thread(visit.event, "moved")
            playing.cancel()
            await asyncio.gather(playing, return_exceptions=True)

        asyncio.run(evening())
        assert person.get(f"/api/v1/rooms/{made}")["moves"][0]["player"] == 0


class Person:
    """Somebody at the lobby and at the table, in step with a bot."""

    def __init__(self, server: Running) -> None:
        self.guest, self.name = member(server)
        self.lobby = self.guest.socket("/ws/lobby")
        self.lobby.send('{"t":"hello","v":1}')

    def hears(self, kind: str) -> dict[str, Any]:
        while True:
            told: dict[str, Any] = json.loads(self.lobby.recv(20))
            if told["t"] == kind:
                return told

    def challenge(self, name: str, **wish: object) -> dict[str, Any]:
        """Challenges the bot; what comes of it."""
        message = {"t": "seek", "game": "oware", "to": name, "clock": "300+3"}
        while True:  # until the bot is there
            self.lobby.send(json.dumps({**message, **wish, "id": uuid.uuid4().hex}))
            while (told := json.loads(self.lobby.recv(20)))["t"] not in ("ack", "refused"):
                pass
            if told["t"] == "ack":
                break
            time.sleep(0.05)
        while (told := json.loads(self.lobby.recv(20)))["t"] not in ("paired", "declined"):
            pass
        return cast("dict[str, Any]", told)

    def wait(self, visit: Visit) -> None:
        """Waits for our turn."""
        mine = [seat["yours"] for seat in visit.first["room"]["seats"]].index(True)
        while visit.view is None or visit.view["turn"] != mine:
            visit.hear(20)

    def move(self, visit: Visit) -> None:
        """Waits for our turn, and moves."""
        self.wait(visit)
        assert visit.view is not None
        assert visit.move(visit.view["legal"][0]["move"])["t"] == "ack"


def evening(server: Running, what: Callable[[str], object], **more: Any) -> OnlineClient:
    """A bot plays while something happens in another thread; it is stopped in the end."""
    account, name = member(server, bot=True)
    bot = client(server, token_of(account, "read", "play"), **more)

    async def meeting() -> None:
        playing = asyncio.create_task(bot.run())
        try:
            await asyncio.to_thread(what, name)
        finally:
            bot.stop()
            await asyncio.wait_for(playing, 20)

    asyncio.run(meeting())
    return bot


def test_challenges_offers_and_another_game(server: Running) -> None:
    person = Person(server)

    def play(name: str) -> None:
        assert person.challenge(name, game="kalah")["t"] == "declined", "it plays Oware only"
        assert person.challenge(name, clock="5+0")["t"] == "declined", "that is too hasty"
        assert person.challenge(name, rated=True)["t"] == "declined"
        room = person.challenge(name, clock="120+1")["room"]
        with person.guest.enter(room) as visit:
            person.move(visit)
            person.wait(visit)  # a move of the bot would be an answer too
            assert visit.command("undo")["t"] == "ack"
            assert visit.event("undo_declined")
            assert visit.command("offer_draw")["t"] == "ack"
            assert visit.event("draw_declined")
            assert visit.command("resign")["t"] == "ack"
            assert visit.command("offer_rematch")["t"] == "ack"
            again = visit.event("rematch")["room"]
        with person.guest.enter(again) as visit:
            person.move(visit)
            assert visit.command("resign")["t"] == "ack"

    assert evening(server, play).played == 2


def test_what_a_bot_allows_if_it_is_told_so(
    server: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    fair = iter([False, True])
    monkeypatch.setattr(
        "mbegu.arena.clients.online_game.OnlineGame._is_fair", lambda _table: next(fair)
    )
    person = Person(server)

    def play(name: str) -> None:
        room = person.challenge(name)["room"]
        with person.guest.enter(room) as visit:
            person.move(visit)
            person.wait(visit)
            assert visit.command("undo")["t"] == "ack"
            assert visit.event("undone")
            assert visit.command("offer_draw")["t"] == "ack"
            assert visit.event("draw_declined")
            person.move(visit)
            person.wait(visit)
            assert visit.command("offer_draw")["t"] == "ack"
            assert visit.event("ended")["outcome"]["reason"] == "agreement"
            assert visit.command("offer_rematch")["t"] == "ack"
            assert visit.event("rematch_declined")

    options = {"takebacks": "unrated", "draws": "even", "rematches": False}
    monkeypatch.setattr("mbegu.arena.clients.online_game.OnlineGame._finish", _stays)
    assert evening(server, play, **options).played == 1


def _stays(table: Any, played: bool) -> None:
    """The end of a game at which the bot does not rise."""
    table.over = True
    table.client.rise(table.room, played)


def test_a_move_that_could_not_be_kept_is_said_again(
    server: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    person, store = Person(server), server.app.state.hall.store
    keep, failures = store.append, [2]

    async def append(room: str, happenings: Any, summary: Any, *more: Any) -> None:
        if happenings[0].data.get("player") == bot_seat[0] and failures[0]:
            failures[0] -= 1
            raise StoreError("away")
        await keep(room, happenings, summary, *more)

    bot_seat = [2]

    def play(name: str) -> None:
        room = person.challenge(name)["room"]
        monkeypatch.setattr(store, "append", append)
        with person.guest.enter(room) as visit:
            bot_seat[0] = [seat["yours"] for seat in visit.first["room"]["seats"]].index(False)
            for _turn in range(3):
                person.move(visit)
            assert visit.command("resign")["t"] == "ack"

    evening(server, play)
    assert failures == [0]


def test_whoever_stays_away_from_a_bot_has_lost(
    server: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("mbegu.server.play.presence.WAIT", 0.2)
    monkeypatch.setattr("mbegu.arena.clients.online_game.COURTESY", 0.2)
    person = Person(server)

    def play(name: str) -> None:
        room = person.challenge(name)["room"]
        with person.guest.enter(room) as visit:
            person.move(visit)
        with server.guest().enter(room) as watcher:
            assert watcher.event("ended")["outcome"]["reason"] == "abandoned"

    assert evening(server, play).played == 1


@pytest.mark.parametrize("wish", [{"side": 1}, {"game": "urubugu", "setups": "ask"}])
def test_whoever_never_begins_holds_no_table_of_a_bot(
    server: Running, monkeypatch: pytest.MonkeyPatch, wish: dict[str, Any]
) -> None:
    monkeypatch.setattr("mbegu.arena.clients.online_game.BEGIN_WITHIN", 0.5)
    person = Person(server)

    def play(name: str) -> None:
        room = person.challenge(name, clock="-", **wish)["room"]
        with person.guest.enter(room) as visit:
            assert visit.event("ended")["outcome"]["reason"] == "aborted"

    bot = evening(server, play, games=("oware", "urubugu"), clock="-")
    assert bot.played == 0


def test_a_bot_that_is_stopped_plays_its_game_to_the_end(server: Running) -> None:
    account, name = member(server, bot=True)
    bot = client(server, token_of(account, "read", "play"))
    person = Person(server)

    async def meeting() -> None:
        playing = asyncio.create_task(bot.run())
        room = (await asyncio.to_thread(person.challenge, name))["room"]
        assert (
            bot.stop() <= 1
        )  # the bot may hear of its game a moment later, and plays it all the same
        with person.guest.enter(room) as visit:
            await asyncio.to_thread(person.move, visit)
            await asyncio.to_thread(person.move, visit)
            assert not playing.done()
            await asyncio.to_thread(visit.command, "resign")
        await asyncio.wait_for(playing, 20)
        offers = [seek for seek in person.hears("lobby")["seeks"] if seek["bot"]]
        while offers:
            offers = [seek for seek in person.hears("lobby")["seeks"] if seek["bot"]]

    asyncio.run(meeting())
    assert bot.played == 1


def test_what_is_wrong_is_said(
    server: Running, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    person, _name = member(server)
    with pytest.raises(OnlineError, match="bot’s account"):
        asyncio.run(client(server, token_of(person, "read")).run())
    with pytest.raises(OnlineError, match="not valid"):
        asyncio.run(client(server, "mbegu_" + "x" * 32).run())
    monkeypatch.setenv("MBEGU_TOKEN", "mbegu_secret")
    assert main(["online", "play", "--server", "localhost", "--bot", "random"]) == 2
    assert "is not a server" in capsys.readouterr().err
    assert main(["online", "play", "--server", "http://127.0.0.1:9", "--bot", "random"]) == 2
    assert "http://127.0.0.1:9" in capsys.readouterr().err


def test_the_examples_of_the_documentation(
    server: Running, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """docs/api.md: a program that asks, and a bot that plays, word for word."""
    page = (ROOT / "docs" / "api.md").read_text(encoding="utf-8")
    page = page.replace("http://localhost:8765", f"http://127.0.0.1:{server.port}")
    (program,) = re.findall(r"```py\n(.*?)```", page, re.DOTALL)
    exec(compile(program, "docs/api.md", "exec"), {})
    assert "sows C" in capsys.readouterr().out
    (command,) = re.findall(r"^mbegu (online play .*)$", page, re.MULTILINE)
    account, _name = member(server, bot=True)
    monkeypatch.setenv("MBEGU_TOKEN", token_of(account, "read", "play"))

    async def evening() -> int:
        playing = asyncio.create_task(asyncio.to_thread(main, shlex.split(command)))
        await meet(server, "oware")
        return await asyncio.wait_for(playing, 30)

    assert asyncio.run(evening()) == 0
    assert "Games played: 1" in capsys.readouterr().out


def test_the_client_is_found_by_its_first_name_too() -> None:
    from mbegu.arena import online

    assert (online.OnlineClient, online.OnlineError) == (OnlineClient, OnlineError)

"""A bot plays people on a real server: offers, whole games, broken lines, restarts."""

import asyncio
import json
import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import pytest
from members import member, token_of
from serving import Running, plain_settings, running

from mbegu.arena.online import OnlineClient, OnlineError
from mbegu.arena.roster import find_bot
from mbegu.cli import main

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

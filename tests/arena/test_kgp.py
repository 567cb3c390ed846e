"""The KGP client against a small server of our own: whole games, stop, ping, broken lines, bad servers."""

import asyncio
import random
import re

import pytest

import mbegu
from mbegu.arena.kgp import KgpClient, KgpError
from mbegu.arena.roster import find_bot

KALAH = mbegu.game("kalah", pits=6, seeds=4)


class Server:
    """Speaks just enough KGP; `script` is what it does with a client that has said its mode."""

    def __init__(self, script, greeting: bytes = b"kgp 1 1 0\r\n") -> None:
        self.script, self.greeting = script, greeting
        self.heard: list[str] = []
        self.connections = 0
        self.number = 0

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.connections += 1
        self.reader, self.writer = reader, writer
        writer.write(self.greeting)
        try:
            while (line := await self.hear()) and not line.endswith("mode freeplay"):
                pass
            if line:
                await self.script(self)
        except (ConnectionError, asyncio.IncompleteReadError):
            pass
        finally:
            writer.close()

    async def hear(self) -> str:
        line = (await asyncio.wait_for(self.reader.readline(), 20)).decode().strip()
        self.heard.append(line)
        return line

    def say(self, line: str) -> int:
        self.number += 2
        self.writer.write(f"{self.number} {line}\r\n".encode())
        return self.number

    async def ask(self, position: mbegu.Position) -> int:
        """The move of the client, who is South, by the number of a pit."""
        number, move = self.say(f"state {str(position).split()[0]}"), None
        while True:
            found = re.fullmatch(rf"\d+@{number} (move (\d+)|yield)", await self.hear())
            if found and found[2]:
                move = int(found[2])
            elif found:
                assert move is not None
                return move


def talk(script, bot: str = "greedy", greeting: bytes = b"kgp 1 1 0\r\n", **more) -> tuple:
    said: list[str] = []

    async def run() -> tuple:
        server = Server(script, greeting)
        listening = await asyncio.start_server(server.serve, "127.0.0.1", 0)
        port = listening.sockets[0].getsockname()[1]
        client = KgpClient(
            "127.0.0.1", port, find_bot(bot), say=said.append, pauses=(0.05,), movetime=2.0, **more
        )
        try:
            await asyncio.wait_for(client.run(), 60)
        finally:
            listening.close()
        return server, client

    server, client = asyncio.run(run())
    return server, client, said


async def whole_game(server: Server) -> None:
    """A game to its end, against random; the client is asked again after an extra turn."""
    position, chance = KALAH.start(), random.Random(1)
    while position.turn is not None:
        if position.turn == 0:
            move = await server.ask(position) - 1
        else:
            move = chance.choice(position.legal_moves())
        assert move in position.legal_moves()
        position = position.play(move)
    server.say("goodbye")


def test_a_whole_game() -> None:
    server, client, said = talk(whole_game, token="s3cret", name='My "bot"')
    assert client.positions > 5
    assert said == []
    assert server.heard[0].endswith('set auth:token "s3cret"')
    assert server.heard[1].endswith('set info:name "My \\"bot\\""')


def test_ping_stop_error_and_nonsense() -> None:
    async def script(server: Server) -> None:
        number = server.say("ping 42")
        assert re.fullmatch(rf"\d+@{number} pong 42", await server.hear())
        server.say('error "slow down"')
        server.writer.write(b"\r\n   \r\n\xff\xfe garbage\r\n")
        number = server.say("state <6,0,0,4>")
        assert f"@{number} error" in await server.hear()
        number = server.say("state <6,0,0,4,4,4,4,4,4,4,4,4,4,4,4>")
        server.writer.write(f"{number} stop\r\n".encode())
        assert await server.ask(KALAH.start()) in range(1, 7)
        server.say("goodbye")

    _server, _client, said = talk(script)
    assert len(said) == 1
    assert "slow down" in said[0]


def test_connects_again_when_the_line_breaks() -> None:
    async def script(server: Server) -> None:
        await server.ask(KALAH.start())
        if server.connections == 3:
            server.say("goodbye")  # else the line is simply cut

    server, client, said = talk(script)
    assert server.connections == 3
    assert client.positions == 3
    assert len(said) == 2


def test_other_servers() -> None:
    with pytest.raises(KgpError, match="does not speak KGP"):
        talk(whole_game, greeting=b"220 mail.example.org ESMTP\r\n")
    with pytest.raises(KgpError, match="too long"):
        talk(whole_game, greeting=b"x" * 40_000, reconnect=False)
    with pytest.raises(KgpError):
        asyncio.run(KgpClient("127.0.0.1", 1, find_bot("random"), reconnect=False).run())


@pytest.mark.usefixtures("cage")
def test_a_bot_that_fails_still_moves(write_bot) -> None:
    async def script(server: Server) -> None:
        assert await server.ask(KALAH.start()) in range(1, 7)
        server.say("goodbye")

    _server, _client, said = talk(script, bot=write_bot("raise RuntimeError('no')"))
    assert "crash" in said[0]

"""The KGP client against a small server of our own: whole games, stop, ping, broken lines, bad servers."""

import asyncio
import random
import re
import shutil
import ssl
import subprocess
from pathlib import Path

import pytest
from websockets.asyncio.server import ServerConnection
from websockets.asyncio.server import serve as serve_websockets
from websockets.exceptions import ConnectionClosed

import mbegu
from mbegu.arena.clients.kgp import KgpClient, KgpError
from mbegu.arena.roster import find_bot
from mbegu.core.errors import MbeguError

KALAH = mbegu.game("kalah", pits=6, seeds=4)


class WebStream:
    """A WebSocket that looks like the two halves of a TCP connection, one line a message."""

    def __init__(self, socket: ServerConnection) -> None:
        self.socket, self.tasks = socket, set()

    async def readline(self) -> bytes:
        try:
            return str(await self.socket.recv()).encode() + b"\n"
        except ConnectionClosed:
            return b""

    def write(self, data: bytes) -> None:
        self._later(self.socket.send(data.decode(errors="replace")))

    def close(self) -> None:
        self._later(self.socket.close())

    def _later(self, doing) -> None:
        task = asyncio.ensure_future(doing)
        self.tasks.add(task)
        task.add_done_callback(self.tasks.discard)


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

    async def serve_web(self, socket: ServerConnection) -> None:
        stream = WebStream(socket)
        await self.serve(stream, stream)
        await asyncio.gather(*stream.tasks, return_exceptions=True)

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


def talk(
    script,
    bot: str = "greedy",
    greeting: bytes = b"kgp 1 1 0\r\n",
    web: bool = False,
    secret: ssl.SSLContext | None = None,
    **more,
) -> tuple:
    said: list[str] = []

    async def run() -> tuple:
        server = Server(script, greeting)
        if web:
            listening = await serve_websockets(server.serve_web, "127.0.0.1", 0, ssl=secret)
        else:
            listening = await asyncio.start_server(server.serve, "127.0.0.1", 0)
        address = f"127.0.0.1:{listening.sockets[0].getsockname()[1]}"
        client = KgpClient(
            f"{'wss' if secret else 'ws'}://{address}/socket" if web else address,
            find_bot(bot),
            say=said.append,
            pauses=(0.05,),
            movetime=2.0,
            **more,
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


@pytest.mark.parametrize("web", [False, True])
def test_a_whole_game(web: bool) -> None:
    server, client, said = talk(whole_game, web=web, token="s3cret", name='My "bot"')
    assert client.positions > 5
    assert said == []
    assert server.heard[0].endswith('set auth:token "s3cret"')
    assert server.heard[1].endswith('set info:name "My \\"bot\\""')


@pytest.fixture
def certificate(tmp_path: Path) -> Path:
    """The certificate of 127.0.0.1 that nobody but itself vouches for, and its key, in one file."""
    openssl = shutil.which("openssl")
    if openssl is None:
        pytest.skip("OPENSSL IS MISSING, SO wss:// WAS NOT TESTED: apt-get install openssl")
    key, made = tmp_path / "key.pem", tmp_path / "certificate.pem"
    command = "req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2"
    names = ["-subj", "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1"]
    files = ["-keyout", str(key), "-out", str(made)]
    subprocess.run([openssl, *command.split(), *names, *files], check=True, capture_output=True)
    made.write_text(made.read_text() + key.read_text())
    return made


def test_over_an_encrypted_line(certificate: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    secret = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    secret.load_cert_chain(certificate)
    with pytest.raises(KgpError, match=r"wss://.*certificate verify failed"):
        talk(whole_game, web=True, secret=secret, reconnect=False)
    # A school's own authority is named by the usual variable.
    monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
    _server, client, said = talk(whole_game, web=True, secret=secret)
    assert client.positions > 5
    assert said == []


@pytest.mark.parametrize("web", [False, True])
def test_ping_stop_error_and_nonsense(web: bool) -> None:
    async def script(server: Server) -> None:
        number = server.say("ping 42")
        assert re.fullmatch(rf"\d+@{number} pong 42", await server.hear())
        server.say('error "slow down"')
        server.writer.write(b"\r\n   \r\n\xff\xfe garbage\r\n")
        number = server.say("state <6,0,0,4>")
        assert f"@{number} error" in await server.hear()
        number = server.say(f"state <6,0,0,{'9' * 5000}>")
        assert f"@{number} error" in await server.hear()
        number = server.say("state <6,0,0,4,4,4,4,4,4,4,4,4,4,4,4>")
        server.writer.write(f"{number} stop\r\n".encode())
        assert await server.ask(KALAH.start()) in range(1, 7)
        server.say("goodbye")

    _server, _client, said = talk(script, web=web)
    assert len(said) == 1
    assert "slow down" in said[0]


def test_a_flood_of_positions(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("mbegu.arena.clients.kgp.MOST_OPEN", 3)

    async def script(server: Server) -> None:
        numbers = [server.say("state <6,0,0,4,4,4,4,4,4,4,4,4,4,4,4>") for _ in range(5)]
        done = 0
        while done < len(numbers):
            done += bool(re.search(r"yield|too many", await server.hear()))
        server.say("goodbye")

    server, client, _said = talk(script)
    assert client.positions == 3
    assert sum("too many" in line for line in server.heard) == 2


@pytest.mark.parametrize("web", [False, True])
def test_connects_again_when_the_line_breaks(web: bool) -> None:
    async def script(server: Server) -> None:
        await server.ask(KALAH.start())
        if server.connections == 3:
            server.say("goodbye")  # else the line is simply cut

    server, client, said = talk(script, web=web)
    assert server.connections == 3
    assert client.positions == 3
    assert len(said) == 2


@pytest.mark.parametrize("web", [False, True])
def test_other_servers(web: bool) -> None:
    with pytest.raises(KgpError, match="does not speak KGP"):
        talk(whole_game, greeting=b"220 mail.example.org ESMTP\r\n", web=web)
    with pytest.raises(KgpError, match="too long"):
        talk(whole_game, greeting=b"x" * 40_000, reconnect=False, web=web)
    nobody = "ws://127.0.0.1:1" if web else "127.0.0.1:1"
    with pytest.raises(KgpError, match=re.escape(nobody)):
        asyncio.run(KgpClient(nobody, find_bot("random"), reconnect=False).run())


@pytest.mark.parametrize("server", ["localhost", "localhost:port", "http://x:1", ":2671", "ws://"])
def test_what_is_no_server(server: str) -> None:
    with pytest.raises(MbeguError, match="is not a server: write its name and port"):
        asyncio.run(KgpClient(server, find_bot("random")).run())


@pytest.mark.usefixtures("cage")
def test_a_bot_that_fails_still_moves(write_bot) -> None:
    async def script(server: Server) -> None:
        assert await server.ask(KALAH.start()) in range(1, 7)
        server.say("goodbye")

    _server, _client, said = talk(script, bot=write_bot("raise RuntimeError('no')"))
    assert "crash" in said[0]

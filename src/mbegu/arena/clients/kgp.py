"""A client of the Kalah Game Protocol (KGP 1.x), by which students' Kalah programs meet.

The server greets with `kgp 1 x y`; we answer `mode freeplay`. It sends positions in which we are South and
to move, each with a number; we answer with moves, better ones as they are found, and then `yield`:

    server  4 state <6,0,0,4,4,4,4,4,4,4,4,4,4,4,4>
    client  @4 move 1
    client  @4 move 3
    client  @4 yield
    server  6 stop          when we need not think on

The lines go over TCP (`host:2671`) or over a WebSocket (`ws://…`, `wss://…`), one line a message. A
connection that breaks is made again, with a pause that grows.
"""

import asyncio
import contextlib
import re
from collections.abc import Callable, Coroutine
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any, Protocol
from urllib.parse import urlsplit

from mbegu.arena.roster import BotSpec
from mbegu.arena.runner import BotFault, BotProcess
from mbegu.core.clock import Clock, TimeControl
from mbegu.core.errors import MbeguError, shorten, system_words
from mbegu.core.game import Game, Position
from mbegu.core.i18n import _
from mbegu.core.registry import game as find_game

__all__ = ["KgpClient", "KgpError"]

MOST_LINE = 16_384  # characters, as the protocol says
PAUSES = (1.0, 2.0, 5.0, 10.0, 30.0)  # seconds before the next attempt to connect
MOST_OPEN = 256  # positions that a server may ask about at once
TOO_BIG = 1009  # how a WebSocket says that a message was too long
SILENCE = 600.0  # seconds without a word after which a server counts as gone
_LINE = re.compile(
    r"(?:(?P<id>\d+)(?:@(?P<ref>\d+))?\s+|@(?P<only>\d+)\s+)?(?P<word>\S+)\s*(?P<rest>.*)"
)
_STATE = re.compile(r"<\d{1,99}(?:,\d{1,99})+>")


class KgpError(MbeguError):
    """The server refuses us, or speaks another protocol."""


@dataclass
class KgpClient:
    """Plays on a server for one bot, until it is told goodbye or stopped."""

    server: str  # host:port, ws://… or wss://…
    bot: BotSpec
    token: str = ""
    name: str = ""
    movetime: float = 1.0
    trust: bool = False
    reconnect: bool = True
    say: Callable[[str], None] = print
    pauses: tuple[float, ...] = PAUSES
    positions: int = field(default=0, init=False)  # how many we were asked about

    async def run(self) -> None:
        """Connects, plays, connects again if the line breaks; ends at a goodbye."""
        attempt, connect = 0, _door(self.server)
        with BotProcess(self.bot, trust=self.trust) as process:
            while True:
                try:
                    line = await connect()
                except (OSError, ConnectionError) as error:
                    trouble = system_words(error)
                else:
                    before = self.positions
                    trouble = await _Session(self, process, line).run()
                    attempt = 0 if self.positions > before else attempt
                    if trouble == "":
                        return
                if not self.reconnect:
                    raise KgpError(f"{self.server}: {trouble}")
                pause = self.pauses[min(attempt, len(self.pauses) - 1)]
                attempt += 1
                self.say(
                    _("{trouble}; the next attempt is in {seconds:g} s").format(
                        trouble=trouble, seconds=pause
                    )
                )
                await asyncio.sleep(pause)


# ---- lines, over TCP or a WebSocket ------------------------------------------------------------------


class _Connection(Protocol):
    """A connection: lines come and go; ConnectionError when it breaks, ValueError for too long a line."""

    async def read(self) -> str | None:
        """The next line; None at the end."""

    async def write(self, text: str) -> None:
        """Sends a line."""

    async def close(self) -> None:
        """Ends it politely, and soon."""


def _door(server: str) -> Callable[[], Any]:
    """What connects to a server, by its address."""
    try:
        url = urlsplit(server if "://" in server else f"tcp://{server}")
        host, port = url.hostname, url.port
    except ValueError:  # a port that is no number
        host = port = None
    if host and url.scheme in ("ws", "wss"):
        return lambda: _WebConnection.open(server)
    if host and port and url.scheme == "tcp" and not url.path:
        return lambda: _TcpConnection.open(host, port)
    raise MbeguError(
        _(
            "{server} is not a server: write its name and port, like localhost:2671, "
            "or an address like wss://kalah.example.org/socket"
        ).format(server=shorten(server))
    )


class _TcpConnection:
    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader, self.writer = reader, writer

    @classmethod
    async def open(cls, host: str, port: int) -> _Connection:
        return cls(*await asyncio.open_connection(host, port, limit=MOST_LINE))

    async def read(self) -> str | None:
        line = await self.reader.readline()
        return line.decode("utf-8", errors="replace") if line else None

    async def write(self, text: str) -> None:
        self.writer.write(f"{text}\r\n".encode())
        await self.writer.drain()

    async def close(self) -> None:
        self.writer.close()
        with contextlib.suppress(OSError, TimeoutError):
            await asyncio.wait_for(self.writer.wait_closed(), 1)


class _WebConnection:
    def __init__(self, socket: Any) -> None:
        self.socket = socket
        self.ahead: list[str] = []  # lines that came in one message

    @classmethod
    async def open(cls, address: str) -> _Connection:
        connect = import_module("websockets.asyncio.client").connect
        errors = import_module("websockets.exceptions")
        try:
            return cls(await connect(address, max_size=MOST_LINE, close_timeout=1))
        except (errors.InvalidHandshake, errors.InvalidURI) as error:
            raise ConnectionError(str(error)) from None

    async def read(self) -> str | None:
        closed = import_module("websockets.exceptions").ConnectionClosed
        while not self.ahead:
            try:
                message = await self.socket.recv()
            except closed as error:
                if error.sent is not None and error.sent.code == TOO_BIG:
                    raise ValueError from None
                return None
            told = message if isinstance(message, str) else message.decode(errors="replace")
            self.ahead = told.splitlines()
        return self.ahead.pop(0)

    async def write(self, text: str) -> None:
        closed = import_module("websockets.exceptions").ConnectionClosed
        try:
            await self.socket.send(text)
        except closed as error:
            raise ConnectionError(str(error)) from None

    async def close(self) -> None:
        await self.socket.close()


# ---- what is said ----------------------------------------------------------------------------------


class _Session:
    """One connection."""

    def __init__(self, client: KgpClient, process: BotProcess, line: _Connection) -> None:
        self.client, self.process, self.line = client, process, line
        self.number = 1  # a client's commands have odd numbers
        self.outgoing: asyncio.Queue[str] = asyncio.Queue()
        self.open: set[str] = set()  # positions that still want a move
        self.tasks: set[asyncio.Task[None]] = set()
        self.thinking = asyncio.Lock()  # one bot, one thought

    async def run(self) -> str:
        """Why the connection ended; empty after a goodbye."""
        self._begin(self._speak())
        try:
            return await self._listen()
        except KgpError:
            raise
        except (ConnectionError, asyncio.IncompleteReadError) as error:
            return system_words(error) or _("the connection broke")
        except (ValueError, asyncio.LimitOverrunError):
            return _("the server sent a line that is too long")
        except TimeoutError:
            return _("the server has fallen silent")
        finally:
            for task in self.tasks:
                task.cancel()
            await asyncio.gather(*self.tasks, return_exceptions=True)
            await self.line.close()

    def _begin(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self.tasks.add(task)
        task.add_done_callback(self.tasks.discard)

    async def _speak(self) -> None:
        """Sends what is to be said, in order; that a line is broken is noticed where we listen."""
        with contextlib.suppress(ConnectionError):
            while True:
                await self.line.write(await self.outgoing.get())

    async def _listen(self) -> str:
        greeted = False
        while True:
            line = await asyncio.wait_for(self.line.read(), SILENCE)
            if line is None:
                return _("the server closed the connection")
            found = _LINE.fullmatch(line.strip())
            if found is None:
                continue
            number, word, rest = found["id"], found["word"], found["rest"]
            if not greeted:
                self._greet(word, rest)
                greeted = True
            elif word == "state" and number is not None:
                self._state(number, rest)
            elif word == "stop":
                self.open.discard(found["ref"] or found["only"] or number or "")
            elif word == "ping":
                self._send(f"pong {rest}".strip(), number)
            elif word == "error":
                self.client.say(_("the server complains: {text}").format(text=shorten(rest)))
            elif word == "goodbye":
                return ""

    def _greet(self, word: str, rest: str) -> None:
        version = rest.split()
        if word != "kgp" or not version or version[0] != "1":
            raise KgpError(
                _("{server} does not speak KGP 1, it says: {line}").format(
                    server=self.client.server, line=shorten(f"{word} {rest}")
                )
            )
        if self.client.token:
            self._send(f"set auth:token {_quoted(self.client.token)}")
        self._send(f"set info:name {_quoted(self.client.name or self.client.bot.name)}")
        self._send("mode freeplay")

    def _send(self, line: str, about: str | None = None) -> None:
        prefix = f"{self.number}" + (f"@{about}" if about is not None else "")
        self.number += 2
        self.outgoing.put_nowait(f"{prefix} {line}")

    def _state(self, number: str, rest: str) -> None:
        try:
            game, position = _read_state(rest)
        except MbeguError as error:
            self._send(f"error {_quoted(str(error))}", number)
            return
        if position.turn != 0:
            return  # nothing to do
        if len(self.open) >= MOST_OPEN:
            self._send('error "too many positions at once"', number)
            return
        self.client.positions += 1
        self.open.add(number)
        self._begin(self._answer(number, game, position))

    async def _answer(self, number: str, game: Game, position: Position) -> None:
        """A first move at once, the bot's move when it has thought, then `yield`."""
        fallback = position.legal_moves()[0]
        self._send(f"move {int(fallback) + 1}", number)
        async with self.thinking:
            if number not in self.open:
                return  # stopped before its turn came
            move = await asyncio.to_thread(self._choose, game, position)
        if number in self.open:
            self.open.discard(number)
            if move is not None and move != fallback:
                self._send(f"move {move + 1}", number)
            self._send("yield", number)

    def _choose(self, game: Game, position: Position) -> int | None:
        clock = Clock(TimeControl(per_move=self.client.movetime))
        try:
            self.process.new_game(game, position, 0, 0)
            clock.start(0)
            move = self.process.choose(position, [], clock)
        except BotFault as fault:
            self.client.say(f"{self.client.bot.name}: {fault}")
            return None
        if move in position.legal_moves():
            return int(move)
        self.client.say(_("{bot}: illegal: {move}").format(bot=self.client.bot.name, move=move))
        return None


def _read_state(text: str) -> tuple[Game, Position]:
    """The position of a literal like `<6,0,0,4,4,…>`, in a game with as many pits."""
    found = _STATE.search(text)
    if found is None:
        raise KgpError(_("{text} is not a position").format(text=shorten(text)))
    game = find_game("kalah", pits=int(found[0][1:].split(",")[0]))
    return game, game.position(found[0])


def _quoted(text: str) -> str:
    clean = "".join(sign if sign.isprintable() else " " for sign in text)
    return '"' + clean.replace("\\", "\\\\").replace('"', '\\"') + '"'

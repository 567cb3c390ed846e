"""A bot that plays people on a Mbegu server, with a token of its account.

    client = OnlineClient("https://play.example.org", token, find_bot("level5"), games=("oware",))
    asyncio.run(client.run())

It offers its games in the lobby, plays whoever takes an offer, several at once, and offers again. It
comes back to its games when a line breaks or the server restarts. docs/api.md tells what is said.
"""

import asyncio
import contextlib
import json
import random
import secrets
import threading
import urllib.error
import urllib.parse
import urllib.request
import uuid
from collections.abc import Callable, Coroutine, Sequence
from dataclasses import dataclass, field
from typing import Any

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidStatus, WebSocketException

from mbegu.arena.roster import BotSpec
from mbegu.arena.runner import BotFault, BotProcess
from mbegu.core.clock import Clock, TimeControl
from mbegu.core.errors import MbeguError
from mbegu.core.game import Game, Move, Position
from mbegu.core.i18n import _
from mbegu.core.registry import game as find_game
from mbegu.games.urubugu import Urubugu

__all__ = ["OnlineClient", "OnlineError"]

Json = dict[str, Any]
PAUSES = (0.5, 1.0, 2.0, 5.0, 10.0, 30.0)  # seconds before the next attempt to connect
PATIENCE = 20.0
NO_ROOM, CHANGED = 4004, 4001
UNLIMITED = 10.0  # seconds for a move where no clock runs


class OnlineError(MbeguError):
    """The server refuses us, or is none."""


@dataclass
class OnlineClient:
    """Plays on a server for one bot, until it is stopped or has played so many games."""

    server: str
    token: str
    bot: BotSpec
    games: Sequence[str] = ("oware",)
    clock: str = "300+3"
    rated: bool = False
    at_once: int = 4
    total: int | None = None
    trust: bool = False
    say: Callable[[str], None] = print
    pauses: tuple[float, ...] = PAUSES
    name: str = field(default="", init=False)
    played: int = field(default=0, init=False)
    _tables: dict[str, "asyncio.Task[None]"] = field(default_factory=dict, init=False)
    _tasks: set["asyncio.Task[None]"] = field(default_factory=set, init=False)
    _lobby: tuple[ClientConnection, list[Json]] | None = field(default=None, init=False)
    _end: "asyncio.Future[None] | None" = field(default=None, init=False)

    async def run(self) -> None:
        """Plays until it is enough."""
        self._check()
        await self._introduce()
        self._end = asyncio.get_running_loop().create_future()
        try:
            self._begin(self._offer())
            for room in await self._mine():
                self._sit(room)
            await self._end
        finally:
            for task in self._tasks:
                task.cancel()
            await asyncio.gather(*self._tasks, return_exceptions=True)

    def _begin(self, work: Coroutine[Any, Any, None]) -> "asyncio.Task[None]":
        """Does something beside the rest; an error in it is the end of everything."""
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._done)
        return task

    def _done(self, task: "asyncio.Task[None]") -> None:
        self._tasks.discard(task)
        if self._end is None or self._end.done() or task.cancelled():
            return
        error = task.exception()
        if error is not None:
            self._end.set_exception(error)
        elif self._enough():
            self._end.set_result(None)

    def _check(self) -> None:
        parts = urllib.parse.urlsplit(self.server)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise OnlineError(
                _("{server} is not a server: write its address, like https://example.org").format(
                    server=self.server
                )
            )
        self.games = [str(find_game(game)) for game in self.games]
        TimeControl.parse(self.clock)

    def _enough(self) -> bool:
        return self.total is not None and self.played >= self.total

    # ---- HTTP

    async def _ask(self, path: str) -> Json:
        return await asyncio.to_thread(self._get, path)

    def _get(self, path: str) -> Json:
        request = urllib.request.Request(  # noqa: S310 (http or https: checked)
            self.server.rstrip("/") + path, headers={"Authorization": f"Bearer {self.token}"}
        )
        try:
            with urllib.request.urlopen(request, timeout=PATIENCE) as answer:  # noqa: S310
                found: Json = json.loads(answer.read())
                return found
        except urllib.error.HTTPError as error:
            try:
                why = json.loads(error.read())["error"]
            except (ValueError, KeyError, TypeError):
                why = f"{error.code} {error.reason}"
            raise OnlineError(f"{self.server}: {why}") from None
        except (OSError, ValueError) as error:
            reason = getattr(error, "reason", error)
            raise OnlineError(f"{self.server}: {reason}") from None

    async def _introduce(self) -> None:
        account = (await self._ask("/api/v1/account"))["account"]
        if account is None or not account["bot"]:
            raise OnlineError(_("this token does not belong to a bot’s account"))
        self.name = account["name"]
        self.say(_("{name} is on {server}").format(name=self.name, server=self.server))

    async def _mine(self) -> list[str]:
        """Games that have begun before: they go on."""
        found: list[str] = []
        for status in ("setup", "playing"):
            told = await self._ask(f"/api/v1/rooms?limit=100&status={status}")
            found += [room["id"] for room in told["rooms"] if _is_with_others(room)]
        return found

    # ---- sockets

    def connect(self, path: str) -> connect:
        """A socket of the server."""
        address = "ws" + self.server.rstrip("/").removeprefix("http") + path
        return connect(
            address,
            additional_headers={"Authorization": f"Bearer {self.token}"},
            user_agent_header=None,
            open_timeout=PATIENCE,
            close_timeout=1.0,
        )

    async def lasting(self, path: str, talk: Callable[[ClientConnection], Any]) -> None:
        """Talks until the talk is over, on as many lines as it takes."""
        attempt = 0
        while True:
            try:
                async with self.connect(path) as line:
                    attempt = 0
                    await talk(line)
                    return
            except InvalidStatus as error:
                if error.response.status_code in (401, 403):
                    raise OnlineError(
                        _("{server} does not know this token (any more)").format(server=self.server)
                    ) from None
            except ConnectionClosed as closed:
                code = None if closed.rcvd is None else closed.rcvd.code
                if code == NO_ROOM:
                    return
            except (OSError, TimeoutError, WebSocketException):
                pass
            pause = self.pauses[min(attempt, len(self.pauses) - 1)]
            attempt += 1
            await asyncio.sleep(pause * random.uniform(0.7, 1.3))  # noqa: S311 (not all at once)

    # ---- the lobby

    async def _offer(self) -> None:
        await self.lasting("/ws/lobby", self._at_lobby)

    async def _at_lobby(self, line: ClientConnection) -> None:
        await _send(line, t="hello", v=1)
        async for text in line:
            message = json.loads(text)
            match message["t"]:
                case "lobby":
                    self._lobby = line, message["seeks"]
                    await self._seek()
                case "paired":
                    self._sit(message["room"])
                case "game" if message.get("next"):
                    self._sit(message["next"])
                case "refused":
                    self.say(str(message["error"]))
                    await asyncio.sleep(self.pauses[-1])

    async def _seek(self) -> None:
        """Offers every game that is not on offer, while there is room for one more."""
        if self._lobby is None or len(self._tables) >= self.at_once or self._enough():
            return
        line, seeks = self._lobby
        offered = {seek["game"] for seek in seeks if seek["yours"]}
        for game in self.games:
            if game not in offered:
                with contextlib.suppress(ConnectionClosed):
                    await _send(
                        line, t="seek", id=_new_id(), game=game, clock=self.clock, rated=self.rated
                    )

    def _sit(self, room: str) -> None:
        if room not in self._tables:
            table = self._begin(_Table(self, room).play())
            self._tables[room] = table
            table.add_done_callback(lambda _done: self._leave(room))

    def _leave(self, room: str) -> None:
        full = len(self._tables) >= self.at_once
        self._tables.pop(room, None)
        if full and self._end is not None and not self._end.done():
            self._begin(self._seek())


def _is_with_others(room: Json) -> bool:
    return [seat["yours"] for seat in room["seats"]].count(True) == 1


def _new_id() -> str:
    return uuid.uuid4().hex


async def _send(line: ClientConnection, **message: Any) -> None:
    await line.send(json.dumps(message))


class _Table:
    """One game: what has happened in it, and a bot that thinks when it is its turn."""

    def __init__(self, client: OnlineClient, room: str) -> None:
        self.client, self.room = client, room
        self.version: int | None = None
        self.seat = 0
        self.rated = self.over = False
        self.game: Game | None = None
        self.positions: list[Position] = []
        self.moves: list[Move] = []
        self.left: list[float | None] = [None, None]
        self.control = TimeControl()
        self._process: BotProcess | None = None
        self._told = 0  # moves that the bot has been told
        self._thought: asyncio.Task[None] | None = None
        self._line: ClientConnection | None = None
        self._bots = threading.Lock()  # one process, one thought

    async def play(self) -> None:
        """Until the game is over."""
        try:
            await self.client.lasting(f"/ws/rooms/{self.room}", self._talk)
        finally:
            if self._thought is not None:
                self._thought.cancel()
            await asyncio.to_thread(self._dismiss)

    async def _talk(self, line: ClientConnection) -> None:
        self._line = line
        await self._send(t="hello", v=1, after=self.version, lean=True)
        async for text in line:
            await self._hear(json.loads(text))
            if self.over:
                return

    async def _send(self, **message: Any) -> None:
        assert self._line is not None
        await _send(self._line, **message)

    async def _hear(self, message: Json) -> None:
        kind = message["t"]
        if kind == "snapshot":
            self._snapshot(message)
            if not self.over and message["room"]["status"] == "setup":
                await self._lay(message["room"]["ready"][self.seat])
        elif kind == "event":
            if not message.get("transient"):
                self.version = message["version"]
            await self._event(message["kind"], message["data"])
        elif kind == "ping":
            await self._send(t="pong", n=message["n"])
            return
        elif kind != "resumed":
            return
        if kind in ("snapshot", "resumed") or message.get("kind") in TURNS:
            self._wake()

    # ---- what has happened

    def _snapshot(self, message: Json) -> None:
        room = message["room"]
        self.version = message["version"]
        self.seat = [seat["yours"] for seat in room["seats"]].index(True)
        self.rated, self.control = room["rated"], TimeControl.parse(room["control"])
        self.game = find_game(room["game"])
        self.over = room["status"] == "over"
        self.positions, self.moves = [], []
        if room["start"] is not None:
            self.positions = [self.game.position(room["start"])]
            for told in message["moves"]:
                self._play(told["move"])
        self._set_clock(message["clock"])

    def _play(self, move: Move) -> None:
        self.positions.append(self.positions[-1].play(move))
        self.moves.append(move)

    def _set_clock(self, clock: Json | None) -> None:
        if clock is not None:
            self.left = list(clock["left"])

    async def _event(self, kind: str, data: Json) -> None:
        assert self.game is not None
        if "clock" in data:
            self._set_clock(data["clock"])
        mine = data.get("player") == self.seat
        match kind:
            case "started":
                self.positions = [self.game.position(data["text"])]
            case "moved":
                self._play(data["move"])
            case "undone":
                del self.positions[data["ply"] + 1 :], self.moves[data["ply"] :]
                await asyncio.to_thread(self._dismiss)  # a bot knows no way back: another goes on
            case "draw_offered" if not mine:
                await self._command("decline_draw")
            case "undo_offered" if not mine:
                await self._command("decline_undo" if self.rated else "accept_undo")
            case "ended":
                self.over = True
                self.client.played += 1
                self.client.say(f"{self.game.name}: {data['outcome'].get('sentence', '')}")
                await self._command("say", phrase="thanks")

    async def _command(self, kind: str, **more: Any) -> None:
        await self._send(t=kind, id=_new_id(), **more)

    # ---- what the bot does

    async def _lay(self, ready: bool) -> None:
        if not ready and isinstance(self.game, Urubugu):
            beads = list(self.game.random_setup(random.SystemRandom()))
            await self._command("setup", seat=self.seat, beads=beads)

    def _wake(self) -> None:
        """Thinks if it is our turn, once for each move, whatever happens to the line meanwhile."""
        position = self.positions[-1] if self.positions else None
        thinking = self._thought is not None and not self._thought.done()
        if position is None or position.turn != self.seat or self.over or thinking:
            return
        self._thought = asyncio.create_task(self._think(position, len(self.moves) + 1))

    async def _think(self, position: Position, ply: int) -> None:
        try:
            move = await asyncio.to_thread(self._choose, position, ply)
        except (BotFault, MbeguError) as fault:
            self.client.say(f"{self.client.bot.name}: {fault}")
            move = None
        self._thought = None
        with contextlib.suppress(ConnectionClosed):  # then we think again on another line
            if len(self.moves) + 1 != ply:
                self._wake()
            elif move is None:
                await self._command("resign", seat=self.seat)
            else:
                await self._command("move", ply=ply, move=move)

    def _choose(self, position: Position, ply: int) -> Move:
        assert self.game is not None
        with self._bots:
            if self._process is None:
                self._process = BotProcess(self.client.bot, trust=self.client.trust)
                seed = secrets.randbits(30)
                self._process.new_game(self.game, self.positions[0], self.seat, seed)
                self._told = 0
            clock = _Rest(self.control, self.left)
            clock.start(self.seat)
            new, self._told = self.moves[self._told : ply - 1], ply - 1
            move = self._process.choose(position, new, clock)
        position.check(move)
        return move

    def _dismiss(self) -> None:
        with self._bots:
            if self._process is not None:
                self._process.close()
                self._process = None


TURNS = ("moved", "undone", "started")


class _Rest(Clock):
    """What the server says that is left, counted on from now."""

    def __init__(self, control: TimeControl, left: Sequence[float | None]) -> None:
        super().__init__(control if control.limited else TimeControl(per_move=UNLIMITED))
        if control.limited:
            self.set(left)

"""A bot that plays people on a Mbegu server, with a token of its account.

    client = OnlineClient("https://play.example.org", token, find_bot("level5"), games=("oware",))
    asyncio.run(client.run())

It offers its games in the lobby, plays whoever takes an offer or challenges it, several at once, and
offers again. It comes back to its games when a line breaks or the server restarts. docs/api.md tells
what is said.
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

__all__ = ["DRAWS", "TAKEBACKS", "OnlineClient", "OnlineError"]

Json = dict[str, Any]
PAUSES = (0.5, 1.0, 2.0, 5.0, 10.0, 30.0)  # seconds before the next attempt to connect
MOST_PAUSES = 4  # of these between two attempts at a move
PATIENCE = 20.0
NO_ROOM = 4004  # the close code of a game that is not there
UNLIMITED = 10.0  # seconds for a move where no clock runs
LINGER = 60.0  # seconds at a table after the game, for a rematch
LEAST_BANK, LEAST_MOVE = 60.0, 5.0  # the shortest clocks of a challenge, in seconds
GLANCE = 0.5  # seconds for the question whether a draw is fair
GOODBYE = 0.2  # seconds for the last words
BEGIN_WITHIN = 300.0  # seconds in which the other must lay or move first, or the game is called off
COURTESY = 60.0  # seconds for an absent player, after those that the server grants
TAKEBACKS = ("never", "unrated", "always")  # whose moves may be taken back
DRAWS = ("never", "even")  # accepted where the engine does not prefer the bot


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
    takebacks: str = "never"
    draws: str = "never"
    rematches: bool = True
    challenges: bool = True
    name: str = field(default="", init=False)
    played: int = field(default=0, init=False)
    stopping: bool = field(default=False, init=False)
    _tables: set[str] = field(default_factory=set, init=False)  # games that are being played
    _tasks: set["asyncio.Task[None]"] = field(default_factory=set, init=False)
    _lobby: ClientConnection | None = field(default=None, init=False)
    _seeks: list[Json] = field(default_factory=list, init=False)  # as last told
    _asked: dict[str, str] = field(default_factory=dict, init=False)  # games by unanswered wish
    _answered: set[str] = field(default_factory=set, init=False)  # challenges
    _end: "asyncio.Future[None] | None" = field(default=None, init=False)

    async def run(self) -> None:
        """Plays until it is enough."""
        self._check()
        await self._introduce()
        self._end = asyncio.get_running_loop().create_future()
        try:
            for room in await self._mine():
                self.sit(room)
            self._begin(self.lasting("/ws/lobby", self._at_lobby))
            await self._end
        finally:
            for task in self._tasks:
                task.cancel()
            await asyncio.gather(*self._tasks, return_exceptions=True)

    def stop(self) -> int:
        """Begins no other game and ends with the last one; asked again, ends at once.

        How many games go on.
        """
        at_once, self.stopping = self.stopping, True
        if self._end is not None and not self._end.done():
            if at_once:
                self._end.set_result(None)
            else:
                self._begin(self._withdraw())
                self._end_soon()
        return 0 if at_once else len(self._tables)

    def _begin(self, work: Coroutine[Any, Any, None]) -> None:
        """Does something beside the rest; an error in it is the end of everything."""
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._done)

    def _done(self, task: "asyncio.Task[None]") -> None:
        self._tasks.discard(task)
        if self._end is None or self._end.done() or task.cancelled():
            return
        error = task.exception()
        if error is not None:
            self._end.set_exception(error)

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

    def has_room(self) -> bool:
        """Whether another game may begin."""
        if self.stopping or len(self._tables) >= self.at_once:
            return False
        return self.total is None or self.played + len(self._tables) < self.total

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

    async def _at_lobby(self, line: ClientConnection) -> None:
        self._lobby, self._asked = line, {}
        await _send(line, t="hello", v=1)
        while True:
            message = json.loads(await line.recv())
            match message["t"]:
                case "lobby":
                    self._seeks = message["seeks"]
                    await self._seek()
                    await self._answer_challenges()
                case "paired":
                    self.sit(message["room"])
                case "game" if message.get("next"):
                    self.sit(message["next"])
                case "ack":
                    self._asked.pop(message["id"], None)
                case "refused":
                    self.say(str(message["error"]))
                    self._begin(self._seek_later(message["id"]))

    async def _seek(self) -> None:
        """Offers every game that is not on offer, while there is room for one more."""
        if self._lobby is None or not self.has_room():
            return
        offered = {seek["game"] for seek in self._seeks if seek["yours"]} | {*self._asked.values()}
        for game in self.games:
            if game not in offered:
                wish = _new_id()
                self._asked[wish] = game
                with contextlib.suppress(ConnectionClosed):
                    await _send(
                        self._lobby,
                        t="seek",
                        id=wish,
                        game=game,
                        clock=self.clock,
                        rated=self.rated,
                    )

    async def _seek_later(self, refused: str) -> None:
        """Tries again after a while what was refused."""
        await asyncio.sleep(self.pauses[-1])
        if self._asked.pop(refused, None):
            await self._seek()

    async def _answer_challenges(self) -> None:
        """Takes what is meant for us alone, if it is what we play, or declines it."""
        assert self._lobby is not None
        for seek in self._seeks:
            if seek["yours"] or seek["to"] is None or seek["id"] in self._answered:
                continue
            self._answered.add(seek["id"])
            answer = "take" if self._likes(seek) else "cancel"
            await _send(self._lobby, t=answer, id=_new_id(), seek=seek["id"])

    def _likes(self, seek: Json) -> bool:
        """Whether a challenge is one that this bot takes."""
        if not self.challenges or not self.has_room() or seek["game"] not in self.games:
            return False
        if seek["rated"] and not self.rated:
            return False
        if seek["clock"] == self.clock:
            return True
        control = TimeControl.parse(seek["clock"])
        return (control.bank or 0) >= LEAST_BANK or (control.per_move or 0) >= LEAST_MOVE

    async def _withdraw(self) -> None:
        """Takes back all offers."""
        if self._lobby is not None:
            with contextlib.suppress(ConnectionClosed):
                for seek in self._seeks:
                    if seek["yours"]:
                        await _send(self._lobby, t="cancel", id=_new_id(), seek=seek["id"])

    # ---- tables

    def sit(self, room: str) -> None:
        """Goes to a game and plays it."""
        if room not in self._tables:
            self._tables.add(room)
            self._begin(_Table(self, room).play())

    def rise(self, room: str, played: bool) -> None:
        """A game is over, or is not there any more."""
        if room not in self._tables:
            return
        self._tables.discard(room)
        self.played += played
        if self._end is None or self._end.done():
            return
        enough = self.total is not None and self.played >= self.total
        if not self._tables and (enough or self.stopping):
            self._end_soon()
        else:
            self._begin(self._seek())

    def _end_soon(self) -> None:
        """Ends when there is no game, after a moment: one that has just begun may not be known yet."""
        asyncio.get_running_loop().call_later(GOODBYE, self._finish)

    def _finish(self) -> None:
        if self._end is not None and not self._end.done() and not self._tables:
            self._end.set_result(None)


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
        self.rated = self.over = self.done = False
        self.game: Game | None = None
        self.positions: list[Position] = []
        self.moves: list[Move] = []
        self.left: list[float | None] = [None, None]
        self.control = TimeControl()
        self._process: BotProcess | None = None
        self._told = 0  # moves that the bot has been told
        self._thought: asyncio.Task[None] | None = None
        self._errands: set[asyncio.Task[None]] = set()
        self._claiming: asyncio.TimerHandle | None = None
        self._beginning: asyncio.TimerHandle | None = None
        self._line: ClientConnection | None = None
        self._sent: Json | None = None  # the last move or set-up, until it is acknowledged
        self._tries = 0
        self._bots = threading.Lock()  # one process, one thought

    async def play(self) -> None:
        """Until the game is over, and a moment longer: perhaps there is another."""
        try:
            await self.client.lasting(f"/ws/rooms/{self.room}", self._talk)
        finally:
            self.client.rise(self.room, played=False)
            for timer in (self._claiming, self._beginning):
                if timer is not None:
                    timer.cancel()
            for task in (self._thought, *self._errands):
                if task is not None:
                    task.cancel()
            await asyncio.to_thread(self._dismiss)

    async def _talk(self, line: ClientConnection) -> None:
        self._line = line
        await self._send(t="hello", v=1, after=self.version, lean=True)
        while not self.done:
            try:
                async with asyncio.timeout(LINGER if self.over else None):
                    text = await line.recv()
            except TimeoutError:
                return
            await self._hear(json.loads(text))

    async def _send(self, **message: Any) -> None:
        assert self._line is not None
        await _send(self._line, **message)

    async def _command(self, kind: str, **more: Any) -> None:
        await self._send(t=kind, id=_new_id(), **more)

    def _later(self, errand: Coroutine[Any, Any, None]) -> None:
        async def run() -> None:
            with contextlib.suppress(ConnectionClosed):
                await errand

        task = asyncio.create_task(run())
        self._errands.add(task)
        task.add_done_callback(self._errands.discard)

    async def _hear(self, message: Json) -> None:
        match message["t"]:
            case "snapshot":
                await self._snapshot(message)
            case "event":
                if not message.get("transient"):
                    self.version = message["version"]
                await self._event(message["kind"], message["data"])
                if message["kind"] in TURNS:
                    self._wake()
            case "ping":
                await self._send(t="pong", n=message["n"])
            case "resumed":
                self._look(message["presence"])
                if self._sent is not None:  # perhaps it was lost; if not, it is not done twice
                    await self._send(**self._sent)
                else:
                    self._wake()
            case "ack" | "refused" if self._sent and message["id"] == self._sent["id"]:
                if message["t"] == "refused":
                    if not self._tries:
                        self.client.say(str(message["error"]))
                    self._later(self._again(self._sent))
                self._sent, self._tries = None, self._tries + 1 if message["t"] == "refused" else 0

    # ---- what has happened

    async def _snapshot(self, message: Json) -> None:
        room, known = message["room"], self.game is not None
        self.version = message["version"]
        self.seat = [seat["yours"] for seat in room["seats"]].index(True)
        self.rated, self.control = room["rated"], TimeControl.parse(room["control"])
        self.game = find_game(room["game"])
        self.positions, self.moves, self._sent = [], [], None
        if room["start"] is not None:
            self.positions = [self.game.position(room["start"])]
            for told in message["moves"]:
                self._play(told["move"])
        self._set_clock(message["clock"])
        self._look(message["presence"])
        if room["can"].get("abort"):
            self._expect_the_first_move()
        if room["status"] == "over":
            self._finish(played=known)
        elif room["status"] == "setup" and not room["ready"][self.seat]:
            await self._lay()
        if message["draw_offered_by"] == 1 - self.seat:
            self._later(self._answer_draw())
        if message["undo_offered"] and message["undo_offered"]["player"] != self.seat:
            await self._answer_undo()
        self._wake()

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
                self._later(self._answer_draw())
            case "undo_offered" if not mine:
                await self._answer_undo()
            case "presence":
                self._look(data)
            case "rematch_offered" if not mine:
                await self._answer_rematch()
            case "rematch":
                self.client.sit(data["room"])
                self.done = True
            case "ended":
                self.client.say(f"{self.game.name}: {data['outcome'].get('sentence', '')}")
                await self._command("say", phrase="thanks")
                self._finish(played=data["outcome"]["reason"] != "aborted")

    def _finish(self, played: bool) -> None:
        """The game is over; whoever wants another may say so, if there is time for it."""
        self.over, self._sent = True, None
        self.client.rise(self.room, played)
        self.done = not (played and self.client.rematches and self.client.has_room())

    def _look(self, presence: Json) -> None:
        """Whether the other is there: who stays away for long has lost, and the table is free."""
        if self._claiming is not None:
            self._claiming.cancel()
            self._claiming = None
        wait = presence["claim_in"][1 - self.seat]
        if wait is not None:
            loop = asyncio.get_running_loop()
            self._claiming = loop.call_later(
                wait + COURTESY, lambda: self._later(self._command("claim", seat=self.seat))
            )

    def _expect_the_first_move(self) -> None:
        """One who is there but never begins holds no table: the game is called off."""
        if self._beginning is None:
            loop = asyncio.get_running_loop()
            self._beginning = loop.call_later(BEGIN_WITHIN, self._call_off)

    def _call_off(self) -> None:
        """Unless we are to begin ourselves. The server refuses it when both have moved."""
        self._beginning = None
        position = self.positions[-1] if self.positions else None
        if position is not None and position.turn == self.seat:
            self._expect_the_first_move()
        elif not self.over:
            self._later(self._command("abort"))

    # ---- what the other wishes

    async def _answer_undo(self) -> None:
        wanted = self.client.takebacks
        allowed = wanted == "always" or (wanted == "unrated" and not self.rated)
        await self._command("accept_undo" if allowed else "decline_undo")

    async def _answer_rematch(self) -> None:
        willing = self.client.rematches and self.client.has_room()
        await self._command("offer_rematch" if willing else "decline_rematch")

    async def _answer_draw(self) -> None:
        fair = self.client.draws == "even" and await asyncio.to_thread(self._is_fair)
        await self._command("offer_draw" if fair else "decline_draw", seat=self.seat)

    def _is_fair(self) -> bool:
        """Whether our engine sees no advantage for the bot."""
        from mbegu.engine.analysis import analyse  # noqa: PLC0415 (compiles: only who asks)

        position, before = self.positions[-1], self.positions[:-1]
        if position.turn is None:
            return False
        chance = 1.0
        for seen in analyse(position, time=GLANCE, hash_mb=16, history=before):
            chance = seen.best.chance
        return (chance if position.turn == self.seat else 1 - chance) <= 0.5

    # ---- what the bot does

    async def _lay(self) -> None:
        if isinstance(self.game, Urubugu):
            beads = list(self.game.random_setup(random.SystemRandom()))
            self._sent = {"t": "setup", "id": _new_id(), "seat": self.seat, "beads": beads}
            await self._send(**self._sent)

    async def _again(self, message: Json) -> None:
        """Says something again that the server could not keep, if it still fits."""
        pauses = self.client.pauses[:MOST_PAUSES]
        await asyncio.sleep(pauses[min(self._tries, len(pauses) - 1)])
        fits = message.get("ply", len(self.moves) + 1) == len(self.moves) + 1
        if fits and not self.over and self._sent is None:
            self._sent = message | {"id": _new_id()}
            await self._send(**self._sent)

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
        with contextlib.suppress(ConnectionClosed):  # then it is said again on another line
            if len(self.moves) + 1 != ply:
                self._wake()
            elif move is None:
                await self._command("resign", seat=self.seat)
            else:
                self._sent = {"t": "move", "id": _new_id(), "ply": ply, "move": move}
                await self._send(**self._sent)

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

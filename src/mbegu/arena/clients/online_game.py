"""One game of the online client: what has happened in it, and a bot that thinks when it is its turn."""

import asyncio
import contextlib
import json
import random
import secrets
import threading
import uuid
from collections.abc import Coroutine, Sequence
from typing import TYPE_CHECKING, Any

from websockets.asyncio.client import ClientConnection
from websockets.exceptions import ConnectionClosed

from mbegu.arena.runner import BotFault, BotProcess
from mbegu.core.clock import Clock, TimeControl
from mbegu.core.errors import MbeguError
from mbegu.core.game import Game, Move, Position
from mbegu.core.registry import game as find_game
from mbegu.core.setups import SetUpGame

if TYPE_CHECKING:
    from mbegu.arena.clients.online import OnlineClient

__all__ = ["OnlineGame", "new_id", "send"]

Json = dict[str, Any]
MOST_PAUSES = 4  # of these between two attempts at a move
UNLIMITED = 10.0  # seconds for a move where no clock runs
LINGER = 60.0  # seconds at a table after the game, for a rematch
GLANCE = 0.5  # seconds for the question whether a draw is fair
BEGIN_WITHIN = 300.0  # seconds in which the other must lay or move first, or the game is called off
COURTESY = 60.0  # seconds for an absent player, after those that the server grants
TURNS = ("moved", "undone", "started")


def new_id() -> str:
    """For a command that is done once, however often it is sent."""
    return uuid.uuid4().hex


async def send(line: ClientConnection, **message: Any) -> None:
    """Says something to the server."""
    await line.send(json.dumps(message))


class OnlineGame:
    """One game: what has happened in it, and a bot that thinks when it is its turn."""

    def __init__(self, client: "OnlineClient", room: str) -> None:
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
        await send(self._line, **message)

    async def _command(self, kind: str, **more: Any) -> None:
        await self._send(t=kind, id=new_id(), **more)

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
        if isinstance(self.game, SetUpGame):
            beads = list(self.game.random_setup(random.SystemRandom()))
            self._sent = {"t": "setup", "id": new_id(), "seat": self.seat, "beads": beads}
            await self._send(**self._sent)

    async def _again(self, message: Json) -> None:
        """Says something again that the server could not keep, if it still fits."""
        pauses = self.client.pauses[:MOST_PAUSES]
        await asyncio.sleep(pauses[min(self._tries, len(pauses) - 1)])
        fits = message.get("ply", len(self.moves) + 1) == len(self.moves) + 1
        if fits and not self.over and self._sent is None:
            self._sent = message | {"id": new_id()}
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
                self._sent = {"t": "move", "id": new_id(), "ply": ply, "move": move}
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


class _Rest(Clock):
    """What the server says that is left, counted on from now."""

    def __init__(self, control: TimeControl, left: Sequence[float | None]) -> None:
        super().__init__(control if control.limited else TimeControl(per_move=UNLIMITED))
        if control.limited:
            self.set(left)

"""Players who never give up: they connect again, resume where they were, and send again what counts.

They do what a browser does, and remember what they were promised, so that it can be compared with
what the server has kept.
"""

import asyncio
import json
import random
import uuid
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from guest import Guest
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import WebSocketException

from mbegu.core.match import Match
from mbegu.core.registry import game as find_game
from mbegu.server.backup import check
from mbegu.server.keep.store import Store
from mbegu.server.play.commands import command_key

Json = dict[str, Any]
WAIT = 10.0  # seconds for an answer before the line is thought to be dead


class Cut(Exception):
    """The line is cut here."""


def never(_moment: tuple[Any, ...]) -> bool:
    """For a line that is not cut."""
    return False


class Everywhere:
    """Cuts a line at each boundary of messages, once."""

    def __init__(self) -> None:
        self.cuts: set[tuple[Any, ...]] = set()

    def __call__(self, moment: tuple[Any, ...]) -> bool:
        """Whether to cut now."""
        new = moment not in self.cuts
        self.cuts.add(moment)
        return new


@dataclass
class Player:
    """Somebody who plays one side of a room to its end, by moves that only the seed decides."""

    guest: Guest
    room: str
    game: str
    side: int
    seed: str
    most: int = 400  # plies, then he resigns
    cuts: Callable[[tuple[Any, ...]], bool] = never
    promised: dict[str, int] = field(default_factory=dict)  # version by command
    lines: int = 0

    def __post_init__(self) -> None:
        """Nothing is known before the first hello."""
        self.version: int | None = None
        self.match = Match(find_game(self.game))
        self.over = False
        self._pending: Json | None = None

    async def play(self) -> None:
        """To the end, whatever happens to the line."""
        while not self.over:
            try:
                await self._visit()
            except Cut:
                pass
            except (OSError, WebSocketException, TimeoutError):
                await asyncio.sleep(0.1)

    async def _visit(self) -> None:
        address = f"ws://127.0.0.1:{self.guest.port}/ws/rooms/{self.room}"
        headers = {"Cookie": self.guest.cookie}
        line = await connect(
            address, additional_headers=headers, compression=None, close_timeout=0.1, proxy=None
        )
        self.lines += 1
        try:
            await self._talk(line)
        finally:
            line.transport.abort()

    async def _talk(self, line: ClientConnection) -> None:
        await self._say(line, {"t": "hello", "v": 1, "after": self.version, "lean": True})
        greeted = sent = False
        while not self.over:
            if greeted and self._pending is None and self.match.turn == self.side:
                self._pending, sent = self._choice(), False
            if greeted and self._pending is not None and not sent:
                await self._say(line, self._pending)
                sent = True
            message = json.loads(await asyncio.wait_for(line.recv(), WAIT))
            kind = message["t"]
            if kind == "ping":
                await line.send(json.dumps({"t": "pong", "n": message["n"]}))
                continue
            if kind in ("snapshot", "resumed"):
                greeted = True
            self._learn(message)
            if kind == "refused" and self._pending is not None:
                if len(self.match.moves) >= self._pending.get("ply", 0):
                    self._pending = None  # played, although nobody could say so
                sent = False
                await asyncio.sleep(0.05)
            if not message.get("transient"):
                self._boundary("heard", kind)

    async def _say(self, line: ClientConnection, message: Json) -> None:
        await line.send(json.dumps(message))
        self._boundary("said", message["t"])

    def _boundary(self, way: str, kind: str) -> None:
        if not self.over and self.cuts((way, kind, self.version, self._pending is None)):
            raise Cut

    def _choice(self) -> Json:
        ply = len(self.match.moves) + 1
        name = uuid.uuid4().hex
        if ply > self.most:
            return {"t": "resign", "id": name, "seat": self.side}
        lot = random.Random(f"{self.seed} {ply}")
        move = lot.choice(self.match.position.legal_moves())
        return {"t": "move", "id": name, "ply": ply, "move": move}

    def _learn(self, message: Json) -> None:
        match message["t"]:
            case "snapshot":
                self.match = Match(find_game(self.game))
                for line in message["moves"]:
                    self.match.play(line["move"])
                self.version = message["version"]
                self.over = message["room"]["status"] == "over"
            case "event" if not message.get("transient"):
                assert self.version is not None
                assert message["version"] == self.version + 1, "an event was lost or came twice"
                self.version = message["version"]
                if message["kind"] == "moved":
                    assert message["data"]["ply"] == len(self.match.moves) + 1
                    self.match.play(message["data"]["move"])
                self.over = message["kind"] == "ended"
            case "ack" if self._pending is not None and message["id"] == self._pending["id"]:
                self.promised[message["id"]] = message["version"]
                self._pending = None


def pairs(guest: Guest, games: list[str], seed: str, most: int, cuts: bool) -> list[Player]:
    """Two players for each of some new rooms."""
    return [
        Player(guest, room, game, side, f"{seed} {number}", most, Everywhere() if cuts else never)
        for number, game in enumerate(games)
        for room in [guest.new_room(game, "human", "human")]
        for side in (0, 1)
    ]


async def play_all(players: list[Player]) -> None:
    """Until every game is over."""
    await asyncio.gather(*(player.play() for player in players))


def records(guest: Guest, players: list[Player]) -> list[str]:
    """The records of the games, as the server tells them."""
    rooms = dict.fromkeys(player.room for player in players)
    found = []
    for room in rooms:
        answer = guest.ask("GET", f"/api/v1/rooms/{room}/record?format=text")
        assert answer.status == 200, answer.body
        found.append(answer.body.decode())
    return found


def kept(url: str, players: list[Player]) -> int:
    """How many promises were made; each of them must be in the store, once, and every game whole."""
    store = Store(url)
    count = 0
    for player in players:
        row = asyncio.run(store.load(player.room))
        assert row is not None
        stored = {line.command: line.version for line in row.log if line.command}
        session = player.guest.cookies["mbegu"].partition(".")[0]
        for command, version in player.promised.items():
            there = stored.get(command_key(session, command))
            assert there == version, f"{command} was promised and is not there"
            count += 1
        moves = [line.data["move"] for line in row.log if line.kind == "moved"]
        assert moves == player.match.moves
        assert [line.version for line in row.log] == list(range(1, len(row.log) + 1))
    store.close()
    damaged = {player.room for player in players}.intersection(check(url).damaged)
    assert not damaged, f"what is told of these games is not what their logs tell: {damaged}"
    return count

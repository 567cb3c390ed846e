"""Thousands of senseless messages, through the same ears that hear a browser's."""

import asyncio
import json
import logging
import random
import tempfile
from typing import Any

from mbegu.server.api import sockets
from mbegu.server.keep.store import Store
from mbegu.server.play.forms import new_room
from mbegu.server.play.hall import Hall
from mbegu.server.play.room import Room
from mbegu.server.think.engines import EnginePool

GAMES = ["oware", "kalah", "awale2", "urubugu", "morabaraba"]
ROUND = 200  # messages between two looks at the room, and a good move
KINDS = [
    "move", "undo", "resign", "offer_draw", "decline_draw", "setup", "sit", "claim", "say", "rematch",
    "hint", "ping", "pong", "x", "", None, 7, [], {}, True,
]  # fmt: skip
JUNK: list[Any] = [
    None, True, False, 0, 1, 2, -1, 11, 10**30, 1.5, float("inf"), "", "C", "a1", "ADD a1", "x" * 900,
    "\ud800", "<script>", [], [[]], [2] * 16, [32] + [0] * 15, {}, {"move": 1},
]  # fmt: skip
FIELDS = ("ply", "move", "word", "seat", "beads", "phrase", "token", "name", "n", "by", "accept")


class Ear:
    """Stands for the browser at the other end."""

    name, rtt, lean, credential = "", 0.0, True, None
    revoked, arrived, address = False, 0.0, ""

    def __init__(self, session: str, language: str) -> None:
        self.session, self.language = session, language
        self.answers = 0
        self.closed: int | None = None

    def send(self, text: str) -> None:
        """Hears; what it is told must be readable."""
        self.answers += 1
        assert text.startswith("{")

    def close(self, code: int) -> None:
        """Is sent away."""
        self.closed = code

    def go_first(self, first: bool) -> None:
        """Has no line on which to go first."""


class Endless:
    """A bucket that never runs dry: nonsense at full speed."""

    def take(self, _amount: float = 1.0) -> bool:
        """Always."""
        return True


def fuzz(game: str, count: int) -> None:
    """Tells a room so many senseless things; fails if any of them changes or breaks anything."""
    heard = _Records()
    logging.getLogger().addHandler(heard)
    try:
        asyncio.run(_fuzz(game, count, random.Random(f"fuzz {game}")))
    finally:
        logging.getLogger().removeHandler(heard)
    assert not heard.lines, heard.lines


class _Records(logging.Handler):
    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.lines: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.lines.append(self.format(record))


async def _fuzz(game: str, count: int, lot: random.Random) -> None:
    with tempfile.TemporaryDirectory() as folder:
        store = Store(f"{folder}/games.sqlite3")
        hall = Hall(store, EnginePool(1, engine=False))
        rooms = [await _open(hall, game) for _number in range(2)]
        talk = _Talk(rooms, hall, lot)
        await talk.come_in()
        while talk.said < count:
            before = [_state(room) for room in rooms]
            for _number in range(min(ROUND, count - talk.said)):
                await talk.nonsense()
            await talk.settled()
            assert [_state(room) for room in rooms] == before
            await talk.good_move()
        hall.close()
        store.close()


async def _open(hall: Hall, game: str) -> Room:
    seats = [{"kind": "human"}, {"kind": "human"}]
    row = new_room({"game": game, "seats": seats}, "me")
    await hall.add([row])
    room = await hall.room(row.id)
    assert room is not None
    return room


def _state(room: Room) -> tuple[Any, ...]:
    course = room.course
    assert course.match is not None
    match = course.match
    return room.version, tuple(match.moves), str(match.position), match.draw_offered_by, room.status


class _Talk:
    """A player, a stranger and one who speaks another language, in the first of two rooms."""

    def __init__(self, rooms: list[Room], hall: Hall, lot: random.Random) -> None:
        self.rooms, self.hall, self.lot = rooms, hall, lot
        self.said = 0
        self.done: list[str] = []  # commands that were obeyed
        self.player = self._enter("me", "en")
        self.strangers = [self._enter("somebody else", "fr"), self._enter("nobody", "rn")]

    def _enter(self, session: str, language: str) -> Any:
        at = sockets._AtRoom(Ear(session, language), self.rooms[0], self.hall)  # type: ignore[arg-type]
        at._bucket = Endless()  # type: ignore[assignment]
        at.greeted = True
        return at

    async def come_in(self) -> None:
        """Everybody joins the room, which would be put away without them."""
        for at in (self.player, *self.strangers):
            at.room = self.rooms[0]
            await at.room.join(at.client, None)

    async def settled(self) -> None:
        """When everything that was said has been done."""
        done = asyncio.Event()

        async def mark() -> None:
            done.set()

        await self.rooms[0].post(mark)
        await done.wait()

    async def nonsense(self) -> None:
        """One senseless message."""
        self.said += 1
        lot = self.lot
        kind = lot.randrange(8)
        if kind == 0:
            await self._garbage()
        elif kind in (1, 2):
            await self._say(lot.choice(self.strangers), self._command())
        elif kind == 3:
            await self._say(lot.choice(self.strangers), self._good())
        elif kind == 4:
            good = self._good()
            wrong = lot.choice([0, -1, 9999, *JUNK])
            await self._say(self.player, {**good, "ply": 0 if wrong == good["ply"] else wrong})
        elif kind == 5:
            await self._say(self.player, {**self._good(), "move": self._bad_move()})
        elif kind == 6:  # said before
            name = lot.choice(self.done) if self.done else "not-yet-done"
            await self._say(self.player, {"t": "ping" if not self.done else "move", "id": name})
        else:  # meant for another room
            await self._say(self.player, {"t": lot.choice(["x", None, 7]), "id": self.rooms[1].id})

    def _command(self) -> dict[str, Any]:
        lot = self.lot
        message = {"t": lot.choice(KINDS), "id": lot.choice([f"command-{lot.random()}", *JUNK])}
        return message | {key: lot.choice(JUNK) for key in FIELDS if lot.random() < 0.3}

    def _good(self) -> dict[str, Any]:
        match = self.rooms[0].match
        assert match is not None
        legal = match.position.legal_moves() if match.turn is not None else [0]
        name = f"fuzz-{self.lot.getrandbits(64):x}"
        return {
            "t": "move",
            "id": name,
            "ply": len(match.moves) + 1,
            "move": self.lot.choice(legal),
        }

    def _bad_move(self) -> Any:
        match = self.rooms[0].match
        assert match is not None
        legal = match.position.legal_moves() if match.turn is not None else []
        bad = self.lot.choice([*JUNK, 99, -7, "ADD z9", "MOVE a1 a1", "0R", "17B"])
        return "nonsense" if bad in legal or bad is True or bad is False else bad

    async def _garbage(self) -> None:
        lot = self.lot
        raw: str | bytes | None = lot.choice(
            [
                "", "{", "null", "[]", "7", '"hello"', "[" * 4000, '{"a":' * 1000, "[" * 8000, b"{}",
                "x" * 8193, b"\xff" * 9000, None, '{"t": "hello"}', '{"t": "hello", "v": 2}',
                "\ud800", bytes(lot.randrange(256) for _byte in range(lot.randrange(60))),
                json.dumps({"t": "move", "id": "abcdefgh", "ply": 1, "move": 10**4000}),
            ]
        )  # fmt: skip
        at = lot.choice([self.player, *self.strangers])
        await at.hear(raw)
        at.client.closed = None  # and comes back at once

    async def _say(self, at: Any, message: dict[str, Any]) -> None:
        await at.hear(json.dumps(message))

    async def good_move(self) -> None:
        """Goes on, so that nonsense meets many positions; begins again when a game is over."""
        match = self.rooms[0].match
        assert match is not None
        if match.turn is None or len(match.moves) > 60:
            self.rooms[0] = await _open(self.hall, match.game.name)
            await self.come_in()
            self.done.clear()
            return
        message = self._good()
        before = self.rooms[0].version
        await self._say(self.player, message)
        await self.settled()
        assert self.rooms[0].version > before
        self.done.append(message["id"])

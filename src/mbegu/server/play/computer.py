"""The computers of a room: opponents that think, and hints for people."""

import asyncio
import logging
import time
from collections.abc import Callable, Coroutine
from functools import partial
from typing import Any, Protocol

from mbegu.arena.bots import Greedy
from mbegu.core.errors import MbeguError
from mbegu.core.game import Move
from mbegu.core.i18n import _, speaking
from mbegu.core.match import Match
from mbegu.core.story import tell
from mbegu.server.net.messages import Json, Refused, dumps
from mbegu.server.play.events import EventKind, Moved, NewEvent, NewsKind
from mbegu.server.play.game_state import Course
from mbegu.server.play.ports import (
    BotPlayers,
    Engines,
    Listener,
    NotNow,
    People,
    StoreError,
    ThoughtFailed,
)
from mbegu.server.play.rows import LADDER_LEVEL
from mbegu.server.play.tab_thinking import TabThinking

__all__ = ["Computer", "Helpers"]

RETRY = 2.0  # seconds until a computer tries again to make a move that could not be kept
log = logging.getLogger(__name__)


class Helpers(Protocol):
    """Those whom a computer asks."""

    thinkers: Engines
    ladder: BotPlayers
    people: People


class Host(Protocol):
    """The room in which a computer sits."""

    id: str
    course: Course
    tabs: TabThinking
    clients: set[Listener]

    async def post(self, job: Callable[[], Coroutine[Any, Any, None]]) -> None:
        """Puts something into the inbox."""
        ...

    async def happen(self, event: NewEvent) -> int:
        """Applies an event, keeps it, tells everybody."""
        ...

    async def check_flag(self) -> None:
        """Ends the game if the time of the player to move is up."""
        ...

    def tell(self, kind: NewsKind, data: Json, only: Listener | None = None) -> None:
        """Tells everybody, or one, something that is not kept."""
        ...

    def start_clock(self, player: int) -> None:
        """A player's time runs from now on."""
        ...

    def wake(self) -> None:
        """Sets going whatever the player to move needs."""
        ...


class Computer:
    """Thinks in tasks of its own; what it finds comes through the room's inbox."""

    def __init__(self, room: Host, helpers: Helpers) -> None:
        self.room, self.course, self.helpers = room, room.course, helpers
        self.thinking: Json | None = None
        self._by_tab = False  # whether the last move was thought of in the player's tab
        self._simple = False  # whether the last move was a simple bot's, for want of an engine
        self._thought: asyncio.Task[None] | None = None
        self._hints: set[asyncio.Task[None]] = set()

    def close(self) -> None:
        """Ends whatever it has begun."""
        self.rest()
        for hint in self._hints:
            hint.cancel()

    def rest(self) -> None:
        """Nobody is to move: bots of the ladder leave the table."""
        self.stop()
        self.helpers.ladder.leave(self.room.id)

    # ---- an opponent

    def think(self, player: int) -> None:
        """Begins to think for a player, unless it does already."""
        match = self.course.match
        if self._thought is None and match is not None:
            self._thought = asyncio.create_task(self._think(match, player, len(match.moves)))

    def stop(self) -> None:
        """Stops thinking: nobody waits, or the game has gone on."""
        if self._thought is not None:
            self._thought.cancel()
            self._thought = None
        self.thinking = None

    async def _think(self, match: Match, player: int, ply: int) -> None:
        room, course = self.room, self.course
        began = time.monotonic()
        self._tell(player, False)
        move: Move | None = None
        self._simple = self._by_tab = False
        try:
            if course.tab_may_think:
                move = await room.tabs.choose(match, partial(self._ask_tab, player))
            if move is not None:
                self._by_tab = True
            elif course.seats[player].level == LADDER_LEVEL:
                room.start_clock(player)
                name = course.seats[player].name
                move = await self.helpers.ladder.choose(name, match, player, room.id)
            else:
                move = await self._engine(match, player)
            match.position.check(move)
        except MbeguError as error:
            if not isinstance(error, ThoughtFailed):
                log.warning("room %s: the computer played %s: %s", room.id, move, error)
            move = Greedy().choose(match.position, match.clock)
            self._stand_in()
        if not course.control.limited:
            await asyncio.sleep(max(0.0, course.row.pace - (time.monotonic() - began)))
        await room.post(partial(self._move, ply, player, move))

    async def _engine(self, match: Match, player: int) -> Move:
        """The engine's move, at the level of the seat."""
        course, thinkers = self.course, self.helpers.thinkers
        game, owner, level = course.game, course.row.owner, course.seats[player].level
        if course.steered:  # nobody makes it play a rated game for him
            try:
                await self.helpers.people.check_fair("", game, match.position)
            except NotNow:
                self._stand_in()
                return Greedy().choose(match.position, match.clock)
        await thinkers.warm(game, level, owner, partial(self._tell, player, True))
        if self.thinking is not None and self.thinking["compiling"]:
            self._tell(player, False)
        self.room.start_clock(player)
        return await thinkers.choose(
            game,
            str(match.position),
            [str(position) for position in match.positions[:-1]],
            level,
            owner,
            str(course.control),
            match.clock.remaining(player),
            partial(self._tell, player, False),
            self._stand_in,
            self._place(),
        )

    def _place(self) -> str:
        """From where somebody waits for it: its owner, or else anybody who looks on."""
        clients, owner = self.room.clients, self.course.row.owner
        own = next((client for client in clients if client.session == owner), None)
        waits = own or next(iter(clients), None)
        return "" if waits is None else waits.address

    def _ask_tab(self, player: int, client: Listener) -> None:
        """Lets a client's tab think."""
        asked = {"player": player, "compiling": False, "on": True, "yours": True}
        self.room.tell(NewsKind.THINKING, asked, client)

    def _stand_in(self) -> None:
        """A simple bot plays: nobody shall take it for the level that was asked for."""
        self._simple = True

    def _tell(self, player: int, compiling: bool, seconds: float | None = None) -> None:
        """Says that it thinks; and for how long, if many wait and it is less than usual."""
        self.thinking = {"player": player, "compiling": compiling}
        if seconds is not None:
            self.thinking["seconds"] = round(seconds, 2)
        self.room.tell(NewsKind.THINKING, {**self.thinking, "on": True})

    async def _move(self, ply: int, player: int, move: Move) -> None:
        room = self.room
        match = self.course.match
        if match is None or match.turn != player or len(match.moves) != ply:
            return
        self._thought = None
        if match.clock.flagged(player):
            await room.check_flag()
            return
        try:
            moved = Moved(ply=ply + 1, player=player, move=move)
            if self._simple:
                moved["simple"] = True
            if self._by_tab:
                moved["tab"] = True
            await room.happen(NewEvent(EventKind.MOVED, moved))
        except StoreError:
            self.stop()
            asyncio.get_running_loop().call_later(RETRY, room.wake)

    # ---- hints

    def hint(self, client: Listener, command: str, match: Match) -> None:
        """Looks for a good move, and tells the client when it has one."""
        if self.helpers.thinkers.waiting_of(f"hint {client.session}"):
            raise Refused(_("a hint is on its way"))
        task = asyncio.create_task(self._find_hint(client, command, match))
        self._hints.add(task)
        task.add_done_callback(self._hints.discard)

    async def _find_hint(self, client: Listener, command: str, match: Match) -> None:
        course, position, ply = self.course, match.position, len(match.moves)
        helpers = self.helpers
        history = [str(old) for old in match.positions[:-1]]
        with speaking(client.language):
            try:
                await helpers.people.check_fair(client.session, course.game, position)
                move, why = await helpers.thinkers.hint(
                    course.game,
                    str(position),
                    history,
                    f"hint {client.session}",
                    lambda: client.send(dumps({"t": "compiling", "id": command})),
                    client.address,
                )
                if course.match is not match or len(match.moves) != ply:
                    raise Refused(_("the game has gone on meanwhile: look at the board again"))
                answer = {
                    "t": "hint",
                    "id": command,
                    "move": move,
                    "word": course.game.format_move(move, position),
                    "story": tell(position, move),
                    "why": why,
                }
            except MbeguError as error:
                answer = {"t": "refused", "id": command, "error": str(error)}
        client.send(dumps(answer))

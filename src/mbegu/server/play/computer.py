"""The computers of a room: opponents that think, and hints for people."""

import asyncio
import logging
import time
from functools import partial
from typing import TYPE_CHECKING

from mbegu.arena.bots import Greedy
from mbegu.core.errors import MbeguError
from mbegu.core.game import Move
from mbegu.core.i18n import _, speaking
from mbegu.core.match import Match
from mbegu.core.story import tell
from mbegu.server.keep.store import StoreError
from mbegu.server.net.clients import Listener
from mbegu.server.net.messages import Json, Refused, dumps
from mbegu.server.play.fairness import NotNow, check_fair
from mbegu.server.play.ladder_bots import LADDER_LEVEL
from mbegu.server.think.engines import ThoughtFailed

if TYPE_CHECKING:
    from mbegu.server.play.room import Room

__all__ = ["Computer"]

RETRY = 2.0  # seconds until a computer tries again to make a move that could not be kept
log = logging.getLogger(__name__)


class Computer:
    """Thinks in tasks of its own; what it finds comes through the room's inbox."""

    def __init__(self, room: "Room") -> None:
        self.room = room
        self.thinking: Json | None = None
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
        self.room.hall.ladder.leave(self.room.id)

    # ---- an opponent

    def think(self, player: int) -> None:
        """Begins to think for a player, unless it does already."""
        match = self.room.match
        if self._thought is None and match is not None:
            self._thought = asyncio.create_task(self._think(match, player, len(match.moves)))

    def stop(self) -> None:
        """Stops thinking: nobody waits, or the game has gone on."""
        if self._thought is not None:
            self._thought.cancel()
            self._thought = None
        self.thinking = None

    async def _think(self, match: Match, player: int, ply: int) -> None:
        room, row = self.room, self.room.row
        began = time.monotonic()
        self._tell(player, False)
        move: Move | None = None
        self._simple = False
        try:
            if room.seats[player].level == LADDER_LEVEL:
                room.start_clock(player)
                name = room.seats[player].name
                move = await room.hall.ladder.choose(name, match, player, room.id)
            else:
                move = await self._engine(match, player)
            match.position.check(move)
        except MbeguError as error:
            if not isinstance(error, ThoughtFailed):
                log.warning("room %s: the computer played %s: %s", room.id, move, error)
            move = Greedy().choose(match.position, match.clock)
            self._stand_in()
        if not room.control.limited:
            await asyncio.sleep(max(0.0, row.pace - (time.monotonic() - began)))
        await room.post(partial(self._move, ply, player, move))

    async def _engine(self, match: Match, player: int) -> Move:
        """The engine's move, at the level of the seat."""
        room = self.room
        thinkers, game, owner = room.hall.thinkers, room.game, room.row.owner
        level = room.seats[player].level
        if not room.begins_as_usual:  # nobody makes it play a rated game for him
            try:
                await check_fair(room.hall.store, "", game, match.position)
            except NotNow:
                return Greedy().choose(match.position, match.clock)
        await thinkers.warm(game, level, owner, partial(self._tell, player, True))
        if self.thinking is not None and self.thinking["compiling"]:
            self._tell(player, False)
        room.start_clock(player)
        return await thinkers.choose(
            game,
            str(match.position),
            [str(position) for position in match.positions[:-1]],
            level,
            owner,
            str(room.control),
            match.clock.remaining(player),
            partial(self._tell, player, False),
            self._stand_in,
        )

    def _stand_in(self) -> None:
        """A simple bot plays: nobody shall take it for the level that was asked for."""
        self._simple = True

    def _tell(self, player: int, compiling: bool, seconds: float | None = None) -> None:
        """Says that it thinks; and for how long, if many wait and it is less than usual."""
        self.thinking = {"player": player, "compiling": compiling}
        if seconds is not None:
            self.thinking["seconds"] = round(seconds, 2)
        self.room.tell("thinking", {**self.thinking, "on": True})

    async def _move(self, ply: int, player: int, move: Move) -> None:
        room = self.room
        match = room.match
        if match is None or match.turn != player or len(match.moves) != ply:
            return
        self._thought = None
        if match.clock.flagged(player):
            await room.check_flag()
            return
        try:
            data = {"ply": ply + 1, "player": player, "move": move}
            await room.happen("moved", data | ({"simple": True} if self._simple else {}))
        except StoreError:
            self.stop()
            asyncio.get_running_loop().call_later(RETRY, room.wake)

    # ---- hints

    def hint(self, client: Listener, command: str, match: Match) -> None:
        """Looks for a good move, and tells the client when it has one."""
        if self.room.hall.thinkers.waiting_of(f"hint {client.session}"):
            raise Refused(_("a hint is on its way"))
        task = asyncio.create_task(self._find_hint(client, command, match))
        self._hints.add(task)
        task.add_done_callback(self._hints.discard)

    async def _find_hint(self, client: Listener, command: str, match: Match) -> None:
        room, position, ply = self.room, match.position, len(match.moves)
        history = [str(old) for old in match.positions[:-1]]
        with speaking(client.language):
            try:
                await check_fair(room.hall.store, client.session, room.game, position)
                move, why = await room.hall.thinkers.hint(
                    room.game,
                    str(position),
                    history,
                    f"hint {client.session}",
                    lambda: client.send(dumps({"t": "compiling", "id": command})),
                )
                if room.match is not match or len(match.moves) != ply:
                    raise Refused(_("the game has gone on meanwhile: look at the board again"))
                answer = {
                    "t": "hint",
                    "id": command,
                    "move": move,
                    "word": room.game.format_move(move, position),
                    "story": tell(position, move),
                    "why": why,
                }
            except MbeguError as error:
                answer = {"t": "refused", "id": command, "error": str(error)}
        client.send(dumps(answer))

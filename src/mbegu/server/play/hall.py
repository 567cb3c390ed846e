"""The hall: every room that is open now, and the way to those that are not.

A room is loaded from the store when somebody comes, and put away when nobody has been there for a
while. The hall holds what all rooms share: the store and the thinking processes.
"""

import asyncio
import json
import logging
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Any, TypeVar

from mbegu.core.errors import MbeguError
from mbegu.core.i18n import _, current_language, speaking
from mbegu.core.registry import game as find_game
from mbegu.server.net.messages import moment
from mbegu.server.play.announcements import seat_json
from mbegu.server.play.events import EventKind, NewsKind
from mbegu.server.play.game_state import read_outcome
from mbegu.server.play.handing import Continuation, hand_in
from mbegu.server.play.handover import Handover
from mbegu.server.play.lobby import Lobby
from mbegu.server.play.ports import BotPlayers, Engines, Guests, NoBots, People, RoomStore
from mbegu.server.play.replay import replayed
from mbegu.server.play.room import Job, Room
from mbegu.server.play.rows import LADDER_LEVEL, RoomRow, SeatKind, Status
from mbegu.server.play.views import outcome_json

__all__ = ["Damaged", "Hall", "NotYours"]

Found = TypeVar("Found")
RESTARTED = 1012  # a close code: come back at once
EMPTY_FOR = 60.0  # seconds until an empty room is put away
MOST_EMPTY = 100  # rooms that stay open so long: a long game takes more than a megabyte
ENDS = {
    EventKind.DRAWN,
    EventKind.RESIGNED,
    EventKind.FLAGGED,
    EventKind.CLAIMED,
    EventKind.ABORTED,
}
log = logging.getLogger(__name__)
NEWS = {
    EventKind.JOINED,
    EventKind.SETUP,
    EventKind.MOVED,
    EventKind.UNDONE,
    EventKind.REMATCH,
    *ENDS,
}


class NotYours(MbeguError):
    """What belongs to others is not deleted."""

    status = 403


class Damaged(MbeguError):
    """What is kept of a game makes no sense."""

    status = 500


class Hall:
    """The rooms of this process."""

    def __init__(
        self,
        store: RoomStore,
        thinkers: Engines,
        people: People | None = None,
        ladder: BotPlayers | None = None,
    ) -> None:
        self.store, self.thinkers = store, thinkers
        self.people: People = people or Guests()
        self.ladder: BotPlayers = ladder or NoBots()
        self.timed: Callable[[object, Job], Job] = lambda _kind, job: job  # whoever measures
        self.lobby = Lobby(self.add, self.people)
        self.public: str | None = None  # the address for invitations, if not the one asked at
        self.tab: str | None = None  # what tabs may do: "keeps", "thinks"
        self._rooms: dict[str, Room] = {}
        self._loading: dict[str, asyncio.Task[Room | None]] = {}
        self._empty: OrderedDict[str, Room] = OrderedDict()  # the last one to be left at the end
        self._overtaken: set[str] = set()  # went on elsewhere while they were being loaded
        self._given_up: dict[str, Handover] = {}  # are opened again at once: a clock runs there
        self._errands: set[asyncio.Task[None]] = set()
        store.displaced = self._leave

    def __len__(self) -> int:
        """How many rooms are open."""
        return len(self._rooms)

    # ---- rooms

    async def room(self, name: str) -> Room | None:
        """A room by its id; None if there is none."""
        room = self._rooms.get(name)
        if room is not None:
            return room
        if name not in self._loading:
            self._loading[name] = asyncio.create_task(self._load(name))
        return await asyncio.shield(self._loading[name])

    async def _load(self, name: str) -> Room | None:
        try:
            room = await self._fetched(name)
            while room is not None and name in self._overtaken:
                room.close()
                room = await self._fetched(name)
            if room is not None:
                self._rooms[name] = room
                if name in self._given_up:
                    self._given_up[name].take(room)
                self.put_away_soon(room)
            return room
        finally:
            del self._loading[name]
            self._overtaken.discard(name)
            self._given_up.pop(name, None)

    async def _fetched(self, name: str) -> Room | None:
        """A room as the store has it now."""
        self._overtaken.discard(name)
        await self.store.claim(name)
        row = await self.store.load(name)
        return None if row is None else await self._opened(row)

    async def _opened(self, row: RoomRow) -> Room:
        """A room as it is kept; a log that cannot be played is nobody's fault who looks at it."""
        try:
            return Room(row, self, await replayed(row))
        except (MbeguError, LookupError, TypeError, ValueError) as error:
            log.error(  # noqa: TRY400 (one line says it)
                "room %s: its log cannot be played: %s", row.id, error
            )
            self.store.fences.pop(row.id, None)
            raise Damaged(_("this game is damaged: what is kept of it cannot be read")) from error

    async def add(self, rows: list[RoomRow]) -> None:
        """Keeps new rooms, and warms the engine up for their computers and hints."""
        await self.store.add_rooms(rows)
        for row in rows:
            game = find_game(row.game)
            for seat in row.seats:
                if seat.kind == SeatKind.COMPUTER and seat.level != LADDER_LEVEL:
                    self._errand(self.thinkers.warm(game, seat.level, row.owner, lambda: None))
            if row.source is None:  # whoever plays may want a hint; records are only read
                self._errand(self.thinkers.get_ready(game, row.owner))

    async def delete(self, room: Room, session: str) -> None:
        """Forgets a room of somebody's own: a game of two is not deleted by one."""
        if room.owner != session:
            raise NotYours(_("only the one who made this game may delete it"))
        if any(seat.kind == SeatKind.HUMAN and seat.session != session for seat in room.seats):
            raise NotYours(_("this game belongs to the other player too: it stays"))
        await self.store.delete(room.id)
        self._rooms.pop(room.id, None)
        room.tell(NewsKind.DELETED, {})
        room.close()

    async def snapshot(self, room: Room, session: str) -> dict[str, Any]:
        """The room between two changes, in the language of the moment."""

        return await self._within(room, lambda found: found.snapshot(session))

    async def hand_in(self, room: Room, session: str, told: Continuation) -> bool:
        """Brings a game back that went on without the server; False if it is there already."""
        return await self._within(room, lambda found: hand_in(found, session, told))

    async def _within(self, room: Room, job: Callable[[Room], Awaitable[Found]]) -> Found:
        """What a job of the room finds between two others, in the language of the moment."""
        while room.closed:  # put away since
            found = await self.room(room.id)
            if found is None:
                raise MbeguError(_("there is no such game: it may have been deleted"))
            room = found
        answer: asyncio.Future[Found] = asyncio.get_running_loop().create_future()
        language = current_language()

        async def work() -> None:
            try:
                with speaking(language):
                    found = await job(room)
            except Exception as error:
                if not answer.done():
                    answer.set_exception(error)
            else:
                if not answer.done():
                    answer.set_result(found)

        await room.post(work)
        return await answer

    def _leave(self, name: str) -> None:
        """Gives up a room that has changed elsewhere; whoever is in it comes back and finds it.

        Where a clock runs it is opened again at once, unless another process has it.
        """
        if name in self._loading:
            self._overtaken.add(name)
        room = self._rooms.pop(name, None)
        if room is None:
            return
        # Soon: first whoever has asked is answered, and a move that could not be kept is none.
        asyncio.get_running_loop().call_soon(self._hand_over, room)

    def _hand_over(self, room: Room) -> None:
        handover = Handover(room)
        _send_away(room)
        if handover.runs:
            self._given_up[room.id] = handover
            self._errand(self.room(room.id))

    def notice(self, room: Room, kind: EventKind) -> None:
        """Lets the players of a room know how it stands, wherever they are."""
        if kind in NEWS and room.course.between_people:
            self.lobby.notice(room.id, room.course)

    def put_away_soon(self, room: Room) -> None:
        """Puts a room away if it stays empty, or when many others are."""
        asyncio.get_running_loop().call_later(EMPTY_FOR, self._put_away, room)
        self._empty[room.id] = room
        self._empty.move_to_end(room.id)
        while len(self._empty) > MOST_EMPTY:
            self._put_away_if_idle(self._empty.popitem(last=False)[1])

    def _put_away(self, room: Room) -> None:
        if self._rooms.get(room.id) is not room:
            return
        self._empty.pop(room.id, None)
        if not self._put_away_if_idle(room) and not room.clients:
            self.put_away_soon(room)

    def _put_away_if_idle(self, room: Room) -> bool:
        if self._rooms.get(room.id) is not room or not room.idle:
            return False
        del self._rooms[room.id]
        self.store.fences.pop(room.id, None)
        room.close()
        return True

    def _errand(self, errand: Any) -> None:
        async def run() -> None:
            with suppress(MbeguError):
                await errand

        task = asyncio.create_task(run())
        self._errands.add(task)
        task.add_done_callback(self._errands.discard)

    # ---- stopping

    def farewell(self, seconds: float) -> None:
        """Tells everybody that the server stops."""
        for room in self._rooms.values():
            room.tell(NewsKind.STOPPING, {"seconds": seconds})

    def close(self) -> None:
        """Ends all that is going on."""
        self.lobby.close()
        self.ladder.close()
        for room in self._rooms.values():
            room.close()
        for errand in self._errands:
            errand.cancel()
        self._rooms.clear()

    # ---- lists

    async def mine(
        self, session: str, limit: int, before: str | None, status: str | None
    ) -> dict[str, Any]:
        """The rooms of a session, last touched first."""
        rows = await self.store.mine(session, limit + 1, _cursor(before), status)
        more = len(rows) > limit
        rows = rows[:limit]
        last = f"{rows[-1].updated!r}~{rows[-1].id}" if more else None
        found = [summary for row in rows if (summary := _told(row, session)) is not None]
        return {"rooms": found, "next": last}


def _send_away(room: Room) -> None:
    for client in list(room.clients):
        client.close(RESTARTED)
    room.close()


def _cursor(text: str | None) -> tuple[float, str] | None:
    if text is None:
        return None
    updated, tilde, name = text.partition("~")
    try:
        if tilde:
            return float(updated), name
    except ValueError:
        pass
    raise MbeguError(_("this is not a place in the list: begin again without it"))


def _told(row: RoomRow, session: str) -> dict[str, Any] | None:
    """A room in a list; one that is damaged does not hide the others."""
    try:
        return _summary(row, session)
    except (MbeguError, LookupError, TypeError, ValueError) as error:
        log.error(  # noqa: TRY400
            "room %s: its summary cannot be read: %s", row.id, error
        )
        return None


def _summary(row: RoomRow, session: str) -> dict[str, Any]:
    game = find_game(row.game)
    position = None if row.position is None else game.position(row.position)
    outcome = None if row.outcome is None else read_outcome(json.loads(row.outcome))
    return {
        "id": row.id,
        "game": row.game,
        "title": _(game.title),
        "sides": [game.side(0), game.side(1)],
        "seats": [seat_json(seat, session) for seat in row.seats],
        "status": row.status,
        "plies": row.plies,
        "position": row.position,
        "turn": position.turn if position is not None and row.status == Status.PLAYING else None,
        "scores": None if position is None else list(position.scores()),
        "outcome": None if outcome is None else outcome_json(game, outcome),
        "clock": row.control,
        "created": moment(row.created),
        "updated": moment(row.updated),
        "imported": row.source is not None,
        "rated": row.rated,
    }

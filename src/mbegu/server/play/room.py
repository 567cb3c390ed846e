"""A room: one game, and the only place that changes it.

A room is an actor. Whatever is to be done comes into its inbox and is done one after the other by its
own task, which nobody's lost connection can interrupt. Each change is an event with the next version:
it is applied, written to the disk, told to everybody, and then acknowledged. The log of events is the
game (`game_state`): a room that is loaded again plays its log again. What players may ask for is in
`commands`, what they are told in `announcements`, and the opponents that think in `computer`.
"""

import asyncio
import logging
import time
from contextlib import suppress
from dataclasses import replace
from typing import Protocol, cast

from mbegu.core.clock import TimeControl
from mbegu.core.errors import MatchError, MbeguError
from mbegu.core.game import Game
from mbegu.core.i18n import _, speaking
from mbegu.core.match import Match
from mbegu.core.record import Record
from mbegu.server.net.messages import PROTOCOL, Json, Refused, dumps
from mbegu.server.net.priority import for_players
from mbegu.server.play import announcements, commands
from mbegu.server.play.announcements import Announcer, Surroundings
from mbegu.server.play.coming import Coming
from mbegu.server.play.computer import Computer, Helpers
from mbegu.server.play.decisions import Asked, Decided
from mbegu.server.play.events import ByPlayer, EventKind, Moved, NewEvent, NewsKind
from mbegu.server.play.game_state import MOST_MISSED, Course, LogEntry, RoomClock, Told
from mbegu.server.play.inbox import Inbox, Job
from mbegu.server.play.phrases import Talk
from mbegu.server.play.ports import Listener, RoomStore, StoreError
from mbegu.server.play.presence import Presence
from mbegu.server.play.rows import RoomRow, SeatKind, SeatRow, Status
from mbegu.server.play.tab_thinking import TabThinking
from mbegu.server.play.unkept import Unkept
from mbegu.server.play.windows import Windows

__all__ = ["PROTOCOL", "House", "Job", "Room", "dumps"]

MOST_JOBS = 500
TOLD_AT_ONCE = 8  # events
LOOK_AGAIN = 0.05  # seconds until a flag is looked at again for which a move has come in time
log = logging.getLogger(__name__)


class House(Helpers, Protocol):
    """What all rooms share."""

    store: RoomStore
    public: str | None  # the address for invitations, if not the one asked at
    tab: str | None  # what the players' own tabs may do: go on without us ("keeps"), also think

    async def add(self, rows: list[RoomRow]) -> None:
        """Keeps new rooms."""
        ...

    def notice(self, room: "Room", kind: EventKind) -> None:
        """Lets the players of a room know how it stands, wherever they are."""
        ...

    def put_away_soon(self, room: "Room") -> None:
        """Puts a room away if it stays empty."""
        ...


class Room:
    """A game in progress, with those who watch it."""

    def __init__(self, row: RoomRow, house: House, course: Course | None = None) -> None:
        self.id, self.owner = row.id, row.owner
        self.row, self.house = row, house
        self.clients: set[Listener] = set()
        self._coming, self._unkept = Coming(), Unkept()
        self.closed = False
        self.updated = row.updated
        self.course = course or Course(row)
        self.tabs = TabThinking()
        self.computer = Computer(self, house)
        self.presence = Presence(self.course, self.clients, self.tell)
        self.talk = Talk()
        self._announcer = Announcer(self.course)
        self._windows = Windows(self.course)
        self._credential: str | None = None  # of whoever asks for what is done now
        self._inbox, self._acting = Inbox(MOST_JOBS), False
        self._timer: asyncio.TimerHandle | None = None
        self._actor = asyncio.create_task(self._act(), name=f"room-{row.id}", context=for_players())

    # ---- the actor

    async def post(self, job: Job, first: bool = True) -> None:
        """Puts something into the inbox; a room that is put away takes nothing any more.

        What is asked for by those who look on does not go `first`.
        """
        if not self.closed:
            await self._inbox.put(job, first)

    def crowded(self, first: bool) -> bool:
        """Whether whoever wants something must wait until there is room in the inbox."""
        return self._inbox.full(first)

    def post_now(self, job: Job, first: bool = True) -> None:
        """Puts something into an inbox that is not full."""
        self._inbox.put_now(job, first)

    def _post_soon(self, job: Job) -> None:
        """Puts something into the inbox from a timer, which cannot wait for room in it."""
        try:
            self._inbox.put_now(job, first=True)
        except asyncio.QueueFull:
            asyncio.get_running_loop().call_later(0.1, self._post_soon, job)

    async def _act(self) -> None:
        while True:
            job = await self._inbox.get()
            self._acting = True
            try:
                await job()
            except (Exception, SystemExit):  # a stranger's game may call for either
                log.exception("room %s: a job failed", self.id)
                self.course.replay()
                self.wake()
            self._acting = False

    def close(self) -> None:
        """Ends the actor and whatever it has begun; the log stays in the store."""
        self.closed = True
        self.computer.close()
        self.presence.close()
        self._cancel_timer()
        self._actor.cancel()

    @property
    def idle(self) -> bool:
        """Whether nobody would notice if the room were put away."""
        running = self.match is not None and self.match.clock.running is not None
        return not (self.clients or running or self._acting or self._inbox)

    # ---- how it stands

    @property
    def game(self) -> Game:
        """The rules."""
        return self.course.game

    @property
    def match(self) -> Match | None:
        """The moves; None while beads are being laid."""
        return self.course.match

    @property
    def seats(self) -> tuple[SeatRow, SeatRow]:
        """Who plays."""
        return self.course.seats

    @property
    def control(self) -> TimeControl:
        """How much time there is."""
        return self.course.control

    @property
    def version(self) -> int:
        """The version of the last event."""
        return self.course.version

    @property
    def status(self) -> Status:
        """How far the game has come."""
        return self.course.status

    @property
    def turn(self) -> int | None:
        """The player to move, if the game is on."""
        return self.course.turn

    def seats_of(self, session: str) -> list[int]:
        """The seats on which somebody may act."""
        return self.course.seats_of(session)

    # ---- events

    async def happen(
        self, event: NewEvent, command: str | None = None, told: Told | None = None
    ) -> int:
        """Applies an event, keeps it, tells everybody; the version it led to."""
        course, now = self.course, time.time()
        self.computer.stop()
        running = None if self.match is None else self.match.clock.running
        left = course.left()
        entries = course.unfold(event, now, told)
        entries[-1].happening.command = command
        await self.commit(entries, running, left)
        self.house.notice(self, event.kind)
        return self.version

    async def commit(
        self, entries: list[LogEntry], running: int | None, left: list[float | None] | None
    ) -> None:
        """Keeps what has been made true, and tells everybody; or makes it untrue again."""
        course, now = self.course, time.time()
        # After a move no clock runs until it is kept: nobody pays for the disk. Whatever else
        # happens, the clock of the player to move runs on: nobody stops it by talking.
        try:
            await self.house.store.append(
                self.id,
                [entry.happening for entry in entries],
                course.summary(now, course.version + len(entries)) | self._windows.nearness(),
                self._credential,
            )
        except StoreError as error:
            if running is not None and self.match and self.match.clock.running == running:
                left = course.left()  # what was not a move takes time, kept or not
            elif error.store_fails:
                self._unkept.note()
            course.replay()
            course.resume_clock(running, left)
            self.wake()
            raise
        self._unkept.forget()
        self.updated = now
        for entry in entries:
            course.keep(entry)
        for number, entry in enumerate(entries, 1):
            for client in list(self.clients):
                client.send(announcements.event_text(course, entry, client))
            entry.story = None
            if number % TOLD_AT_ONCE == 0:  # a whole game that is handed in holds up no other one
                await asyncio.sleep(0)
        if any(entry.happening.kind == EventKind.JOINED for entry in entries):
            self.presence.look()
        self.wake()

    def tell(self, kind: NewsKind, data: Json, only: Listener | None = None) -> None:
        """Tells everybody, or one, something that is not counted and not kept."""
        text = announcements.transient(self.version, kind, data)
        for client in [only] if only is not None else list(self.clients):
            client.send(text)

    # ---- whose turn it is

    def wake(self) -> None:
        """Sets going whatever the player to move needs: his clock, or a computer's thought."""
        self._cancel_timer()
        match, turn = self.match, self.turn
        if match is None or turn is None:
            if match is not None:
                match.clock.stop()
            self.computer.rest()
            return
        if self.seats[turn].kind == SeatKind.COMPUTER:
            if self.clients:
                self.computer.think(turn)
            else:
                self.computer.stop()  # nobody waits
                match.clock.stop()
        elif self.control.limited and match.clock.running is None and self._may_run(turn):
            self.start_clock(turn)
        self._set_timer()

    def _may_run(self, player: int) -> bool:
        """Whether a clock may begin: between people not before both are here.

        After a restart of the server it waits for the player to move.
        """
        if not self.course.between_people:
            return bool(self.clients)
        begun = self.match is not None and bool(self.match.moves)
        return self.presence.met or (begun and self.presence.here(player))

    def start_clock(self, player: int) -> None:
        """A player's time runs from now on."""
        assert self.match is not None
        if self.control.limited:
            self.match.clock.start(player)
            self._set_timer()

    def _set_timer(self) -> None:
        self._cancel_timer()
        match = self.match
        if match is None or match.clock.running is None:
            return
        left = match.clock.remaining(match.clock.running)
        if left is not None:
            loop = asyncio.get_running_loop()
            self._timer = loop.call_later(max(0.0, left) + 0.005, self._post_soon, self.check_flag)

    def _cancel_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    async def check_flag(self) -> None:
        """Ends the game if the time of the player to move is up."""
        if self.match is None:
            return
        running = self.match.clock.running
        left = None if running is None else self.match.clock.remaining(running)
        if running is not None and left is not None and left + self._grace(running) < 0:
            coming = self._coming.in_time(self.seats[running].session, left)
            if coming or self._unkept.may_come_again:
                self._timer = asyncio.get_running_loop().call_later(
                    LOOK_AGAIN, self._post_soon, self.check_flag
                )
                return
            with suppress(StoreError):
                await self.happen(NewEvent(EventKind.FLAGGED, ByPlayer(player=running)))
        else:
            self._set_timer()

    # ---- the line's delay

    def _lag(self, player: int, rtt: float) -> float:
        """How much of a delay a player is given back for one move."""
        return max(0.0, min(rtt, self.course.lag_left(player)))

    def _grace(self, player: int) -> float:
        """How long a flag waits for a move that may be on its way."""
        client = self._windows.of(self.seats[player].session)
        return 0.0 if client is None else self._lag(player, client.rtt)

    def credit(self, player: int, rtt: float, arrived: float | None = None) -> float:
        """Gives a player the time back that his move was on its way; how much.

        What has passed since it `arrived` is the server's own time, and given back whole.
        """
        clock = self.match.clock if self.match is not None else None
        if not isinstance(clock, RoomClock):
            return 0.0
        if arrived is not None:
            clock.credit(player, max(time.monotonic() - arrived, self._unkept.lost))
        return round(clock.credit(player, self._lag(player, rtt)), 3)

    # ---- coming and going

    async def snapshot(self, session: str) -> Json:
        """Everything about the room, in the language of the moment."""
        await self._announcer.get_ready()
        return self._announcer.snapshot(self._surroundings(session))

    def _surroundings(self, session: str) -> Surroundings:
        return Surroundings(
            session=session,
            updated=self.updated,
            can=commands.may(self.course, session),
            presence=self.presence.to_json(),
            thinking=self.computer.thinking,
            invite_base=self.house.public,
            tab=self.house.tab if self.course.by_oneself else None,
        )

    def record(self) -> Record:
        """The game so far."""
        return self.course.record()

    async def join(self, client: Listener, after: int | None, watch: bool = False) -> None:
        """A client says hello: it is told what it has missed, or everything.

        It is the one in which its visitor plays from now on, unless it only wants to `watch`.
        """
        resumes = after is not None and max(0, self.version - MOST_MISSED) <= after <= self.version
        if not resumes:
            with speaking(client.language):
                await self._announcer.get_ready()
        self.clients.add(client)
        self.presence.look(client)
        if after is not None and resumes:
            for entry in self.course.since(after):
                client.send(announcements.event_text(self.course, entry, client))
            client.send(announcements.resumed(self.course, self._surroundings(client.session)))
        else:
            with speaking(client.language):
                around = self._surroundings(client.session)
                client.send(self._announcer.snapshot_text(around))
        self.play_in(client, watch)
        running = None if self.match is None else self.match.clock.running
        self.wake()
        if self.match is not None and self.match.clock.running != running:
            self.tell(NewsKind.CLOCK, {"clock": self.course.clock_now()})
        elif after is not None and self.control.limited:
            self.tell(NewsKind.CLOCK, {"clock": self.course.clock_now()}, client)

    async def leave(self, client: Listener) -> None:
        """A client is gone."""
        self.clients.discard(client)
        self._coming.forget(client)
        self.tabs.forget(client)
        if self._windows.leave(client):
            others = [other for other in self.clients if other.session == client.session]
            if others:
                self.play_in(others[0])
                self.tell_window(others[0])
        self.presence.look()
        self.wake()
        if not self.clients:
            self.house.put_away_soon(self)

    # ---- commands

    async def obey(self, client: Listener, message: Json, arrived: float | None = None) -> None:
        """Does what a client asks for, and answers; what was done before is only answered."""
        self._credential = client.credential
        with speaking(client.language):
            name = None
            try:
                name = commands.command_id(message.get("id"))
                version = await self._obey(client, message, name, arrived)
                if version is not None:
                    client.send(f'{{"t":"ack","id":"{name}","version":{version}}}')
            except MbeguError as error:
                client.send(dumps({"t": "refused", "id": name, "error": str(error)}))
            except (Exception, SystemExit) as error:
                why = self.course.broken(error)
                client.send(dumps({"t": "refused", "id": name, "error": why}))
            finally:
                self._credential = None
                if message.get("t") == "move":
                    self._coming.has_come(client)

    async def _obey(
        self, client: Listener, message: Json, name: str, arrived: float | None
    ) -> int | None:
        """The version that the command led to; None if the answer comes later."""
        key = commands.command_key(client.session, name)
        done = self.course.commands.get(key)
        if done is not None:
            return done
        if message.get("t") not in commands.ANYWHERE and not self.plays_here(client):
            raise Refused(_("you play this game in another window: go on there, or play here"))
        asked = Asked(self.course, client.session, message, client.name, self.presence.claim_in)
        decided = commands.decide(asked)
        if decided.hint:
            assert self.match is not None
            self.computer.hint(client, name, self.match)
            return None
        if decided.thinks is not None:
            self.tabs.offer(client, decided.thinks and self.house.tab == "thinks")
        if decided.computed is not None:
            self.tabs.hear(client, *decided.computed)
        if decided.says is not None:
            self.talk.take(decided.says["player"])
            self.tell(NewsKind.SAID, decided.says)
        return await self._do(client, decided, key, arrived)

    async def _do(
        self, client: Listener, decided: Decided, command: str, arrived: float | None
    ) -> int:
        """Makes true what a command leads to; the version after it."""
        if decided.sits_as is not None:
            await self.house.people.check_name(client.session, decided.sits_as)
        if decided.opens is not None:
            await self.house.add([decided.opens])
        key: str | None = command
        for event in decided.events:
            if event.kind == EventKind.MOVED:
                event = await self._in_time(event, client, arrived)  # noqa: PLW2901
            await self.happen(event, key, decided.told)
            key = None
        if decided.sits_as is not None:
            self.play_in(client)
        return self.version

    async def _in_time(self, event: NewEvent, client: Listener, arrived: float | None) -> NewEvent:
        """A move with the time that it was on its way; an error if it came too late."""
        moved = cast("Moved", event.data)
        player = moved["player"]
        given = self.credit(player, client.rtt, arrived)
        assert self.match is not None
        if self.match.clock.flagged(player):
            await self.check_flag()
            raise MatchError(_("{side} has run out of time").format(side=self.game.side(player)))
        return replace(event, data=Moved(**moved, lag=given)) if given else event

    # ---- in which window somebody plays

    def plays_here(self, client: Listener) -> bool:
        """Whether this is the window in which its visitor plays."""
        return self._windows.plays_here(client)

    def play_in(self, client: Listener, watch: bool = False) -> None:
        """Of all windows of a visitor, the newest is the one in which he plays."""
        for window in self._windows.play_in(client, watch):
            self.tell_window(window)

    def tell_window(self, client: Listener) -> None:
        """Whether one plays in this window; told where somebody else plays too."""
        if self.course.between_people and self.seats_of(client.session):
            self.tell(NewsKind.PLAYING, {"here": self.plays_here(client)}, client)

    def expect(self, client: Listener, arrived: float) -> None:
        """A move has come, and waits for its turn."""
        self._coming.expect(client, arrived)

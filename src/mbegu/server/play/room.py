"""A room: one game, and the only place that changes it.

A room is an actor. Whatever is to be done comes into its inbox and is done one after the other by its
own task, which nobody's lost connection can interrupt. Each change is an event with the next version:
it is applied, written to the disk, told to everybody, and then acknowledged. The log of events is the
game (`course`): a room that is loaded again plays its log again. What players may ask for is in
`commands`, what they are told in `telling`, and the opponents that think in `computer`.
"""

import asyncio
import logging
import time
from collections import deque
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from mbegu.core.clock import TimeControl
from mbegu.core.game import Game
from mbegu.core.i18n import speaking
from mbegu.core.match import Match
from mbegu.core.record import Record
from mbegu.server.keep.store import Happening, RoomRow, SeatRow, StoreError
from mbegu.server.net.clients import Listener
from mbegu.server.net.messages import PROTOCOL, Json, dumps
from mbegu.server.net.priority import for_players
from mbegu.server.net.rate_limits import is_this_computer
from mbegu.server.play import announcements, commands
from mbegu.server.play.computer import Computer
from mbegu.server.play.game_state import MOST_MISSED, Course, Entry, RoomClock, Told
from mbegu.server.play.inbox import Inbox, Job
from mbegu.server.play.phrases import Talk
from mbegu.server.play.presence import Presence

if TYPE_CHECKING:
    from mbegu.server.play.hall import Hall

__all__ = ["PROTOCOL", "Job", "Room", "dumps"]

MOST_JOBS = 500
MOST_LAG = 0.5  # seconds of the line's delay that a move is given back
LOOK_AGAIN = 0.05  # seconds until a flag is looked at again for which a move has come in time
LAG_QUOTA = 10.0  # the same in a whole game
log = logging.getLogger(__name__)


class Room:
    """A game in progress, with those who watch it."""

    def __init__(self, row: RoomRow, hall: "Hall") -> None:
        self.id, self.owner = row.id, row.owner
        self.row, self.hall = row, hall
        self.clients: set[Listener] = set()
        self.playing: dict[str, Listener] = {}  # the window of each visitor in which he plays
        self._coming: dict[Listener, deque[float]] = {}  # moves that wait for their turn
        self.closed = False
        self.updated = row.updated
        self.told: dict[str, list[Json]] = {}  # moves by language
        self.written: dict[str, tuple[Any, str]] = {}  # the game as text by language, and when
        self.course = Course(row)
        self.computer = Computer(self)
        self.presence = Presence(self)
        self.talk = Talk(self)
        self.near = row.near
        self._networks: dict[str, str] = {}  # from where the players of a rated game come
        self._credential: str | None = None  # of whoever asks for what is done now
        self._inbox = Inbox(MOST_JOBS)
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
            try:
                await job()
            except Exception:
                log.exception("room %s: a job failed", self.id)
                self.course.replay()

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
        return not (self.clients or running or self._inbox)

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
    def status(self) -> str:
        """`open`, `setup`, `playing` or `over`."""
        return self.course.status

    @property
    def turn(self) -> int | None:
        """The player to move, if the game is on."""
        return self.course.turn

    @property
    def begins_as_usual(self) -> bool:
        """Whether it is a game from the start, not from a position of somebody's choice."""
        return self.row.begins_as_usual

    def seats_of(self, session: str) -> list[int]:
        """The seats on which somebody may act."""
        return [
            player
            for player, seat in enumerate(self.seats)
            if seat.kind == "human" and seat.session == session
        ]

    def may(self, session: str) -> dict[str, bool]:
        """What somebody can do now."""
        mine, turn, people = self.seats_of(session), self.turn, self.course.between_people
        seated = self.status == "playing" and bool(mine)
        return {
            "move": turn in mine,
            "hint": turn in mine and not people and self.course.help == "full",
            "undo": commands.plies_to_undo(self, session) > 0,
            "resign": seated,
            "draw": seated,
            "abort": bool(mine) and self.course.may_be_aborted,
            "say": people and bool(mine),
            "rematch": people and bool(mine) and self.status == "over",
        }

    # ---- events

    async def happen(
        self, kind: str, data: Json, command: str | None = None, told: Told | None = None
    ) -> int:
        """Applies an event, keeps it, tells everybody; the version it led to."""
        course, now = self.course, time.time()
        self.computer.stop()
        running = None if self.match is None else self.match.clock.running
        left = course.left()
        entries = self._apply(kind, data, now, told)
        last = entries[-1].happening
        last.command = command
        # After a move no clock runs until it is kept: nobody pays for the disk. Whatever else
        # happens, the clock of the player to move runs on: nobody stops it by talking.
        try:
            await self.hall.store.append(
                self.id,
                [entry.happening for entry in entries],
                course.summary(now, last.version) | self._nearness(),
                self._credential,
            )
        except StoreError:
            if running is not None and self.match and self.match.clock.running == running:
                left = course.left()  # what was not a move takes time, kept or not
            course.replay()
            course.resume_clock(running, left)
            self.wake()
            raise
        self.updated = now
        for entry in entries:
            course.keep(entry)
        for entry in entries:
            for client in list(self.clients):
                client.send(announcements.event_text(course, entry, client))
            entry.story = None
        if kind == "joined":
            self.presence.look()
        self.wake()
        self.hall.notice(self, kind)
        return self.version

    def _apply(self, kind: str, data: Json, now: float, told: Told | None) -> list[Entry]:
        """Makes an event true, and what follows from it."""
        course, entries = self.course, list[Entry]()
        steps: list[tuple[str, Json]] = [(kind, data)]
        over = self.status == "over"
        if kind == "claimed" and self.match is None:  # what is not laid lies as usual
            steps.insert(0, ("started", {}))
        if kind == "aborted" and self.match is None:  # what was laid in secret stays a secret
            steps.insert(0, ("started", {"unseen": True}))
        while steps:
            step, facts = steps.pop(0)
            happening = Happening(self.version + len(entries) + 1, now, step, facts)
            entry = course.apply(happening, told if step == "moved" else None)
            if self.match is not None and self.control.limited:
                facts["left"] = course.left()
            entry.clock = course.clock_json(facts.get("left"), self.turn)
            entries.append(entry)
            if step == "setup" and None not in course.beads:
                steps.append(("started", {}))
            if self.match is not None and self.match.outcome and not over and step != "ended":
                steps = [("ended", {"outcome": self.match.outcome.to_json()})]
        return entries

    def tell(self, kind: str, data: Json, only: Listener | None = None) -> None:
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
        if self.seats[turn].kind == "computer":
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
            if self._is_coming(running, left):
                self._timer = asyncio.get_running_loop().call_later(
                    LOOK_AGAIN, self._post_soon, self.check_flag
                )
                return
            with suppress(StoreError):
                await self.happen("flagged", {"player": running})
        else:
            self._set_timer()

    # ---- the line's delay

    def _lag(self, player: int, rtt: float) -> float:
        """How much of a delay a player is given back for one move."""
        quota = LAG_QUOTA - self.course.lag[player]
        return max(0.0, min(rtt, MOST_LAG, quota))

    def _grace(self, player: int) -> float:
        """How long a flag waits for a move that may be on its way."""
        client = self.playing.get(self.seats[player].session or "")
        return 0.0 if client is None else self._lag(player, client.rtt)

    def credit(self, player: int, rtt: float, arrived: float | None = None) -> float:
        """Gives a player the time back that his move was on its way; how much.

        What has passed since it `arrived` is the server's own time, and given back whole.
        """
        clock = self.match.clock if self.match is not None else None
        if not isinstance(clock, RoomClock):
            return 0.0
        if arrived is not None:
            clock.credit(player, time.monotonic() - arrived)
        return round(clock.credit(player, self._lag(player, rtt)), 3)

    # ---- coming and going

    def snapshot(self, session: str) -> Json:
        """Everything about the room, in the language of the moment."""
        return announcements.snapshot(self, session)

    def record(self) -> Record:
        """The game so far."""
        return self.course.record()

    async def join(self, client: Listener, after: int | None, watch: bool = False) -> None:
        """A client says hello: it is told what it has missed, or everything.

        It is the one in which its visitor plays from now on, unless it only wants to `watch`.
        """
        self.clients.add(client)
        self.presence.look(client)
        if after is not None and max(0, self.version - MOST_MISSED) <= after <= self.version:
            for entry in self.course.since(after):
                client.send(announcements.event_text(self.course, entry, client))
            client.send(
                dumps(
                    {
                        "t": "resumed",
                        "version": self.version,
                        "clock": self.course.clock_now(),
                        "thinking": self.computer.thinking,
                        "presence": self.presence.to_json(),
                    }
                )
            )
        else:
            with speaking(client.language):
                client.send(announcements.snapshot_text(self, client.session))
        self.play_in(client, watch)
        running = None if self.match is None else self.match.clock.running
        self.wake()
        if self.match is not None and self.match.clock.running != running:
            self.tell("clock", {"clock": self.course.clock_now()})
        elif after is not None and self.control.limited:
            self.tell("clock", {"clock": self.course.clock_now()}, client)

    async def leave(self, client: Listener) -> None:
        """A client is gone."""
        self.clients.discard(client)
        self._coming.pop(client, None)
        if self.playing.get(client.session) is client:
            del self.playing[client.session]
            others = [other for other in self.clients if other.session == client.session]
            if others:
                self.play_in(others[0])
                self.tell_window(others[0])
        self.presence.look()
        self.wake()
        if not self.clients:
            self.hall.put_away_soon(self)

    async def obey(self, client: Listener, message: Json, arrived: float | None = None) -> None:
        """Does what a client asks for, and answers."""
        self._credential = client.credential
        try:
            await commands.obey(self, client, message, arrived)
        finally:
            self._credential = None
            if message.get("t") == "move":
                self._has_come(client)

    # ---- in which window somebody plays

    def plays_here(self, client: Listener) -> bool:
        """Whether this is the window in which its visitor plays; alone one plays in all of them."""
        one = self.course.between_people and bool(self.seats_of(client.session))
        return not one or self.playing.get(client.session) in (None, client)

    def play_in(self, client: Listener, watch: bool = False) -> None:
        """Of all windows of a visitor, the newest is the one in which he plays."""
        if self.row.rated and self.seats_of(client.session):
            self._networks[client.session] = client.address
        before = self.playing.get(client.session)
        if before is client:
            return
        stays = before is not None and watch
        if not stays:
            self.playing[client.session] = client
        if before is not None:
            for window in (client,) if stays else (client, before):
                self.tell_window(window)

    def tell_window(self, client: Listener) -> None:
        """Whether one plays in this window; told where somebody else plays too."""
        if self.course.between_people and self.seats_of(client.session):
            self.tell("playing", {"here": self.plays_here(client)}, client)

    def _nearness(self) -> Json:
        """Whether the players of a rated game come from one address, once seen, for good."""
        if not self.row.rated:
            return {}
        found = {self._networks.get(seat.session or "") for seat in self.seats}
        address = found.pop()
        same = address is not None and not found and not is_this_computer(address)
        self.near = self.near or same
        return {"near": self.near}

    # ---- moves on their way through the server

    def expect(self, client: Listener, arrived: float) -> None:
        """A move has come, and waits for its turn."""
        self._coming.setdefault(client, deque()).append(arrived)

    def _has_come(self, client: Listener) -> None:
        waiting = self._coming.get(client)
        if waiting:
            waiting.popleft()
        if not waiting:
            self._coming.pop(client, None)

    def _is_coming(self, player: int, left: float) -> bool:
        """Whether a move of a player has come in time, though its turn has not."""
        session, flag = self.seats[player].session, time.monotonic() + left
        return any(
            client.session == session and any(moment <= flag for moment in moments)
            for client, moments in self._coming.items()
        )

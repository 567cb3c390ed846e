"""A room: one game, and the only place that changes it.

A room is an actor. Whatever is to be done comes into its inbox and is done one after the other by its
own task, which nobody's lost connection can interrupt. Each change is an event with the next version:
it is applied, written to the disk, told to everybody, and then acknowledged. The log of events is the
game: a room that is loaded again plays its log again.
"""

import asyncio
import json
import logging
import re
import time
from collections.abc import Callable, Coroutine
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from functools import partial
from typing import TYPE_CHECKING, Any

from mbegu.arena.bots import Greedy
from mbegu.core.clock import Clock, TimeControl
from mbegu.core.errors import InvalidMove, MatchError, MbeguError, shorten
from mbegu.core.game import Game, Move, Position
from mbegu.core.i18n import _, current_language, speaking
from mbegu.core.match import Match
from mbegu.core.outcome import Outcome
from mbegu.core.record import Record, Step, read_reason
from mbegu.core.registry import game as find_game
from mbegu.core.story import tell
from mbegu.games.urubugu import Urubugu
from mbegu.server.clients import Listener
from mbegu.server.store import Happening, RoomRow, SeatRow, StoreError
from mbegu.server.thinking import ThoughtFailed
from mbegu.server.views import outcome_json, told_events, view

if TYPE_CHECKING:
    from mbegu.server.hall import Hall

__all__ = ["Room", "dumps", "moment", "read_outcome", "seat_json"]

Json = dict[str, Any]
Job = Callable[[], Coroutine[Any, Any, None]]

PROTOCOL = 1
MOST_MISSED = 100  # events that a client is told again; after more it gets a snapshot
MOST_JOBS = 500
KEPT_TEXTS = 8  # of the latest events, ready to be sent again
RETRY = 2.0  # seconds until a computer tries again to make a move that could not be kept
_COMMAND_ID = re.compile(r"[A-Za-z0-9_-]{8,64}")
log = logging.getLogger(__name__)


class Refused(MbeguError):
    """Something that cannot be done in this room now."""


def dumps(message: Any) -> str:
    """As short as JSON can be."""
    return json.dumps(message, ensure_ascii=False, separators=(",", ":"))


def moment(at: float) -> str:
    """ISO 8601, in UTC."""
    return datetime.fromtimestamp(at, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def seat_json(seat: SeatRow, session: str) -> Json:
    """Who sits there, as a client may know it."""
    return {
        "kind": seat.kind,
        "level": seat.level if seat.kind == "computer" else None,
        "name": seat.name,
        "yours": seat.kind == "human" and seat.session == session,
    }


class _RoomClock(Clock):
    """A clock that can go on where it stopped."""

    def restore(self, left: list[float | None]) -> None:
        self.stop()
        self._left = list(left)

    def resume(self, player: int) -> None:
        """Runs again within the same move, for which nobody gets new time."""
        left = list(self._left)
        self.start(player)
        self._left = left


@dataclass(eq=False)
class _Entry:
    """An event with what is needed to tell it in any language."""

    happening: Happening
    before: Position | None = None
    after: Position | None = None
    outcome: Outcome | None = None
    clock: Json | None = None
    texts: dict[tuple[str, bool], str] = field(default_factory=dict)


class Room:
    """A game in progress, with those who watch it."""

    def __init__(self, row: RoomRow, hall: "Hall") -> None:
        self.id, self.owner = row.id, row.owner
        self.row, self.hall = row, hall
        self.game: Game = find_game(row.game)
        self.seats = row.seats
        self.control = TimeControl.parse(row.control)
        self.clients: set[Listener] = set()
        self.closed = False
        self._log: list[_Entry] = []
        self._updated = row.updated
        self._inbox: asyncio.Queue[Job] = asyncio.Queue(MOST_JOBS)
        self._thought: asyncio.Task[None] | None = None
        self._thinking: Json | None = None
        self._timer: asyncio.TimerHandle | None = None
        self._hints: set[asyncio.Task[None]] = set()
        self._told: dict[str, list[Json]] = {}  # moves by language
        self._rebuild([*row.log])
        self._actor = asyncio.create_task(self._act(), name=f"room-{row.id}")

    # ---- the actor

    async def post(self, job: Job) -> None:
        """Puts something into the inbox; a room that is put away takes nothing any more."""
        if not self.closed:
            await self._inbox.put(job)

    async def _act(self) -> None:
        while True:
            job = await self._inbox.get()
            try:
                await job()
            except Exception:
                log.exception("room %s: a job failed", self.id)
                self._rebuild([entry.happening for entry in self._log])

    def close(self) -> None:
        """Ends the actor and whatever it has begun; the log stays in the store."""
        self.closed = True
        self._stop_thinking()
        self._cancel_timer()
        for hint in self._hints:
            hint.cancel()
        self._actor.cancel()

    @property
    def idle(self) -> bool:
        """Whether nobody would notice if the room were put away."""
        running = self.match is not None and self.match.clock.running is not None
        return not (self.clients or running or self._inbox.qsize())

    # ---- how it stands

    @property
    def version(self) -> int:
        """The version of the last event."""
        return len(self._log)

    @property
    def status(self) -> str:
        """`setup`, `playing` or `over`."""
        if self.match is None:
            return "setup"
        return "over" if self.match.outcome else "playing"

    @property
    def turn(self) -> int | None:
        """The player to move, if the game is on."""
        return None if self.match is None else self.match.turn

    def seats_of(self, session: str) -> list[int]:
        """The seats on which somebody may act."""
        return [
            player
            for player, seat in enumerate(self.seats)
            if seat.kind == "human" and seat.session == session
        ]

    # ---- the log, played

    def _rebuild(self, happenings: list[Happening]) -> None:
        """Plays the log from its beginning; after a change that could not be kept, too."""
        self.beads: list[tuple[int, ...] | None] = [None, None]
        self.match: Match | None = None
        if self.row.start is not None:
            self.match = Match(self.game, self.game.position(self.row.start), self._names())
        clock = _RoomClock(self.control)
        left: list[float | None] | None = None
        entries = []
        for happening in happenings:
            entries.append(self._apply(happening))
            left = happening.data.get("left", left)
            entries[-1].clock = self._clock_json(left, self.turn)
        self._log = entries
        self._commands = {
            entry.happening.command: entry.happening.version
            for entry in entries
            if entry.happening.command
        }
        if left is not None:
            clock.restore(left)
        if self.match is not None:
            self.match.clock = clock

    def _names(self) -> tuple[str, str]:
        first, second = (
            seat.name or (f"mbegu {seat.level}" if seat.kind == "computer" else "?")
            for seat in self.seats
        )
        return first, second

    def _apply(self, happening: Happening) -> _Entry:
        """Makes an event true."""
        kind, data, match = happening.kind, happening.data, self.match
        entry = _Entry(happening)
        if kind == "setup":
            self.beads[data["player"]] = tuple(data["beads"])
            return entry
        if kind == "started":
            assert isinstance(self.game, Urubugu)
            clock = _RoomClock(self.control)
            self.match = match = Match(
                self.game, self.game.start(*self.beads), self._names(), clock
            )
        assert match is not None
        entry.before = match.position
        if kind == "moved":
            match.play(data["move"])
        elif kind == "undone":
            match.undo(data["plies"])
        elif kind in ("draw_offered", "drawn"):
            match.offer_draw(data["player"])
        elif kind == "draw_declined":
            match.decline_draw(data["player"])
        elif kind == "resigned":
            match.resign(data["player"])
        elif kind == "flagged":
            match.flag(data["player"])
        elif kind == "ended" and match.outcome is None:  # a verdict that came with a record
            outcome = read_outcome(data["outcome"])
            self.match = match = Match.from_record(match.record().ended(outcome))
        entry.after, entry.outcome = match.position, match.outcome
        return entry

    async def _happen(self, kind: str, data: Json, command: str | None = None) -> int:
        """Applies an event, keeps it, tells everybody; the version it led to."""
        steps: list[tuple[str, Json]] = [(kind, data)]
        entries: list[_Entry] = []
        over, now = self.status == "over", time.time()
        self._stop_thinking()
        clock = None if self.match is None else self.match.clock
        running = None if clock is None else clock.running
        while steps:
            step, facts = steps.pop(0)
            entry = self._apply(Happening(self.version + len(entries) + 1, now, step, facts))
            if self.match is not None and self.control.limited:
                facts["left"] = self._left()
            entry.clock = self._clock_json(facts.get("left"), self.turn)
            entries.append(entry)
            if step == "setup" and None not in self.beads:
                steps.append(("started", {}))
            if self.match is not None and self.match.outcome and not over and step != "ended":
                steps = [("ended", {"outcome": self.match.outcome.to_json()})]
        last = entries[-1]
        last.happening = replace(last.happening, command=command)
        if self.match is not None:
            self.match.clock.stop()  # nobody pays for the disk
        try:
            await self.hall.store.append(
                self.id, [entry.happening for entry in entries], self._summary(now, last)
            )
        except StoreError:
            left = self._left()
            self._rebuild([entry.happening for entry in self._log])
            self._resume_clock(running, left)
            self._wake()
            raise
        self._updated = now
        self._log += entries
        for old in self._log[-KEPT_TEXTS - len(entries) : -KEPT_TEXTS]:
            old.texts.clear()
        if command is not None:
            self._commands[command] = self.version
        for entry in entries:
            for client in list(self.clients):
                client.send(self._text(entry, client))
        if kind not in ("moved", "undone", "setup"):
            self._resume_clock(running)
        self._wake()
        return self.version

    def _resume_clock(self, running: int | None, left: list[float | None] | None = None) -> None:
        """Goes on with the clock that ran before something that was not a move."""
        if self.match is not None and isinstance(self.match.clock, _RoomClock):
            if left is not None:
                self.match.clock.restore(left)
            if running is not None and self.turn == running:
                self.match.clock.resume(running)

    def _summary(self, now: float, last: _Entry) -> Json:
        match = self.match
        outcome = None if match is None else match.outcome
        return {
            "updated": now,
            "version": last.happening.version,
            "status": self.status,
            "plies": 0 if match is None else len(match.moves),
            "position": None if match is None else str(match.position),
            "outcome": None if outcome is None else json.dumps(outcome.to_json()),
        }

    # ---- clocks and computers

    def _left(self) -> list[float | None] | None:
        if self.match is None or not self.control.limited:
            return None
        clock = self.match.clock
        return [
            None if left is None else round(left, 3)
            for left in (clock.remaining(player) for player in (0, 1))
        ]

    def _clock_json(self, left: list[float | None] | None, running: int | None) -> Json | None:
        if not self.control.limited or left is None:
            return None
        shown = [None if seconds is None else max(0.0, round(seconds, 2)) for seconds in left]
        return {"control": str(self.control), "left": shown, "running": running}

    def _clock_now(self) -> Json | None:
        if self.match is None:
            return None
        return self._clock_json(self._left(), self.match.clock.running)

    def _wake(self) -> None:
        """Sets going whatever the player to move needs: his clock, or a computer's thought."""
        self._cancel_timer()
        match, turn = self.match, self.turn
        if match is None or turn is None:
            if match is not None:
                match.clock.stop()
            self._stop_thinking()
            return
        if self.seats[turn].kind == "computer":
            if not self.clients:
                self._stop_thinking()  # nobody waits
                match.clock.stop()
            elif self._thought is None:
                self._thought = asyncio.create_task(self._think(turn, len(match.moves)))
        elif self.control.limited and self.clients and match.clock.running is None:
            self._start_clock(turn)
        self._set_timer()

    def _start_clock(self, player: int) -> None:
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
            self._timer = loop.call_later(max(0.0, left) + 0.005, self._time_is_up)

    def _cancel_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _time_is_up(self) -> None:
        self._timer = None
        try:
            self._inbox.put_nowait(self._check_flag)
        except asyncio.QueueFull:
            self._timer = asyncio.get_running_loop().call_later(0.1, self._time_is_up)

    async def _check_flag(self) -> None:
        if self.match is None:
            return
        running = self.match.clock.running
        if running is not None and self.match.clock.flagged(running):
            with suppress(StoreError):
                await self._happen("flagged", {"player": running})
        else:
            self._set_timer()

    def _stop_thinking(self) -> None:
        if self._thought is not None:
            self._thought.cancel()
            self._thought = None
        self._thinking = None

    async def _think(self, player: int, ply: int) -> None:
        """A computer's thought, in a task of its own; its move comes through the inbox."""
        match, thinkers = self.match, self.hall.thinkers
        assert match is not None
        began = time.monotonic()
        level = self.seats[player].level
        self._tell_thinking(player, False)
        history = [str(position) for position in match.positions[:-1]]
        move: Move | None = None
        try:
            await thinkers.warm(
                self.game, level, self.owner, partial(self._tell_thinking, player, True)
            )
            if self._thinking is not None and self._thinking["compiling"]:
                self._tell_thinking(player, False)
            self._start_clock(player)
            move = await thinkers.choose(
                self.game,
                str(match.position),
                history,
                level,
                self.owner,
                str(self.control),
                match.clock.remaining(player),
            )
            match.position.check(move)
        except MbeguError as error:
            if not isinstance(error, ThoughtFailed):
                log.warning("room %s: the computer played %s: %s", self.id, move, error)
            move = Greedy().choose(match.position, match.clock)
        if not self.control.limited:
            await asyncio.sleep(max(0.0, self.row.pace - (time.monotonic() - began)))
        await self.post(partial(self._computer_moves, ply, player, move))

    def _tell_thinking(self, player: int, compiling: bool) -> None:
        self._thinking = {"player": player, "compiling": compiling}
        self.tell("thinking", {**self._thinking, "on": True})

    async def _computer_moves(self, ply: int, player: int, move: Move) -> None:
        match = self.match
        if match is None or match.turn != player or len(match.moves) != ply:
            return
        self._thought = None
        if match.clock.flagged(player):
            await self._check_flag()
            return
        try:
            await self._happen("moved", {"ply": ply + 1, "player": player, "move": move})
        except StoreError:
            self._stop_thinking()
            asyncio.get_running_loop().call_later(RETRY, self._wake)

    # ---- telling

    def tell(self, kind: str, data: Json, only: Listener | None = None) -> None:
        """Tells everybody, or one, something that is not counted and not kept."""
        message = {
            "t": "event",
            "version": self.version,
            "kind": kind,
            "data": data,
            "transient": True,
        }
        for client in [only] if only is not None else list(self.clients):
            client.send(dumps(message))

    def _text(self, entry: _Entry, client: Listener) -> str:
        """An event in the client's language, made once for all who share it."""
        key = client.language, client.lean
        text = entry.texts.get(key)
        if text is None:
            with speaking(client.language):
                happening = entry.happening
                message = {
                    "t": "event",
                    "version": happening.version,
                    "kind": happening.kind,
                    "data": self._data(entry, client.lean),
                }
                text = entry.texts[key] = dumps(message)
        return text

    def _data(self, entry: _Entry, lean: bool) -> Json:
        happening = entry.happening
        kind, data = happening.kind, happening.data
        if kind == "setup":  # what was laid stays hidden
            before = self._log[: happening.version - 1]
            ready = [
                data["player"] == player
                or any(
                    old.happening.kind == "setup" and old.happening.data["player"] == player
                    for old in before
                )
                for player in (0, 1)
            ]
            return {"player": data["player"], "ready": ready}
        told: Json = {key: value for key, value in data.items() if key != "left"}
        if kind == "moved":
            assert entry.before is not None
            move = data["move"]
            told |= _move_json(entry.before, data["ply"], data["player"], move)
            if not lean:
                told["events"] = told_events(entry.before, entry.before.events(move))
        if kind == "ended" and entry.outcome is not None:
            told["outcome"] = outcome_json(self.game, entry.outcome)
        if kind in ("moved", "undone", "started", "ended") and entry.after is not None:
            if lean:
                told["text"] = str(entry.after)
            else:
                told["view"] = view(entry.after, entry.outcome)
            told["clock"] = entry.clock
        return told

    def snapshot(self, session: str) -> Json:
        """Everything about the room, in the language of the moment."""
        match = self.match
        return {
            "t": "snapshot",
            "v": PROTOCOL,
            "version": self.version,
            "room": self._facts(session),
            "view": None if match is None else view(match.position, match.outcome),
            "moves": [] if match is None else self._moves_told(match),
            "clock": self._clock_now(),
            "draw_offered_by": None if match is None else match.draw_offered_by,
            "thinking": self._thinking,
        }

    def _moves_told(self, match: Match) -> list[Json]:
        """The moves with their stories, of which only those are told anew that are new."""
        told = self._told.setdefault(current_language(), [])
        same = 0
        while same < min(len(told), len(match.moves)) and told[same]["move"] == match.moves[same]:
            same += 1
        del told[same:]
        for ply in range(same, len(match.moves)):
            position = match.positions[ply]
            told.append(_move_json(position, ply + 1, position.turn, match.moves[ply]))
        return told

    def _facts(self, session: str) -> Json:
        mine, turn = self.seats_of(session), self.turn
        playing = self.status == "playing"
        return {
            "id": self.id,
            "game": str(self.game),
            "rules": self.game.id,
            "title": _(self.game.title),
            "sides": [self.game.side(0), self.game.side(1)],
            "status": self.status,
            "created": moment(self.row.created),
            "updated": moment(self._updated),
            "imported": self.row.source is not None,
            "pace": self.row.pace,
            "start": None if self.match is None else str(self.match.positions[0]),
            "control": str(self.control),
            "setups": self.row.start is None,
            "ready": [self.match is not None or beads is not None for beads in self.beads],
            "seats": [seat_json(seat, session) for seat in self.seats],
            "owner": session == self.owner,
            "can": {
                "move": turn in mine,
                "hint": turn in mine,
                "undo": self._plies_to_undo(session) > 0,
                "resign": playing and bool(mine),
                "draw": playing and bool(mine),
            },
        }

    # ---- coming and going

    async def join(self, client: Listener, after: int | None) -> None:
        """A client says hello: it is told what it has missed, or everything."""
        self.clients.add(client)
        if after is not None and max(0, self.version - MOST_MISSED) <= after <= self.version:
            for entry in self._log[after:]:
                client.send(self._text(entry, client))
            client.send(
                dumps(
                    {
                        "t": "resumed",
                        "version": self.version,
                        "clock": self._clock_now(),
                        "thinking": self._thinking,
                    }
                )
            )
        else:
            with speaking(client.language):
                client.send(dumps(self.snapshot(client.session)))
        running = None if self.match is None else self.match.clock.running
        self._wake()
        if self.match is not None and self.match.clock.running != running:
            self.tell("clock", {"clock": self._clock_now()})
        elif after is not None and self.control.limited:
            self.tell("clock", {"clock": self._clock_now()}, client)

    async def leave(self, client: Listener) -> None:
        """A client is gone."""
        self.clients.discard(client)
        self._wake()
        if not self.clients:
            self.hall.put_away_soon(self)

    # ---- commands

    async def obey(self, client: Listener, message: Json) -> None:
        """Does what a client asks for, and answers."""
        with speaking(client.language):
            command = message.get("id")
            try:
                if not isinstance(command, str) or not _COMMAND_ID.fullmatch(command):
                    command = None
                    raise Refused(_("a command needs an id of 8 to 64 letters and digits"))
                if command in self._commands:
                    version = self._commands[command]
                else:
                    answer = await self._obey(client, message, command)
                    if answer is None:
                        return
                    version = answer
                client.send(dumps({"t": "ack", "id": command, "version": version}))
            except MbeguError as error:
                client.send(dumps({"t": "refused", "id": command, "error": str(error)}))

    async def _obey(self, client: Listener, message: Json, command: str) -> int | None:
        session = client.session
        match message.get("t"):
            case "ping":
                return self.version
            case "move":
                return await self._move(session, message, command)
            case "undo":
                return await self._undo(session, command)
            case "resign":
                player = self._seat(session, message)
                return await self._happen("resigned", {"player": player}, command)
            case "offer_draw":
                return await self._offer_draw(self._seat(session, message), command)
            case "decline_draw":
                return await self._decline_draw(session, message, command)
            case "setup":
                return await self._lay(session, message, command)
            case "hint":
                self._hint(client, command)
                return None
        raise Refused(
            _("{word} is not a command of this room").format(word=shorten(message.get("t")))
        )

    def _playing(self) -> Match:
        if self.match is None:
            raise Refused(_("the game has not begun: both players lay their beads first"))
        if self.match.outcome:
            raise Refused(_("the game is over"))
        return self.match

    def _seat(self, session: str, message: Json) -> int:
        """For whom a command is meant."""
        match, mine = self._playing(), self.seats_of(session)
        if not mine:
            raise Refused(_("you have no seat in this game: you may watch"))
        wanted = message.get("seat")
        if wanted is not None:
            if wanted not in mine or isinstance(wanted, bool):
                raise Refused(_("this seat is not yours"))
            return int(wanted)
        return match.turn if match.turn in mine else mine[0]

    async def _move(self, session: str, message: Json, command: str) -> int:
        match = self._playing()
        player = match.turn
        assert player is not None
        mine = self.seats_of(session)
        if not mine:
            raise Refused(_("you have no seat in this game: you may watch"))
        if player not in mine:
            raise Refused(_("{side} is to move, not you").format(side=self.game.side(player)))
        if message.get("ply") != len(match.moves) + 1 or isinstance(message.get("ply"), bool):
            raise Refused(_("the game has gone on meanwhile: look at the board again"))
        move = message.get("move", message.get("word"))
        if "move" not in message and isinstance(move, str):
            move = self.game.parse_move(move, match.position)
        if isinstance(move, bool) or not isinstance(move, int | str):
            raise InvalidMove(_("{move} is not a move").format(move=shorten(move)))
        if match.clock.flagged(player):
            await self._check_flag()
            raise MatchError(_("{side} has run out of time").format(side=self.game.side(player)))
        match.position.check(move)
        ply = len(match.moves) + 1
        return await self._happen("moved", {"ply": ply, "player": player, "move": move}, command)

    def _plies_to_undo(self, session: str) -> int:
        """Back to the last moment at which this session was to move; 0 when there is none."""
        match, mine = self.match, self.seats_of(session)
        if match is None or not mine or self._is_kept_as_it_was():
            return 0
        for plies in range(1, len(match.moves) + 1):
            if match.positions[-1 - plies].turn in mine:
                return plies
        return 0

    def _is_kept_as_it_was(self) -> bool:
        """A finished game that came in as a record is not changed."""
        return self.row.source is not None and self.status == "over"

    async def _undo(self, session: str, command: str) -> int:
        if not self.seats_of(session):
            raise Refused(_("you have no seat in this game: you may watch"))
        if self._is_kept_as_it_was():
            raise Refused(_("this is the record of a finished game: it stays as it is"))
        plies = self._plies_to_undo(session)
        if not plies:
            raise Refused(_("there is no move to take back"))
        assert self.match is not None
        by = self.match.positions[-1 - plies].turn
        left = len(self.match.moves) - plies
        return await self._happen("undone", {"plies": plies, "ply": left, "by": by}, command)

    async def _offer_draw(self, player: int, command: str) -> int:
        match = self._playing()
        if match.draw_offered_by == player:
            raise Refused(_("you have offered a draw already"))
        if match.draw_offered_by == 1 - player:
            return await self._happen("drawn", {"player": player}, command)
        version = await self._happen("draw_offered", {"player": player}, command)
        if self.seats[1 - player].kind == "computer":
            version = await self._happen("draw_declined", {"player": 1 - player})
        return version

    async def _decline_draw(self, session: str, message: Json, command: str) -> int:
        match, mine = self._playing(), self.seats_of(session)
        if match.draw_offered_by is None:
            raise Refused(_("nobody has offered a draw"))
        if message.get("seat") is None and 1 - match.draw_offered_by in mine:
            player = 1 - match.draw_offered_by
        else:
            player = self._seat(session, message)
        return await self._happen("draw_declined", {"player": player}, command)

    async def _lay(self, session: str, message: Json, command: str) -> int:
        """Urubugu: a player lays his beads, which nobody sees until both have."""
        if self.match is not None or not isinstance(self.game, Urubugu):
            raise Refused(_("nothing is to be laid: the game has begun"))
        waiting = [player for player in self.seats_of(session) if self.beads[player] is None]
        if not waiting:
            raise Refused(_("you have laid your beads, or have no seat in this game"))
        wanted = message.get("seat", waiting[0])
        if wanted not in waiting or isinstance(wanted, bool):
            raise Refused(_("this seat is not yours, or has laid its beads"))
        beads = message.get("beads")
        if not isinstance(beads, list):
            raise Refused(_("beads must be a list of 16 numbers"))
        laid = list(self.game.setup(beads))
        return await self._happen("setup", {"player": int(wanted), "beads": laid}, command)

    # ---- hints

    def _hint(self, client: Listener, command: str) -> None:
        match = self._playing()
        if match.turn not in self.seats_of(client.session):
            raise Refused(_("it is not your turn"))
        if self.hall.thinkers.waiting_of(f"hint {client.session}"):
            raise Refused(_("a hint is on its way"))
        task = asyncio.create_task(self._find_hint(client, command, match))
        self._hints.add(task)
        task.add_done_callback(self._hints.discard)

    async def _find_hint(self, client: Listener, command: str, match: Match) -> None:
        position, ply = match.position, len(match.moves)
        history = [str(old) for old in match.positions[:-1]]
        with speaking(client.language):
            try:
                move, why = await self.hall.thinkers.hint(
                    self.game,
                    str(position),
                    history,
                    f"hint {client.session}",
                    lambda: client.send(dumps({"t": "compiling", "id": command})),
                )
                if self.match is not match or len(match.moves) != ply:
                    raise Refused(_("the game has gone on meanwhile: look at the board again"))
                answer = {
                    "t": "hint",
                    "id": command,
                    "move": move,
                    "word": self.game.format_move(move, position),
                    "story": tell(position, move),
                    "why": why,
                }
            except MbeguError as error:
                answer = {"t": "refused", "id": command, "error": str(error)}
        client.send(dumps(answer))

    # ---- the record

    def record(self) -> Record:
        """The game so far, with the comments and variations of the record it came from."""
        if self.match is None:
            raise Refused(_("the game has not begun: both players lay their beads first"))
        played = self.match.record()
        if self.row.source is None:
            date = datetime.fromtimestamp(self.row.created, UTC).strftime("%Y.%m.%d")
            return replace(played, date=date)
        source = Record.from_json(json.loads(self.row.source))
        same = 0
        while same < min(len(source.steps), len(played.steps)) and (
            source.steps[same].move == played.steps[same].move
        ):
            same += 1
        if same == len(source.steps) == len(played.steps) and source.result == played.result:
            return source
        steps = (*source.steps[:same], *(Step(move) for move in played.moves[same:]))
        return replace(
            source,
            steps=steps,
            result=played.result,
            score=played.score,
            termination=played.termination,
        )


def _move_json(position: Position, ply: int, player: int | None, move: Move) -> Json:
    return {
        "ply": ply,
        "player": player,
        "move": move,
        "word": position.game.format_move(move, position),
        "story": tell(position, move),
    }


def read_outcome(data: Json) -> Outcome:
    """An outcome as events and lists keep it."""
    scores = data["scores"]
    return Outcome(data["winner"], (scores[0], scores[1]), read_reason(data["reason"]))

"""The course of a game (event sourcing): its log of events, and the state that they make true.

Nothing here waits, writes or talks: events are applied one after the other, and the same log always
leads to the same state. The room decides which events there are.
"""

import json
import logging
from collections import Counter, deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import cast

from mbegu.core.clock import Clock, TimeControl
from mbegu.core.events import Event
from mbegu.core.game import Game, Position
from mbegu.core.i18n import _
from mbegu.core.match import Match
from mbegu.core.outcome import Outcome
from mbegu.core.record import Record, Step, read_reason
from mbegu.core.registry import broken, is_ours
from mbegu.core.registry import game as find_game
from mbegu.core.setups import SetUpGame
from mbegu.server.net.messages import Json, Refused
from mbegu.server.play import events as ev
from mbegu.server.play.events import EventKind, NewEvent
from mbegu.server.play.rows import (
    LADDER_LEVEL,
    Happening,
    RoomRow,
    SeatKind,
    SeatRow,
    Status,
)

__all__ = ["MOST_MISSED", "MOST_PLIES", "Course", "LogEntry", "Told", "read_outcome"]

log = logging.getLogger(__name__)

MOST_PLIES = 1000  # of one game: everybody who comes is told all of it
MOST_MISSED = 30  # events that a client is told again; after more it gets a snapshot
WISHES = {
    EventKind.DRAW_OFFERED: "draw",
    EventKind.UNDO_OFFERED: "undo",
    EventKind.REMATCH_OFFERED: "rematch",
}
ANSWERS = (EventKind.MOVED, EventKind.UNDONE, EventKind.UNDO_DECLINED, EventKind.ENDED)
REMATCHES = (EventKind.REMATCH_OFFERED, EventKind.REMATCH_DECLINED, EventKind.REMATCH)
KEPT_TEXTS = 8  # of the latest events, ready to be sent again
Told = tuple[list[Event], Position]  # a move: its story, and the position after it
Kept = tuple[
    float, EventKind, str, str | None
]  # an event, all but its version, as the store has it
# Before Python 3.12 it takes a third of a microsecond to find a member in its enum, many times in every move.
_MOVED, _SETUP, _ENDED, _UNDONE = (
    EventKind.MOVED,
    EventKind.SETUP,
    EventKind.ENDED,
    EventKind.UNDONE,
)
_EMPTY, _HUMAN = SeatKind.OPEN, SeatKind.HUMAN
_OPEN, _PLAYING, _OVER = Status.OPEN, Status.PLAYING, Status.OVER
MOST_LAG, LAG_QUOTA = 0.5, 10.0  # seconds of a line's delay that are given back: a move, a game
LAG_SHARE = 0.1  # at most, of all time that the clock gives


class RoomClock(Clock):
    """A clock that can go on where it stopped."""

    def restore(self, left: list[float | None]) -> None:
        """Stops with so much time left."""
        self.stop()
        self._left = list(left)

    def resume(self, player: int) -> None:
        """Runs again within the same move, for which nobody gets new time."""
        left = list(self._left)
        self.start(player)
        self._left = left

    def credit(self, player: int, seconds: float) -> float:
        """Gives back time that the line or the server has used, never more than this move has."""
        if self.running != player:
            return 0.0
        given = max(0.0, min(seconds, self._now() - self._since))
        self._since += given
        return given


@dataclass(eq=False, slots=True)
class LogEntry:
    """An event with what is needed to tell it in any language."""

    happening: Happening
    before: Position | None = None
    after: Position | None = None
    story: list[Event] | None = None  # of a move that has just been made
    outcome: Outcome | None = None
    clock: Json | None = None
    texts: dict[tuple[str, bool], str] = field(default_factory=dict)


class Course:
    """A game as its log tells it.

    The whole log is kept as it is stored, the `latest` events with all that they need to be told.
    """

    def __init__(self, row: RoomRow, played: bool = True) -> None:
        self.row = row
        self.game: Game = find_game(row.game)
        self.control = TimeControl.parse(row.control)
        if played:
            self.replay(row.log)

    # ---- the log, played

    def replay(self, happenings: Iterable[Happening] | None = None) -> None:
        """Plays a log from its beginning; its own, unless told: what was not kept is forgotten, a clock runs on."""
        match = self.match if happenings is None else None
        running = None if match is None else match.clock.running
        left = None if running is None else self.left()
        for _entry in self.replaying(self.happenings() if happenings is None else happenings):
            pass
        if running is not None:
            self.resume_clock(running, left)

    def replaying(self, happenings: Iterable[Happening]) -> Iterator[LogEntry]:
        """The same one event after the other, for whoever wants to pause between them."""
        self.seats: tuple[SeatRow, SeatRow] = self.row.seats
        self.beads: list[tuple[int, ...] | None] = [None, None]
        self.match: Match | None = None
        self.undo_offer: tuple[int, int] | None = None  # who wishes it, and how many plies
        self.asked: set[tuple[str, int]] = set()  # wishes of a player, until the next move
        self.wishes: Counter[tuple[str, int]] = Counter()  # the same in the whole game
        self.rematch_by: int | None = None
        self.next_room: str | None = None
        self.simple = [False, False]  # whose moves a simple bot has made, for want of an engine
        self.continued = False  # whether some of it was played while the server was away
        self.by_tab = False  # whether a tab has thought for the computer
        self._help = "full"  # how much the players are told of what a move would do
        self.lag = [0.0, 0.0]  # seconds that each has been given back
        if self.row.start is not None:
            self.match = Match(self.game, self.game.position(self.row.start), self._names())
        self._log: list[Kept] = []
        self.latest: deque[LogEntry] = deque(maxlen=MOST_MISSED)
        self.commands: dict[str, int] = {}
        clock = RoomClock(self.control)
        left: list[float | None] | None = None
        for happening in happenings:
            entry = self.apply(happening)
            left = happening.data.get("left", left)
            entry.clock = self.clock_json(left, self.turn)
            self.keep(entry)
            yield entry
        if left is not None:
            clock.restore(left)
        if self.match is not None:
            self.match.clock = clock

    def keep(self, entry: LogEntry) -> None:
        """Adds an event that has been applied, and stored, to the log."""
        line = entry.happening
        self._log.append((line.at, line.kind, line.text, line.command))
        self.latest.append(entry)
        if line.command:
            self.commands[line.command] = line.version
        if len(self.latest) > KEPT_TEXTS:
            self.latest[-1 - KEPT_TEXTS].texts.clear()

    def happenings(self, after: int = 0, only: EventKind | None = None) -> list[Happening]:
        """The log, whole or from a version on, or what is of one kind."""
        return [
            Happening(version, at, kind, json.loads(text), command, text)
            for version, (at, kind, text, command) in enumerate(self._log[after:], after + 1)
            if only in (None, kind)
        ]

    def since(self, version: int) -> list[LogEntry]:
        """What has happened after a version, of which no more than `MOST_MISSED` events are at hand."""
        return [entry for entry in self.latest if entry.happening.version > version]

    def _names(self) -> tuple[str, str]:
        first, second = (
            seat.name or (f"mbegu {seat.level}" if seat.kind == SeatKind.COMPUTER else "?")
            for seat in self.seats
        )
        return first, second

    def apply(self, happening: Happening, told: Told | None = None) -> LogEntry:
        """Makes an event true; a move that has been `told` is not played a second time."""
        kind, data = happening.kind, happening.data
        entry = LogEntry(happening)
        if kind != _MOVED:
            self._prepare(kind, data)
        if self.match is not None:
            entry.before = self.match.position
            if told is not None:
                entry.story = told[0]
            self._play(self.match, kind, data, None if told is None else told[1])
            entry.after, entry.outcome = self.match.position, self.match.outcome
        return entry

    def broken(self, error: BaseException) -> str:
        """What is said when a stranger's game fails; it stands where it stood. A fault of ours is raised again."""
        if is_ours(type(self.game)):
            raise error
        log.exception("the game %s failed", self.game.name)
        self.replay()
        return broken(self.game.name, error)

    def _prepare(self, kind: EventKind, data: Json) -> None:
        """What an event does beside the board."""
        if kind == EventKind.JOINED:
            self._seat(cast("ev.Joined", data))
        elif kind == _SETUP:
            self.beads[data["player"]] = tuple(data["beads"])
        elif kind == EventKind.STARTED:
            self._start(cast("ev.Started", data))
        elif kind == EventKind.HELP:
            self._help = data["help"]
        elif kind == EventKind.CONTINUED:
            self.continued = True
        elif kind in REMATCHES:
            self.rematch_by = data["player"] if kind == EventKind.REMATCH_OFFERED else None
            self.next_room = data.get("room")

    def _start(self, data: ev.Started) -> None:
        """Both have laid their beads."""
        assert isinstance(self.game, SetUpGame)
        beads = (None, None) if data.get("unseen") else self.beads
        start = self.game.start(*beads)
        self.match = Match(self.game, start, self._names(), RoomClock(self.control))

    def _seat(self, data: ev.Joined) -> None:
        """Somebody takes an open seat."""
        player = data["player"]
        if self.seats[player].kind != _EMPTY:
            return  # who sits there now is in the list of seats: he may be called otherwise since
        taken = replace(
            self.seats[player],
            kind=_HUMAN,
            name=data["name"],
            session=data["session"],
            account=data["account"],
        )
        self.seats = (taken, self.seats[1]) if player == 0 else (self.seats[0], taken)
        if self.match is not None:
            self.match.players = self._names()

    def _play(self, match: Match, kind: EventKind, data: Json, after: Position | None) -> None:
        """What an event does to the match."""
        self._answer(kind, data)
        match kind:
            case EventKind.MOVED:
                self._move(match, cast("ev.Moved", data), after)
            case EventKind.UNDONE:
                match.undo(data["plies"])
            case EventKind.UNDO_OFFERED:
                self.undo_offer = data["player"], data["plies"]
            case EventKind.DRAW_OFFERED | EventKind.DRAWN:
                match.offer_draw(data["player"])
            case EventKind.DRAW_DECLINED:
                match.decline_draw(data["player"])
            case EventKind.RESIGNED:
                match.resign(data["player"])
            case EventKind.FLAGGED:
                match.flag(data["player"])
            case EventKind.CLAIMED:
                match.abandon(1 - data["player"], data["result"] == "draw")
            case EventKind.ABORTED:
                match.abort()
            case EventKind.ENDED if match.outcome is None:  # a verdict that came with a record
                match.decide(read_outcome(data["outcome"]))

    def _move(self, match: Match, data: ev.Moved, after: Position | None) -> None:
        match.play(data["move"], after)
        self.lag[data["player"]] += data.get("lag", 0.0)
        self.simple[data["player"]] |= data.get("simple", False)
        self.by_tab |= data.get("tab", False)

    def _answer(self, kind: EventKind, data: Json) -> None:
        """What an event means for wishes that have not been answered."""
        if kind in (_MOVED, _UNDONE):
            self.asked.clear()
        if kind in WISHES:  # withdrawn or not: whoever asks has asked
            wish = WISHES[kind], data["player"]
            self.asked.add(wish)
            self.wishes[wish] += 1
        if kind in ANSWERS:
            self.undo_offer = None

    # ---- how it stands

    @property
    def version(self) -> int:
        """The version of the last event."""
        return len(self._log)

    @property
    def status(self) -> Status:
        """How far it has come."""
        first, second = self.seats
        if _EMPTY in (first.kind, second.kind):
            return _OPEN
        if self.match is None:
            return Status.SETUP
        return _OVER if self.match.outcome else _PLAYING

    @property
    def turn(self) -> int | None:
        """The player to move, if the game is on."""
        return self.match.turn if self.match is not None and self.status != _OPEN else None

    @property
    def help(self) -> str:
        """How much the players are told of what a move would do; whoever plays for a rating, nothing."""
        return "none" if self.row.rated else self._help

    @property
    def may_be_aborted(self) -> bool:
        """Whether two people have begun, but not both of them moved."""
        under_way = self.match is not None and self.match.is_under_way
        return self.between_people and self.status in (Status.SETUP, _PLAYING) and not under_way

    @property
    def between_people(self) -> bool:
        """Whether two different people play."""
        first, second = self.seats
        human = first.kind == second.kind == _HUMAN
        return human and first.session != second.session

    @property
    def by_oneself(self) -> bool:
        """Whether nobody elsewhere has a part in it: one who plays with the computer, or both sides."""
        humans = {seat.session for seat in self.seats if seat.kind == _HUMAN}
        strangers = any(
            seat.kind == _EMPTY or (seat.kind == SeatKind.COMPUTER and seat.level == LADDER_LEVEL)
            for seat in self.seats
        )
        return len(humans) == 1 and not (strangers or self.row.rated or self.row.source)

    @property
    def tab_may_think(self) -> bool:
        """Whether a tab may think for the computer: no clock runs, and nobody's rated game begins so."""
        return self.by_oneself and not self.control.limited and self.row.begins_as_usual

    @property
    def steered(self) -> bool:
        """Whether a player could have chosen the computer's moves too, and so any position."""
        return not self.row.begins_as_usual or self.continued or self.by_tab

    def lag_left(self, player: int) -> float:
        """Seconds that a player may be given back for the delay of his line in this move.

        How slow a line is, only its other end can tell: so it is worth little where time is short.
        """
        control = self.control
        if control.per_move is not None:
            return min(MOST_LAG, LAG_SHARE * control.per_move, LAG_QUOTA - self.lag[player])
        if control.bank is None:
            return 0.0
        made = 0 if self.match is None else len(self.match.moves) / 2
        share = LAG_SHARE * (control.bank + control.increment * made)
        return min(MOST_LAG, min(LAG_QUOTA, share) - self.lag[player])

    def seats_of(self, session: str) -> list[int]:
        """The seats on which somebody may act."""
        return [
            player
            for player, seat in enumerate(self.seats)
            if seat.kind == _HUMAN and seat.session == session
        ]

    def summary(self, now: float, version: int) -> Json:
        """What lists of games show."""
        match = self.match
        outcome = None if match is None else match.outcome
        return {
            "updated": now,
            "version": version,
            "status": self.status.value,
            "plies": 0 if match is None else len(match.moves),
            "position": None if match is None else str(match.position),
            "outcome": None if outcome is None else json.dumps(outcome.to_json()),
        }

    # ---- the clock

    def left(self) -> list[float | None] | None:
        """What both players have left, if there is a limit."""
        if self.match is None or not self.control.limited:
            return None
        left = [self.match.clock.remaining(player) for player in (0, 1)]
        if self.turn is not None and self.match.clock.running is None:
            # A new move: with so much for each, what was left of the last one does not matter.
            left[self.turn] = self.control.per_move or left[self.turn]
        return [None if seconds is None else round(seconds, 3) for seconds in left]

    def clock_json(self, left: list[float | None] | None, running: int | None) -> Json | None:
        """A clock as clients are told."""
        if not self.control.limited or left is None:
            return None
        shown = [None if seconds is None else max(0.0, round(seconds, 2)) for seconds in left]
        return {"control": str(self.control), "left": shown, "running": running}

    def clock_now(self) -> Json | None:
        """The clock at this moment."""
        if self.match is None:
            return None
        return self.clock_json(self.left(), self.match.clock.running)

    def set_clock(self, entries: Iterable[LogEntry], left: tuple[float, float]) -> None:
        """After these events, which are not kept yet, both have so much time left."""
        for entry in entries:
            entry.happening.data["left"] = list(left)
            entry.clock = self.clock_json(list(left), self.turn)
        if self.match is not None and isinstance(self.match.clock, RoomClock):
            self.match.clock.restore(list(left))

    def resume_clock(self, running: int | None, left: list[float | None] | None = None) -> None:
        """Goes on with the clock that ran before something that was not a move."""
        if self.match is not None and isinstance(self.match.clock, RoomClock):
            if left is not None:
                self.match.clock.restore(left)
            if running is not None and self.turn == running:
                self.match.clock.resume(running)

    # ---- what follows

    def unfold(
        self, event: NewEvent, now: float, told: Told | None = None, after: int = 0
    ) -> list[LogEntry]:
        """Makes an event true, and what follows from it, before any of it is kept.

        It may come `after` others that are not kept yet either.
        """
        entries, over = list[LogEntry](), self.status == _OVER
        steps = [*self._before(event.kind), event]
        while steps:
            step = steps.pop(0)
            facts: Json = dict(step.data)
            happening = Happening(self.version + after + len(entries) + 1, now, step.kind, facts)
            entry = self.apply(happening, told if step.kind == _MOVED else None)
            if self.match is not None and self.control.limited:
                facts["left"] = self.left()
            entry.clock = self.clock_json(facts.get("left"), self.turn)
            entries.append(entry)
            if step.kind == _SETUP and None not in self.beads:
                steps.append(NewEvent(EventKind.STARTED, ev.Started()))
            outcome = None if self.match is None else self.match.outcome
            if outcome and not over and step.kind != _ENDED:
                steps = [NewEvent(_ENDED, ev.Ended(outcome=outcome.to_json()))]
        return entries

    def _before(self, kind: EventKind) -> list[NewEvent]:
        """A game that ends while beads are laid begins first."""
        if self.match is not None:
            return []
        if kind == EventKind.CLAIMED:  # what is not laid lies as usual
            return [NewEvent(EventKind.STARTED, ev.Started())]
        if kind == EventKind.ABORTED:  # what was laid in secret stays a secret
            return [NewEvent(EventKind.STARTED, ev.Started(unseen=True))]
        return []

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


def read_outcome(data: Json) -> Outcome:
    """An outcome as events and lists keep it."""
    scores = data["scores"]
    return Outcome(data["winner"], (scores[0], scores[1]), read_reason(data["reason"]))

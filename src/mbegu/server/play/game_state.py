"""The course of a game: its log of events, and what they make true.

Nothing here waits, writes or talks: events are applied one after the other, and the same log always
leads to the same state. The room decides which events there are.
"""

import json
from collections import Counter, deque
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime

from mbegu.core.clock import Clock, TimeControl
from mbegu.core.events import Event
from mbegu.core.game import Game, Position
from mbegu.core.i18n import _
from mbegu.core.match import Match
from mbegu.core.outcome import Outcome
from mbegu.core.record import Record, Step, read_reason
from mbegu.core.registry import game as find_game
from mbegu.core.setups import SetUpGame
from mbegu.server.keep.store import Happening, RoomRow
from mbegu.server.net.messages import Json, Refused

__all__ = ["MOST_MISSED", "Course", "Entry", "Told", "read_outcome"]

MOST_MISSED = 30  # events that a client is told again; after more it gets a snapshot
WISHES = {"draw_offered": "draw", "undo_offered": "undo", "rematch_offered": "rematch"}
KEPT_TEXTS = 8  # of the latest events, ready to be sent again
Told = tuple[list[Event], Position]  # a move: its story, and the position after it
Kept = tuple[float, str, str, str | None]  # an event, all but its version, as the store has it


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
class Entry:
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

    def __init__(self, row: RoomRow) -> None:
        self.row = row
        self.game: Game = find_game(row.game)
        self.control = TimeControl.parse(row.control)
        self.replay(row.log)

    # ---- the log, played

    def replay(self, happenings: Iterable[Happening] | None = None) -> None:
        """Plays a log from its beginning, its own unless told; forgets what was not kept."""
        if happenings is None:
            happenings = self.happenings()
        self.seats = self.row.seats
        self.beads: list[tuple[int, ...] | None] = [None, None]
        self.match: Match | None = None
        self.undo_offer: tuple[int, int] | None = None  # who wishes it, and how many plies
        self.asked: set[tuple[str, int]] = set()  # wishes of a player, until the next move
        self.wishes: Counter[tuple[str, int]] = Counter()  # the same in the whole game
        self.rematch_by: int | None = None
        self.next_room: str | None = None
        self.simple = [False, False]  # whose moves a simple bot has made, for want of an engine
        self._help = "full"  # how much the players are told of what a move would do
        self.lag = [0.0, 0.0]  # seconds that each has been given back
        if self.row.start is not None:
            self.match = Match(self.game, self.game.position(self.row.start), self._names())
        self._log: list[Kept] = []
        self.latest: deque[Entry] = deque(maxlen=MOST_MISSED)
        self.commands: dict[str, int] = {}
        clock = RoomClock(self.control)
        left: list[float | None] | None = None
        for happening in happenings:
            entry = self.apply(happening)
            left = happening.data.get("left", left)
            entry.clock = self.clock_json(left, self.turn)
            self.keep(entry)
        if left is not None:
            clock.restore(left)
        if self.match is not None:
            self.match.clock = clock

    def keep(self, entry: Entry) -> None:
        """Adds an event that has been applied, and stored, to the log."""
        line = entry.happening
        self._log.append((line.at, line.kind, line.text, line.command))
        self.latest.append(entry)
        if line.command:
            self.commands[line.command] = line.version
        if len(self.latest) > KEPT_TEXTS:
            self.latest[-1 - KEPT_TEXTS].texts.clear()

    def happenings(self) -> list[Happening]:
        """The log."""
        return [
            Happening(version, at, kind, json.loads(text), command, text)
            for version, (at, kind, text, command) in enumerate(self._log, 1)
        ]

    def since(self, version: int) -> list[Entry]:
        """What has happened after a version, of which no more than `MOST_MISSED` events are at hand."""
        return [entry for entry in self.latest if entry.happening.version > version]

    def _names(self) -> tuple[str, str]:
        first, second = (
            seat.name or (f"mbegu {seat.level}" if seat.kind == "computer" else "?")
            for seat in self.seats
        )
        return first, second

    def apply(self, happening: Happening, told: Told | None = None) -> Entry:
        """Makes an event true; a move that has been `told` is not played a second time."""
        kind, data = happening.kind, happening.data
        entry = Entry(happening)
        if kind == "joined":
            self._seat(data)
        elif kind == "setup":
            self.beads[data["player"]] = tuple(data["beads"])
        elif kind == "started":
            assert isinstance(self.game, SetUpGame)
            beads = (None, None) if data.get("unseen") else self.beads
            self.match = Match(
                self.game, self.game.start(*beads), self._names(), RoomClock(self.control)
            )
        elif kind == "help":
            self._help = data["help"]
        elif kind in ("rematch_offered", "rematch_declined", "rematch"):
            self.rematch_by = data["player"] if kind == "rematch_offered" else None
            self.next_room = data.get("room")
        if self.match is not None:
            entry.before = self.match.position
            if told is not None:
                entry.story = told[0]
            self._play(self.match, kind, data, None if told is None else told[1])
            entry.after, entry.outcome = self.match.position, self.match.outcome
        return entry

    def _seat(self, data: Json) -> None:
        """Somebody takes an open seat."""
        player = data["player"]
        if self.seats[player].kind != "open":
            return  # who sits there now is in the list of seats: he may be called otherwise since
        taken = replace(
            self.seats[player],
            kind="human",
            name=data["name"],
            session=data["session"],
            account=data["account"],
        )
        self.seats = (taken, self.seats[1]) if player == 0 else (self.seats[0], taken)
        if self.match is not None:
            self.match.players = self._names()

    def _play(self, match: Match, kind: str, data: Json, after: Position | None) -> None:
        """What an event does to the match."""
        self._answer(kind, data)
        match kind:
            case "moved":
                match.play(data["move"], after)
                self.lag[data["player"]] += data.get("lag", 0.0)
                self.simple[data["player"]] |= data.get("simple", False)
            case "undone":
                match.undo(data["plies"])
            case "undo_offered":
                self.undo_offer = data["player"], data["plies"]
            case "draw_offered" | "drawn":
                match.offer_draw(data["player"])
            case "draw_declined":
                match.decline_draw(data["player"])
            case "resigned":
                match.resign(data["player"])
            case "flagged":
                match.flag(data["player"])
            case "claimed":
                match.abandon(1 - data["player"], data["result"] == "draw")
            case "aborted":
                match.abort()
            case "ended" if match.outcome is None:  # a verdict that came with a record
                outcome = read_outcome(data["outcome"])
                self.match = Match.from_record(match.record().ended(outcome))

    def _answer(self, kind: str, data: Json) -> None:
        """What an event means for wishes that have not been answered."""
        if kind in ("moved", "undone"):
            self.asked.clear()
        if kind in WISHES:  # withdrawn or not: whoever asks has asked
            wish = WISHES[kind], data["player"]
            self.asked.add(wish)
            self.wishes[wish] += 1
        if kind in ("moved", "undone", "undo_declined", "ended"):
            self.undo_offer = None

    # ---- how it stands

    @property
    def version(self) -> int:
        """The version of the last event."""
        return len(self._log)

    @property
    def status(self) -> str:
        """`open` while a seat waits for somebody, `setup`, `playing` or `over`."""
        first, second = self.seats
        if first.kind == "open" or second.kind == "open":
            return "open"
        if self.match is None:
            return "setup"
        return "over" if self.match.outcome else "playing"

    @property
    def turn(self) -> int | None:
        """The player to move, if the game is on."""
        return self.match.turn if self.match is not None and self.status != "open" else None

    @property
    def help(self) -> str:
        """How much the players are told of what a move would do; whoever plays for a rating, nothing."""
        return "none" if self.row.rated else self._help

    @property
    def may_be_aborted(self) -> bool:
        """Whether two people have begun, but not both of them moved."""
        under_way = self.match is not None and self.match.is_under_way
        return self.between_people and self.status in ("setup", "playing") and not under_way

    @property
    def between_people(self) -> bool:
        """Whether two different people play."""
        first, second = self.seats
        human = first.kind == second.kind == "human"
        return human and first.session != second.session

    def summary(self, now: float, version: int) -> Json:
        """What lists of games show."""
        match = self.match
        outcome = None if match is None else match.outcome
        return {
            "updated": now,
            "version": version,
            "status": self.status,
            "plies": 0 if match is None else len(match.moves),
            "position": None if match is None else str(match.position),
            "outcome": None if outcome is None else json.dumps(outcome.to_json()),
        }

    # ---- the clock

    def left(self) -> list[float | None] | None:
        """What both players have left, if there is a limit."""
        if self.match is None or not self.control.limited:
            return None
        clock = self.match.clock
        return [
            None if left is None else round(left, 3)
            for left in (clock.remaining(player) for player in (0, 1))
        ]

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

    def resume_clock(self, running: int | None, left: list[float | None] | None = None) -> None:
        """Goes on with the clock that ran before something that was not a move."""
        if self.match is not None and isinstance(self.match.clock, RoomClock):
            if left is not None:
                self.match.clock.restore(left)
            if running is not None and self.turn == running:
                self.match.clock.resume(running)

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

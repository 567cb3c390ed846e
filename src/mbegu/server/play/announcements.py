"""What a room tells its clients, in their language: everything at once, or one event.

What a player has laid in secret, and which session sits where, is never told.
"""

import asyncio
import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from mbegu.core.events import End, Event
from mbegu.core.game import Move, Position
from mbegu.core.i18n import _, current_language, speaking
from mbegu.core.match import Match
from mbegu.core.story import tell
from mbegu.server.net.messages import PROTOCOL, Json, dumps, moment
from mbegu.server.play.events import EventKind, NewsKind
from mbegu.server.play.game_state import Course, LogEntry
from mbegu.server.play.identity import is_bot
from mbegu.server.play.ports import Listener
from mbegu.server.play.rows import SeatKind, SeatRow, Status
from mbegu.server.play.views import events_text, outcome_json, view_text

__all__ = ["Announcer", "Surroundings", "event_text", "resumed", "seat_json", "transient"]

AT_ONCE = 16  # moves of a long game that are told before others have their turn
UNTOLD = {"left", "lag", "beads", "session", "account", "device", "count", "since"}
POSITIONED = (  # come with the position they lead to
    EventKind.MOVED,
    EventKind.UNDONE,
    EventKind.STARTED,
    EventKind.ENDED,
)


@dataclass(frozen=True, slots=True)
class Surroundings:
    """How things stand beside the board, and who wants to know."""

    session: str
    updated: float
    can: dict[str, bool]
    presence: Json
    thinking: Json | None
    invite_base: str | None
    tab: str | None


def seat_json(seat: SeatRow, session: str) -> Json:
    """Who sits there, as a client may know it."""
    return {
        "kind": seat.kind,
        "level": seat.level if seat.kind == SeatKind.COMPUTER else None,
        "name": seat.name,
        "yours": seat.kind == SeatKind.HUMAN and seat.session == session,
        "member": seat.account is not None,
        "bot": is_bot(seat.account),
    }


# ---- events


def transient(version: int, kind: NewsKind, data: Json) -> str:
    """Something that is not counted and not kept."""
    return dumps({"t": "event", "version": version, "kind": kind, "data": data, "transient": True})


def resumed(course: Course, around: Surroundings) -> str:
    """How things stand, for one who has been told all that he had missed."""
    return dumps(
        {
            "t": "resumed",
            "version": course.version,
            "clock": course.clock_now(),
            "thinking": around.thinking,
            "presence": around.presence,
        }
    )


def event_text(course: Course, entry: LogEntry, client: Listener) -> str:
    """An event in the client's language, made once for all who share it."""
    key = client.language, client.lean
    text = entry.texts.get(key)
    if text is None:
        with speaking(client.language):
            text = entry.texts[key] = _written(course, entry, client.lean)
    return text


def _written(course: Course, entry: LogEntry, lean: bool) -> str:
    """An event in the language of the moment."""
    version, kind, data = entry.happening.version, entry.happening.kind, entry.happening.data
    told: Json = {key: value for key, value in data.items() if key not in UNTOLD}
    more = ""  # what is JSON already
    if kind == EventKind.SETUP:
        told["ready"] = _ready(course, entry)
    if kind == EventKind.MOVED:
        assert entry.before is not None
        move = data["move"]
        story = entry.story or list(entry.before.events(move))
        told |= _move_json(entry.before, data["ply"], data["player"], move, story)
        if not lean:
            more += f',"events":{events_text(entry.before, story)}'
    if kind == EventKind.UNDONE and course.match is not None:
        played = course.match.positions[: data["ply"] + 1]
        told["captured"] = course.game.captured_colours(played)
    if kind == EventKind.ENDED and entry.outcome is not None:
        told["outcome"] = outcome_json(course.game, entry.outcome)
    if kind in POSITIONED and entry.after is not None:
        told["clock"] = entry.clock
        if lean:
            told["text"] = str(entry.after)
        else:
            more += f',"view":{view_text(entry.after, entry.outcome, course.help)}'
            more += _closing(entry)
    text = dumps({"t": "event", "version": version, "kind": kind, "data": told})
    return f"{text[:-2]}{more}}}}}" if more else text


def _closing(entry: LogEntry) -> str:
    """What an end that no move has brought does on the board: seeds that go to their owners."""
    outcome, position = entry.outcome, entry.after
    if entry.happening.kind != EventKind.ENDED or outcome is None or position is None:
        return ""
    story = [] if position.turn is None else position.game.closing(position, outcome)
    return f',"events":{events_text(position, [*story, End(outcome)])}' if story else ""


def _ready(course: Course, entry: LogEntry) -> list[bool]:
    """Who had laid his beads when this was told."""
    laid = {
        old.data["player"]
        for old in course.happenings()[: entry.happening.version]
        if old.kind == EventKind.SETUP
    }
    return [player in laid for player in (0, 1)]


# ---- everything


class Announcer:
    """Tells everything about a room at once; what is long is written once for all who ask."""

    def __init__(self, course: Course) -> None:
        self._course = course
        self._moves: dict[str, list[tuple[Move, str]]] = {}  # by language, each with its JSON
        self._written: dict[str, tuple[Any, str]] = {}  # the game by language, and when

    def snapshot(self, around: Surroundings) -> Json:
        """Everything, in the language of the moment."""
        told: Json = json.loads(self.snapshot_text(around))
        return told

    def snapshot_text(self, around: Surroundings) -> str:
        """The same, as JSON."""
        return f"{dumps(_surroundings(self._course, around))[:-1]},{self._game_text()}}}"

    def _game_text(self) -> str:
        course, match, language = self._course, self._course.match, current_language()
        if match is None:
            return '"view":null,"moves":[]'
        key = course.version, id(match), len(match.moves), match.outcome
        known = self._written.get(language)
        if known is None or known[0] != key:
            for _told in self._telling(match):
                pass
            moves = ",".join(text for _move, text in self._moves[language])
            seen = view_text(match.position, match.outcome, course.help)
            known = self._written[language] = key, f'"view":{seen},"moves":[{moves}]'
        return known[1]

    async def get_ready(self) -> None:
        """Tells the moves in the language of the moment, in pieces: a long game keeps nobody waiting."""
        match = self._course.match
        if match is not None:
            for number, _told in enumerate(self._telling(match), 1):
                if number % AT_ONCE == 0:
                    await asyncio.sleep(0)

    def _telling(self, match: Match) -> Iterator[None]:
        """The moves with their stories, of which only those are told anew that are new."""
        told = self._moves.setdefault(current_language(), [])
        same = 0
        while same < min(len(told), len(match.moves)) and told[same][0] == match.moves[same]:
            same += 1
        del told[same:]
        while len(told) < len(match.moves):
            ply = len(told)
            position, move = match.positions[ply], match.moves[ply]
            told.append((move, dumps(_move_json(position, ply + 1, position.turn, move))))
            yield


def _surroundings(course: Course, around: Surroundings) -> Json:
    """Who is here, and how things stand beside the board."""
    match = course.match
    return {
        "t": "snapshot",
        "v": PROTOCOL,
        "version": course.version,
        "room": _facts(course, around),
        "captured": None if match is None else course.game.captured_colours(match.positions),
        "clock": course.clock_now(),
        "draw_offered_by": None if match is None else match.draw_offered_by,
        "undo_offered": _undo_json(course),
        "rematch": {"by": course.rematch_by, "room": course.next_room},
        "presence": around.presence,
        "thinking": around.thinking,
    }


def _undo_json(course: Course) -> Json | None:
    if course.undo_offer is None:
        return None
    player, plies = course.undo_offer
    return {"player": player, "plies": plies}


def _facts(course: Course, around: Surroundings) -> Json:
    row, session = course.row, around.session
    game, match = course.game, course.match
    return {
        "id": row.id,
        "game": str(game),
        "rules": game.id,
        "title": _(game.title),
        "sides": [game.side(0), game.side(1)],
        "status": course.status,
        "created": moment(row.created),
        "updated": moment(around.updated),
        "imported": row.source is not None,
        "pace": row.pace,
        "start": None if match is None else str(match.positions[0]),
        "control": str(course.control),
        "setups": row.start is None,
        "ready": [match is not None or beads is not None for beads in course.beads],
        "rated": row.rated,
        "continued": course.continued,
        "help": course.help,
        "between_people": course.between_people,
        "seats": [
            {**seat_json(seat, session), "simple": simple}
            for seat, simple in zip(course.seats, course.simple, strict=True)
        ],
        "invites": _invites(course, session),
        "invite_base": around.invite_base,
        "tab": around.tab if course.tab_may_think or around.tab is None else "keeps",
        "owner": session == row.owner,
        "can": around.can,
    }


def _invites(course: Course, session: str) -> list[str | None] | None:
    """The tokens of the seats that are still open, for the one who made the room."""
    if session != course.row.owner or course.status != Status.OPEN:
        return None
    return [seat.invite if seat.kind == SeatKind.OPEN else None for seat in course.seats]


def _move_json(
    position: Position,
    ply: int,
    player: int | None,
    move: Move,
    story: list[Event] | None = None,
) -> Json:
    return {
        "ply": ply,
        "player": player,
        "move": move,
        "word": position.game.format_move(move, position),
        "story": tell(position, move, story),
    }

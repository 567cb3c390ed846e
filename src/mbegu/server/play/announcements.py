"""What a room tells its clients, in their language: everything at once, or one event.

What a player has laid in secret, and which session sits where, is never told.
"""

import json
from typing import TYPE_CHECKING

from mbegu.core.events import End, Event
from mbegu.core.game import Move, Position
from mbegu.core.i18n import _, current_language, speaking
from mbegu.core.match import Match
from mbegu.core.story import tell
from mbegu.server.keep.store import SeatRow
from mbegu.server.net.clients import Listener
from mbegu.server.net.messages import PROTOCOL, Json, dumps, moment
from mbegu.server.people.sessions import is_bot
from mbegu.server.play.game_state import Course, Entry
from mbegu.server.play.views import events_text, outcome_json, view_text

if TYPE_CHECKING:
    from mbegu.server.play.room import Room

__all__ = ["event_text", "seat_json", "snapshot", "snapshot_text", "transient"]

UNTOLD = {"left", "lag", "beads", "session", "account"}
POSITIONED = ("moved", "undone", "started", "ended")  # come with the position they lead to


def seat_json(seat: SeatRow, session: str) -> Json:
    """Who sits there, as a client may know it."""
    return {
        "kind": seat.kind,
        "level": seat.level if seat.kind == "computer" else None,
        "name": seat.name,
        "yours": seat.kind == "human" and seat.session == session,
        "member": seat.account is not None,
        "bot": is_bot(seat.account),
    }


# ---- events


def transient(version: int, kind: str, data: Json) -> str:
    """Something that is not counted and not kept."""
    return dumps({"t": "event", "version": version, "kind": kind, "data": data, "transient": True})


def event_text(course: Course, entry: Entry, client: Listener) -> str:
    """An event in the client's language, made once for all who share it."""
    key = client.language, client.lean
    text = entry.texts.get(key)
    if text is None:
        with speaking(client.language):
            text = entry.texts[key] = _written(course, entry, client.lean)
    return text


def _written(course: Course, entry: Entry, lean: bool) -> str:
    """An event in the language of the moment."""
    version, kind, data = entry.happening.version, entry.happening.kind, entry.happening.data
    told: Json = {key: value for key, value in data.items() if key not in UNTOLD}
    more = ""  # what is JSON already
    if kind == "setup":
        told["ready"] = _ready(course, entry)
    if kind == "moved":
        assert entry.before is not None
        move = data["move"]
        story = entry.story or list(entry.before.events(move))
        told |= _move_json(entry.before, data["ply"], data["player"], move, story)
        if not lean:
            more += f',"events":{events_text(entry.before, story)}'
    if kind == "undone" and course.match is not None:
        played = course.match.positions[: data["ply"] + 1]
        told["captured"] = course.game.captured_colours(played)
    if kind == "ended" and entry.outcome is not None:
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


def _closing(entry: Entry) -> str:
    """What an end that no move has brought does on the board: seeds that go to their owners."""
    outcome, position = entry.outcome, entry.after
    if entry.happening.kind != "ended" or outcome is None or position is None:
        return ""
    story = [] if position.turn is None else position.game.closing(position, outcome)
    return f',"events":{events_text(position, [*story, End(outcome)])}' if story else ""


def _ready(course: Course, entry: Entry) -> list[bool]:
    """Who had laid his beads when this was told."""
    laid = {
        old.data["player"]
        for old in course.happenings()[: entry.happening.version]
        if old.kind == "setup"
    }
    return [player in laid for player in (0, 1)]


# ---- everything


def snapshot(room: "Room", session: str) -> Json:
    """Everything about a room, in the language of the moment."""
    told: Json = json.loads(snapshot_text(room, session))
    return told


def snapshot_text(room: "Room", session: str) -> str:
    """The same, as JSON: what is long is written once for all who ask before the next event."""
    return f"{dumps(_surroundings(room, session))[:-1]},{_game_text(room)}}}"


def _game_text(room: "Room") -> str:
    match, language = room.course.match, current_language()
    if match is None:
        return '"view":null,"moves":[]'
    key = room.course.version, id(match), len(match.moves), match.outcome
    known = room.written.get(language)
    if known is None or known[0] != key:
        moves = dumps(_moves_told(room, match))
        seen = view_text(match.position, match.outcome, room.course.help)
        text = f'"view":{seen},"moves":{moves}'
        known = room.written[language] = key, text
    return known[1]


def _surroundings(room: "Room", session: str) -> Json:
    """Who is here, and how things stand beside the board."""
    course = room.course
    match = course.match
    return {
        "t": "snapshot",
        "v": PROTOCOL,
        "version": course.version,
        "room": _facts(room, session),
        "captured": None if match is None else course.game.captured_colours(match.positions),
        "clock": course.clock_now(),
        "draw_offered_by": None if match is None else match.draw_offered_by,
        "undo_offered": _undo_json(course),
        "rematch": {"by": course.rematch_by, "room": course.next_room},
        "presence": room.presence.to_json(),
        "thinking": room.computer.thinking,
    }


def _undo_json(course: Course) -> Json | None:
    if course.undo_offer is None:
        return None
    player, plies = course.undo_offer
    return {"player": player, "plies": plies}


def _moves_told(room: "Room", match: Match) -> list[Json]:
    """The moves with their stories, of which only those are told anew that are new."""
    told = room.told.setdefault(current_language(), [])
    same = 0
    while same < min(len(told), len(match.moves)) and told[same]["move"] == match.moves[same]:
        same += 1
    del told[same:]
    for ply in range(same, len(match.moves)):
        position = match.positions[ply]
        told.append(_move_json(position, ply + 1, position.turn, match.moves[ply]))
    return told


def _facts(room: "Room", session: str) -> Json:
    course, row = room.course, room.row
    game, match = course.game, course.match
    return {
        "id": row.id,
        "game": str(game),
        "rules": game.id,
        "title": _(game.title),
        "sides": [game.side(0), game.side(1)],
        "status": course.status,
        "created": moment(row.created),
        "updated": moment(room.updated),
        "imported": row.source is not None,
        "pace": row.pace,
        "start": None if match is None else str(match.positions[0]),
        "control": str(course.control),
        "setups": row.start is None,
        "ready": [match is not None or beads is not None for beads in course.beads],
        "rated": row.rated,
        "help": course.help,
        "between_people": course.between_people,
        "seats": [
            {**seat_json(seat, session), "simple": simple}
            for seat, simple in zip(course.seats, course.simple, strict=True)
        ],
        "invites": _invites(room, session),
        "invite_base": room.hall.public,
        "owner": session == row.owner,
        "can": room.may(session),
    }


def _invites(room: "Room", session: str) -> list[str | None] | None:
    """The tokens of the seats that are still open, for the one who made the room."""
    if session != room.owner or room.status != "open":
        return None
    return [seat.invite if seat.kind == "open" else None for seat in room.seats]


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

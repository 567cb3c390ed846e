"""The record of a game as a file: in our notation, as JSON, or in another that a game brings."""

from mbegu.core.errors import MbeguError
from mbegu.core.i18n import _
from mbegu.core.notation import find_notation
from mbegu.core.record import Record
from mbegu.server.net.messages import dumps, moment
from mbegu.server.play.forms import InvalidForm
from mbegu.server.play.game_state import Course
from mbegu.server.play.rows import RoomRow

__all__ = ["check_form", "is_short", "kept_game", "record_file"]

SHORT_SOURCE = 4096  # characters of an imported record that is read at once


def is_short(row: RoomRow, events: int, most: int) -> bool:
    """Whether the record of a game is written in no time: few events, and few variations and comments."""
    return events <= most and len(row.source or "") <= SHORT_SOURCE


def check_form(form: str) -> None:
    """Refuses a form that nobody knows."""
    if form not in ("text", "json") and find_notation(form) is None:
        raise InvalidForm(_("format must be text, ogn or json"))


def record_file(record: Record, room: str, form: str) -> tuple[str, str]:
    """What a record is called as a file, and what stands in it."""
    name = f"{record.game.name}-{record.date.replace('.', '') or 'game'}-{room[:6]}"
    name = name.replace("?", "x")
    if form == "json":
        return f"{name}.json", dumps(record.to_json())
    other = find_notation(form)
    if other is None:
        return f"{name}.txt", str(record)
    return f"{name}.{other.name}", other.write(record)


def kept_game(room: str, row: RoomRow | None) -> str:
    """A game as somebody is told who asks for all that is kept of him."""
    if row is None:  # deleted since
        return dumps({"id": room, "record": None})
    try:
        record = Course(row).record().to_json()
    except MbeguError:  # it has not begun
        record = None
    return dumps({"id": room, "created": moment(row.created), "rated": row.rated, "record": record})

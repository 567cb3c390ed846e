"""Links that carry a record: made of moves that somebody looks at, and opened again."""

from typing import Any

from mbegu.core.errors import InvalidRecord
from mbegu.core.i18n import _
from mbegu.core.links import pack, unpack
from mbegu.core.record import Record
from mbegu.server.net.messages import Json
from mbegu.server.play.catalogue import position_of
from mbegu.server.play.forms import InvalidForm, read_name
from mbegu.server.play.views import outcome_json

__all__ = ["link_of", "opened_link"]

MOST_MOVES = 2000


def link_of(form: Json) -> Json:
    """A link to a game from a position, by these moves."""
    moves = form.get("moves")
    if not isinstance(moves, list) or len(moves) > MOST_MOVES:
        raise InvalidForm(_("moves must be a list of at most {most}").format(most=MOST_MOVES))
    start = position_of(str(form.get("game", "")), form.get("position"))
    players = _names(form.get("players"))
    return {"link": pack(Record.of(start, moves, players=players))}


def _names(value: Any) -> tuple[str, str]:
    if value is None:
        return "?", "?"
    if not isinstance(value, list) or len(value) != 2:
        raise InvalidForm(_("players must be two names"))
    first, second = (read_name(name) or "?" for name in value)
    return first, second


def opened_link(form: Json) -> Json:
    """What a link carries, after all of it has been held to the rules."""
    link = form.get("link")
    if not isinstance(link, str):
        raise InvalidRecord(_("this link is damaged: some of it is missing, or was changed"))
    record = unpack(link)
    outcome = record.outcome
    return {
        "game": str(record.game),
        "start": str(record.start),
        "moves": list(record.moves),
        "players": list(record.players),
        "date": record.date,
        "result": record.result,
        "outcome": None if outcome is None else outcome_json(record.game, outcome),
    }

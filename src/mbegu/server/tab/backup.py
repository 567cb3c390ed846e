"""All games of a device in one file, and back: as they are kept, so that games that are not over go on.

The file may come from anybody. Every log is played by the rules before anything is kept, what lists show is
computed and not believed, and either all of its games are taken or none.
"""

import json
import math
import re
import time
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from mbegu.core.errors import MbeguError, shorten
from mbegu.core.i18n import _
from mbegu.core.registry import game as find_game
from mbegu.server.net.messages import dumps
from mbegu.server.play.events import EventKind
from mbegu.server.play.forms import InvalidForm, new_id, read_control, read_name
from mbegu.server.play.game_state import Course
from mbegu.server.play.rows import Happening, RoomRow, SeatKind, SeatRow
from mbegu.server.tab.store import HERE, TabStore, row_json

__all__ = ["is_backup", "restore", "write_backup"]

FORMAT = "mbegu-games"
VERSION = 1
MOST_GAMES = 10_000
MOST_EVENTS = 20_000  # of one game
LEVELS = range(1, 11)
PLAIN_ERRORS = (AssertionError, AttributeError, LookupError, OverflowError, TypeError, ValueError)
_ID = re.compile(r"[A-Za-z0-9_-]{8,64}")
_START = re.compile(r'\s*\{\s*"format"\s*:\s*"' + FORMAT + '"')


async def write_backup(store: TabStore) -> str:
    """All games, as the text of a file; a damaged one does not spoil it for the others."""
    rows = [await store.load(name) for name in await store.names()]
    games = [told for row in rows if row is not None and _is_sound(told := row_json(row))]
    return dumps({"format": FORMAT, "version": VERSION, "games": games})


def _is_sound(told: dict[str, Any]) -> bool:
    """Whether a game can be read again."""
    try:
        _checked(told)
    except (MbeguError, *PLAIN_ERRORS):
        return False
    return True


def is_backup(text: str) -> bool:
    """Whether a text is such a file, or means to be one."""
    return _START.match(text) is not None


async def restore(store: TabStore, text: str) -> tuple[list[str], int]:
    """Keeps the games of a file: the ids of those that are new or have gone on, and how many were here."""
    rows = read_backup(text)
    fresh = [row for row in [await _fresh(store, row) for row in rows] if row is not None]
    if fresh:
        await store.add_rooms(fresh)
    for row in fresh:
        store.displaced(row.id)  # whoever looks at it sees how it went on
    return [row.id for row in fresh], len(rows) - len(fresh)


async def _fresh(store: TabStore, row: RoomRow) -> RoomRow | None:
    """The game if this device does not have it, or not as far; under a new name if it went on otherwise."""
    known = await store.load(row.id)
    if known is None:
        return row
    ours, theirs = _story(known.log), _story(row.log)
    if ours[: len(theirs)] == theirs:
        return None
    return row if theirs[: len(ours)] == ours else replace(row, id=new_id())


def _story(log: Sequence[Happening]) -> list[tuple[EventKind, str]]:
    return [(line.kind, json.dumps(line.data, sort_keys=True)) for line in log]


# ---- reading


def read_backup(text: str) -> list[RoomRow]:
    """The games of a file; an error that says which of them is wrong."""
    try:
        told = json.loads(text)
    except (ValueError, RecursionError):
        raise InvalidForm(_("the file is not whole: its JSON cannot be read")) from None
    if told.get("version") != VERSION or not isinstance(told.get("games"), list):
        raise InvalidForm(
            _(
                "this file of games has version {found}, and this Mbegu reads version {known}"
            ).format(found=shorten(told.get("version")), known=VERSION)
        )
    games = told["games"]
    if len(games) > MOST_GAMES:
        raise InvalidForm(_("at most {most} games at a time: cut the file").format(most=MOST_GAMES))
    return [_read_game(number, one) for number, one in enumerate(games, 1)]


def _read_game(number: int, told: Any) -> RoomRow:
    try:
        return _checked(told)
    except (MbeguError, *PLAIN_ERRORS) as error:
        why = str(error) if isinstance(error, MbeguError) else _("it is not as games are kept")
        raise InvalidForm(
            _("game {number} of the file cannot be read: {why}").format(number=number, why=why)
        ) from None


def _checked(told: dict[str, Any]) -> RoomRow:
    """A game whose log can be played, with the summary that follows from it."""
    game = find_game(_text(told["game"]))
    if told["rules"] != game.id:
        raise InvalidForm(_("it was played by other rules: {rules}").format(rules=told["rules"]))
    if not _ID.fullmatch(told["id"]):
        raise InvalidForm(_("its name is not one of ours"))
    source = told.get("source")
    first, second = (_seat(seat) for seat in told["seats"])
    row = RoomRow(
        id=told["id"],
        owner=HERE,
        game=str(game),
        rules=game.id,
        start=None if told["start"] is None else str(game.position(_text(told["start"]))),
        control=str(read_control({"clock": told["control"]})),
        pace=min(10.0, max(0.0, _number(told["pace"]))),
        source=None if source is None else _text(source),
        created=_moment(told["created"]),
        seats=(first, second),
        updated=_moment(told["updated"]),
        log=_log(told["log"]),
    )
    course = Course(row)
    if course.match is not None:
        course.record()  # what came with an imported record can be read, too
    return replace(row, **course.summary(row.updated, course.version))


def _seat(told: dict[str, Any]) -> SeatRow:
    name = read_name(told["name"])
    if told["kind"] == SeatKind.HUMAN:
        return SeatRow(SeatKind.HUMAN, 0, name, HERE)
    if told["kind"] != SeatKind.COMPUTER or told["level"] not in LEVELS:
        raise InvalidForm(_("a seat is a person's, or a computer's of level 1 to 10"))
    return SeatRow(SeatKind.COMPUTER, int(told["level"]), name)


def _log(told: list[dict[str, Any]]) -> tuple[Happening, ...]:
    if len(told) > MOST_EVENTS:
        raise InvalidForm(_("it has more than {most} events").format(most=MOST_EVENTS))
    return tuple(
        Happening(
            number,
            _moment(line["at"]),
            EventKind(line["kind"]),
            dict(line["data"]),
            line["command"],
        )
        for number, line in enumerate(told, 1)
    )


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise InvalidForm(_("{value} should be a text").format(value=shorten(value)))
    return value


def _number(value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        raise InvalidForm(_("{value} should be a number").format(value=shorten(value)))
    return float(value)


def _moment(value: Any) -> float:
    """A time that has been: nothing comes from the future."""
    return min(max(0.0, _number(value)), time.time())

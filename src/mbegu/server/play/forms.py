"""What clients send to make rooms, read strictly: a new game, and records to import."""

import json
import random
import re
import secrets
import time
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from mbegu.core.clock import TimeControl
from mbegu.core.errors import InvalidPosition, InvalidRecord, MbeguError, shorten
from mbegu.core.game import Game
from mbegu.core.i18n import _
from mbegu.core.match import Match
from mbegu.core.notation import find_notation
from mbegu.core.reader import read_records
from mbegu.core.record import Record
from mbegu.core.registry import game as find_game
from mbegu.core.setups import SetUpGame, no_set_ups
from mbegu.server.play.events import EventKind
from mbegu.server.play.game_state import MOST_PLIES
from mbegu.server.play.identity import account_of
from mbegu.server.play.rows import (
    LADDER_LEVEL,
    Happening,
    RoomRow,
    SeatKind,
    SeatRow,
    Status,
)

__all__ = [
    "InvalidForm",
    "imported_rooms",
    "invite_is_over",
    "is_standard",
    "new_id",
    "new_room",
    "pair_row",
    "read_control",
    "read_name",
    "read_object",
    "record_row",
    "rematch_row",
]

LEVELS = range(1, 11)
HELP = ("none", "landing", "full")  # with choosing a move
MOST_NAME = 40
MOST_PACE = 10
MOST_CLOCK = 24 * 3600
MOST_RECORDS = 200
MOST_SOURCE = 128 * 1024  # characters of a game that is imported, with its variations and comments
INVITED_FOR = 7 * 24 * 3600.0  # seconds for which a seat is kept open


class InvalidForm(MbeguError):
    """A request that does not say what it must."""


def is_standard(game: Game) -> bool:
    """Whether a game is played by its usual rules: one number can only measure one game.

    >>> is_standard(find_game("kalah")), is_standard(find_game("kalah(seeds=3)"))
    (True, False)
    """
    return str(game) == str(find_game(game.name))


def new_id() -> str:
    """A name for a room, or an invitation: 128 bits."""
    return secrets.token_urlsafe(16)


def invite_is_over(row: RoomRow, now: float) -> bool:
    """Whether a seat has stayed open for too long."""
    return now > row.created + INVITED_FOR


# ---- a new game


def new_room(form: Any, session: str) -> RoomRow:
    """The room that a form describes, with the creator on its human seats."""
    if not isinstance(form, dict):
        raise InvalidForm(_("a new game is an object with game and seats"))
    game = find_game(form.get("game", ""))
    seats = _read_seats(form.get("seats"), session)
    control = read_control(form)
    rated = _read_rated(form, seats, session)
    if form.get("lot") is True and random.SystemRandom().random() < 0.5:  # sides by lot
        seats = seats[1], seats[0]
    computers = all(seat.kind == SeatKind.COMPUTER for seat in seats)
    pace = form.get("pace", 1 if computers else 0)
    if isinstance(pace, bool) or not isinstance(pace, int | float) or not 0 <= pace <= MOST_PACE:
        raise InvalidForm(_("pace must be a number of seconds from 0 to 10"))
    log, start = _begin(game, form, seats)
    log = _numbered([*_read_help(form, rated), *log])
    now = time.time()
    return RoomRow(
        id=new_id(),
        owner=session,
        game=str(game),
        rules=game.id,
        start=start,
        control=str(control),
        pace=float(pace),
        source=None,
        created=now,
        seats=seats,
        updated=now,
        version=len(log),
        status=_first_status(seats, start),
        position=start,
        rated=rated,
        log=log,
    )


def _first_status(seats: tuple[SeatRow, SeatRow], start: str | None) -> Status:
    if any(seat.kind == SeatKind.OPEN for seat in seats):
        return Status.OPEN
    return Status.SETUP if start is None else Status.PLAYING


def read_control(form: dict[str, Any]) -> TimeControl:
    """The clock that a form asks for."""
    control = TimeControl.parse(_text(form, "clock", "-"))
    for seconds in (control.bank, control.per_move, control.increment):
        if seconds is not None and seconds > MOST_CLOCK:
            raise InvalidForm(_("a clock has at most a day"))
    return control


def _read_rated(form: dict[str, Any], seats: tuple[SeatRow, SeatRow], session: str) -> bool:
    """Whether a game counts: only between two people with accounts, from the usual start."""
    if form.get("rated") in (None, False):
        return False
    if account_of(session) is None:
        raise InvalidForm(_("a rated game needs an account: sign in, or play without rating"))
    if sorted(seat.kind for seat in seats) != [SeatKind.HUMAN, SeatKind.OPEN]:
        raise InvalidForm(_("a rated game is between you and somebody who joins"))
    if form.get("position") is not None or isinstance(form.get("setups"), list):
        raise InvalidForm(_("a rated game begins from the usual start"))
    if not is_standard(find_game(form.get("game", ""))):
        raise InvalidForm(_("a rated game is played by the usual rules, without options"))
    return True


def _read_help(form: dict[str, Any], rated: bool) -> list[Happening]:
    """How much is told of what a move would do, as the log keeps it; all of it unless the form says."""
    told = form.get("help")
    if told is not None and told not in HELP:
        raise InvalidForm(_("help must be none, landing or full"))
    if rated and told not in (None, "none"):
        raise InvalidForm(_("a rated game is played without help"))
    if rated or told in (None, "full"):
        return []  # a rated game needs no word about it
    return [Happening(0, time.time(), EventKind.HELP, {"help": told})]


def pair_row(
    game: str, control: str, setups: bool, rated: bool, seats: tuple[SeatRow, SeatRow]
) -> RoomRow:
    """The room of two people who have found one another in the lobby."""
    now = time.time()
    start = None if setups else str(find_game(game).start())
    return RoomRow(
        id=new_id(),
        owner=str(seats[0].session),
        game=game,
        rules=find_game(game).id,
        start=start,
        control=control,
        pace=0.0,
        source=None,
        created=now,
        seats=seats,
        updated=now,
        status=_first_status(seats, start),
        position=start,
        rated=rated,
    )


def rematch_row(row: RoomRow, seats: tuple[SeatRow, SeatRow], help_: str) -> RoomRow:
    """The same game again, with as much help and the sides swapped."""
    now = time.time()
    log = _numbered(_read_help({"help": help_}, row.rated))
    first, second = (replace(seat, invite=None) for seat in seats)
    return replace(
        row,
        id=new_id(),
        created=now,
        updated=now,
        seats=(second, first),
        version=len(log),
        status=_first_status(seats, row.start),
        plies=0,
        position=row.start,
        outcome=None,
        near=False,
        source=None,
        log=log,
    )


def _text(form: dict[str, Any], key: str, default: str) -> str:
    value = form.get(key)
    if value is None:
        return default
    if not isinstance(value, str) or len(value) > 1000:
        raise InvalidForm(
            _("{key} must be a text, not {value}").format(key=key, value=shorten(value))
        )
    return value


def _read_seats(value: Any, session: str) -> tuple[SeatRow, SeatRow]:
    if not isinstance(value, list) or len(value) != 2:
        raise InvalidForm(_("seats must be a list of two"))
    first, second = (_read_seat(seat, session) for seat in value)
    return first, second


def _read_seat(value: Any, session: str) -> SeatRow:
    if not isinstance(value, dict) or value.get("kind") not in list(SeatKind):
        raise InvalidForm(_("a seat is an object whose kind is human, computer or open"))
    if value["kind"] == SeatKind.OPEN:
        return SeatRow(SeatKind.OPEN, invite=new_id())
    name = read_name(value.get("name"))
    if value["kind"] == SeatKind.HUMAN:
        return SeatRow(SeatKind.HUMAN, 0, name, session, account_of(session))
    level = value.get("level", 5)
    if level == LADDER_LEVEL and type(level) is int and name:
        return SeatRow(SeatKind.COMPUTER, LADDER_LEVEL, name)
    if type(level) is not int or level not in LEVELS:
        raise InvalidForm(_("level must be from 1 to 10, not {value}").format(value=shorten(level)))
    return SeatRow(SeatKind.COMPUTER, level, name)


def read_name(value: Any) -> str:
    """A name as people may write it; empty if none is given."""
    name = " ".join(_text({"name": value}, "name", "").split())
    if len(name) > MOST_NAME or not name.isprintable():
        raise InvalidForm(_("a name has at most 40 letters, all of which can be seen"))
    return name


def _begin(
    game: Game, form: dict[str, Any], seats: tuple[SeatRow, SeatRow]
) -> tuple[tuple[Happening, ...], str | None]:
    """The events with which the room begins, and the first position if it is known."""
    text, setups = form.get("position"), form.get("setups")
    if setups is None:
        start = game.start() if text is None else game.position(_text(form, "position", ""))
        if start.turn is None:
            raise InvalidPosition(_("in this position the game is over: there is nothing to play"))
        return (), str(start)
    if text is not None:
        raise InvalidForm(_("give a position or set-ups, not both"))
    if not isinstance(game, SetUpGame):
        raise InvalidForm(no_set_ups(game))
    if setups == "ask":
        now, lot = time.time(), random.SystemRandom()
        log = [
            Happening(
                0, now, EventKind.SETUP, {"player": player, "beads": list(game.random_setup(lot))}
            )
            for player, seat in enumerate(seats)
            if seat.kind == SeatKind.COMPUTER
        ]
        if len(log) == 2:
            return (), str(game.start(*(line.data["beads"] for line in log)))
        return _numbered(log), None
    if not isinstance(setups, list) or len(setups) != 2:
        raise InvalidForm(_("setups must be null, “ask” or a list of two set-ups"))
    for beads in setups:
        if beads is not None and not isinstance(beads, list):
            raise InvalidForm(_("beads must be a list of 16 numbers"))
    return (), str(game.start(*setups))


def _numbered(log: list[Happening]) -> tuple[Happening, ...]:
    return tuple(
        Happening(version, line.at, line.kind, line.data) for version, line in enumerate(log, 1)
    )


# ---- records


def read_object(body: bytes) -> dict[str, Any]:
    """The object that a body holds."""
    try:
        found = json.loads(body)
    except (ValueError, RecursionError):
        raise InvalidForm(_("this is not JSON")) from None
    if not isinstance(found, dict):
        raise InvalidForm(_("the body must be a JSON object"))
    return found


def imported_rooms(text: Any, session: str) -> list[RoomRow]:
    """The games of a text as rooms: all of them, or an error that says where it is wrong."""
    if not isinstance(text, str):
        raise InvalidForm(_("text must be a text: one record or several"))
    if not _is_writable(text):
        raise InvalidForm(_("the text holds something that is not a character"))
    first = text.lstrip("\ufeff \t\r\n")
    tag = _FIRST_TAG.match(first)
    found: list[RoomRow] = []
    for record in _read(text, tag[1] if tag else ""):
        if len(found) == MOST_RECORDS:
            raise InvalidForm(
                _("at most {most} games at a time: cut the file").format(most=MOST_RECORDS)
            )
        found.append(record_row(record, session))
    if not found:
        raise InvalidRecord(_("there is no record here"))
    return found


def _is_writable(text: str) -> bool:
    """Whether a text is more than a JSON string may be: half characters cannot be kept."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


_FIRST_TAG = re.compile(r"\[\s*(\w+)")


def _read(text: str, first_tag: str) -> Iterator[Record]:
    """In our notation, or in another that a game brings."""
    other = None if first_tag == "Game" else find_notation(first_tag=first_tag)
    return read_records(text) if other is None else other.read(text)


def record_row(record: Record, session: str) -> RoomRow:
    """A record as a room whose creator sits on both sides."""
    if len(record.moves) > MOST_PLIES:
        raise InvalidForm(
            _("a game of more than {most} moves is too long to be kept").format(most=MOST_PLIES)
        )
    source = json.dumps(record.to_json())
    if len(source) > MOST_SOURCE:
        raise InvalidForm(_("a game with so many variations and comments is too long to be kept"))
    now = time.time()
    match = Match.from_record(record)
    log = [
        Happening(0, now, EventKind.MOVED, {"ply": ply, "player": position.turn, "move": move})
        for ply, (position, move) in enumerate(zip(match.positions, match.moves, strict=False), 1)
    ]
    outcome = match.outcome
    if outcome is not None:
        log.append(Happening(0, now, EventKind.ENDED, {"outcome": outcome.to_json()}))
    first, second = (
        SeatRow(SeatKind.HUMAN, 0, "" if name == "?" else name[:MOST_NAME], session)
        for name in record.players
    )
    return RoomRow(
        id=new_id(),
        owner=session,
        game=str(record.game),
        rules=record.game.id,
        start=str(record.start),
        control="-",
        pace=0.0,
        source=source,
        created=now,
        seats=(first, second),
        updated=now,
        version=len(log),
        status=Status.OVER if outcome else Status.PLAYING,
        plies=len(match.moves),
        position=str(match.position),
        outcome=None if outcome is None else json.dumps(outcome.to_json()),
        log=_numbered(log),
    )

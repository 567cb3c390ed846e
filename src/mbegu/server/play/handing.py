"""Handing in: a game that went on in a tab while the server was away comes back to its room.

The tab tells the whole game as it stands there, from the start, and the version up to which it knew the
server's log. What the server has beyond that, nobody has seen: answers of the computer, and commands
that were on their way. Where they differ from the tab's game they are taken back; anything else means
that the game has gone on elsewhere, and what is handed in is refused. Handed in twice, it is there once.
"""

import asyncio
import re
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from mbegu.core.errors import MbeguError, shorten
from mbegu.core.game import Move
from mbegu.core.i18n import _
from mbegu.core.match import Match
from mbegu.core.registry import game as find_game
from mbegu.server.net.messages import Json, Refused
from mbegu.server.play.commands import MOST_EVENTS, command_key
from mbegu.server.play.computer import Computer
from mbegu.server.play.events import ByPlayer, Continued, EventKind, Moved, NewEvent, Undone
from mbegu.server.play.forms import InvalidForm
from mbegu.server.play.game_state import MOST_PLIES, Course, LogEntry
from mbegu.server.play.rows import SeatKind, Status

__all__ = [
    "MOST_HANDED",
    "Continuation",
    "GoneOn",
    "check_may_go_on",
    "check_rules",
    "hand_in",
    "read_continuation",
]

MOST_HANDED = 64 * 1024  # bytes of a game that is handed in
MOST_COMMANDS = 8  # that were on their way when the server went
AT_ONCE = 16  # events, before others are served
ENDS = {
    "resigned": EventKind.RESIGNED,
    "flagged": EventKind.FLAGGED,
    "drawn": EventKind.DRAWN,
}
_DEVICE = re.compile(r"[A-Za-z0-9_-]{8,64}")


class GoneOn(Refused):
    """The game has gone on elsewhere since the tab knew it."""

    status = 409


@dataclass(frozen=True, slots=True)
class Continuation:
    """A game as it stands in a tab."""

    device: str  # names this absence of the server: whatever has the same name is one game
    count: int  # of the tab's events: the higher one is later
    after: int  # the version of the server's log up to which the tab knew it
    moves: tuple[Move, ...]  # from the start
    end: tuple[EventKind, int] | None  # an end that no move has brought, and whose it is
    left: tuple[float, float] | None  # seconds on both clocks
    commands: frozenset[str]  # ids of those that may have been done before the server went


class Host(Protocol):
    """The room of the game."""

    course: Course
    computer: Computer

    async def commit(
        self, entries: list[LogEntry], running: int | None, left: list[float | None] | None
    ) -> None:
        """Keeps what has been made true, and tells everybody."""
        ...

    def wake(self) -> None:
        """Sets going whatever the player to move needs."""
        ...


# ---- reading


def read_continuation(form: Json) -> Continuation:
    """What a tab hands in, read strictly."""
    device, moves = form.get("device"), form.get("moves")
    if not isinstance(device, str) or not _DEVICE.fullmatch(device):
        raise InvalidForm(_("device must be a name of 8 to 64 letters and digits"))
    if not isinstance(moves, list) or len(moves) > MOST_PLIES:
        raise InvalidForm(_("moves must be a list of at most {most}").format(most=MOST_PLIES))
    for move in moves:
        if isinstance(move, bool) or not isinstance(move, int | str) or len(str(move)) > 40:
            raise InvalidForm(_("{move} is not a move").format(move=shorten(move)))
    return Continuation(
        device,
        _count(form, "count"),
        _count(form, "after"),
        tuple(moves),
        _read_end(form.get("end")),
        _read_left(form.get("left")),
        _read_commands(form.get("commands", [])),
    )


def _count(form: Json, key: str) -> int:
    value = form.get(key)
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value < 2**31:
        raise InvalidForm(_("{key} must be a whole number").format(key=key))
    return value


def _read_end(value: Any) -> tuple[EventKind, int] | None:
    if value is None:
        return None
    kind, player = (value.get("kind"), value.get("player")) if isinstance(value, dict) else (0, 0)
    if (
        not isinstance(kind, str)
        or kind not in ENDS
        or type(player) is not int
        or player not in (0, 1)
    ):
        raise InvalidForm(_("end must say resigned, flagged or drawn, and the player: 0 or 1"))
    return ENDS[kind], player


def _read_left(value: Any) -> tuple[float, float] | None:
    if value is None:
        return None
    fits = isinstance(value, list) and len(value) == 2
    if not fits or not all(type(one) in (int, float) and 0 <= one < 1e6 for one in value):
        raise InvalidForm(_("left must be two numbers of seconds"))
    return float(value[0]), float(value[1])


def _read_commands(value: Any) -> frozenset[str]:
    if not isinstance(value, list) or len(value) > MOST_COMMANDS:
        raise InvalidForm(_("commands must be a list of at most {most}").format(most=MOST_COMMANDS))
    if not all(isinstance(one, str) and len(one) <= 64 for one in value):
        raise InvalidForm(_("a command needs an id of 8 to 64 letters and digits"))
    return frozenset(value)


# ---- what may be handed in


def check_may_go_on(course: Course, session: str) -> None:
    """Refuses what is not one's own, and what a server alone may decide."""
    if not course.seats_of(session):
        raise Refused(_("you have no seat in this game: you may watch"))
    if not course.by_oneself:
        raise Refused(_("only an unrated game against the computer can go on without the server"))
    if course.match is None or course.status == Status.OPEN:
        raise Refused(_("the game has not begun: both players lay their beads first"))


def check_rules(game: str, start: str, moves: Sequence[Move], end: bool) -> None:
    """Plays the whole game by the rules; takes its time."""
    found = find_game(game)
    match = Match(found, found.position(start))
    for ply, move in enumerate(moves, 1):
        if match.outcome is not None:
            raise Refused(_("move {ply} comes after the end of the game").format(ply=ply))
        match.play(move)
    if end and match.outcome is not None:
        raise Refused(_("the game is over: it cannot end once more"))


# ---- what follows from it


def _taken(course: Course, device: str) -> tuple[int, set[int]]:
    """What a device has handed in before: its last count, and the versions that came with it."""
    count, versions = -1, set[int]()
    for line in course.happenings(only=EventKind.CONTINUED):
        if line.data["device"] == device:
            count = max(count, line.data["count"])
            versions |= set(range(line.data["since"] + 1, line.version + 1))
    return count, versions


def _check_unseen(course: Course, session: str, told: Continuation, own: set[int]) -> None:
    """What the server has beyond the tab's knowledge must be what nobody has seen."""
    if told.after > course.version:
        raise GoneOn(_("this server does not know so much of this game: it may be an older copy"))
    known = {command_key(session, command) for command in told.commands}
    for line in course.happenings(told.after):
        answer = (
            line.kind == EventKind.MOVED
            and course.seats[line.data["player"]].kind == SeatKind.COMPUTER
        )
        sent = line.command is not None and line.command in known
        if not (line.version in own or answer or sent or line.kind == EventKind.ENDED):
            raise GoneOn(_("this game has gone on elsewhere meanwhile: look at the board again"))


def _check_clock(course: Course, told: Continuation) -> None:
    """Nobody comes back with more time than he can have."""
    control = course.control
    if not control.limited:
        return
    if told.left is None:
        raise InvalidForm(_("left is missing: this game has a clock"))
    first = control.per_move or control.bank
    before: list[float | None] = [first, first]
    for line in course.happenings()[: told.after]:
        before = line.data.get("left") or before
    for had, has in zip(before, told.left, strict=True):
        most = control.per_move or (had or 0.0) + control.increment * len(told.moves)
        if has > most + 0.01:
            raise Refused(_("the clock has more time than it can have"))


def _check_length(course: Course, told: Continuation) -> None:
    """No game grows without end, however often another course of it is handed in."""
    assert course.match is not None
    more = len(told.moves) - _same(course.match.moves, told.moves)
    if more and course.version + more > MOST_EVENTS:
        raise Refused(_("this game is very long already: play it to its end"))


def _same(first: Sequence[Move], second: Sequence[Move]) -> int:
    """With how many of the same moves two games begin."""
    count = 0
    for one, other in zip(first, second, strict=False):
        if one != other:
            break
        count += 1
    return count


def _events(course: Course, told: Continuation) -> Iterator[NewEvent]:
    """What leads from the game as the server has it to the one that is handed in."""
    match = course.match
    assert match is not None
    same = _same(match.moves, told.moves)
    if same == len(told.moves) and told.end is None and same < len(match.moves):
        turn = match.positions[same].turn
        if turn is not None and course.seats[turn].kind == SeatKind.COMPUTER:
            return  # the tab's computer was still thinking: the server's has answered
    if match.outcome is not None and same == len(match.moves):
        if same == len(told.moves) and (told.end is not None or match.position.turn is None):
            return  # it ends in the same way
        if same == 0:
            raise GoneOn(_("this game has gone on elsewhere meanwhile: look at the board again"))
        if same < len(told.moves) or told.end is None:
            same -= 1  # an end is taken back with the move before it
    if same < len(match.moves):
        yield NewEvent(EventKind.UNDONE, Undone(plies=len(match.moves) - same, ply=same, by=None))
    for ply, move in enumerate(told.moves[same:], same + 1):
        assert match.position.turn is not None
        yield NewEvent(EventKind.MOVED, Moved(ply=ply, player=match.position.turn, move=move))
    if told.end is not None and match.outcome is None:
        kind, player = told.end
        if kind == EventKind.DRAWN:
            yield NewEvent(EventKind.DRAW_OFFERED, ByPlayer(player=1 - player))
        yield NewEvent(kind, ByPlayer(player=player))


async def hand_in(room: Host, session: str, told: Continuation) -> bool:
    """Makes the room's game the one that is handed in, in one piece; False if it is that already."""
    course = room.course
    check_may_go_on(course, session)
    count, own = _taken(course, told.device)
    if count >= told.count:
        return False
    _check_unseen(course, session, told, own)
    _check_clock(course, told)
    _check_length(course, told)
    assert course.match is not None
    room.computer.stop()
    running, left, since = course.match.clock.running, course.left(), course.version
    course.match.clock.stop()
    entries: list[LogEntry] = []
    try:
        for event in _events(course, told):
            entries += course.unfold(event, time.time(), after=len(entries))
            if len(entries) % AT_ONCE == 0:
                await asyncio.sleep(0)
        if entries:
            mark = Continued(device=told.device, count=told.count, since=since)
            entries += course.unfold(
                NewEvent(EventKind.CONTINUED, mark), time.time(), after=len(entries)
            )
    except MbeguError:
        course.replay()
        _as_before(room, running, left)
        raise
    if not entries:
        _as_before(room, running, left)
        return False
    if told.left is not None and course.control.limited:
        course.set_clock(entries, told.left)
    await room.commit(entries, running, left)
    return True


def _as_before(room: Host, running: int | None, left: list[float | None] | None) -> None:
    """Nothing has happened: whoever was to move goes on."""
    room.course.resume_clock(running, left)
    room.wake()

"""A command, with what is needed to judge it; and what it leads to, if it is allowed.

Commands are judged without changing anything: they return events, and the room makes them true.
"""

from collections.abc import Callable
from dataclasses import dataclass

from mbegu.core.game import Move
from mbegu.core.i18n import _
from mbegu.core.match import Match
from mbegu.server.net.messages import Json, Refused
from mbegu.server.play.events import ByPlayer, EventKind, NewEvent, Payload
from mbegu.server.play.game_state import Course, Told
from mbegu.server.play.rows import RoomRow, Status

__all__ = ["Asked", "Decided", "by", "event"]


@dataclass(frozen=True, slots=True)
class Decided:
    """What a command leads to; nothing, if it was true already."""

    events: tuple[NewEvent, ...] = ()
    told: Told | None = None  # of a move: its story, and the position after it
    sits_as: str | None = None  # a name that nobody else must have
    opens: RoomRow | None = None  # a room that must be there before
    says: Json | None = None  # to everybody, and it is not kept
    thinks: bool | None = None  # the client can think for the computer, or cannot any more
    computed: tuple[int, Move] | None = None  # at which ply it has thought of which move
    hint: bool = False  # the answer comes when somebody has thought


def event(kind: EventKind, data: Payload) -> Decided:
    """One event."""
    return Decided((NewEvent(kind, data),))


def by(kind: EventKind, player: int) -> Decided:
    """One event that says no more than whose it is."""
    return event(kind, ByPlayer(player=player))


@dataclass(frozen=True, slots=True)
class Asked:
    """Who asks for what, and how the game stands."""

    course: Course
    session: str
    message: Json
    name: str  # of a member; empty for guests
    claim_in: Callable[[int], float | None]  # seconds until a player's absence may be claimed

    @property
    def mine(self) -> list[int]:
        """The seats of the one who asks; he must have one."""
        found = self.course.seats_of(self.session)
        if not found:
            raise Refused(_("you have no seat in this game: you may watch"))
        return found

    @property
    def match(self) -> Match:
        """The game, which must be on."""
        self.check_everybody_sits()
        if self.course.match is None:
            raise Refused(_("the game has not begun: both players lay their beads first"))
        if self.course.match.outcome:
            raise Refused(_("the game is over"))
        return self.course.match

    def check_everybody_sits(self) -> None:
        """Nothing is played while a seat is open."""
        if self.course.status == Status.OPEN:
            raise Refused(_("the other seat is still empty: wait until somebody has taken it"))

    @property
    def seat(self) -> int:
        """For whom a command is meant."""
        match, mine = self.match, self.mine
        wanted = self.message.get("seat")
        if wanted is not None:
            if wanted not in mine or isinstance(wanted, bool):
                raise Refused(_("this seat is not yours"))
            return int(wanted)
        return match.turn if match.turn in mine else mine[0]

    @property
    def seat_at_table(self) -> int:
        """The same, for what may also come while beads are laid."""
        return self.mine[0] if self.course.status == Status.SETUP else self.seat

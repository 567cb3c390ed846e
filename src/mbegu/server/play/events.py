"""The events of a room's log (event sourcing): their kinds, and what each of them says.

Events are told in the past: what a player asks for is a command, and becomes an event when it is
allowed. The names of kinds and fields are kept in databases: they are never changed, only added to.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NotRequired, TypedDict

from mbegu.core.game import Move
from mbegu.server.play.enums import Word

__all__ = ["KINDS", "PAYLOADS", "EventKind", "NewEvent", "NewsKind", "Payload"]

Left = list[float | None] | None  # seconds on both clocks


class EventKind(Word):
    """What can happen in a room, and is kept."""

    JOINED = "joined"
    HELP = "help"
    SETUP = "setup"
    STARTED = "started"
    MOVED = "moved"
    UNDO_OFFERED = "undo_offered"
    UNDO_DECLINED = "undo_declined"
    UNDONE = "undone"
    DRAW_OFFERED = "draw_offered"
    DRAW_DECLINED = "draw_declined"
    DRAWN = "drawn"
    RESIGNED = "resigned"
    FLAGGED = "flagged"
    CLAIMED = "claimed"
    ABORTED = "aborted"
    ENDED = "ended"
    REMATCH_OFFERED = "rematch_offered"
    REMATCH_DECLINED = "rematch_declined"
    REMATCH = "rematch"
    CONTINUED = "continued"


class NewsKind(Word):
    """What is told in the same way, but neither counted nor kept."""

    CLOCK = "clock"
    DELETED = "deleted"
    PLAYING = "playing"
    PRESENCE = "presence"
    SAID = "said"
    STOPPING = "stopping"
    THINKING = "thinking"


# ---- what they say


class Timed(TypedDict):
    """Every event of a game with a clock tells what was left."""

    left: NotRequired[Left]


class ByPlayer(Timed):
    """Somebody did it."""

    player: int


class Joined(ByPlayer):
    """Somebody took an open seat."""

    name: str
    session: str
    account: str | None


class Helped(Timed):
    """How much the players are told of what a move would do."""

    help: str


class Laid(ByPlayer):
    """A player has laid his beads in secret."""

    beads: list[int]


class Started(Timed):
    """All beads lie; or the game was called off before, and they stay `unseen`."""

    unseen: NotRequired[bool]


class Moved(ByPlayer):
    """A move: which, by whom, and what he was given back for the line's delay."""

    ply: int
    move: Move
    lag: NotRequired[float]
    simple: NotRequired[bool]  # a simple bot has made it, for want of an engine
    tab: NotRequired[bool]  # the player's own tab has thought of it for the computer


class UndoOffered(ByPlayer):
    """Somebody wishes to take so many plies back."""

    plies: int


class Undone(Timed):
    """So many plies were taken back, for the wish of one; `ply` are left."""

    plies: int
    ply: int
    by: int | None


class Claimed(ByPlayer):
    """The other had been gone for long."""

    result: str


class Ended(Timed):
    """The game is over."""

    outcome: dict[str, Any]


class Rematch(ByPlayer):
    """Both want another game, which is there."""

    room: str


class Continued(Timed):
    """What came after `since` was played in a tab without the server, and handed in."""

    device: str
    count: int
    since: int


Payload = (
    ByPlayer
    | Joined
    | Helped
    | Laid
    | Started
    | Moved
    | UndoOffered
    | Undone
    | Claimed
    | Ended
    | Rematch
    | Continued
)
_OTHERS: dict[EventKind, Any] = {
    EventKind.JOINED: Joined,
    EventKind.HELP: Helped,
    EventKind.SETUP: Laid,
    EventKind.STARTED: Started,
    EventKind.MOVED: Moved,
    EventKind.UNDO_OFFERED: UndoOffered,
    EventKind.UNDONE: Undone,
    EventKind.CLAIMED: Claimed,
    EventKind.ENDED: Ended,
    EventKind.REMATCH: Rematch,
    EventKind.CONTINUED: Continued,
}
PAYLOADS: Mapping[EventKind, Any] = {kind: _OTHERS.get(kind, ByPlayer) for kind in EventKind}
KINDS: Mapping[str, EventKind] = {kind.value: kind for kind in EventKind}


@dataclass(frozen=True, slots=True)
class NewEvent:
    """An event that a command leads to, before it is counted and kept."""

    kind: EventKind
    data: Payload

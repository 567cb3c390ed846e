"""Rooms, seats and events as they are kept: plain data, wherever they are kept."""

import json
from dataclasses import dataclass, field
from typing import Any

from mbegu.core.registry import game as find_game
from mbegu.server.play.enums import Word
from mbegu.server.play.events import EventKind

__all__ = ["ENCODER", "LADDER_LEVEL", "Happening", "RoomRow", "SeatKind", "SeatRow", "Status"]

ENCODER = json.JSONEncoder(separators=(",", ":"), check_circular=False)
LADDER_LEVEL = 0  # of a seat whose computer is a bot of the ladder


class SeatKind(Word):
    """Who may sit on a side."""

    HUMAN = "human"
    COMPUTER = "computer"
    OPEN = "open"


class Status(Word):
    """How far a room has come."""

    OPEN = "open"  # a seat waits for somebody
    SETUP = "setup"  # beads are laid
    PLAYING = "playing"
    OVER = "over"


@dataclass(frozen=True)
class SeatRow:
    """Who sits on a side: a human of some session, a computer of some level, or nobody yet."""

    kind: SeatKind
    level: int = 0
    name: str = ""
    session: str | None = None
    account: str | None = None
    invite: str | None = None  # lets somebody take the seat, once


@dataclass(slots=True)
class Happening:
    """One event of a room's log (event sourcing): with its version, when it happened, what it says."""

    version: int
    at: float
    kind: EventKind
    data: dict[str, Any]
    command: str | None = None
    _text: str | None = field(default=None, compare=False, repr=False)

    @property
    def text(self) -> str:
        """The data as they are kept: from now on they are not changed any more."""
        if self._text is None:
            self._text = ENCODER.encode(self.data)
        return self._text


@dataclass(frozen=True)
class RoomRow:
    """A room as it is kept. The second half is a summary of its events, for lists."""

    id: str
    owner: str
    game: str
    rules: str
    start: str | None  # None until both set-ups are there
    control: str
    pace: float
    source: str | None  # the record that was imported, as JSON
    created: float
    seats: tuple[SeatRow, SeatRow]

    updated: float
    version: int = 0
    status: Status = Status.PLAYING
    plies: int = 0
    position: str | None = None
    outcome: str | None = None  # JSON
    rated: bool = False
    near: bool = False  # both come from one address
    host: str | None = None  # the process that has it open
    fence: int = 0  # the fencing token: rises whenever another process takes the room
    log: tuple[Happening, ...] = field(default=(), repr=False)

    @property
    def begins_as_usual(self) -> bool:
        """Whether it is a game from the start, not from a position of somebody's choice."""
        return self.start is None or self.start == str(find_game(self.game).start())

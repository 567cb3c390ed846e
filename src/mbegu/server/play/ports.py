"""What rooms need from outside (ports): who listens, where events are kept, who thinks, who is who.

A server brings a database, processes and accounts; something smaller may bring less. Nothing in this
package imports any of them.
"""

from collections.abc import Callable, Sequence
from typing import Any, Protocol

from mbegu.core.errors import MbeguError
from mbegu.core.game import Game, Move, Position
from mbegu.core.i18n import _
from mbegu.core.match import Match
from mbegu.server.play.rows import Happening, RoomRow

__all__ = [
    "BotPlayers",
    "Engines",
    "Guests",
    "Listener",
    "NoBots",
    "NotNow",
    "People",
    "RoomStore",
    "StoreError",
    "ThoughtFailed",
]


class StoreError(MbeguError):
    """What happens cannot be kept, or what is kept not be read."""

    status = 503
    store_fails = True  # not whoever asks, nor another process


class ThoughtFailed(MbeguError):
    """The computer could not think of anything."""


class NotNow(MbeguError):
    """Somebody plays for a rating with this."""

    status = 403


class Listener(Protocol):
    """What a room needs to know of a client."""

    session: str
    name: str  # of a member; empty for guests
    address: str  # from where he comes
    language: str
    lean: bool
    credential: str | None  # the sign-in or token by which a member came
    rtt: float  # seconds that a message to the client and its answer take

    def send(self, text: str) -> None:
        """Tells the client something, without waiting."""
        ...

    def close(self, code: int) -> None:
        """Says good-bye after what has been told."""
        ...


class RoomStore(Protocol):
    """Keeps rooms."""

    fences: dict[str, int]  # fencing tokens of the rooms that are ours
    displaced: Callable[[str], None]  # is told which room has been taken by another process

    async def add_rooms(self, rows: Sequence[RoomRow]) -> None:
        """Keeps new rooms."""
        ...

    async def append(
        self,
        room: str,
        happenings: Sequence[Happening],
        summary: dict[str, Any],
        credential: str | None = None,
    ) -> None:
        """Adds events to a room's log if they follow upon the last (optimistic concurrency)."""
        ...

    async def claim(self, room: str) -> None:
        """Makes a room ours before it is loaded."""
        ...

    async def load(self, room: str) -> RoomRow | None:
        """A room with its log."""
        ...

    async def mine(
        self, session: str, limit: int, before: tuple[float, str] | None, status: str | None
    ) -> list[RoomRow]:
        """The rooms of somebody, last touched first, without their logs."""
        ...

    async def delete(self, room: str) -> None:
        """Forgets a room."""
        ...


class Engines(Protocol):
    """Think for computers on seats, and for hints."""

    async def warm(self, game: Game, level: int, owner: str, compiling: Callable[[], None]) -> None:
        """Gets ready for a level; `compiling` is called if that takes long."""
        ...

    async def get_ready(self, game: Game, owner: str) -> None:
        """Gets ready for hints."""
        ...

    async def choose(
        self,
        game: Game,
        position: str,
        history: Sequence[str],
        level: int,
        owner: str,
        control: str = "-",
        left: float | None = None,
        hurried: Callable[[float], None] = lambda _seconds: None,
        stand_in: Callable[[], None] = lambda: None,
        place: str = "",
    ) -> Move:
        """The move of a computer of this level."""
        ...

    async def hint(
        self,
        game: Game,
        position: str,
        history: Sequence[str],
        owner: str,
        compiling: Callable[[], None] = lambda: None,
        place: str = "",
    ) -> tuple[Move, str]:
        """A good move, and why."""
        ...

    def waiting_of(self, owner: str) -> int:
        """How much somebody waits for."""
        ...


class BotPlayers(Protocol):
    """Bots that sit on a computer's seat by their name."""

    async def choose(self, name: str, match: Match, player: int, room: str) -> Move:
        """The move of the bot of this name."""
        ...

    def leave(self, room: str) -> None:
        """A game is over, or nobody looks at it."""
        ...

    def close(self) -> None:
        """Ends them all."""
        ...


class NoBots:
    """Where no such bots are."""

    async def choose(self, name: str, match: Match, player: int, room: str) -> Move:
        """There is none of any name."""
        raise ThoughtFailed(_("nobody on this ladder is called {name}").format(name=name))

    def leave(self, room: str) -> None:
        """Nobody has come."""

    def close(self) -> None:
        """Nobody is there."""


class People(Protocol):
    """Knows members, their names and ratings, and what would be unfair to them."""

    async def rating_of(self, account: str, game: str) -> float | None:
        """The rating with which somebody looks for a game."""
        ...

    async def check_name(self, session: str, name: str) -> None:
        """Refuses a guest's name that is a member's."""
        ...

    async def check_fair(self, session: str, game: Game, position: Position | str) -> None:
        """Refuses help in a rated game that is being played: `NotNow`."""
        ...


class Guests:
    """Where nobody has an account."""

    async def rating_of(self, account: str, game: str) -> float | None:
        """Nobody has one."""
        return None

    async def check_name(self, session: str, name: str) -> None:
        """Every name is free."""

    async def check_fair(self, session: str, game: Game, position: Position | str) -> None:
        """Nobody plays for a rating."""

"""Who of a room's people is there: since when somebody is gone, and how many watch.

Whoever loses the line has a fair wait before the other may claim the game. Nothing of this is kept: when
a room is loaded again, after a restart too, everybody's wait begins anew; not where only the seats have
changed (`handover`).
"""

import asyncio
import time
from collections.abc import Callable, Collection

from mbegu.server.net.messages import Json
from mbegu.server.play.events import NewsKind
from mbegu.server.play.game_state import Course
from mbegu.server.play.ports import Listener
from mbegu.server.play.rows import SeatKind, Status

__all__ = ["Presence"]

WAIT = 60.0  # seconds without a connection after which the other may claim the game
WAIT_UNTIMED = 120.0  # the same where no clock runs
GATHER = 0.5  # seconds: watchers who come and go meanwhile are told of together


class Presence:
    """Watches the clients of a room."""

    def __init__(
        self,
        course: Course,
        clients: Collection[Listener],
        tell: Callable[[NewsKind, Json, Listener], None],
    ) -> None:
        self._course, self._clients, self._tell_one = course, clients, tell
        self.met = False  # both have been here at the same time
        self._gone: list[float | None] = [time.monotonic(), time.monotonic()]
        self._watchers = 0
        self._soon: asyncio.TimerHandle | None = None

    def take_over(self, before: "Presence") -> None:
        """Goes on where another has stopped; who was here then has gone in this moment."""
        now = time.monotonic()
        self.met = before.met
        self._gone = [now if gone is None else gone for gone in before._gone]

    def close(self) -> None:
        """Tells nothing any more."""
        if self._soon is not None:
            self._soon.cancel()

    def here(self, player: int) -> bool:
        """Whether a player is connected; a computer always is."""
        seat = self._course.seats[player]
        return seat.kind == SeatKind.COMPUTER or (
            seat.kind == SeatKind.HUMAN
            and any(client.session == seat.session for client in self._clients)
        )

    def claim_in(self, player: int) -> float | None:
        """Seconds until a player's absence may be claimed; None if it cannot be."""
        gone = self._gone[player]
        on = self._course.status in (Status.SETUP, Status.PLAYING)
        if gone is None or not on or not self._course.between_people:
            return None
        wait = WAIT if self._course.control.limited else WAIT_UNTIMED
        return max(0.0, gone + wait - time.monotonic())

    def look(self, newcomer: Listener | None = None) -> None:
        """Somebody has come, gone or sat down: tells the others what has changed."""
        was = [gone is None for gone in self._gone]
        now = [self.here(player) for player in (0, 1)]
        for player in (0, 1):
            if now[player]:
                self._gone[player] = None
            elif self._gone[player] is None:
                self._gone[player] = time.monotonic()
        self.met = self.met or all(now)
        sitting = {seat.session for seat in self._course.seats if seat.kind == SeatKind.HUMAN}
        watchers = sum(client.session not in sitting for client in self._clients)
        if now != was:
            self._watchers = watchers
            self._tell(newcomer)
        elif watchers != self._watchers and self._soon is None:
            self._watchers = watchers
            self._soon = asyncio.get_running_loop().call_later(GATHER, self._tell)
        else:
            self._watchers = watchers

    def _tell(self, newcomer: Listener | None = None) -> None:
        if self._soon is not None:
            self._soon.cancel()
            self._soon = None
        told = self.to_json()
        for client in self._clients:
            if client is not newcomer:
                self._tell_one(NewsKind.PRESENCE, told, client)

    def to_json(self) -> Json:
        """As clients are told."""
        waits = (self.claim_in(player) for player in (0, 1))
        return {
            "here": [self.here(player) for player in (0, 1)],
            "claim_in": [None if wait is None else round(wait, 1) for wait in waits],
            "watchers": self._watchers,
        }

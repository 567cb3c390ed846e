"""A room that is opened anew, since its seats have changed: its clock has run on meanwhile, for whoever was to move.

Nobody wins time by signing up, nor by going. After a restart of the server it is otherwise: that is nobody's fault.
"""

import time

from mbegu.server.play.presence import Presence
from mbegu.server.play.room import Room

__all__ = ["Handover"]


class Handover:
    """How a room stands that is given up."""

    def __init__(self, room: Room) -> None:
        self._version, self._left, self._at = room.version, room.course.left(), time.monotonic()
        self._running = None if room.match is None else room.match.clock.running
        self._presence: Presence = room.presence

    @property
    def runs(self) -> bool:
        """Whether somebody's time goes by."""
        return self._running is not None

    def take(self, room: Room) -> None:
        """The same room goes on, unless it has gone on elsewhere."""
        if room.version != self._version:
            return
        room.presence.take_over(self._presence)
        left = self._left
        if self._running is None or left is None:
            return
        left[self._running] = (left[self._running] or 0.0) - (time.monotonic() - self._at)
        room.course.resume_clock(self._running, left)
        room.wake()

"""Time controls and clocks.

A time control is a text: `60+1` is a bank of 60 seconds with one second added after each move,
`5/move` is five seconds for every move, `-` is no limit.

    >>> TimeControl.parse("60+1")
    TimeControl(bank=60.0, increment=1.0, per_move=None)
    >>> str(TimeControl.parse("5/move")), str(TimeControl())
    ('5/move', '-')
"""

import re
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from mbegu.core.errors import InvalidTimeControl, shorten
from mbegu.core.i18n import _

__all__ = ["Clock", "TimeControl"]

_NUMBER = r"([0-9]{1,7}(?:\.[0-9]{1,3})?)"
_BANK = re.compile(rf"{_NUMBER}(?:\+{_NUMBER})?")
_PER_MOVE = re.compile(rf"{_NUMBER}/move")


@dataclass(frozen=True, slots=True)
class TimeControl:
    """How much time the players have: a bank with an increment, so much per move, or no limit."""

    bank: float | None = None
    increment: float = 0.0
    per_move: float | None = None

    @classmethod
    def parse(cls, text: str) -> "TimeControl":
        """Reads `60+1`, `60`, `5/move` or `-`."""
        if text == "-":
            return cls()
        if (bank := _BANK.fullmatch(text)) and float(bank[1]) > 0:
            return cls(bank=float(bank[1]), increment=float(bank[2] or 0))
        if (each := _PER_MOVE.fullmatch(text)) and float(each[1]) > 0:
            return cls(per_move=float(each[1]))
        raise InvalidTimeControl(
            _(
                "{text} is not a time control: write 60+1 (bank and increment in seconds), "
                "5/move (seconds for each move) or - (no limit)"
            ).format(text=shorten(text))
        )

    @property
    def limited(self) -> bool:
        """Whether there is any limit."""
        return self.bank is not None or self.per_move is not None

    def __str__(self) -> str:
        """As `parse` reads it."""
        if self.per_move is not None:
            return f"{self.per_move:.10g}/move"
        return "-" if self.bank is None else f"{self.bank:.10g}+{self.increment:.10g}"


class Clock:
    """Two clocks, of which at most one runs.

    A bot is given the clock with the position: `clock.remaining(position.turn)` is what it may
    still use. `now` is the source of time, in seconds. `second` is the control of player 1, if it is
    another one.
    """

    def __init__(
        self,
        control: TimeControl | None = None,
        now: Callable[[], float] = time.monotonic,
        *,
        second: TimeControl | None = None,
    ) -> None:
        self.control = control or TimeControl()
        self.controls = (self.control, second or self.control)
        self.running: int | None = None
        self._now = now
        self._since = 0.0
        self._left = [
            each.bank if each.per_move is None else each.per_move for each in self.controls
        ]

    def set(self, left: Sequence[float | None]) -> None:
        """Both players have so many seconds left, as another clock says."""
        self._left = [left[0], left[1]]

    def start(self, player: int) -> None:
        """The player's time runs from now on; the other's stops."""
        self.stop()
        self.running, self._since = player, self._now()
        if self.controls[player].per_move is not None:
            self._left[player] = self.controls[player].per_move

    def stop(self) -> float:
        """Stops the running clock; returns the seconds used since its start."""
        if self.running is None:
            return 0.0
        used = self._now() - self._since
        left = self._left[self.running]
        if left is not None:
            self._left[self.running] = left - used
        self.running = None
        return used

    def moved(self, player: int) -> float:
        """The player has moved in time: his clock stops and gains the increment."""
        used = self.stop()
        left = self._left[player]
        if left is not None and left >= 0 and self.controls[player].per_move is None:
            self._left[player] = left + self.controls[player].increment
        return used

    def remaining(self, player: int) -> float | None:
        """Seconds that the player has left, below zero when he is late; None without a limit."""
        left = self._left[player]
        if left is not None and self.running == player:
            left -= self._now() - self._since
        return left

    def flagged(self, player: int) -> bool:
        """Whether the player's time is up."""
        left = self.remaining(player)
        return left is not None and left < 0

"""A move that came in time and could not be kept, since the disk is full or the database away: that is nobody's fault.

Whoever tries again soon is given the time back, and no flag falls meanwhile.
"""

import time

__all__ = ["SOON", "Unkept"]

SOON = 5.0  # seconds


class Unkept:
    """Since when the last move could not be kept, if it could not."""

    def __init__(self) -> None:
        self._since: float | None = None

    def note(self) -> None:
        """A move could not be kept. What it had lost before, its clock has been given back."""
        self._since = time.monotonic()

    def forget(self) -> None:
        """All is well again."""
        self._since = None

    @property
    def lost(self) -> float:
        """Seconds that whoever is to move has lost by it."""
        return 0.0 if self._since is None else min(SOON, time.monotonic() - self._since)

    @property
    def may_come_again(self) -> bool:
        """Whether it is still awaited."""
        return self._since is not None and time.monotonic() - self._since < SOON

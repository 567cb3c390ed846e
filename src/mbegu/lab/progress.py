"""A line that tells how far a long calculation is, on a terminal only."""

from __future__ import annotations

import sys
import time
from types import TracebackType

from mbegu.core.typography import numeral

__all__ = ["Bar"]

WIDTH = 30


class Bar:
    """Shows itself on the error stream when that is a terminal, and leaves nothing behind."""

    def __init__(self, what: str = "") -> None:
        self.what = what
        self.screen = sys.stderr.isatty()
        self.began = time.monotonic()
        self.shown = 0.0

    def __enter__(self) -> Bar:
        """Begins."""
        return self

    def tell(self, done: int, total: int) -> None:
        """So many of so many are done."""
        now = time.monotonic()
        if not self.screen or now - self.shown < 0.1:
            return
        self.shown = now
        share = min(done / max(total, 1), 1.0)
        left = (now - self.began) * (1 - share) / share if share else 0.0
        bar = "█" * int(WIDTH * share) + "░" * (WIDTH - int(WIDTH * share))
        clock = f"{int(left) // 60}:{int(left) % 60:02}"
        line = f"\r\x1b[K{bar} {numeral(done, ',')}/{numeral(total, ',')} {self.what}  −{clock}"
        print(line, end="", file=sys.stderr, flush=True)

    def tell_time(self, seconds: float) -> None:
        """Goes on until so many seconds are over."""
        self.tell(int(time.monotonic() - self.began), max(int(seconds), 1))

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Wipes the line."""
        if self.shown:
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)

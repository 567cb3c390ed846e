"""A stop-watch with a name."""

import time
from collections.abc import Callable
from typing import Any


class TimerError(Exception):
    """A timer was started twice, or stopped without being started."""


class Timer:
    """`start()`, `stop()`; the seconds of all runs add up in `timers[name]`.

    The totals belong to the timer (in the contest they belonged to the class, so that a second
    game began with the time used in the first). Timers that shall share them are given one dict.
    """

    def __init__(
        self,
        name: str | None = None,
        text: str = "Elapsed time: {:0.4f} seconds",
        logger: Callable[[str], Any] | None = print,
        timers: dict[str, float] | None = None,
    ) -> None:
        self.name = name
        self.text = text
        self.logger = logger
        self.timers: dict[str, float] = {} if timers is None else timers
        self._start_time: float | None = None
        if name is not None:
            self.timers.setdefault(name, 0.0)

    def start(self) -> None:
        if self._start_time is not None:
            raise TimerError("Timer is running. Use .stop() to stop it")
        self._start_time = time.perf_counter()

    def stop(self) -> float:
        if self._start_time is None:
            raise TimerError("Timer is not running. Use .start() to start it")
        elapsed = time.perf_counter() - self._start_time
        self._start_time = None
        if self.logger is not None:
            self.logger(self.text.format(elapsed))
        if self.name is not None:
            self.timers[self.name] = self.timers.get(self.name, 0.0) + elapsed
        return elapsed

    def __enter__(self) -> "Timer":
        self.start()
        return self

    def __exit__(self, *exc_info: object) -> None:
        self.stop()

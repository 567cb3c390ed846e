"""The channels between the referee and a bot's process: orders one way, answers and prints the other."""

import os
import selectors
from dataclasses import dataclass

__all__ = ["LINE_MOST", "Channels", "Pipe"]

OUTPUT_KEPT = 16 * 1024  # of what a bot prints, the last so many bytes are kept
OUTPUT_MOST = 16 * 1024 * 1024  # a bot that prints more than this in a game is stopped
FIRST_KEPT = 2 * 1024  # and the first so many
LINE_MOST = 64 * 1024


@dataclass
class Pipe:
    """What a bot says on one of its channels, as far as it has come."""

    handle: int
    text: bytes = b""
    seen: int = 0
    open: bool = True
    first: bytes = b""  # what it said first, if that is not in the text any more

    def add(self, data: bytes, kept: int) -> None:
        """Of what is too long both ends stay: why a program cannot start is what it says first."""
        text = self.text + data
        if len(text) > kept and not self.first:
            self.first = text[:FIRST_KEPT]
        self.text = text[-kept:]


class Channels:
    """What goes to a bot and comes from it, none of which ever blocks us."""

    def __init__(self, orders: int, answers: int, stdout: int, stderr: int) -> None:
        self._orders = orders
        os.set_blocking(orders, False)
        self.answers, self.stdout, self.stderr = Pipe(answers), Pipe(stdout), Pipe(stderr)
        self._selector = selectors.DefaultSelector()
        for pipe in (self.answers, self.stdout, self.stderr):
            os.set_blocking(pipe.handle, False)
            self._selector.register(pipe.handle, selectors.EVENT_READ, pipe)

    def close(self) -> None:
        """Closes our ends; those of its output belong to the process."""
        self._selector.close()
        for handle in (self._orders, self.answers.handle):
            os.close(handle)

    def new_game(self) -> None:
        """What a bot prints is counted by game."""
        self.stdout.seen = self.stderr.seen = 0

    def write(self, data: bytes) -> bytes:
        """Writes what fits now; returns the rest. BlockingIOError if nothing does."""
        return data[os.write(self._orders, data) :]

    def read(self, seconds: float) -> bool:
        """Reads what has come, and waits at most so long for it; whether it was too much in all."""
        for key, _events in self._selector.select(seconds):
            pipe: Pipe = key.data
            try:
                data = os.read(pipe.handle, 65536)
            except BlockingIOError:
                continue
            if not data:
                pipe.open = False
                self._selector.unregister(pipe.handle)
            pipe.seen += len(data)
            kept = LINE_MOST * 2 if pipe is self.answers else OUTPUT_KEPT
            pipe.add(data, kept)
        return any(pipe.seen > OUTPUT_MOST for pipe in (self.stdout, self.stderr))

    def complaints(self, *, more: bool) -> str:
        """What was written to stderr, both ends of it; with what comes at this moment if asked for."""
        if more:
            for _again in range(64):
                seen = self.stderr.seen
                self.read(0)
                if not self.stderr.open or self.stderr.seen == seen:
                    break
        said = self.stderr.first + b"\n" * bool(self.stderr.first) + self.stderr.text
        return said.decode(errors="replace")
